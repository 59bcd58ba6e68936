// SPDX-License-Identifier: MIT

/// One saved state of a document's bytes, and what it descends from.
public struct DocumentVersion: Hashable, Sendable {
  /// What the bytes hash to: the version's identity.
  public var digest: ContentDigest
  /// The number of bytes; a cheap "no" before hashing.
  public var size: UInt64
  /// How many versions the publishing device has seen of this document; for display, never for order.
  public var generation: UInt64
  /// Digests of earlier versions, newest first, at most `lineageLimit`.
  public var lineage: [DigestPrefix]

  /// The most ancestors a version carries.
  public static let lineageLimit = 256

  /// A version; a longer lineage is cut at its old end.
  public init(digest: ContentDigest, size: UInt64, generation: UInt64 = 0, lineage: [DigestPrefix] = []) {
    self.digest = digest
    self.size = size
    self.generation = generation
    self.lineage = Array(lineage.prefix(Self.lineageLimit))
  }
}

/// A file URL between devices: folder, path inside it, and the version that was meant.
public struct DocumentReference: Hashable, Sendable {
  /// The synced folder.
  public var folder: FolderID
  /// Where in the folder.
  public var path: RelativePath
  /// Which bytes.
  public var version: DocumentVersion
  /// Whether the document is one file or a folder that is shown as one.
  public var kind: Kind

  /// What a document is on disk.
  public enum Kind: UInt64, Hashable, Sendable {
    /// One regular file.
    case file = 0
    /// A folder shown as one document; reserved, not produced yet.
    case package = 1
  }

  /// Refers to `version` of the file at `path` in `folder`.
  public init(folder: FolderID, path: RelativePath, version: DocumentVersion, kind: Kind = .file) {
    self.folder = folder
    self.path = path
    self.version = version
    self.kind = kind
  }

  /// Whether it is the same document, in whichever version.
  public func isSamePlace(as other: Self) -> Bool { folder == other.folder && path == other.path }
}

/// A synced folder as this device holds it.
public struct SyncedRoot: Hashable, Sendable {
  /// The ID that travels with the folder.
  public var id: FolderID
  /// What the person calls it here.
  public var name: String
  /// The absolute local path, resolved, without a trailing slash.
  public var path: [UInt8]
  /// Whether the folder is there now; false while unmounted, removed or emptied by an unmount.
  public var isPresent: Bool
  /// Why a folder that lies at `path` is not used; nil for any other. Apps are not told it; the command line
  /// is.
  public var refused: Reason?
  /// Whether documents that come over a link are laid into it. Apps are not told it.
  public var documentsOverLan = DocumentsOverLan.proven
  /// Whether devices tell each other which of its documents is open. Apps are not told it.
  public var sharesPresence = false

  /// A root at `path`; its name is cleaned for display.
  public init(id: FolderID, name: String, path: [UInt8], isPresent: Bool = true, refused: Reason? = nil) {
    self.id = id
    self.name = DisplayText.shown(name)
    self.path = path
    self.isPresent = isPresent
    self.refused = refused
  }

  /// `refused` in sentences that say what to do, cleaned for display.
  public var refusal: String? { refused?.sentence }

  /// The path of `absolute` inside this root; nil when it lies elsewhere or breaks the rules of a path.
  public func relativePath(of absolute: [UInt8]) -> RelativePath? {
    let slash = UInt8(ascii: "/")
    // Of the topmost folder the slash is the name.
    let parent = path == [slash] ? [] : path
    guard absolute.count > parent.count + 1, absolute[parent.count] == slash, absolute.starts(with: parent)
    else { return nil }
    return RelativePath(
      components: absolute.dropFirst(parent.count + 1)
        .split(separator: slash, omittingEmptySubsequences: false).map { Array($0) })
  }

  /// The local path of `relative`.
  public func absolutePath(of relative: RelativePath) -> [UInt8] {
    (path == [UInt8(ascii: "/")] ? [] : path) + [UInt8(ascii: "/")] + relative.bytes
  }
}

extension Collection<SyncedRoot> {
  /// The folder that holds the file at an absolute path, and the file's path in it; of nested folders the
  /// innermost. Nil outside all of them.
  public func innermost(holding path: [UInt8]) -> (root: SyncedRoot, place: RelativePath)? {
    compactMap { root in root.relativePath(of: path).map { (root, $0) } }
      .max { $0.root.path.count < $1.root.path.count }
  }
}
