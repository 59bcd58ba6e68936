// SPDX-License-Identifier: MIT

import Glibc
import SyncedFolders

/// `stat(2)` in the words of `SyncedFolders`.
enum FileStatus {
  /// Of an open descriptor; nil with `errno` set.
  static func of(_ descriptor: CInt) -> stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }

  /// Of a name, not following it; nil with `errno` set.
  static func of(_ name: [UInt8], in directory: CInt) -> stat? {
    var status = stat()
    let result = withPath(name) { fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW) }
    return result == 0 ? status : nil
  }
}

extension stat {
  var kind: FileKind {
    switch st_mode & S_IFMT {
    case S_IFREG: .regular
    case S_IFDIR: .folder
    case S_IFLNK: .symbolicLink
    case S_IFIFO: .pipe
    case S_IFSOCK: .socket
    case S_IFBLK, S_IFCHR: .device
    default: .unknown
    }
  }

  var stamp: FileStamp {
    FileStamp(
      device: UInt64(st_dev), inode: UInt64(st_ino), size: UInt64(clamping: st_size),
      modified: st_mtim.nanoseconds, changed: st_ctim.nanoseconds, linkCount: UInt64(st_nlink))
  }

  /// What stands there, in the words of the rules.
  var observation: FileObservation {
    if kind != .regular { return .other(kind) }
    return refusal.map { .unreadable($0) } ?? .file(stamp)
  }

  /// Why this is nobody's document here, to follow a colon; nil when it may be one (T07, T08).
  var refusal: String? {
    if kind != .regular { return "it is \(kind.description), not a file" }
    if st_uid != geteuid() { return "it belongs to another user" }
    return nil
  }
}

extension timespec {
  var nanoseconds: Int64 {
    Int64(tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(tv_nsec)
  }
}
