// SPDX-License-Identifier: MIT

/// Steps by characters as a person sees them. A line break counts as one.
extension TextBuffer {
  /// The nearest place that exists; one inside a character moves behind it.
  public func clamped(_ position: Position) -> Position {
    guard position.line >= 0 else { return .start }
    guard position.line < lines.count else { return end }
    let text = lines[position.line].text
    return Position(line: position.line, offset: text.characterOffset(atOrAfter: position.offset))
  }

  /// The place one character on; nil at the end of the text.
  public func position(after position: Position) -> Position? {
    let text = lines[position.line].text
    if position.offset < text.utf8.count {
      let next = text.index(after: text.utf8Index(position.offset))
      return Position(line: position.line, offset: text.utf8Offset(next))
    }
    return position.line + 1 < lines.count ? Position(line: position.line + 1, offset: 0) : nil
  }

  /// The place one character back; nil at the start of the text.
  public func position(before position: Position) -> Position? {
    let text = lines[position.line].text
    if position.offset > 0 {
      let previous = text.index(before: text.utf8Index(position.offset))
      return Position(line: position.line, offset: text.utf8Offset(previous))
    }
    return position.line > 0 ? endOfLine(position.line - 1) : nil
  }

  /// Behind the last character of a line.
  public func endOfLine(_ line: Int) -> Position {
    Position(line: line, offset: lines[line].text.utf8.count)
  }

  /// The end of the word at or after `position`; line breaks separate words.
  func wordEnd(after position: Position) -> Position {
    var place = position
    var inWord = false
    while let next = self.position(after: place) {
      let isWord = isWordCharacter(place..<next)
      if inWord, !isWord { break }
      inWord = inWord || isWord
      place = next
    }
    return place
  }

  /// The start of the word at or before `position`.
  func wordStart(before position: Position) -> Position {
    var place = position
    var inWord = false
    while let previous = self.position(before: place) {
      let isWord = isWordCharacter(previous..<place)
      if inWord, !isWord { break }
      inWord = inWord || isWord
      place = previous
    }
    return place
  }

  private func isWordCharacter(_ range: Range<Position>) -> Bool {
    guard range.lowerBound.line == range.upperBound.line, let character = text(in: range).first else {
      return false
    }
    return character.isLetter || character.isNumber || character == "_"
  }
}
