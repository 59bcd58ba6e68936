// SPDX-License-Identifier: MIT

public import ActivityModel
public import LinuxSystem

/// A private directory in which the text of drafts is kept for a while, each file called by its digest. Made
/// when the first one is kept. Any thread.
public final class DraftDirectory: Sendable {
  /// So long, from the last time that it was handed over.
  static let lifetime = Duration.seconds(30 * 86_400)
  /// The most bytes of all; the oldest ones go first.
  static let limit = 256 << 20

  private let path: String
  private let limit: Int

  /// At an absolute path.
  public convenience init(_ path: String) { self.init(path, limit: Self.limit) }

  init(_ path: String, limit: Int) { (self.path, self.limit) = (path, limit) }

  /// Copies what `file` holds, on the disk when this returns. Throws `userInfoTooLarge` for more than a draft
  /// may have, `invalidBytes` for nothing at all, `folderUnavailable` where the disk refuses; nothing is kept
  /// then.
  public func keep(_ file: Descriptor) throws(ContinuityError) -> (digest: ContentDigest, size: UInt64) {
    guard let status = try? file.status(), status.kind == .regular, status.size > 0 else {
      throw ContinuityError(.invalidBytes, subject: "draft", description: "A draft without text is none.")
    }
    guard status.size <= Draft.byteLimit else {
      throw ContinuityError(
        .userInfoTooLarge, subject: "draft",
        description: "A draft of \(status.size) bytes is not handed over: save it; "
          + "\(Draft.byteLimit) bytes are the most.")
    }
    _ = try OwnDirectory.privateDirectory(path)
    do throws(Errno) {
      let folder = try FilePath(path).open([.readOnly, .folder])
      makeRoom(for: status.size, in: folder)
      return try copy(file, of: UInt64(status.size), into: folder)
    } catch {
      throw error.error(.folderUnavailable, subject: path, "A draft could not be kept in \(path)")
    }
  }

  /// Leads to the text of that digest; nil where it is not kept.
  public func open(_ digest: ContentDigest) -> Descriptor? {
    guard let folder = try? FilePath(path).open([.readOnly, .folder]) else { return nil }
    return try? folder.open(Self.name(of: digest), flags: [.readOnly, .noFollow])
  }

  private func copy(
    _ file: Descriptor, of size: UInt64, into folder: Descriptor
  ) throws(Errno) -> (digest: ContentDigest, size: UInt64) {
    let place = DurableFile(in: folder, name: Array("draft".utf8))
    let (target, isNamed) = try place.begin()
    do throws(Errno) {
      guard let digest = try ContentHasher.copy(file, into: target, limit: size) else { throw .stale }
      try target.synchronize()
      // It may have become shorter meanwhile.
      let copied = UInt64(try target.status().size)
      let name = Self.name(of: digest)
      do throws(Errno) {
        try place.give(name, in: folder, to: target, isNamed: isNamed)
      } catch {
        guard error == .fileExists else { throw error }
        // The same text is here: it was handed over now.
        try folder.open(name, flags: [.readOnly, .noFollow]).setExactTime()
        if isNamed { place.removeTemporary() }
      }
      try folder.synchronize()
      return (digest, copied)
    } catch {
      if isNamed { place.removeTemporary() }
      throw error
    }
  }

  private static func name(of digest: ContentDigest) -> [UInt8] { Array(digest.description.utf8) }

  /// Takes away what is old, and the oldest while there is too much.
  private func makeRoom(for size: Int, in folder: Descriptor) {
    KeptFiles.makeRoom(for: size, in: folder, limit: limit, lifetime: Self.lifetime)
  }
}
