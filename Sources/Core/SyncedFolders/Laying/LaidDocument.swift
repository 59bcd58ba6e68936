// SPDX-License-Identifier: MIT

public import ActivityModel

/// A version of a document that came over a link, and what it may take the place of in its folder.
public struct LaidDocument: Hashable, Sendable {
  /// Where it belongs.
  public var path: RelativePath
  /// What it is.
  public var version: DocumentVersion
  /// What the path has had on this device.
  public var history: DocumentHistory
  /// When it was last written where it comes from, in nanoseconds since 1970; nil where that was not said.
  public var modified: Int64?
  /// Whether the file itself comes, as by a rename, where both are on one file system: an app that has it
  /// open goes on in the folder. Also in the place of a file that holds the same.
  public var comesItself: Bool

  /// A version for `path`.
  public init(
    path: RelativePath, version: DocumentVersion, history: DocumentHistory, modified: Int64? = nil,
    comesItself: Bool = false
  ) {
    (self.path, self.version, self.history, self.modified) = (path, version, history, modified)
    self.comesItself = comesItself
  }

  /// Whether a file that holds this gives way: it is an ancestor that this device itself has seen there.
  /// Another device's word alone replaces nobody's text.
  public func mayReplace(_ digest: ContentDigest) -> Bool {
    if digest == version.digest { return comesItself }
    return history.contains(digest)
      && VersionOrder.standing(of: digest, to: version, history: history) == .behind
  }

  /// Whether it may be a new file: one that was here before was taken away, or has another name by now.
  public var mayBeNew: Bool { history.versions.isEmpty }
}

/// What became of it.
public enum LayingOutcome: Hashable, Sendable {
  /// The path has that version now.
  case laid
  /// What came is not the version.
  case otherBytes
  /// What lies there, or lay there, is not to be replaced by it.
  case kept
  /// Another program changed the file meanwhile; nothing of that is lost.
  case changed
  /// It was stopped before anything was done.
  case cancelled
  /// It did not work, and everything is as it was; the clause says why, to follow a colon.
  case failed(String)
}
