// SPDX-License-Identifier: MIT

import ActivityModel
import ConflictVersions
public import Foundation
import LinuxSystem
import SyncedFolders

/// A conflict copy of a document, as it was when it was listed: `NSFileVersion`, for what sync engines leave
/// beside a document that two devices changed. Any thread; every call blocks as long as the disk takes.
///
/// A version stands for the bytes that were seen, and knows them again: whatever else lies under the name by
/// the time it is resolved stays, and the error says so. Of two copies with the same name, the one that
/// appeared later is never removed for the other.
public struct FileVersion: Hashable, Sendable {
  /// Where the copy lies.
  public let url: URL
  /// The device whose text it is, as the engine's name tells it: Syncthing writes the first part of the
  /// device's ID. Nil where the name tells nothing.
  public let deviceName: String?
  /// When the copy was last changed, as far as its engine keeps times.
  public let modificationDate: Date
  /// In bytes.
  public let size: Int

  let path: FilePath
  /// The document's.
  let original: FilePath
  /// What tells that nobody has changed it since.
  let seen: ConflictVersion

  init(_ seen: ConflictVersion, of original: FilePath) {
    (self.seen, self.original) = (seen, original)
    path = original.parent.appending(seen.name)
    url = path.url ?? URL(fileURLWithPath: String(decoding: path.bytes, as: UTF8.self))
    deviceName = seen.device
    modificationDate = Date(timeIntervalSince1970: Double(seen.stamp.modified) / 1e9)
    size = Int(seen.stamp.size)
  }

  /// The conflict copies beside the document at `url`, newest first; empty when there is no conflict. Each is
  /// read whole. Folders, links and pipes under such a name are no copies. Throws when the folder cannot be
  /// listed.
  public static func unresolvedConflictVersionsOfItem(at url: URL) throws -> [FileVersion] {
    guard let given = FilePath(url), let document = given.resolved else {
      throw DocumentFault.error(
        FilePath(url) ?? FilePath(bytes: Array(url.absoluteString.utf8)), .noSuchFile, "read")
    }
    return try VersionLook.versions(of: document).copies.map { FileVersion($0, of: document) }
  }

  /// Reads a regular file; a link is not followed, and nothing is waited for.
  static func read(_ path: FilePath) throws(ContinuityError) -> DocumentFile {
    let opened = try DocumentFault.unless(path, "read") { () throws(Errno) in
      try path.open([.readOnly, .noFollow, .nonBlocking, .noTerminal])
    }
    return try DocumentFile.read(delivered: opened, at: path)
  }

  /// Whether the copy is gone: resolved here, or by somebody else.
  public var isResolved: Bool { DocumentFile.stamp(path, followingLinks: false) == nil }

  /// The bytes that were listed. Throws `documentDiverged` when the copy holds others by now, and
  /// `documentMissing` when it is gone: list the versions again.
  public func contents() throws -> Data {
    let file = try Self.read(path)
    guard isSame(as: file) else { throw changed() }
    return file.data
  }

  func isSame(as file: DocumentFile) -> Bool { seen.isStill(Self.seen(path, file)) }

  static func seen(_ path: FilePath, _ file: DocumentFile) -> ConflictVersion {
    ConflictVersion(
      name: path.name, isDocument: false, stamp: file.stamp,
      fingerprint: file.data.withUnsafeBytes(VersionLook.fingerprint))
  }

  /// Whether the copy and the file at `url` hold the same bytes: then there is nothing to decide. Throws as
  /// `contents()` does, and when the file cannot be read.
  public func hasSameContents(asItemAt url: URL) throws -> Bool {
    guard let other = FilePath(url)?.resolved else { return false }
    return try contents() == DocumentFile.read(other).data
  }

  func changed() -> ContinuityError {
    ContinuityError(
      .documentDiverged, subject: path.shown,
      description:
        "\(path.shown) is not the copy that was listed; it stays as it is. List the versions again.")
  }
}
