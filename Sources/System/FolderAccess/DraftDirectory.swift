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

  private let files: KeptFiles

  /// At an absolute path.
  public convenience init(_ path: String) { self.init(path, limit: Self.limit) }

  init(_ path: String, limit: Int) {
    files = KeptFiles(path: path, limit: limit, lifetime: Self.lifetime)
  }

  /// Copies what `file` holds, on the disk when this returns. Throws `userInfoTooLarge` for more than a draft
  /// may have, `invalidBytes` for nothing at all, `folderUnavailable` where the disk refuses; nothing is kept
  /// then.
  public func keep(_ file: Descriptor) throws(ContinuityError) -> (digest: ContentDigest, size: UInt64) {
    let status = try? file.status()
    let size = status?.kind == .regular ? status?.size ?? 0 : 0
    try Draft.check(size: size)
    var kept: (digest: ContentDigest, size: UInt64)?
    try files.inFolder { (folder) throws(Errno) in
      try files.copy(file, of: size, into: folder) { (digest, copy) throws(Errno) in
        // It may have become shorter meanwhile.
        kept = (digest, UInt64(try copy.file.status().size))
        try give(Self.name(of: digest), to: copy)
      }
    }
    guard let kept else { throw Draft.isEmpty }
    return kept
  }

  /// Leads to the text of that digest; nil where it is not kept.
  public func open(_ digest: ContentDigest) -> Descriptor? {
    guard let folder = try? FilePath(files.path).open([.readOnly, .folder]) else { return nil }
    return try? folder.open(Self.name(of: digest), flags: [.readOnly, .noFollow])
  }

  /// The same text may be here: then it was handed over now.
  private func give(_ name: [UInt8], to copy: KeptFiles.NewFile) throws(Errno) {
    do throws(Errno) {
      try copy.take(name)
    } catch {
      guard error == .fileExists else { throw error }
      try copy.folder.open(name, flags: [.readOnly, .noFollow]).setExactTime()
      if copy.isNamed { copy.place.removeTemporary() }
    }
  }

  private static func name(of digest: ContentDigest) -> [UInt8] { Array(digest.description.utf8) }
}
