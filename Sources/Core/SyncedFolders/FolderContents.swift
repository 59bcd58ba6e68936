// SPDX-License-Identifier: MIT

public import ActivityModel

/// One name in a folder, and what it stands for.
public struct FolderEntry: Hashable, Sendable {
  /// The raw name.
  public var name: [UInt8]
  /// What it stands for, as far as the folder tells without opening it.
  public var kind: FileKind

  /// An entry with these values.
  public init(name: [UInt8], kind: FileKind) {
    self.name = name
    self.kind = kind
  }
}

/// What rules need to see of a synced folder: the disk, or a recording of one. Calls may block as long as the
/// disk takes.
public protocol FolderContents {
  /// The names in a folder, in any order; nil means the root. Nil when it cannot be read.
  func entries(of folder: RelativePath?) -> [FolderEntry]?
  /// What stands under the path. Links are not followed.
  func observe(_ path: RelativePath) -> FileObservation
  /// Bytes that are really in the file at the path: engines make some files as long as they will be before
  /// they fill them. Nil when there is no file.
  func writtenSize(of path: RelativePath) -> UInt64?
  /// Reads the file at the path to its end.
  func digest(of path: RelativePath) -> HashOutcome
}

extension FolderContents {
  /// The size, where no more is known.
  public func writtenSize(of path: RelativePath) -> UInt64? {
    if case .file(let stamp) = observe(path) { stamp.size } else { nil }
  }

  /// Conflict copies of a document, as `ArrivalMachine` asks for them: at most 16, hashed where the size is
  /// that of the awaited version (R8). Empty when the folder cannot be read: copies are told where they are
  /// seen.
  public func conflictCopies(of document: RelativePath, awaitedSize: UInt64) -> [ConflictCopy] {
    guard let entries = entries(of: document.parent) else { return [] }
    let names = entries.filter { SyncNames.isConflictCopy($0.name, of: document.name) }
      .map(\.name).sorted { $0.lexicographicallyPrecedes($1) }
    return names.prefix(16).compactMap { name in
      guard let path = RelativePath(components: document.components.dropLast() + [name]),
        case .file(let stamp) = observe(path)
      else { return nil }
      guard stamp.size == awaitedSize, case .stable(let digest, _, _) = digest(of: path) else {
        return ConflictCopy(name: name)
      }
      return ConflictCopy(name: name, digest: digest)
    }
  }

  /// Bytes in the largest unfinished copy that an engine keeps beside the document; nil without one, or when
  /// the folder cannot be read: progress is only shown.
  public func partialSize(of document: RelativePath) -> UInt64? {
    entries(of: document.parent)?.lazy.filter { SyncNames.isTemporary($0.name, of: document.name) }
      .compactMap { RelativePath(components: document.components.dropLast() + [$0.name]) }
      .compactMap { self.writtenSize(of: $0) }
      .max()
  }

  /// Where the document of `search` lies now, if under another name; nil also when several places could be
  /// meant, since only a person can tell then.
  public func find(_ search: DocumentSearch) -> RelativePath? {
    let folder = FolderSearch(contents: self)
    let alike = search.hasOtherSpellings ? folder.spelledAlike(search.path) : []
    guard alike.isEmpty else { return alike.count == 1 ? alike[0] : nil }
    return search.wasHere ? folder.moved(search) : nil
  }
}
