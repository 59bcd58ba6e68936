// SPDX-License-Identifier: MIT

/// Where the cursor goes, and the window with it.
extension TextEditor {
  mutating func place(_ command: EditCommand) {
    noteSaved()
    switch command {
    case .move(let movement):
      let selected = selection
      anchor = nil
      if let selected, movement == .left || movement == .right {
        aim = nil
        cursor = movement == .left ? selected.lowerBound : selected.upperBound
      } else {
        move(movement)
      }
    case .select(let movement):
      anchor = anchor ?? cursor
      move(movement)
    case .selectAll: select(.start..<buffer.end)
    case .point(let row, let column, let selecting): point(row, column, selecting)
    case .scroll(let rows): return scroll(rows)
    case .goTo(let line):
      return restore(PortablePosition(line: min(line, buffer.lineCount), column: 1), topLine: nil)
    default: break
    }
    showCursor()
  }

  private mutating func move(_ movement: EditCommand.Movement) {
    switch movement {
    case .up: moveRows(-1)
    case .down: moveRows(1)
    case .pageUp: movePages(-1)
    case .pageDown: movePages(1)
    default:
      aim = nil
      cursor = destination(movement)
    }
  }

  private func destination(_ movement: EditCommand.Movement) -> Position {
    switch movement {
    case .left: buffer.position(before: cursor) ?? cursor
    case .right: buffer.position(after: cursor) ?? cursor
    case .wordLeft: buffer.wordStart(before: cursor)
    case .wordRight: buffer.wordEnd(after: cursor)
    case .lineStart: Position(line: cursor.line, offset: 0)
    case .lineEnd: buffer.endOfLine(cursor.line)
    case .documentStart: .start
    case .documentEnd: buffer.end
    case .up, .down, .pageUp, .pageDown: cursor
    }
  }

  private mutating func moveRows(_ count: Int) {
    let row = row(at: cursor)
    let cell = aim ?? wrap(row.line).cell(at: cursor.offset, in: row.bytes)
    let (target, moved) = self.row(row, movedBy: count)
    if moved == 0 {
      cursor = count < 0 ? .start : buffer.end
      aim = nil
    } else {
      cursor = Position(line: target.line, offset: wrap(target.line).offset(atCell: cell, in: target.bytes))
      aim = cell
    }
  }

  private mutating func movePages(_ count: Int) {
    let rows = max(1, viewport.height - 1) * count
    moveRows(rows)
    scroll(rows)
  }

  /// As far as the text goes: its last row stays at the window's bottom.
  private mutating func scroll(_ rows: Int) {
    let top = row(at: viewport.top)
    let target = row(top, movedBy: rows).row
    guard rows > 0 else { return viewport.top = target.start }
    let last = row(row(at: buffer.end), movedBy: 1 - viewport.height).row
    viewport.top = max(top.start, min(target.start, last.start))
  }

  private mutating func point(_ row: Int, _ column: Int, _ selecting: Bool) {
    anchor = selecting ? anchor ?? cursor : nil
    aim = nil
    let (target, moved) = self.row(self.row(at: viewport.top), movedBy: max(0, row))
    cursor =
      moved < row
      ? buffer.end
      : Position(
        line: target.line, offset: wrap(target.line).offset(atCell: max(0, column), in: target.bytes))
    if !selecting { anchor = cursor }
  }

  // MARK: Rows

  func wrap(_ line: Int) -> LineWrap {
    LineWrap(text: buffer.text(ofLine: line), widths: widths, width: viewport.width)
  }

  func row(at place: Position) -> TextRow {
    TextRow(line: place.line, bytes: wrap(place.line).row(at: place.offset))
  }

  func row(after row: TextRow) -> TextRow? {
    if let next = wrap(row.line).row(after: row.bytes) { return TextRow(line: row.line, bytes: next) }
    return row.line + 1 < buffer.lineCount ? self.row(at: Position(line: row.line + 1, offset: 0)) : nil
  }

  private func row(before row: TextRow) -> TextRow? {
    if let previous = wrap(row.line).row(before: row.bytes) {
      return TextRow(line: row.line, bytes: previous)
    }
    return row.line > 0 ? self.row(at: buffer.endOfLine(row.line - 1)) : nil
  }

  /// The row so many rows further down, or up, and how many there were.
  func row(_ start: TextRow, movedBy count: Int) -> (row: TextRow, moved: Int) {
    var (row, moved) = (start, 0)
    while moved != count, let next = count < 0 ? self.row(before: row) : self.row(after: row) {
      row = next
      moved += count.signum()
    }
    return (row, moved)
  }

  /// Moves the window no more than it must to show the cursor.
  mutating func showCursor() {
    let top = row(at: buffer.clamped(viewport.top))
    let shown = row(at: cursor)
    if shown.start <= top.start {
      viewport.top = shown.start
    } else if rowOnScreen(of: shown, from: top) != nil {
      viewport.top = top.start
    } else {
      viewport.top = row(shown, movedBy: 1 - viewport.height).row.start
    }
  }

  /// How far below `top` a row is shown; nil when it is not.
  private func rowOnScreen(of wanted: TextRow, from top: TextRow) -> Int? {
    guard wanted.line - top.line < viewport.height else { return nil }
    var row = top
    for number in 0..<viewport.height {
      if row.start == wanted.start { return number }
      guard row.start < wanted.start, let next = self.row(after: row) else { return nil }
      row = next
    }
    return nil
  }

  /// The cell of the window where the cursor is; nil while the window was scrolled away from it.
  var cursorOnScreen: (row: Int, column: Int)? {
    let row = row(at: cursor)
    guard let number = rowOnScreen(of: row, from: self.row(at: viewport.top)) else { return nil }
    return (number, min(viewport.width - 1, wrap(row.line).cell(at: cursor.offset, in: row.bytes)))
  }
}
