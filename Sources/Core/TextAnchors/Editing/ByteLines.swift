// SPDX-License-Identifier: MIT

/// A text as the bytes of a file: for editors of which the framework does not hold the text.
///
/// Lines end with LF or CRLF, which belong to none; a lone CR is a character. A byte order mark at the start
/// counts as nothing. The bytes need not be UTF-8. Where lines start is found once, in one pass; nothing is
/// copied.
public struct ByteLines: AnchorableText, Sendable {
  private let bytes: [UInt8]
  /// Where each line starts.
  private let starts: [Int]

  /// The lines of a file's bytes.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    bytes.withUnsafeBytes { bytes in
      var index = starts[0]
      while index < bytes.count {
        if index + 8 <= bytes.count, !bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).holdsFeed {
          index += 8
        } else {
          let end = min(index + 8, bytes.count)
          while index < end {
            if bytes[index] == UInt8(ascii: "\n") { starts.append(index + 1) }
            index += 1
          }
        }
      }
    }
    self.starts = starts
  }

  /// At least one: what follows the last line break is a line, too.
  public var lineCount: Int { starts.count }

  /// Lends the file's own bytes, in constant time.
  public func withUTF8(ofLine line: Int, body: (UnsafeBufferPointer<UInt8>) -> Void) {
    let start = starts[line]
    let isLast = line == starts.count - 1
    var end = isLast ? bytes.count : starts[line + 1] - 1
    if !isLast, end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
  }
}

extension UInt64 {
  /// One of the eight bytes may be a line feed; never false when one is.
  fileprivate var holdsFeed: Bool {
    let other = self ^ 0x0A0A_0A0A_0A0A_0A0A
    return (other &- 0x0101_0101_0101_0101) & ~other & 0x8080_8080_8080_8080 != 0
  }
}
