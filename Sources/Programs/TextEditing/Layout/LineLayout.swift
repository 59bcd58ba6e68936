// SPDX-License-Identifier: MIT

/// Where the characters of a sentence or an answer stand, in cells from its start. Linear in what it has to
/// pass over; for the document's text there is `LineWrap`.
struct LineLayout {
  let text: String
  let widths: CellWidths

  /// One character in its place.
  struct Glyph {
    /// Its bytes in the line.
    var bytes: Range<Int>
    /// Its cells.
    var cells: Range<Int>
    /// What is written there.
    var shown: String
  }

  /// The cell in which the character at `offset` begins; for the line's end, the cell behind the last.
  func cell(at offset: Int) -> Int {
    var cell = 0
    walk { glyph in
      guard glyph.bytes.lowerBound < offset else { return false }
      cell = glyph.cells.upperBound
      return true
    }
    return cell
  }

  /// What is seen of the line through a window of cells. A wide character that the edge cuts, and the part of
  /// a tab inside, are spaces.
  func visible(_ window: Range<Int>) -> String {
    var shown = ""
    walk { glyph in
      guard glyph.cells.lowerBound < window.upperBound else { return false }
      let inside = glyph.cells.clamped(to: window)
      if inside == glyph.cells {
        shown += glyph.shown
      } else if !inside.isEmpty {
        shown += String(repeating: " ", count: inside.count)
      }
      return true
    }
    return shown
  }

  /// Calls `body` with each character until it returns false.
  func walk(_ body: (Glyph) -> Bool) {
    var cell = 0
    var offset = 0
    for character in text {
      let count = character.utf8.count
      let shape = shape(of: character, at: cell, isPlain: count == 1)
      let glyph = Glyph(
        bytes: offset..<(offset + count), cells: cell..<(cell + shape.cells), shown: shape.text)
      guard body(glyph) else { return }
      offset += count
      cell += shape.cells
    }
  }

  /// Printable ASCII, nearly all there is, needs no look at properties.
  private func shape(of character: Character, at cell: Int, isPlain: Bool) -> CellWidths.Shape {
    if isPlain, let byte = character.asciiValue, (0x20..<0x7F).contains(byte) {
      return CellWidths.Shape(text: String(character), cells: 1)
    }
    return widths.shape(of: character, at: cell)
  }
}
