// SPDX-License-Identifier: MIT

public import ActivityModel
public import LinuxSystem
import SyncedFolders

/// What a large document holds while the version comes that is to take its place: read, and copied to where
/// it is kept, on a thread of its own, so that little is left to do when the last bytes have come.
///
/// What was read stands for the file as long as its stamp does: nobody had it open for writing when that
/// began, so whatever is written later shows. Where that cannot be said, and for a file that is another by
/// then, the document is read when its turn comes, as a small one is. Any thread; a copy that is not kept is
/// gone with the last reference.
public final class FormerVersion: Sendable {
  private struct Reading: Sendable {
    let stamp: FileStamp
    let digest: ContentDigest
    let copy: Descriptor
  }

  private let replaced: ReplacedDocuments
  private let reading: ThreadResult<Reading>?

  /// Begins to read the document at `path`, for a version of so many bytes. The folder's stamps are trusted
  /// as far as that says.
  init(
    of path: RelativePath, for size: UInt64, in folder: SyncedDirectory, keptIn replaced: ReplacedDocuments
  ) {
    self.replaced = replaced
    guard folder.tellsEachWrite, case .file(let seen) = folder.observe(path),
      seen.size >= ReceivedFile.copiedSize
    else {
      reading = nil
      return
    }
    reading = try? ThreadResult { isAbandoned in
      Self.read(path, for: size, in: folder, keptIn: replaced, isAbandoned)
    }
  }

  private static func read(
    _ path: RelativePath, for size: UInt64, in folder: SyncedDirectory, keptIn replaced: ReplacedDocuments,
    _ isAbandoned: () -> Bool
  ) -> Reading? {
    guard let document = try? folder.open(path),
      folder.stampTrust.holds(document.stamp, quiet: document.stamp.age), document.descriptor.takeReadLease()
    else { return nil }
    // Whoever opens it from now on, and writes through whatever, gives it another time of change.
    document.descriptor.endLease()
    guard let copy = try? replaced.makeCopy(size: Int(clamping: document.stamp.size), beside: size),
      case .stable(let digest, document.stamp, _) = ContentHasher.hash(
        document.descriptor, copyingTo: copy, isAbandoned),
      (try? copy.synchronize()) != nil
    else { return nil }
    return Reading(stamp: document.stamp, digest: digest, copy: copy)
  }

  /// For tests: whether nothing is read ahead.
  var isNothing: Bool { reading == nil }

  /// What the file with this stamp holds, if that was read. Blocks while it is, and not once `isCancelled`.
  public func digest(of stamp: FileStamp, isCancelled: () -> Bool) -> ContentDigest? {
    reading?.value(isCancelled).flatMap { $0.stamp == stamp ? $0.digest : nil }
  }

  /// As `ReplacedDocuments.keep`, which `file` is given to unless a copy of it was made. Throws what that
  /// throws.
  public func keep(_ file: Descriptor, called name: [UInt8], digest: ContentDigest) throws(ContinuityError) {
    if let reading = reading?.value({ false }), reading.digest == digest,
      (try? file.status().stamp) == reading.stamp,
      (try? replaced.keep(copy: reading.copy, called: name)) != nil
    {
      return
    }
    try replaced.keep(file, called: name, digest: digest)
  }
}

extension ReplacedDocuments {
  /// Begins to read and to copy what lies at `path`, for a version of so many bytes that will be laid there.
  public func begin(_ path: RelativePath, for size: UInt64, in folder: SyncedDirectory) -> FormerVersion {
    FormerVersion(of: path, for: size, in: folder, keptIn: self)
  }
}
