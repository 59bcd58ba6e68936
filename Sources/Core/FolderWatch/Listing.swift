// SPDX-License-Identifier: MIT

/// The names that a folder held when it was read, after its watch was in place.
public struct Listing: Hashable, Sendable {
  /// More files than this are not told one by one: the hint is a rescan of the folder.
  public static let fileLimit = 4096

  /// Real folders; no symbolic links.
  public var folders: [[UInt8]]
  /// Everything else; nil when there are more than `fileLimit`.
  public var files: [[UInt8]]?
  /// False when reading ended with an error, so that names may be missing.
  public var isComplete: Bool

  /// A listing of these names.
  public init(folders: [[UInt8]] = [], files: [[UInt8]]? = [], isComplete: Bool = true) {
    self.folders = folders
    self.files = files
    self.isComplete = isComplete
  }
}

/// Why a folder is not watched.
public enum FollowFailure: Error, Hashable, Sendable {
  /// No folder has this name any more; ordinary beside a busy writer.
  case gone
  /// The kernel refuses more watches than this many (`fs.inotify.max_user_watches`).
  case limit(UInt64)
  /// It may not be read; followed again when its attributes change. `reason` is a sentence.
  case refused(reason: String)
  /// The system is out of something; tried again with each look at polled folders. `reason` is a sentence.
  case later(reason: String)
  /// The root's own path leads to no folder; `reason` is a sentence.
  case rootGone(reason: String)
}
