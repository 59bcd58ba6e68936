// SPDX-License-Identifier: MIT

public import ActivityModel

extension FileStamp {
  /// How long the inode must have been still before a reading for this stamp to stand for the bytes read: in
  /// less, a later write may leave it as it is. Kernels tick 100 times a second or more; file systems that
  /// keep whole seconds only (FAT: every other one) are told by their times.
  public var tick: Duration {
    changed % 1_000_000_000 == 0 ? .milliseconds(2100) : HashOutcome.tick
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
