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
    _ = try OwnDirectory.privateDirectory(path)
    do throws(Errno) {
      let folder = try FilePath(path).open([.readOnly, .folder])
      let size = try file.status().size
      guard size <= limit else { throw .fileTooLarge }
      makeRoom(for: size, in: folder)
      try write(file, size: size, digest, called: name, in: folder)
      try? folder.synchronize()
    } catch {
      throw error.error(.folderUnavailable, subject: path, "The directory \(path) could not be written to")
    }
  }

  private func write(
    _ file: Descriptor, size: Int, _ digest: ContentDigest, called name: [UInt8], in folder: Descriptor
  ) throws(Errno) {
    let place = DurableFile(in: folder, name: name)
    let (copy, isNamed) = try place.begin()
    do throws(Errno) {
      guard try ContentHasher.copy(file, into: copy, limit: UInt64(size)) == digest else { throw .stale }
      try copy.synchronize()
      for number in 1...100 {
        let new = Self.name(for: name, number: number)
        do throws(Errno) { return try place.give(new, in: folder, to: copy, isNamed: isNamed) } catch {
          guard error == .fileExists else { throw error }
        }
      }
      throw .fileExists
    } catch {
      if isNamed { place.removeTemporary() }
      throw error
    }
  }

  /// “2026-01-31 09:05:30 plan.md”, with a number where there are more.
  private static func name(for name: [UInt8], number: Int) -> [UInt8] {
    let moment = LocalTime(.now).map { "\($0.date) \($0.clockWithSeconds)" } ?? "at an unknown time"
    let (stem, end) = SyncNames.parts(of: name)
    return SyncNames.fitted(
      Array("\(moment)\(number > 1 ? " (\(number))" : "") ".utf8) + stem, tail: end)
  }

  /// Takes away what is old, and the oldest while there is too much.
  private func makeRoom(for size: Int, in folder: Descriptor) {
    var kept: [(name: [UInt8], status: FileStatus)] = []
    try? folder.forEachName { name, kind in
      if kind() == .regular, let status = try? folder.status(of: name) { kept.append((name, status)) }
      return true
    }
    var total = kept.reduce(size) { $0 + $1.status.size }
    for (name, status) in kept.sorted(by: { $0.status.stamp.modified < $1.status.stamp.modified })
    where total > limit || status.stamp.ageOfContent > Self.lifetime {
      try? folder.unlink(name)
      total -= status.size
    }
  }
}
