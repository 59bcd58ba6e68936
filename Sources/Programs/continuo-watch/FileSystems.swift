// SPDX-License-Identifier: MIT

import FolderWatch
import LinuxSystem

/// Which file systems tell nothing of changes that are not made through this kernel.
enum SilentFileSystem {
  private static let magicNumbers: [Int64: String] = [
    0x6969: "nfs", 0x517b: "smb", 0xff53_4d42: "cifs", 0xfe53_4d42: "smb3", 0x6573_5546: "fuse",
    0x0102_1997: "9p", 0x00c3_6400: "ceph", 0x5346_414f: "afs", 0x6b41_4653: "afs", 0x7375_7245: "coda",
    0x0116_1970: "gfs2", 0x7461_636f: "ocfs2", 0x0bd0_0bd0: "lustre", 0x786f_4256: "vboxsf",
    0x564c: "ncpfs", 0x2003_0528: "orangefs",
  ]

  /// The name of the file system of an open folder, if it is silent: by its mount, else by statfs(2).
  static func name(of folder: Int32, in mount: MountTable.Mount?) -> String? {
    if let mount, mount.isSilent { return mount.type }
    if mount?.type == "fuseblk" { return nil }
    return magicNumbers[BorrowedDescriptor(folder).fileSystem & 0xffff_ffff]
  }
}

extension MountTable {
  /// Reads an open /proc/self/mountinfo from its beginning; empty when there is none.
  init(reading file: Descriptor?) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    if let file, (try? file.rewind()) != nil {
      while let count = try? file.read(into: &chunk), count > 0 { bytes += chunk[..<count] }
    }
    self.init(parsing: bytes)
  }
}

/// How much of inotify this user may have, and the setting that says so.
enum InotifyLimit {
  /// Watches, over all instances.
  static var watches: (limit: UInt64, setting: String) {
    lower("fs.inotify.max_user_watches", "user.max_inotify_watches")
  }

  /// Instances, over all processes.
  static var instances: (limit: UInt64, setting: String) {
    lower("fs.inotify.max_user_instances", "user.max_inotify_instances")
  }

  /// A user namespace, as containers have them, may allow fewer than the whole system does.
  private static func lower(_ system: String, _ own: String) -> (limit: UInt64, setting: String) {
    let allowed = number(system)
    if let mine = number(own), mine < allowed ?? .max { return (mine, own) }
    return (allowed ?? 0, system)
  }

  private static func number(_ setting: String) -> UInt64? {
    let path = "/proc/sys/" + setting.split(separator: ".").joined(separator: "/")
    var text = [UInt8](repeating: 0, count: 32)
    guard let count = try? FilePath(path).open(.readOnly).read(into: &text), count > 0 else { return nil }
    return UInt64(String(decoding: text[..<count].prefix { (48...57).contains($0) }, as: UTF8.self))
  }
}
