// SPDX-License-Identifier: MIT

public import ActivityModel
import Crypto
import Glibc
public import SyncedFolders

/// Reads a file to its end and says what it holds, or that it was written meanwhile (R2).
public enum ContentHasher {
  /// Bytes per read. Between two reads the caller is asked whether to go on.
  static let pieceSize = 256 << 10

  /// Hashes what `descriptor` leads to. Blocks as long as the disk takes; the file position stays where it
  /// is.
  ///
  /// Whether a path still names that file is not looked at: see `SyncedDirectory.hash`.
  /// - Parameters:
  ///   - isCancelled: asked before each piece, on this thread.
  ///   - progress: bytes read so far.
  public static func hash(
    _ descriptor: Descriptor, isCancelled: () -> Bool = { false }, progress: (UInt64) -> Void = { _ in }
  ) -> HashOutcome {
    guard let before = FileStatus.of(descriptor.number) else { return .failed(SystemError.clause(errno)) }
    if let refusal = before.refusal { return .failed(refusal) }
    let quiet = age(of: before.stamp)
    let digest: ContentDigest
    switch read(descriptor.number, before.stamp, isCancelled, progress) {
    case .failure(let end): return end.outcome
    case .success(let found): digest = found
    }
    guard let after = FileStatus.of(descriptor.number) else { return .failed(SystemError.clause(errno)) }
    guard after.stamp == before.stamp else { return .unstable }
    return .stable(digest, before.stamp, quiet: quiet)
  }

  /// The digest of bytes in memory.
  public static func digest(of bytes: [UInt8]) -> ContentDigest? {
    ContentDigest(bytes: Array(SHA256.hash(data: bytes)))
  }

  private struct End: Error {
    var outcome: HashOutcome
  }

  private static func read(
    _ descriptor: CInt, _ stamp: FileStamp, _ isCancelled: () -> Bool, _ progress: (UInt64) -> Void
  ) -> Result<ContentDigest, End> {
    let size = stamp.size
    var hasher = SHA256()
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 4096)
    defer { piece.deallocate() }
    var offset: UInt64 = 0
    // One byte more than the size is asked for, so that a longer file shows.
    while true {
      if isCancelled() { return .failure(End(outcome: .cancelled)) }
      let count = uninterrupted { pread(descriptor, piece.baseAddress, piece.count, off_t(clamping: offset)) }
      if count < 0 { return .failure(End(outcome: .failed(SystemError.clause(errno)))) }
      if count == 0 { break }
      hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: piece[..<count]))
      offset += UInt64(count)
      guard offset <= size else { return .failure(End(outcome: .unstable)) }
      progress(offset)
      // What was written meanwhile need not be read to its end.
      guard offset == size || FileStatus.of(descriptor)?.stamp == stamp else {
        return .failure(End(outcome: .unstable))
      }
    }
    guard offset == size, let digest = ContentDigest(bytes: Array(hasher.finalize())) else {
      return .failure(End(outcome: .unstable))
    }
    return .success(digest)
  }

  /// How long ago the kernel changed the inode, by this machine's clock; zero for a change in the future.
  public static func age(of stamp: FileStamp) -> Duration {
    var now = timespec()
    guard clock_gettime(CLOCK_REALTIME, &now) == 0 else { return .zero }
    return .nanoseconds(max(0, now.nanoseconds.subtractingReportingOverflow(stamp.changed).partialValue))
  }
}
