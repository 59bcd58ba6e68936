// SPDX-License-Identifier: MIT

public import ActivityModel
import Glibc
public import SyncedFolders

/// The names in a folder, as far as they were read.
public struct FolderListing: Hashable, Sendable {
  /// Names and what they stand for, in no order; `.` and `..` left out.
  public var entries: [Entry]
  /// Whether the folder holds no more than these.
  public var isComplete: Bool

  /// One name.
  public struct Entry: Hashable, Sendable {
    /// The raw name.
    public var name: [UInt8]
    /// What it stands for; a link is a link.
    public var kind: FileKind
  }

  /// Reads up to `limit` names of an open folder. Anew from the start each time. Nil with `errno` set.
  static func read(_ folder: CInt, limit: Int) -> FolderListing? {
    let number = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    guard let stream = fdopendir(number) else {
      close(number)
      return nil
    }
    defer { closedir(stream) }
    var listing = FolderListing(entries: [], isComplete: true)
    errno = 0
    while let entry = readdir(stream) {
      let name = name(of: entry)
      if name == [UInt8(ascii: ".")] || name == Array("..".utf8) { continue }
      guard listing.entries.count < limit else {
        listing.isComplete = false
        return listing
      }
      listing.entries.append(Entry(name: name, kind: kind(of: entry, name, in: number)))
      errno = 0
    }
    return errno == 0 ? listing : nil
  }

  /// By address: `d_name` is declared longer than the record that `readdir` returns.
  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? MemoryLayout<dirent>.size
    let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: UInt8.self)
    return Array(
      UnsafeBufferPointer(
        start: start, count: strlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))))
  }

  private static func kind(
    of entry: UnsafeMutablePointer<dirent>, _ name: [UInt8], in folder: CInt
  ) -> FileKind {
    switch Int(entry.pointee.d_type) {
    case DT_REG: .regular
    case DT_DIR: .folder
    case DT_LNK: .symbolicLink
    case DT_FIFO: .pipe
    case DT_SOCK: .socket
    case DT_BLK, DT_CHR: .device
    default: FileStatus.of(name, in: folder)?.kind ?? .unknown
    }
  }
}

extension SyncedDirectory {
  /// The names in `folder`, or in the root for nil. Throws `folderUnavailable` when it cannot be read.
  public func list(_ folder: RelativePath?, limit: Int = 4096) throws(ContinuityError) -> FolderListing {
    let shown = folder?.description ?? String(decoding: path, as: UTF8.self)
    let failed = "The folder \(shown) could not be listed"
    let opened: Descriptor
    switch openFolder(folder?.components ?? []) {
    case .success(let descriptor): opened = descriptor
    case .failure(let failure):
      throw SystemError.error(failure.number, .folderUnavailable, subject: shown, failed)
    }
    guard let listing = FolderListing.read(opened.number, limit: limit) else {
      throw SystemError.error(errno, .folderUnavailable, subject: shown, failed)
    }
    return listing
  }

  /// Conflict copies of a document, as `ArrivalMachine` asks for them: at most 16, hashed where the size is
  /// that of the awaited version (R8). Empty when the folder cannot be read: copies are told where they are
  /// seen.
  public func conflictCopies(
    of document: RelativePath, awaitedSize: UInt64, isCancelled: () -> Bool = { false }
  ) -> [ConflictCopy] {
    guard let listing = try? list(document.parent) else { return [] }
    let names = listing.entries.filter { SyncNames.original(ofConflictCopy: $0.name) == document.name }
      .map(\.name).sorted { $0.lexicographicallyPrecedes($1) }
    return names.prefix(16).compactMap { name in
      guard let path = RelativePath(components: document.components.dropLast() + [name]),
        case .file(let stamp) = observe(path)
      else { return nil }
      guard stamp.size == awaitedSize, case .stable(let digest, _, _) = hash(path, isCancelled: isCancelled)
      else { return ConflictCopy(name: name) }
      return ConflictCopy(name: name, digest: digest)
    }
  }

  /// Bytes in the largest unfinished copy that an engine keeps beside the document; nil without one, or when
  /// the folder cannot be read: progress is only shown.
  public func partialSize(of document: RelativePath) -> UInt64? {
    guard let listing = try? list(document.parent) else { return nil }
    return listing.entries.lazy.filter { SyncNames.isTemporary($0.name, of: document.name) }
      .compactMap { RelativePath(components: document.components.dropLast() + [$0.name]) }
      .compactMap { if case .file(let stamp) = self.observe($0) { stamp.size } else { nil } }
      .max()
  }
}
