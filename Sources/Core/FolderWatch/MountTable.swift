// SPDX-License-Identifier: MIT

/// What is mounted where, from the text of /proc/self/mountinfo. Reading that touches no file system, so a
/// server that is gone makes nobody wait.
public struct MountTable: Sendable {
  /// One line of the table.
  public struct Mount: Hashable, Sendable {
    /// Never given to two mounts at a time; a mount that comes back has another one.
    public var number: [UInt8]
    /// The absolute path, as raw bytes.
    public var point: [UInt8]
    /// The kernel's name of the file system, such as "ext4", "nfs4" or "fuse.sshfs".
    public var type: String

    /// Whether changes that are not made through this kernel raise no event here: the file systems of other
    /// computers, and those that a program provides. Not "fuseblk", a disk that one program alone changes.
    public var isSilent: Bool { MountTable.silentTypes.contains(String(type.prefix { $0 != "." })) }
  }

  private static let silentTypes: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "afs", "coda", "gfs2", "ocfs2", "lustre", "vboxsf",
    "ncpfs", "orangefs", "virtiofs", "beegfs", "gpfs", "prl_fs", "fuse",
  ]

  /// In the order of the text: a later mount lies over an earlier one at the same point.
  public var mounts: [Mount]

  /// From the file's bytes; lines that are not understood are left out.
  public init(parsing bytes: [UInt8]) {
    mounts = bytes.split(separator: UInt8(ascii: "\n")).compactMap(Self.mount)
  }

  private static func mount(_ line: ArraySlice<UInt8>) -> Mount? {
    let fields = line.split(separator: UInt8(ascii: " "))
    guard fields.count > 6, let dash = fields[6...].firstIndex(of: [UInt8(ascii: "-")]),
      fields.indices.contains(dash + 1)
    else { return nil }
    return Mount(
      number: Array(fields[0]), point: unescaped(fields[4]),
      type: String(decoding: fields[dash + 1], as: UTF8.self))
  }

  // Blanks and the like are written as a backslash and three octal digits.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      guard byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (48...55).contains($0) })
      else {
        result.append(byte)
        continue
      }
      result.append(digits.reduce(0) { $0 &* 8 &+ ($1 - 48) })
      rest = rest.dropFirst(3)
    }
    return result
  }

  /// The mount that holds `path`, an absolute path without links.
  public func mount(of path: [UInt8]) -> Mount? {
    var found: Mount?
    for mount in mounts where Self.holds(mount.point, path) && mount.point.count >= found?.point.count ?? 0 {
      found = mount
    }
    return found
  }

  /// All mounts that decide what `path` and everything below it mean: those above, at and below it.
  public func around(_ path: [UInt8]) -> [Mount] {
    mounts.filter { Self.holds($0.point, path) || Self.holds(path, $0.point) }
  }

  /// Silent file systems that are mounted below `path`: the names from there down, and what they are.
  public func silentBelow(_ path: [UInt8]) -> [(names: [[UInt8]], fileSystem: String)] {
    mounts.compactMap { mount in
      guard mount.isSilent, mount.point.count > path.count, Self.holds(path, mount.point) else { return nil }
      let names = mount.point.dropFirst(path.count).split(separator: UInt8(ascii: "/")).map(Array.init)
      return (names, mount.type)
    }
  }

  private static func holds(_ folder: [UInt8], _ path: [UInt8]) -> Bool {
    guard path.starts(with: folder) else { return false }
    return folder.last == UInt8(ascii: "/") || path.count == folder.count
      || path[folder.count] == UInt8(ascii: "/")
  }
}
