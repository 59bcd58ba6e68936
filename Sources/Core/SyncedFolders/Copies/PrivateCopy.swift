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
  /// Whether its apps were told that the document lies in the folder: what the next agent's machine knows.
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

  /// What it held last, with all that it held before.
  public private(set) var last: DocumentVersion

  /// A copy of `base`, for the document at `place`, which held `last`.
  public init(
    id: ID, place: DocumentPlace, base: DocumentVersion, last: DocumentVersion? = nil, name: [UInt8]? = nil
  ) {
    (self.id, self.place, self.base, self.last) = (id, place, base, last ?? base)
    self.name = name ?? place.path.name
  }

  /// It holds this now. True if that is new.
  public mutating func hold(_ digest: ContentDigest, size: UInt64) -> Bool {
    guard digest != last.digest else { return false }
    last = version(digest, size: size)
    return true
  }

  /// What it is when it holds this: a version that descends from all that was saved into it.
  public func version(_ digest: ContentDigest, size: UInt64) -> DocumentVersion {
    guard digest != last.digest else { return last }
    var history = history
    history.record(digest)
    return history.version(digest, size: size)
  }

  /// The same for the other devices, where the document's place has that past: once the version that the copy
  /// began with was there, it comes after all that lay there before.
  public func version(_ digest: ContentDigest, size: UInt64, after past: DocumentHistory) -> DocumentVersion {
    let version = version(digest, size: size)
    guard past.contains(base.digest) else { return version }
    // Not what came to that place after it.
    var history = DocumentHistory(
      versions: [base.digest.prefix] + past.lineage(before: base.digest), generation: past.generation)
    history.adopt(version)
    return history.version(digest, size: size)
  }

  /// What it is and was.
  public var history: DocumentHistory {
    var history = DocumentHistory()
    history.adopt(last)
    return history
  }
}
