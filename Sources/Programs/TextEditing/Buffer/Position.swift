// SPDX-License-Identifier: MIT

import TextAnchors

/// A place between two characters of a `TextBuffer`. Only the buffer that it was made for gives it a meaning.
public struct Position: Hashable, Sendable, Comparable {
  /// The line, from 0.
  public var line: Int
  /// UTF-8 bytes from the line's start. Always at the edge of a character as a person sees it (a grapheme
  /// cluster), never past the line's text.
  public var offset: Int

  /// A place; `TextBuffer.clamped(_:)` makes one from numbers that nobody checked.
  public init(line: Int, offset: Int) {
    self.line = line
    self.offset = offset
  }

  /// Before the first character.
  public static let start = Self(line: 0, offset: 0)

  /// Earlier in the text is smaller.
  public static func < (left: Self, right: Self) -> Bool {
    (left.line, left.offset) < (right.line, right.offset)
  }

  /// Where `text` ends when it is put in here.
  func advanced(over text: String) -> Position {
    var line = self.line
    var sinceBreak = 0
    for byte in text.utf8 {
      sinceBreak += 1
      if byte == UInt8(ascii: "\n") {
        line += 1
        sinceBreak = 0
      }
    }
    return Position(line: line, offset: line == self.line ? offset + sinceBreak : sinceBreak)
  }
}

/// A place as it travels between devices, independent of how an editor stores text.
///
/// Columns count Unicode scalars, because every language can count those, and none agrees on characters.
public struct PortablePosition: Hashable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// Unicode scalars before the place in its line, plus 1.
  public var column: Int

  /// A place; nothing is checked, for it may come from another device.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension PortablePosition {
  init(_ place: LineColumn) { self.init(line: place.line, column: place.column) }

  /// The same for an anchor.
  var lineColumn: LineColumn { LineColumn(line: line, column: column) }
}

extension TextBuffer {
  /// `position` for other devices and for people.
  public func portable(_ position: Position) -> PortablePosition {
    let text = lines[position.line].text
    let column = text.scalarCount(before: position.offset)
    return PortablePosition(line: position.line + 1, column: column + 1)
  }

  /// The nearest place in this text: lines and columns beyond the end give the end.
  public func position(_ portable: PortablePosition) -> Position {
    guard portable.line >= 1 else { return .start }
    guard portable.line <= lines.count else { return end }
    let text = lines[portable.line - 1].text
    let offset = text.utf8Offset(ofScalar: max(1, portable.column) - 1)
    return clamped(Position(line: portable.line - 1, offset: offset))
  }
}

extension String {
  /// The index so many UTF-8 bytes from the start; O(1), for these strings are never bridged.
  func utf8Index(_ offset: Int) -> Index { utf8.index(startIndex, offsetBy: offset) }

  /// The number of UTF-8 bytes before `index`.
  func utf8Offset(_ index: Index) -> Int { utf8.distance(from: startIndex, to: index) }

  /// The number of Unicode scalars that begin in the first `offset` bytes.
  func scalarCount(before offset: Int) -> Int {
    utf8.withContiguousStorageIfAvailable { bytes in
      var count = 0
      for index in 0..<offset where bytes[index] & 0xC0 != 0x80 { count += 1 }
      return count
    } ?? unicodeScalars.prefix(upTo: utf8Index(offset)).count
  }

  /// The bytes before the scalar with that number, from 0; all of them when there are fewer scalars.
  func utf8Offset(ofScalar number: Int) -> Int {
    let limit = utf8.count
    guard number < limit else { return limit }
    var left = number
    var offset = 0
    for byte in utf8 {
      if byte & 0xC0 != 0x80 {
        if left == 0 { return offset }
        left -= 1
      }
      offset += 1
    }
    return limit
  }

  /// The first edge between characters at or behind a byte.
  func characterOffset(atOrAfter offset: Int) -> Int {
    guard offset > 0 else { return 0 }
    guard offset < utf8.count else { return utf8.count }
    let index = utf8Index(offset)
    let before = self.index(before: self.index(after: index))
    return utf8Offset(before == index ? index : self.index(after: before))
  }
}
