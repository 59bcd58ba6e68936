// SPDX-License-Identifier: MIT

public import ActivityModel

/// Cuts a byte stream into frames: four bytes of length, most significant first, then so many bytes.
///
/// Shared by the socket between app and agent and by the pipes of the watch process. Total: a length beyond
/// the limit throws before anything of that size is held.
public struct FrameBuffer: Sendable {
  /// The most bytes of one frame's content.
  public let limit: Int
  private var bytes: [UInt8] = []
  private var start = 0

  /// A buffer for frames of at most `limit` bytes.
  public init(limit: Int = CBOR.Limits.message.bytes) { self.limit = limit }

  /// Takes what arrived, in any chunking.
  public mutating func append(_ chunk: some Collection<UInt8>) {
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: true)
      start = 0
    } else if start > 1 << 16 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += chunk
  }

  /// The content of the next whole frame; nil until more has arrived. Throws `invalidBytes` on a length
  /// beyond the limit: the stream cannot be read any further.
  public mutating func next() throws(ContinuityError) -> [UInt8]? {
    guard bytes.count - start >= 4 else { return nil }
    let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    guard length <= limit else {
      throw ContinuityError(
        .invalidBytes, subject: "frame",
        description: "A frame of \(length) bytes is longer than the \(limit) allowed.")
    }
    guard bytes.count - start >= 4 + length else { return nil }
    defer { start += 4 + length }
    return Array(bytes[start + 4..<start + 4 + length])
  }

  /// Whether the stream may end here: no frame has begun.
  public var isAtBoundary: Bool { start == bytes.count }

  /// `content` with its length before it.
  public static func frame(_ content: [UInt8]) -> [UInt8] {
    UInt64(content.count).bigEndianBytes.suffix(4) + content
  }
}
