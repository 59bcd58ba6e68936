// SPDX-License-Identifier: MIT

public import ActivityModel
import ConflictVersions
import LinuxSystem
import SyncedFolders

// Versions in conflict: an open document, and the copies that sync engines left beside it.
extension EmbeddedSession {
  /// One version of a document in conflict, as it was listed.
  public struct Version: Hashable, Sendable {
    /// Where it lies; the document's own path for the document.
    public var path: [UInt8]
    /// Whether it is what lies under the document's own name.
    public var isDocument: Bool
    /// The device whose text a copy holds, as its name tells; nil where it tells nothing.
    public var device: String?
    /// When an engine put a copy aside, as its name tells: `2026-11-22 04:00:00` by that device's clock.
    public var putAside: String?
    /// When it was last changed, as far as its engine keeps times.
    public var changedAt: WallTime
    /// Bytes.
    public var size: UInt64
    /// Whether its bytes could be read; one that could not cannot be kept.
    public var isReadable: Bool
  }

  /// A version that was put aside when another one was kept.
  public struct AsideVersion: Hashable, Sendable {
    /// Where it lay when it was listed.
    public var from: [UInt8]
    /// Where its bytes are now.
    public var path: [UInt8]
    /// Why it was not put aside, in one sentence; nil when it was.
    public var reason: String?
  }

  /// The document and its conflict copies, the document first, the copies newest first; empty without a copy.
  /// Each is read whole. What is listed is what `keepVersion` goes by, until it is listed again. Throws
  /// `documentMissing` and `documentUnreadable` when the folder cannot be listed, and `invalidRequest` for a
  /// handle that names nothing.
  public func listVersions(of document: DocumentHandle) throws(ContinuityError) -> [Version] {
    guard let entry = documents[document] else { throw Self.unlisted }
    let listed = try VersionLook.versions(of: FilePath(bytes: entry.path))
    documents[document]?.versions = listed
    guard !listed.copies.isEmpty else { return [] }
    let folder = FilePath(bytes: entry.path).parent
    return listed.versions.map { version in
      Version(
        path: folder.appending(version.name).bytes, isDocument: version.isDocument, device: version.device,
        putAside: version.namedTime,
        changedAt: WallTime(milliseconds: UInt64(clamping: version.stamp.modified / 1_000_000)),
        size: version.stamp.size, isReadable: version.fingerprint != nil)
    }
  }

  /// Makes the version at `path`, as it was listed last, the document, and puts every other one aside beside
  /// it; nothing is deleted. The host reads the document again. Throws `documentDiverged`, with everything as
  /// it was, when the version or the document is not what was listed; `documentUnreadable` when a file cannot
  /// be exchanged; `invalidRequest` for what was not listed.
  public func keepVersion(
    at path: [UInt8], of document: DocumentHandle
  ) throws(ContinuityError) -> [AsideVersion] {
    guard let entry = documents[document], let listed = entry.versions,
      let version = listed.versions.first(where: { version in
        FilePath(bytes: entry.path).parent.appending(version.name).bytes == path
      })
    else { throw Self.unlisted }
    let file = FilePath(bytes: entry.path)
    let aside = try ConflictKeeping(listed, at: file).keep(version)
    documents[document]?.versions = nil
    return aside.map { each in
      AsideVersion(
        from: file.parent.appending(each.version.name).bytes, path: each.path.bytes, reason: each.refusal)
    }
  }

  private static var unlisted: ContinuityError {
    ContinuityError(
      .invalidRequest, subject: "version",
      description: "This version was not listed for an open document; list the versions, and choose one.")
  }
}
