// SPDX-License-Identifier: MIT

public import ActivityModel
public import LinuxSystem
import SyncedFolders

/// What documents held before a version that came over a link took their place: kept for a while, for a
/// person who misses something. Any thread.
public final class ReplacedDocuments: Sendable {
  /// So long.
  static let lifetime = Duration.seconds(30 * 86_400)
  /// The most bytes of all; the oldest ones go first.
  static let limit = 256 << 20

  private let files: KeptFiles

  /// In a directory of their own at an absolute path, which is made when the first one is kept.
  public convenience init(in path: String) { self.init(in: path, limit: Self.limit) }

  init(in path: String, limit: Int) {
    files = KeptFiles(path: path, limit: limit, lifetime: Self.lifetime)
  }

  /// Keeps what `file` holds, which has this digest, under a name that begins with the moment. Throws
  /// `folderUnavailable` where the disk refuses, for more than fits, and for other bytes; nothing is kept
  /// then.
  public func keep(_ file: Descriptor, called name: [UInt8], digest: ContentDigest) throws(ContinuityError) {
    try files.inFolder { (folder) throws(Errno) in
      try files.copy(file, of: check(file.status().size), into: folder) { (found, copy) throws(Errno) in
        guard found == digest else { throw .stale }
        try give(name, to: copy)
      }
    }
  }

  /// A file without a name for a copy of so many bytes, which `keep(copy:)` gives one; it is gone with
  /// whoever has it open. Throws `folderUnavailable`, also where there is no room for it beside the
  /// two copies of a version that are made.
  func makeCopy(size: Int, beside version: UInt64) throws(ContinuityError) -> Descriptor {
    try files.inFolder { (folder) throws(Errno) in
      let size = UInt64(try check(size))
      guard OwnDirectory.hasRoom(for: 1, of: size + 2 * version, in: folder) else { throw .noSpace }
      return try folder.openNameless()
    }
  }

  /// Keeps a copy that is on the disk. What is too much goes afterwards: freeing a large file lasts. Throws
  /// `folderUnavailable`.
  func keep(copy: Descriptor, called name: [UInt8]) throws(ContinuityError) {
    try files.inFolder { (folder) throws(Errno) in
      // The oldest go first: it was kept now, not when it was read.
      try copy.setExactTime()
      let place = DurableFile(in: folder, name: name)
      try give(name, to: KeptFiles.NewFile(file: copy, isNamed: false, place: place, folder: folder))
      try? DetachedThread.start { [files] in files.makeRoom(for: 0, in: folder) }
    }
  }

  private func check(_ size: Int) throws(Errno) -> Int {
    guard size <= files.limit else { throw .fileTooLarge }
    return size
  }

  /// Under the first name that is free.
  private func give(_ name: [UInt8], to copy: KeptFiles.NewFile) throws(Errno) {
    for number in 1...100 {
      do throws(Errno) {
        return try copy.take(Self.name(for: name, number: number))
      } catch {
        guard error == .fileExists else { throw error }
      }
    }
    throw .fileExists
  }

  /// “2026-01-31 09:05:30 plan.md”, with a number where there are more.
  private static func name(for name: [UInt8], number: Int) -> [UInt8] {
    let moment = LocalTime(.now).map { "\($0.date) \($0.clockWithSeconds)" } ?? "at an unknown time"
    let (stem, end) = SyncNames.parts(of: name)
    return SyncNames.fitted(
      Array("\(moment)\(number > 1 ? " (\(number))" : "") ".utf8) + stem, tail: end)
  }
}
