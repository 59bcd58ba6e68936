// SPDX-License-Identifier: MIT

public import ActivityModel
public import Glibc

/// What stat(2) tells of a file.
public struct FileStatus: Sendable {
  let raw: stat

  init(_ raw: stat) { self.raw = raw }

  /// A file, a folder, or what else stands there.
  public var kind: FileKind {
    switch raw.st_mode & S_IFMT {
    case S_IFREG: .regular
    case S_IFDIR: .folder
    case S_IFLNK: .symbolicLink
    case S_IFIFO: .pipe
    case S_IFSOCK: .socket
    case S_IFBLK, S_IFCHR: .device
    default: .unknown
    }
  }

  /// What tells one state of the file from another without reading it.
  public var stamp: FileStamp { FileStamp(raw) }

  /// Bytes.
  public var size: Int { Int(raw.st_size) }
  /// Blocks of 512 bytes that the file system gave it.
  public var blocks: Int { Int(raw.st_blocks) }
  /// The user it belongs to.
  public var owner: UInt32 { raw.st_uid }
  /// The group it belongs to.
  public var group: UInt32 { raw.st_gid }
  /// How many names the file has.
  public var linkCount: Int { Int(raw.st_nlink) }
  /// As chmod(2) takes it.
  public var permissions: UInt32 { raw.st_mode & 0o7777 }
  /// Whether it belongs to the user of this process.
  public var isOwn: Bool { raw.st_uid == geteuid() }
  /// Whether nobody but its owner may do anything with it.
  public var isPrivate: Bool { raw.st_mode & 0o077 == 0 }
}

extension FileStamp {
  /// What stat(2) told.
  public init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: UInt64(clamping: status.st_size),
      modified: status.st_mtim.nanoseconds, changed: status.st_ctim.nanoseconds,
      linkCount: UInt64(status.st_nlink))
  }
}

extension FileMark {
  /// The file that `descriptor` leads to, as `fstat(2)` tells it now; nil for no descriptor and no file. On
  /// any thread.
  public init?(descriptor: Int32) {
    guard let status = try? BorrowedDescriptor(descriptor).status() else { return nil }
    self = status.stamp.mark
  }
}

extension timespec {
  /// Moments before 1970 have a fraction that counts forward, too.
  init(nanoseconds: Int64) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    self.init(
      tv_sec: Int(rest < 0 ? seconds - 1 : seconds), tv_nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
  }

  var nanoseconds: Int64 {
    Int64(tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(tv_nsec)
  }
}
