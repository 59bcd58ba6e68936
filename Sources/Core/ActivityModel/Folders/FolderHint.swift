// SPDX-License-Identifier: MIT

/// The agent's number for a registered folder while both processes live; never stored.
public struct RootNumber: Hashable, Sendable, Comparable {
  /// The number.
  public let rawValue: UInt64
  /// A root by number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// By number.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Something may have changed in a synced folder. A hint says where to look; only looking tells what is
/// there.
public enum FolderHint: Hashable, Sendable {
  /// The root is watched in full: all that changes from here on is told.
  case watching(RootNumber, folders: UInt64)
  /// The name at `path` changed in some way.
  case changed(RootNumber, path: [[UInt8]], change: Change)
  /// A file or folder moved inside the root; both names are to be looked at.
  case moved(RootNumber, from: [[UInt8]], to: [[UInt8]], isFolder: Bool)
  /// Events were lost, or a folder could not be followed: everything below `path` is to be looked at.
  case rescan(RootNumber, path: [[UInt8]])
  /// The root is gone, was moved away, or could not be watched; when it is back, `watching` comes again.
  case rootLost(RootNumber, reason: String)
  /// The kernel refuses more watches, first for the folder at `path`; such folders are polled.
  case watchLimit(RootNumber, path: [[UInt8]], limit: UInt64)
  /// So many folders of the root are looked at again and again, because no event tells what changes there;
  /// `reason` says why and what to do, in sentences. Empty when all changes raise events again.
  case polling(RootNumber, folders: UInt64, reason: String)
  /// A cookie written into the root was seen: everything before it has been told.
  case synchronized(RootNumber, cookie: [UInt8])

  /// What happened to a name, as far as one event tells.
  public enum Change: UInt64, Hashable, Sendable, CaseIterable {
    /// The name appeared.
    case created = 0
    /// A writer closed the file.
    case written = 1
    /// The file came from outside the watched tree, or its partner event was lost.
    case movedIn = 2
    /// The file left to outside the watched tree, or its partner event was lost.
    case movedOut = 3
    /// The name went away.
    case deleted = 4
    /// Owner, mode or times changed.
    case attributes = 5
  }
}
