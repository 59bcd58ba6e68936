// SPDX-License-Identifier: MIT

/// What a regular file looked like at one moment. Two equal stamps mean "not written in between" as far as
/// the file system's clock ticks; they never prove which bytes are there (only a hash does).
public struct FileStamp: Hashable, Sendable {
  /// `st_dev`.
  public var device: UInt64
  /// `st_ino`. File systems give freed numbers out again at once, so never an identity by itself.
  public var inode: UInt64
  /// Bytes.
  public var size: UInt64
  /// `st_mtim` in nanoseconds since 1970; engines set it as they like, it is no version.
  public var modified: Int64
  /// `st_ctim` in nanoseconds since 1970; set by the kernel alone.
  public var changed: Int64
  /// `st_nlink`; above 1, other names lead to the same bytes and may change them without an event here.
  public var linkCount: UInt64

  /// A stamp from the fields of `stat(2)`.
  public init(
    device: UInt64, inode: UInt64, size: UInt64, modified: Int64, changed: Int64, linkCount: UInt64 = 1
  ) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
    self.linkCount = linkCount
  }

  /// As an app is told apart that read an earlier state of the file.
  public var mark: FileMark { FileMark(inode: inode, size: size, modified: modified) }

  /// Whether both are one file, written in between or not.
  public func isSameFile(as other: FileStamp) -> Bool { device == other.device && inode == other.inode }

  /// Whether reading `count` bytes between this stamp and `after` gave what the file held: nothing wrote it
  /// meanwhile, as far as stamps tell, and it was as long as it said.
  public func covers(_ count: Int, until after: FileStamp?) -> Bool {
    after == self && UInt64(clamping: count) == size
  }

  /// Whether both are one file with the same content times, however often it was renamed in between.
  public func isSameContent(as other: FileStamp) -> Bool {
    isSameFile(as: other) && size == other.size && modified == other.modified
  }
}

/// What stands under a name.
public enum FileKind: String, Hashable, Sendable, CaseIterable {
  /// A regular file.
  case regular
  /// A directory.
  case folder
  /// A symbolic link; never followed.
  case symbolicLink
  /// A named pipe.
  case pipe
  /// The place of a Unix domain socket.
  case socket
  /// A block or character device.
  case device
  /// The file system does not say.
  case unknown

  /// With its article, for sentences.
  public var description: String {
    switch self {
    case .regular: "a file"
    case .folder: "a folder"
    case .symbolicLink: "a symbolic link"
    case .pipe: "a named pipe"
    case .socket: "a socket"
    case .device: "a device"
    case .unknown: "something of an unknown kind"
    }
  }
}
