// SPDX-License-Identifier: MIT

/// What is selected, found and replaced.
extension TextEditor {
  /// What is selected; nil for nothing.
  public var selection: Range<Position>? {
    guard let anchor, anchor != cursor else { return nil }
    return min(anchor, cursor)..<max(anchor, cursor)
  }

  /// What copying takes: the selection, else the cursor's line with its ending.
  public var copiedText: String { buffer.text(in: selection ?? copiedLine) }

  var copiedLine: Range<Position> {
    let next = cursor.line + 1
    return Position(
      line: cursor.line, offset: 0)..<(next < buffer.lineCount
      ? Position(line: next, offset: 0) : buffer.end)
  }

  /// Selects `range`, with the cursor at its end.
  mutating func select(_ range: Range<Position>) {
    (anchor, cursor, aim) = (range.lowerBound, range.upperBound, nil)
  }

  /// The cells of a row that are selected; a selected line break counts as one where there is room.
  func selectedCells(in row: TextRow) -> Range<Int>? {
    guard let selection, selection.lowerBound.line <= row.line, row.line <= selection.upperBound.line else {
      return nil
    }
    let (bytes, wrap) = (row.bytes, wrap(row.line))
    let lower = selection.lowerBound.line < row.line ? 0 : selection.lowerBound.offset
    let continues = selection.upperBound.line > row.line
    let upper = continues ? Int.max : selection.upperBound.offset
    guard lower <= bytes.upperBound, upper > bytes.lowerBound else { return nil }
    let isLast = bytes.upperBound == buffer.length(ofLine: row.line)
    guard lower < bytes.upperBound || isLast && continues else { return nil }
    let first = wrap.cell(at: max(lower, bytes.lowerBound), in: bytes)
    let end = wrap.cell(at: min(upper, bytes.upperBound), in: bytes) + (isLast && continues ? 1 : 0)
    return min(first, viewport.width)..<min(max(first, end), viewport.width)
  }

  // MARK: Searching

  /// How a search ended.
  public enum SearchOutcome: Hashable, Sendable {
    /// What was found is selected.
    case found
    /// The same, but it lies before the place where the search began.
    case foundFromTheStart
    /// Nothing; cursor and selection are as they were.
    case notFound
  }

  /// Selects the next occurrence: from the selection's start on, or behind it when `next`.
  public mutating func find(_ search: TextSearch, next: Bool) -> SearchOutcome {
    let from = next ? selection?.upperBound ?? cursor : selection?.lowerBound ?? cursor
    noteSaved()
    if let found = search.first(in: buffer, from: from) {
      showFound(found)
      return .found
    }
    guard let found = search.first(in: buffer, from: .start, toLine: from.line + 1) else { return .notFound }
    showFound(found)
    return .foundFromTheStart
  }

  private mutating func showFound(_ range: Range<Position>) {
    select(range)
    let before = viewport.top
    showCursor()
    if viewport.top != before {
      viewport.top = row(row(at: cursor), movedBy: -(viewport.height / 2)).row.start
      showCursor()
    }
  }

  /// Puts `text` in the place of the selection, if that is an occurrence, and selects the next one.
  public mutating func replace(_ search: TextSearch, with text: String) -> SearchOutcome {
    if let selection, search.matches(selection, in: buffer), fits(text) {
      change(selection, to: text, .other)
    }
    return find(search, next: true)
  }

  /// Puts `text` in the place of every occurrence, as one step, and returns how many there were.
  public mutating func replaceAll(_ search: TextSearch, with text: String) -> Int {
    var (count, place, fresh) = (0, Position.start, "")
    var first: Position?
    while let found = search.first(in: buffer, from: place) {
      if first != nil { fresh += buffer.text(in: place..<found.lowerBound) }
      first = first ?? found.lowerBound
      fresh += text
      place = found.upperBound
      count += 1
    }
    guard let first,
      buffer.byteCount - buffer.byteCount(in: first..<place) + fresh.utf8.count
        <= TextBuffer.sizeLimit
    else { return 0 }
    change(first..<place, to: fresh, .other)
    showCursor()
    return count
  }

  private func fits(_ text: String) -> Bool { buffer.byteCount + text.utf8.count <= TextBuffer.sizeLimit }
}
