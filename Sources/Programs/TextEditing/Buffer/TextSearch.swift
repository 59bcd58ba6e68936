// SPDX-License-Identifier: MIT

import Glibc

/// What is looked for: one line of text. Without a capital letter in it, capitals make no difference.
public struct TextSearch: Hashable, Sendable {
  /// The text looked for; never empty.
  public let text: String
  private let scalars: [Unicode.Scalar]
  private let isCaseSensitive: Bool
  /// How an occurrence may begin, as UTF-8.
  private let heads: [[UInt8]]

  /// Nil for an empty text.
  public init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
    isCaseSensitive = text.contains(where: \.isUppercase)
    scalars = isCaseSensitive ? Array(text.unicodeScalars) : text.unicodeScalars.flatMap(Self.folded)
    let first = scalars[0]
    heads = (isCaseSensitive ? [first] : Self.unfolded[first] ?? [first]).map { Array(String($0).utf8) }
  }

  /// The first occurrence in `buffer` at or behind `start`, and in its line or a line before `end`; none that
  /// cuts a character.
  func first(in buffer: TextBuffer, from start: Position, toLine end: Int = .max) -> Range<Position>? {
    var number = start.line
    return buffer.lines.first(in: start.line..<min(buffer.lineCount, max(end, start.line + 1))) { line in
      defer { number += 1 }
      return first(in: line.text, from: number == start.line ? start.offset : 0).map { found in
        Position(line: number, offset: found.lowerBound)..<Position(line: number, offset: found.upperBound)
      }
    }
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

  /// Byte by byte, which nearly always says at once that nothing is there.
  private func rawFirst(in text: String, from start: Int) -> Range<Int>? {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      var from = start
      while let offset = candidate(in: bytes, from: from) {
        switch asciiMatch(in: bytes, at: offset) {
        case true?: return offset..<offset + scalars.count
        case nil: if let end = end(in: text, from: offset) { return offset..<end }
        case false?: break
        }
        from = offset + 1
      }
      return nil
    } ?? nil
  }

  /// Whether the text stands at `offset`; nil where something else than ASCII decides.
  private func asciiMatch(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool? {
    var place = offset
    for scalar in scalars {
      guard place < bytes.count else { return false }
      let byte = bytes[place]
      guard byte < 0x80 else { return nil }
      let isCapital = !isCaseSensitive && 0x41 <= byte && byte <= 0x5A
      guard UInt32(isCapital ? byte + 0x20 : byte) == scalar.value else { return false }
      place += 1
    }
    return true
  }

  /// Where one of the heads stands next.
  private func candidate(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress else { return nil }
    if heads.count == 1, heads[0].count == 1 {
      return memchr(base + start, Int32(heads[0][0]), bytes.count - start).map {
        UnsafeRawPointer($0) - UnsafeRawPointer(base)
      }
    }
    let (one, other) = (heads[0][0], heads[heads.count > 1 ? 1 : 0][0])
    for offset in start..<bytes.count {
      let byte = bytes[offset]
      guard byte == one || byte == other || heads.count > 2 && byte > 0x7F else { continue }
      let isHead = heads.contains { head in
        head.count == 1
          ? byte == head[0] : offset + head.count <= bytes.count && bytes[offset...].starts(with: head)
      }
      if isHead { return offset }
    }
    return nil
  }

  /// What folds to something that begins with the key.
  private static let unfolded: [Unicode.Scalar: [Unicode.Scalar]] = {
    var found: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    for scalar in (0...0x1FFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init) {
      let first = folded(scalar)[0]
      if first != scalar { found[first, default: [first]].append(scalar) }
    }
    return found
  }()

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
