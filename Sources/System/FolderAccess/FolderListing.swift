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

  /// One name; a link is a link.
  public typealias Entry = FolderEntry

  /// Reads up to `limit` names of an open folder. Anew from the start each time. Nil with `errno` set.
  static func read(_ folder: CInt, limit: Int) -> FolderListing? {
    var listing = FolderListing(entries: [], isComplete: true)
    let end = forEach(in: folder) { entry in
      guard listing.entries.count < limit else {
        listing.isComplete = false
        return false
      }
      listing.entries.append(entry())
      return true
    }
    return end ? listing : nil
  }

  /// Hands out one name after the other of an open folder, from its start, keeping none; until `body` returns
  /// false. What an entry is made of is looked up only where it is asked for. False with `errno` set.
  static func forEach(in folder: CInt, _ body: (_ entry: () -> Entry) -> Bool) -> Bool {
    let number = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return false }
    guard let stream = fdopendir(number) else {
      close(number)
      return false
    }
    defer { closedir(stream) }
    errno = 0
    while let entry = readdir(stream) {
      let name = name(of: entry)
      if name == [UInt8(ascii: ".")] || name == Array("..".utf8) { continue }
      guard body({ Entry(name: name, kind: kind(of: entry, name, in: number)) }) else { return true }
      errno = 0
    }
    return errno == 0
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
    let shown = folder?.description ?? DisplayText.shown(path)
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
}

extension SyncedDirectory: FolderContents {
  /// The first names of a folder; nil when it cannot be read.
  public func entries(of folder: RelativePath?) -> [FolderEntry]? {
    (try? list(folder))?.entries
  }

  /// The blocks that the file system gave the file, where those are fewer than its size: Syncthing makes its
  /// temporary files as long as they will be first. Compression makes this too small.
  public func writtenSize(of path: RelativePath) -> UInt64? {
    guard case .success(let holder) = openFolder(path.components.dropLast()),
      let status = FileStatus.of(path.name, in: holder.number), status.kind == .regular
    else { return nil }
    return min(status.stamp.size, UInt64(clamping: status.st_blocks) << 9)
  }

  /// Blocks as long as the disk takes.
  public func digest(of path: RelativePath) -> HashOutcome { hash(path) }
}
