// SPDX-License-Identifier: MIT

/// A text with a cursor, a window on it, and its history: what one person edits.
public struct TextEditor: Sendable {
  /// The text.
  public private(set) var buffer: TextBuffer
  /// Where typing goes.
  public private(set) var cursor = Position.start
  /// What the screen shows.
  public private(set) var viewport = Viewport()
  let widths: CellWidths
  private var history = EditHistory()
  /// The cell that up and down aim at while a run of them lasts.
  private var aim: Int?

  /// Edits `buffer` from its start.
  public init(_ buffer: TextBuffer = TextBuffer(), widths: CellWidths = .unicode) {
    self.buffer = buffer
    self.widths = widths
  }

  /// Names the text as it is now: a number seen before means the very text of that time.
  public var revision: Int { history.revision }

  /// The cursor for people and other devices.
  public var portableCursor: PortablePosition { buffer.portable(cursor) }

  /// Whether `command` would make the text larger than may be opened again.
  public func exceedsSizeLimit(_ command: EditCommand) -> Bool {
    switch command {
    case .insert(let text): buffer.byteCount + text.utf8.count > TextBuffer.sizeLimit
    case .newline: buffer.byteCount + 2 > TextBuffer.sizeLimit
    default: false
    }
  }

  /// Carries `command` out. What cannot be done (undo of nothing, an insertion beyond the size limit) changes
  /// nothing; `revision` tells whether the text changed.
  public mutating func apply(_ command: EditCommand) {
    guard !exceedsSizeLimit(command) else { return }
    switch command {
    case .insert(let text): change(cursor..<cursor, to: text, .typing)
    case .newline: change(cursor..<cursor, to: buffer.lineBreak(at: cursor.line), .typing)
    case .backspace:
      if let before = buffer.position(before: cursor) { change(before..<cursor, to: "", .backspacing) }
    case .delete:
      if let after = buffer.position(after: cursor) { change(cursor..<after, to: "", .deleting) }
    case .move(let movement): move(movement)
    case .undo: undo()
    case .redo: redo()
    }
    showCursor()
  }

  /// The text's screen has another size.
  public mutating func resize(width: Int, height: Int) {
    viewport.resize(width: width, height: height)
    showCursor()
  }

  /// Goes to a place that came from elsewhere, with `topLine` (from 1) as the first line shown if the place
  /// is seen then; without it the place is shown in the middle.
  public mutating func restore(_ place: PortablePosition, topLine: Int?) {
    cursor = buffer.position(place)
    aim = nil
    history.seal()
    let top = topLine.map { max(1, $0) - 1 } ?? cursor.line - viewport.height / 2
    viewport.topLine = min(max(0, top), buffer.lineCount - 1)
    showCursor()
  }

  /// Takes another text, as when the file changed: line and column stay as far as they exist, the history
  /// goes.
  public mutating func reload(_ fresh: TextBuffer) {
    let (place, top) = (portableCursor, viewport.topLine)
    buffer = fresh
    history = history.fresh
    restore(place, topLine: top + 1)
  }

  /// The text as it is now was saved: what is typed next is a step of its own.
  public mutating func noteSaved() { history.seal() }

  private mutating func change(_ range: Range<Position>, to text: String, _ kind: EditHistory.Kind) {
    guard !range.isEmpty || !text.isEmpty else { return }
    let edit = Edit(start: range.lowerBound, removed: buffer.text(in: range), inserted: text)
    let before = cursor
    let end = buffer.replace(range, with: text)
    cursor = buffer.clamped(end)
    aim = nil
    history.record(edit, kind, cursorBefore: before, cursorAfter: cursor)
  }

  private mutating func undo() {
    guard let step = history.undo() else { return }
    buffer.replace(step.edit.insertedRange, with: step.edit.removed)
    cursor = step.cursorBefore
    aim = nil
  }

  private mutating func redo() {
    guard let step = history.redo() else { return }
    buffer.replace(step.edit.removedRange, with: step.edit.inserted)
    cursor = step.cursorAfter
    aim = nil
  }
}

// MARK: - Moving

extension TextEditor {
  private mutating func move(_ movement: EditCommand.Movement) {
    history.seal()
    switch movement {
    case .up: moveLines(-1)
    case .down: moveLines(1)
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

  private mutating func moveLines(_ count: Int) {
    let cell = aim ?? layout(ofLine: cursor.line).cell(at: cursor.offset)
    let line = min(max(0, cursor.line + count), buffer.lineCount - 1)
    if line == cursor.line {
      cursor = count < 0 ? Position(line: line, offset: 0) : buffer.endOfLine(line)
      aim = nil
    } else {
      cursor = Position(line: line, offset: layout(ofLine: line).offset(atCell: cell))
      aim = cell
    }
  }

  private mutating func movePages(_ count: Int) {
    let lines = max(1, viewport.height - 1) * count
    moveLines(lines)
    viewport.topLine = min(max(0, viewport.topLine + lines), max(0, buffer.lineCount - viewport.height))
  }

  private mutating func showCursor() {
    let cells = cursorCells
    viewport.follow(line: cursor.line, cells: cells, lineCount: buffer.lineCount)
  }

  /// The cells under the cursor: those of the character behind it, one at the line's end.
  var cursorCells: Range<Int> {
    var cells: Range<Int>?
    var end = 0
    layout(ofLine: cursor.line).walk { glyph in
      end = glyph.cells.upperBound
      guard glyph.bytes.lowerBound < cursor.offset else {
        cells = glyph.cells
        return false
      }
      return true
    }
    return cells ?? end..<(end + 1)
  }

  func layout(ofLine line: Int) -> LineLayout { LineLayout(text: buffer.text(ofLine: line), widths: widths) }
}
