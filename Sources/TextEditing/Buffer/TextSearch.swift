// SPDX-License-Identifier: MIT

/// What is looked for: one line of text. Without a capital letter in it, capitals make no difference.
public struct TextSearch: Hashable, Sendable {
  /// The text looked for; never empty.
  public let text: String
  private let scalars: [Unicode.Scalar]
  private let isCaseSensitive: Bool

  /// Nil for an empty text.
  public init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
    isCaseSensitive = text.contains(where: \.isUppercase)
    scalars = isCaseSensitive ? Array(text.unicodeScalars) : text.unicodeScalars.flatMap(Self.folded)
  }

  /// The first occurrence in `buffer` at or behind `start`; none that cuts a character.
  func first(in buffer: TextBuffer, from start: Position) -> Range<Position>? {
    for line in start.line..<buffer.lineCount {
      let text = buffer.text(ofLine: line)
      let from = line == start.line ? start.offset : 0
      if let found = first(in: text, from: from) {
        return Position(line: line, offset: found.lowerBound)..<Position(line: line, offset: found.upperBound)
      }
    }
    return nil
  }

  /// Whether `range` is an occurrence.
  func matches(_ range: Range<Position>, in buffer: TextBuffer) -> Bool {
    first(in: buffer, from: range.lowerBound) == range
  }

  private func first(in text: String, from start: Int) -> Range<Int>? {
    var start = start
    while let found = rawFirst(in: text, from: start) {
      if text.characterOffset(atOrAfter: found.lowerBound) == found.lowerBound,
        text.characterOffset(atOrAfter: found.upperBound) == found.upperBound
      {
        return found
      }
      start = found.lowerBound + 1
    }
    return nil
  }

  /// Byte by byte where the first scalar is ASCII, which nearly always says at once that nothing is there.
  private func rawFirst(in text: String, from start: Int) -> Range<Int>? {
    let count = text.utf8.count
    guard count - start >= 1, let first = scalars.first else { return nil }
    let lower = first.isASCII ? UInt8(first.value) : nil
    let upper = lower.map { !isCaseSensitive && (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    return text.utf8.withContiguousStorageIfAvailable { bytes in
      var offset = start
      while offset < count {
        let byte = bytes[offset]
        let isCandidate =
          lower == nil
          ? byte & 0xC0 != 0x80 : byte == lower || byte == upper || !isCaseSensitive && byte > 0x7F
        if isCandidate, byte & 0xC0 != 0x80, let end = end(in: text, from: offset) { return offset..<end }
        offset += 1
      }
      return nil
    } ?? nil
  }

  private func end(in text: String, from offset: Int) -> Int? {
    let view = text.unicodeScalars
    var index = text.utf8Index(offset)
    var rest = scalars[...]
    while let wanted = rest.first {
      guard index < view.endIndex else { return nil }
      let scalar = view[index]
      if isCaseSensitive || scalar == wanted {
        guard scalar == wanted else { return nil }
        rest.removeFirst()
      } else {
        let folded = Self.folded(scalar)
        guard rest.starts(with: folded) else { return nil }
        rest.removeFirst(folded.count)
      }
      index = view.index(after: index)
    }
    return text.utf8Offset(index)
  }

  private static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if scalar.isASCII {
      return [(0x41...0x5A).contains(scalar.value) ? Unicode.Scalar(UInt8(scalar.value) + 0x20) : scalar]
    }
    return Array(scalar.properties.lowercaseMapping.unicodeScalars)
  }
}
