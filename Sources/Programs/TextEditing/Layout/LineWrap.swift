// SPDX-License-Identifier: MIT

/// One line broken into rows of the screen, behind blanks where there are any.
///
/// Nothing is kept between calls, and nothing is linear in the line: every `blockSize` bytes a row begins
/// whatever the text, so that a row is found from the beginning of its block. Each row stands for itself;
/// tabs count from its start.
struct LineWrap {
  let text: String
  let widths: CellWidths
  /// The cells of a row.
  let width: Int

  static let blockSize = 4096

  private var count: Int { text.utf8.count }

  /// The bytes of the row that a cursor at `offset` is in. The line's end belongs to its last row.
  func row(at offset: Int) -> Range<Int> {
    var start = blockStart(offset)
    while true {
      let end = rowEnd(from: start)
      if offset < end || end >= count { return start..<end }
      start = end
    }
  }

  /// The row behind one; nil behind the last.
  func row(after row: Range<Int>) -> Range<Int>? {
    row.upperBound < count ? row.upperBound..<rowEnd(from: row.upperBound) : nil
  }

  /// The row before one; nil before the first.
  func row(before row: Range<Int>) -> Range<Int>? {
    row.lowerBound > 0 ? self.row(at: row.lowerBound - 1) : nil
  }

  /// The cells from the row's start to the character at `offset`.
  func cell(at offset: Int, in row: Range<Int>) -> Int {
    if plainCount(row) == row.count { return max(0, min(offset, row.upperBound) - row.lowerBound) }
    var cell = 0
    walk(row) { glyph in
      guard glyph.bytes.lowerBound < offset else { return false }
      cell = glyph.cells.upperBound
      return true
    }
    return cell
  }

  /// The character that covers `cell`; behind the row's text the line's end, or the row's last character when
  /// the line goes on.
  func offset(atCell cell: Int, in row: Range<Int>) -> Int {
    var (offset, last) = (row.lowerBound, row.lowerBound)
    walk(row) { glyph in
      guard glyph.cells.upperBound <= cell else { return false }
      (offset, last) = (glyph.bytes.upperBound, glyph.bytes.lowerBound)
      return true
    }
    return offset == row.upperBound && offset < count ? last : offset
  }

  /// What is written for the row; a character wider than the screen is blank.
  func shown(_ row: Range<Int>) -> String {
    if row.count <= width, plainCount(row) == row.count {
      return String(text[text.utf8Index(row.lowerBound)..<text.utf8Index(row.upperBound)])
    }
    var shown = ""
    walk(row) { glyph in
      if glyph.cells.upperBound <= width {
        shown += glyph.shown
      } else {
        shown += String(repeating: " ", count: max(0, width - glyph.cells.lowerBound))
      }
      return true
    }
    return shown
  }

  // MARK: Where rows end

  private func blockStart(_ offset: Int) -> Int {
    let block = min(offset, max(0, count - 1)) / Self.blockSize
    let start = text.characterOffset(atOrAfter: block * Self.blockSize)
    guard start > offset else { return start }
    return block == 0 ? 0 : text.characterOffset(atOrAfter: (block - 1) * Self.blockSize)
  }

  private func rowEnd(from start: Int) -> Int {
    let limit = text.characterOffset(atOrAfter: (start / Self.blockSize + 1) * Self.blockSize)
    if let end = plainRowEnd(from: start, limit) { return end }
    var (end, afterBlank): (Int, Int?) = (start, nil)
    var overflows = false
    walk(start..<limit) { glyph in
      overflows = glyph.cells.upperBound > width && end > start
      guard !overflows else { return false }
      end = glyph.bytes.upperBound
      if glyph.isBlank { afterBlank = end }
      return true
    }
    return overflows ? afterBlank ?? end : end
  }

  // MARK: Plain text

  /// As `rowEnd` finds it, where the row and the byte behind it are plain; nil where they are not.
  private func plainRowEnd(from start: Int, _ limit: Int) -> Int? {
    let seen = start..<min(limit, start + width + 1)
    guard plainCount(seen) == seen.count else { return nil }
    guard seen.count > width else { return seen.upperBound }
    let row = text.utf8[text.utf8Index(start)..<text.utf8Index(start + width)]
    let word = row.reversed().prefix { $0 != 0x20 }.count
    return word < width ? start + width - word : start + width
  }

  /// How many bytes from the range's start on are characters of one byte and one cell: printable ASCII with
  /// ASCII behind it.
  private func plainCount(_ range: Range<Int>) -> Int {
    let counted = text.utf8.withContiguousStorageIfAvailable { bytes in
      let end = range.first { !(0x20..<0x7F).contains(bytes[$0]) } ?? range.upperBound
      let isJoined = end < bytes.count && bytes[end] >= 0x80
      return max(0, end - range.lowerBound - (isJoined ? 1 : 0))
    }
    return counted ?? 0
  }

  // MARK: Characters

  /// One character in its place.
  private struct Glyph {
    var bytes: Range<Int>
    var cells: Range<Int>
    var shown: String
    var isBlank: Bool
  }

  private func walk(_ range: Range<Int>, _ body: (Glyph) -> Bool) {
    var (offset, cell) = (range.lowerBound, 0)
    while offset < range.upperBound {
      let glyph = glyph(at: offset, cell)
      guard body(glyph) else { return }
      offset = glyph.bytes.upperBound
      cell = glyph.cells.upperBound
    }
  }

  /// Printable ASCII with ASCII behind it, nearly all there is, needs no look at properties.
  private func glyph(at offset: Int, _ cell: Int) -> Glyph {
    let index = text.utf8Index(offset)
    let byte = text.utf8[index]
    let next = text.utf8.index(after: index)
    if (0x20..<0x7F).contains(byte), next == text.endIndex || text.utf8[next] < 0x80 {
      return Glyph(
        bytes: offset..<(offset + 1), cells: cell..<(cell + 1), shown: String(Unicode.Scalar(byte)),
        isBlank: byte == 0x20)
    }
    let character = text[index]
    let shape = widths.shape(of: character, at: cell)
    let room = width - cell
    let isLongTab = character == "\t" && shape.cells > room && room > 0
    let shown = isLongTab ? String(repeating: " ", count: room) : shape.text
    return Glyph(
      bytes: offset..<(offset + character.utf8.count),
      cells: cell..<(cell + (isLongTab ? room : shape.cells)), shown: shown,
      isBlank: character == " " || character == "\t")
  }
}
