// SPDX-License-Identifier: MIT

public import ActivityModel

/// A copy of a document that an app opened before the folder had the version: private to this device, outside
/// every synced folder, and written back into the folder later.
public struct PrivateCopy: Hashable, Sendable, Identifiable {
  /// A number of its own.
  public typealias ID = Identifier<Self>

  /// It is the name of the copy's own folder as well.
  public let id: ID
  /// Where the document belongs.
  public var place: DocumentPlace
  /// What the folder holds once it has the copy's beginning: the version that was opened, or what was written
  /// back of the copy since.
  public var base: DocumentVersion
  /// Whether its apps were told that the document lies in the folder.
  public var isMoved = false
  /// The name of the copy, which is the document's.
  public let name: [UInt8]

  /// Where its file lies in the folder of all copies; nil for a name that no file has.
  public var path: RelativePath? { path(named: name) }

  /// Where a file of that name lies in the copy's own folder.
  public func path(named name: [UInt8]) -> RelativePath? {
    RelativePath(components: [Array(id.description.utf8), name])
  }

  /// What its file is called once the document lies in the folder; no app knows it.
  public var takenName: [UInt8] { Array((name == Array(".taken".utf8) ? ".taken-1" : ".taken").utf8) }

  /// A copy of `base`, for the document at `place`.
  public init(id: ID, place: DocumentPlace, base: DocumentVersion, name: [UInt8]? = nil) {
    (self.id, self.place, self.base) = (id, place, base)
    self.name = name ?? place.path.name
  }

  /// What it is when it holds this: a version that descends from what was opened.
  public func version(_ digest: ContentDigest, size: UInt64) -> DocumentVersion {
    digest == base.digest ? base : history(holding: digest).version(digest, size: size)
  }

  /// What it is and was: for who asks how it stands to another version.
  public func history(holding digest: ContentDigest) -> DocumentHistory {
    var history = DocumentHistory()
    history.adopt(base)
    history.record(digest)
    return history
  }
}
