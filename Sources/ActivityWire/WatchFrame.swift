// SPDX-License-Identifier: MIT

public import ActivityModel

/// How agent and watch process talk over two pipes: four bytes of length, most significant first, then that
/// many bytes of CBOR, one command or hint.
public enum WatchFrame {
  /// The most bytes that a frame carries after its length.
  public static let limit = CBOR.Limits.message.bytes

  /// `content` with its length before it. `content` is at most `limit` bytes.
  static func framed(_ content: [UInt8]) -> [UInt8] {
    UInt64(content.count).bigEndianBytes.suffix(4) + content
  }
}

/// Cuts a stream of bytes into frames, whatever pieces the pipe delivers.
public struct WatchFrameReader: Sendable {
  private var buffer: [UInt8] = []
  private var start = 0

  /// A reader at the start of a stream.
  public init() {}

  /// Takes what was read from the pipe.
  public mutating func append(_ bytes: some Sequence<UInt8>) {
    if start > 0 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The content of the next frame; nil until more bytes came.
  ///
  /// Throws `invalidBytes` when the announced length is over the limit: the stream is of no further use.
  public mutating func next() throws(ContinuityError) -> [UInt8]? {
    guard buffer.count - start >= 4 else { return nil }
    let length = buffer[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    guard length <= WatchFrame.limit else {
      throw ContinuityError(
        .invalidBytes, subject: "frame",
        "A frame of \(length) bytes is longer than \(WatchFrame.limit); restart the watch process.")
    }
    guard buffer.count - start >= 4 + length else { return nil }
    defer { start += 4 + length }
    return Array(buffer[start + 4..<start + 4 + length])
  }

  /// Whether the stream may end here: no frame has begun.
  public var isAtBoundary: Bool { buffer.count == start }
}
