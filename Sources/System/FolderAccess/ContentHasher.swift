// SPDX-License-Identifier: MIT

public import ActivityModel
import Crypto
public import LinuxSystem
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
    hash(descriptor, copyingTo: nil, isCancelled, progress)
  }

  /// The same, and writes what is read into `target`, at the position of that.
  static func hash(
    _ descriptor: Descriptor, copyingTo target: Descriptor?, _ isCancelled: () -> Bool,
    _ progress: (UInt64) -> Void = { _ in }
  ) -> HashOutcome {
    do throws(Errno) {
      let before = try descriptor.status()
      if let refusal = before.refusal { return .failed(refusal) }
      let stamp = before.stamp
      let quiet = stamp.age
      // What was written meanwhile need not be read to its end.
      let reading = try read(descriptor, limit: stamp.size, isCancelled, progress) {
        (piece, offset) throws(Errno) in
        try target?.writeAll(piece.bytes)
        return offset == stamp.size || (try? descriptor.status())?.stamp == stamp
      }
      guard case .digest(let digest, let count) = reading else {
        return reading == .cancelled ? .cancelled : .unstable
      }
      guard stamp.covers(count, until: try descriptor.status().stamp) else { return .unstable }
      return .stable(digest, stamp, quiet: quiet)
    } catch {
      return .failed(error.clause)
    }
  }

  /// The digest of bytes in memory.
  public static func digest(of bytes: [UInt8]) -> ContentDigest? {
    ContentDigest(bytes: Array(SHA256.hash(data: bytes)))
  }

  /// Writes what `source` holds from its first byte on into `target`, at the position of that; the digest of
  /// what was written, nil when it was cancelled. At the end of the file `more` says whether to read on.
  /// Throws what reading or writing fails with, and `fileTooLarge` for more than `limit` bytes.
  static func copy(
    _ source: Descriptor, into target: Descriptor, limit: UInt64, isCancelled: () -> Bool = { false },
    progress: (UInt64) -> Void = { _ in }, more: () -> Bool = { false }
  ) throws(Errno) -> ContentDigest? {
    let reading = try read(source, limit: limit, isCancelled, progress, more: more) {
      (piece, _) throws(Errno) in
      try target.writeAll(piece.bytes)
      return true
    }
    switch reading {
    case .digest(let digest, _): return digest
    case .cancelled: return nil
    case .unstable: throw .fileTooLarge
    }
  }

  private enum Reading: Equatable {
    case digest(ContentDigest, count: Int)
    case unstable
    case cancelled
  }

  /// Reads to the end, where `more` says that it is one; `unstable` for more than `limit` bytes, and where
  /// `take` does not take a piece. That gets each with the offset behind it.
  private static func read(
    _ descriptor: Descriptor, limit: UInt64, _ isCancelled: () -> Bool, _ progress: (UInt64) -> Void,
    more: () -> Bool = { false }, take: (UnsafeRawBufferPointer, UInt64) throws(Errno) -> Bool
  ) throws(Errno) -> Reading {
    var hasher = SHA256()
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 4096)
    defer { room.deallocate() }
    var offset: UInt64 = 0
    // One byte more than the limit is asked for, so that a longer file shows.
    while true {
      if isCancelled() { return .cancelled }
      let count = try descriptor.read(into: room, at: Int(clamping: offset))
      if count == 0 {
        if more() { continue }
        break
      }
      let piece = UnsafeRawBufferPointer(rebasing: room[..<count])
      hasher.update(bufferPointer: piece)
      offset += UInt64(count)
      guard offset <= limit else { return .unstable }
      progress(offset)
      guard try take(piece, offset) else { return .unstable }
    }
    guard let digest = ContentDigest(bytes: Array(hasher.finalize())) else { return .unstable }
    return .digest(digest, count: Int(clamping: offset))
  }
}
