// SPDX-License-Identifier: MIT

public import ActivityModel

/// A document that is not under its own path: what is known about it, to find it under another
/// (semantics 48).
public struct DocumentSearch: Hashable, Sendable {
  /// The path of the reference.
  public var path: RelativePath
  /// The version of the reference.
  public var version: DocumentVersion
  /// Whether the document ever lay at its path on this device. If not, only another spelling of the path is
  /// looked for.
  public var wasHere: Bool
  /// What it looked like when it was here last.
  public var last: FileStamp?
  /// When that was, by the file system's clock.
  public var lastSeen: Int64?
  /// Whether another folder is searched than the one that it was in: the path means nothing there.
  public private(set) var isInOtherFolder = false

  /// The same, for another folder.
  public var inOtherFolder: DocumentSearch {
    var search = self
    search.isInOtherFolder = true
    return search
  }

  /// For a document that lay here until `lastSeen`.
  init(
    _ path: RelativePath, _ holding: OpenDocumentMachine.Holding, last: FileStamp?, lastSeen: Int64?
  ) {
    self.path = path
    version = DocumentVersion(digest: holding.digest, size: holding.size)
    wasHere = true
    (self.last, self.lastSeen) = (last, lastSeen)
  }

  init(_ reference: DocumentReference, wasHere: Bool, last: FileStamp?, lastSeen: Int64?) {
    path = reference.path
    version = reference.version
    self.wasHere = wasHere
    self.last = last
    self.lastSeen = lastSeen
  }

  /// Whether there is anything to look for.
  var isWorthwhile: Bool { wasHere || hasOtherSpellings }

  /// ASCII is spelled in one way only.
  var hasOtherSpellings: Bool {
    !isInOtherFolder && path.components.contains { $0.contains { $0 >= 0x80 } }
  }

  /// Engines make the new name some time before they take the old one away.
  private static let slack: Int64 = 60_000_000_000

  /// Whether this file may have got its name when the document lost its own: it is the same file, or one that
  /// the kernel changed since. A copy that somebody made long ago is not the document.
  func mayBe(_ stamp: FileStamp) -> Bool {
    guard let last, let lastSeen else { return true }
    return stamp.isSameFile(as: last) || stamp.changed >= lastSeen - Self.slack
  }
}

/// A walk through a folder that ends soon, however large the folder is.
struct FolderSearch<Contents: FolderContents> {
  let contents: Contents
}

extension FolderSearch {
  private static var foldersWalked: Int { 2048 }
  private static var filesObserved: Int { 20_000 }
  private static var filesHashed: Int { 32 }
  private static var bytesHashed: UInt64 { 256 << 20 }
  private static var ancestorSize: UInt64 { 1 << 20 }

  /// Existing paths that are the same text in another normalisation form (R10), in any of their names.
  func spelledAlike(_ path: RelativePath) -> [RelativePath] {
    var found: [[[UInt8]]] = [[]]
    for name in path.components {
      found = found.flatMap { folder -> [[[UInt8]]] in
        let names = (contents.entries(of: RelativePath(components: folder)) ?? []).map(\.name)
        // Raw bytes first: a folder of that very name is not left for its twin.
        let fits =
          names.contains(name) ? [name] : names.filter { SyncNames.areNormalisedAlike($0, and: name) }
        return fits.map { folder + [$0] }
      }
    }
    return found.compactMap { RelativePath(components: $0) }.filter { $0 != path }.sorted()
  }

  /// The one file that holds the version, else the one that holds an ancestor of it.
  func moved(_ search: DocumentSearch) -> RelativePath? {
    var sameSize: [RelativePath] = []
    var related: [RelativePath] = []
    for (path, stamp) in files()
    where (path != search.path || search.isInOtherFolder) && stamp.size > 0 && search.mayBe(stamp) {
      if stamp.size == search.version.size {
        sameSize.append(path)
      } else if stamp.size <= Self.ancestorSize, Self.isRelated(path, search) {
        related.append(path)
      }
    }
    var bytes: UInt64 = 0
    let whole = hashed(sameSize, &bytes)
    let same = whole.filter { $0.digest == search.version.digest }.map(\.path)
    guard same.isEmpty else { return Self.single(same, search) }
    let ancestors = Set(search.version.lineage)
    let older = (whole + hashed(related, &bytes)).filter { ancestors.contains($0.digest.prefix) }.map(\.path)
    return Self.single(older, search)
  }

  /// An ancestor is looked for where a document usually goes: the same name elsewhere, or another name of its
  /// kind beside it.
  private static func isRelated(_ path: RelativePath, _ search: DocumentSearch) -> Bool {
    path.name == search.path.name
      || (path.parent == search.path.parent && suffix(path.name) == suffix(search.path.name))
  }

  private static func suffix(_ name: [UInt8]) -> ArraySlice<UInt8> {
    name.lastIndex(of: UInt8(ascii: ".")).map { name[$0...] } ?? []
  }

  /// Of several files with the same bytes only one that kept its name is surely meant.
  private static func single(_ paths: [RelativePath], _ search: DocumentSearch) -> RelativePath? {
    if paths.count == 1 { return paths[0] }
    let sameName = paths.filter { $0.name == search.path.name }
    return sameName.count == 1 ? sameName[0] : nil
  }

  private func hashed(
    _ paths: [RelativePath], _ bytes: inout UInt64
  ) -> [(path: RelativePath, digest: ContentDigest)] {
    paths.prefix(Self.filesHashed).compactMap { path in
      guard bytes <= Self.bytesHashed, case .stable(let digest, let stamp, _) = contents.digest(of: path)
      else { return nil }
      bytes += stamp.size
      return (path, digest)
    }
  }

  /// Files that may be documents, top down, in order of their names.
  private func files() -> [(path: RelativePath, stamp: FileStamp)] {
    var folders: [RelativePath?] = [nil]
    var files: [(path: RelativePath, stamp: FileStamp)] = []
    var next = 0
    while next < min(folders.count, Self.foldersWalked), files.count < Self.filesObserved {
      let folder = folders[next]
      next += 1
      let entries = contents.entries(of: folder) ?? []
      let names = Set(entries.map(\.name))
      for entry in entries.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
        guard let path = RelativePath(components: (folder?.components ?? []) + [entry.name]) else { continue }
        switch entry.kind {
        case .folder:
          guard !SyncNames.isRecordFolder(entry.name), !SyncNames.isInternalFolder(entry.name) else {
            continue
          }
          folders.append(path)
        case .regular, .unknown:
          guard SyncNames.isPlausibleDocument(path, isThere: { names.contains($0) }),
            case .file(let stamp) = contents.observe(path)
          else { continue }
          files.append((path, stamp))
        default: continue
        }
      }
    }
    return files
  }
}
