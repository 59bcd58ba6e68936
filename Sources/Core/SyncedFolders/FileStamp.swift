// SPDX-License-Identifier: MIT

public import ActivityModel

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

  /// How long the inode must have been still before a reading for this stamp to stand for the bytes read: in
  /// less, a later write may leave it as it is. Kernels tick 100 times a second or more; file systems that
  /// keep whole seconds only (FAT: every other one) are told by their times.
  public var tick: Duration {
    changed % 1_000_000_000 == 0 ? .milliseconds(2100) : HashOutcome.tick
  }

  /// As an app is told apart that read an earlier state of the file.
  public var mark: FileMark { FileMark(inode: inode, size: size, modified: modified) }

  /// Whether both are one file, written in between or not.
  public func isSameFile(as other: FileStamp) -> Bool { device == other.device && inode == other.inode }
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

/// What one look at a path told.
public enum FileObservation: Hashable, Sendable {
  /// No such name.
  case absent
  /// Something is there and may not be looked at; the clause says why, to follow a colon.
  case unreadable(String)
  /// Something is there that is no regular file.
  case other(FileKind)
  /// A regular file of this user.
  case file(FileStamp)
}

/// What reading a file to its end told.
public enum HashOutcome: Hashable, Sendable {
  /// The bytes hash to this; the stamp was the same before and after, and the path still named that file.
  ///
  /// `quiet` is how long before the reading the kernel had last changed the inode, by the file system's
  /// clock. A write within one clock tick leaves the stamp as it was, so a hash taken after less than the
  /// stamp's `tick` must not stand for it later.
  case stable(ContentDigest, FileStamp, quiet: Duration)
  /// The file was written, replaced or removed meanwhile: nothing is known, look again.
  case unstable
  /// Reading failed; the clause says why, to follow a colon.
  case failed(String)
  /// The caller asked to stop.
  case cancelled

  /// Longer than the coarsest clock tick with which kernels stamp inodes (10 ms at 100 Hz).
  public static let tick: Duration = .milliseconds(20)
}

/// A file beside the document that an engine made of a version it could not place.
public struct ConflictCopy: Hashable, Sendable, Comparable {
  /// Its name in the document's folder.
  public var name: [UInt8]
  /// Its bytes' digest, when it was hashed (worth it only when the size is that of the awaited version).
  public var digest: ContentDigest?

  /// A copy under `name`.
  public init(name: [UInt8], digest: ContentDigest? = nil) {
    self.name = name
    self.digest = digest
  }

  /// For people, as `DisplayText` shows it.
  public var displayName: String { DisplayText.shown(name) }

  /// By name, bytewise.
  public static func < (left: Self, right: Self) -> Bool { left.name.lexicographicallyPrecedes(right.name) }
}
