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

  private let path: String
  private let limit: Int

  /// In a directory of their own at an absolute path, which is made when the first one is kept.
  public convenience init(in path: String) { self.init(in: path, limit: Self.limit) }

  init(in path: String, limit: Int) { (self.path, self.limit) = (path, limit) }

  /// Keeps what `file` holds, which has this digest, under a name that begins with the moment. Throws
  /// `folderUnavailable` where the disk refuses, for more than fits, and for other bytes; nothing is kept
  /// then.
  public func keep(_ file: Descriptor, called name: [UInt8], digest: ContentDigest) throws(ContinuityError) {
    try inFolder { (folder) throws(Errno) in
      let size = try check(file.status().size)
      makeRoom(for: size, in: folder)
      let place = DurableFile(in: folder, name: name)
      let (copy, isNamed) = try place.begin()
      do throws(Errno) {
        guard try ContentHasher.copy(file, into: copy, limit: UInt64(size)) == digest else { throw .stale }
        try copy.synchronize()
        try give(name, to: copy, isNamed: isNamed, place, in: folder)
      } catch {
        if isNamed { place.removeTemporary() }
        throw error
      }
    }
  }

  /// A file without a name for a copy of so many bytes, which `keep(copy:)` gives one; it is gone with
  /// whoever has it open. Throws `folderUnavailable`, also where there is no room for it beside the
  /// two copies of a version that are made.
  func makeCopy(size: Int, beside version: UInt64) throws(ContinuityError) -> Descriptor {
    try inFolder { (folder) throws(Errno) in
      let size = UInt64(try check(size))
      guard OwnDirectory.hasRoom(for: 1, of: size + 2 * version, in: folder) else { throw .noSpace }
      return try folder.openNameless()
    }
  }

  /// Keeps a copy that is on the disk. What is too much goes afterwards: freeing a large file lasts. Throws
  /// `folderUnavailable`.
  func keep(copy: Descriptor, called name: [UInt8]) throws(ContinuityError) {
    try inFolder { (folder) throws(Errno) in
      // The oldest go first: it was kept now, not when it was read.
      try copy.setExactTime()
      try give(name, to: copy, isNamed: false, DurableFile(in: folder, name: name), in: folder)
      try? DetachedThread.start { [self] in makeRoom(for: 0, in: folder) }
    }
  }

  private func inFolder<Value>(_ body: (Descriptor) throws(Errno) -> Value) throws(ContinuityError) -> Value {
    _ = try OwnDirectory.privateDirectory(path)
    do throws(Errno) {
      return try body(FilePath(path).open([.readOnly, .folder]))
    } catch {
      throw error.error(.folderUnavailable, subject: path, "The directory \(path) could not be written to")
    }
  }

  private func check(_ size: Int) throws(Errno) -> Int {
    guard size <= limit else { throw .fileTooLarge }
    return size
  }

  /// Under the first name that is free.
  private func give(
    _ name: [UInt8], to copy: Descriptor, isNamed: Bool, _ place: DurableFile, in folder: Descriptor
  ) throws(Errno) {
    for number in 1...100 {
      do throws(Errno) {
        try place.give(Self.name(for: name, number: number), in: folder, to: copy, isNamed: isNamed)
        try? folder.synchronize()
        return
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

  private func makeRoom(for size: Int, in folder: Descriptor) {
    KeptFiles.makeRoom(for: size, in: folder, limit: limit, lifetime: Self.lifetime)
  }
}
