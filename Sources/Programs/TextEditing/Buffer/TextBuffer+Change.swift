// SPDX-License-Identifier: MIT

import Glibc

extension TextBuffer {
  /// Above so many bytes a change is not kept as a step that can be taken back.
  static let changeLimit = 16 * 1024 * 1024

  /// What makes `fresh` of this text, as one replacement of whole lines; nil where no replacement does, or
  /// one of more than `changeLimit`.
  func change(to fresh: TextBuffer) -> Edit? {
    guard hasByteOrderMark == fresh.hasByteOrderMark else { return nil }
    let limit = min(lineCount, fresh.lineCount)
    var head = 0
    while head < limit, lines[head].isSame(as: fresh.lines[head]) { head += 1 }
    var tail = 0
    while tail < limit - head,
      lines[lineCount - 1 - tail].isSame(as: fresh.lines[fresh.lineCount - 1 - tail])
    {
      tail += 1
    }
    guard let removed = middle(from: head, leaving: tail),
      let inserted = fresh.middle(from: head, leaving: tail)
    else { return nil }
    return Edit(start: Position(line: head, offset: 0), removed: removed, inserted: inserted)
  }

  /// The text from line `first` on, without the last `tail` lines; nil when that is too much.
  private func middle(from first: Int, leaving tail: Int) -> String? {
    guard first < lineCount else { return "" }
    let start = Position(line: first, offset: 0)
    let range = start..<(tail > 0 ? Position(line: lineCount - tail, offset: 0) : end)
    return byteCount(in: range) > Self.changeLimit ? nil : text(in: range)
  }
}

extension TextBuffer {
  /// The bytes of the longest line, without its ending.
  var longestLine: Int {
    var longest = 0
    lines.forEach(in: 0..<lineCount) { longest = max(longest, $0.text.utf8.count) }
    return longest
  }

  /// The bytes of the longest line that such a change makes.
  func longestLine(replacing range: Range<Position>, with text: String) -> Int {
    let rest = length(ofLine: range.upperBound.line) - range.upperBound.offset
    var (longest, line) = (0, range.lowerBound.offset)
    for byte in text.utf8 {
      line = byte == UInt8(ascii: "\n") ? 0 : line + 1
      longest = max(longest, line)
    }
    return max(longest, line + rest)
  }
}

extension TextBuffer.Line {
  /// Byte by byte: strings that look alike may be written in different ways.
  fileprivate func isSame(as other: Self) -> Bool {
    guard ending == other.ending, text.utf8.count == other.text.utf8.count else { return false }
    let result = text.utf8.withContiguousStorageIfAvailable { own in
      other.text.utf8.withContiguousStorageIfAvailable { bytes in
        guard let first = own.baseAddress, let second = bytes.baseAddress else { return true }
        return memcmp(first, second, own.count) == 0
      }
    }
    return (result ?? nil) ?? text.utf8.elementsEqual(other.text.utf8)
  }
}
