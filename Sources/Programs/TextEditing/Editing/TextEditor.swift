// SPDX-License-Identifier: MIT

import TextAnchors

/// A text with a cursor, a selection, a window on it, and its history: what one person edits.
public struct TextEditor: Sendable {
  /// The text.
  public private(set) var buffer: TextBuffer
  /// Where typing goes.
  public internal(set) var cursor = Position.start
  /// The end of the selection where the cursor is not; equal to the cursor, or nil, when nothing is selected.
  var anchor: Position?
  /// What the screen shows.
  public internal(set) var viewport = Viewport()
  let widths: CellWidths
  private(set) var history = EditHistory()
  /// The cell that up and down aim at while a run of them lasts.
  var aim: Int?

  /// Edits `buffer` from its start.
  public init(_ buffer: TextBuffer = TextBuffer(), widths: CellWidths = .unicode) {
    self.buffer = buffer
    self.widths = widths
  }

  /// Names the text as it is now: a number seen before means the very text of that time.
  public var revision: Int { history.revision }

  /// The cursor for people and other devices.
  public var portableCursor: PortablePosition { buffer.portable(cursor) }

  /// The end of the selection where the cursor is not, for other devices; nil when nothing is selected.
  public var portableSelection: PortablePosition? {
    guard let anchor, anchor != cursor else { return nil }
    return buffer.portable(anchor)
  }

  /// What is handed over of the place: cursor, selection and first line.
  var portablePlace: [Int] {
    let other = anchor ?? cursor
    return [cursor.line, cursor.offset, other.line, other.offset, viewport.topLine]
  }

  /// Whether `command` would make the text larger than may be opened again.
  public func exceedsSizeLimit(_ command: EditCommand) -> Bool {
    command.growth > 0 && buffer.byteCount + command.growth > TextBuffer.sizeLimit
  }

  /// Carries `command` out. What cannot be done (undo of nothing, an insertion beyond the size limit) changes
  /// nothing; `revision` tells whether the text changed.
  public mutating func apply(_ command: EditCommand) {
    guard !exceedsSizeLimit(command) else { return }
    if command.onlyMoves { return place(command) }
    switch command {
    case .insert(let text): change(selection ?? cursor..<cursor, to: text, .typing)
    case .newline: change(selection ?? cursor..<cursor, to: buffer.lineBreak(at: cursor.line), .typing)
    case .paste(let text): paste(text)
    case .backspace: delete(back: true)
    case .delete: delete(back: false)
    case .cut: change(selection ?? copiedLine, to: "", .other)
    case .undo: undo()
    case .redo: redo()
    default: break
    }
    showCursor()
  }

  /// The text's screen has another size.
  public mutating func resize(width: Int, height: Int) {
    viewport.resize(width: width, height: height)
    aim = nil
    showCursor()
  }

  /// Goes to a place that came from elsewhere, with `topLine` (from 1) as the first line shown if the place
  /// is seen then; without it the place is shown in the middle. What lies between it and `selection` is
  /// selected.
  public mutating func restore(
    _ place: PortablePosition, selection: PortablePosition? = nil, topLine: Int?
  ) {
    cursor = buffer.position(place)
    (aim, anchor) = (nil, selection.map(buffer.position))
    history.seal()
    if let topLine {
      viewport.top = Position(line: min(max(1, topLine), buffer.lineCount) - 1, offset: 0)
    } else {
      viewport.top = row(row(at: cursor), movedBy: -(viewport.height / 2)).row.start
    }
    showCursor()
  }

  /// Takes another text, as when the file changed: cursor and window stay on what they were on, wherever it
  /// is now; where that is gone, line and column stay as far as they exist. The change is one step for undo,
  /// behind those of the person; unless `keepingHistory`, or where it is too large for that, all steps go.
  public mutating func reload(_ fresh: TextBuffer, keepingHistory: Bool = true) {
    let change = keepingHistory ? buffer.change(to: fresh) : nil
    let before = cursor
    let (place, top) = (portableCursor, PortablePosition(line: viewport.topLine + 1, column: 1))
    let (found, first) = (follow(place, into: fresh), follow(top, into: fresh))
    buffer = fresh
    restore(found, topLine: first.line)
    guard let change else { return history = history.fresh }
    guard !change.isEmpty else { return }
    history.record(change, .other, cursorBefore: before, cursorAfter: cursor)
    history.seal()
  }

  /// Where `place` of this text is in another one.
  private func follow(_ place: PortablePosition, into fresh: TextBuffer) -> PortablePosition {
    let anchor = TextAnchor(at: place.lineColumn, in: buffer)
    let found = anchor.resolve(in: fresh)
    return found.certainty == .unsure ? place : PortablePosition(found.place)
  }

  /// The next change is a step of its own: the text was saved, or the cursor moved.
  public mutating func noteSaved() { history.seal() }

  // MARK: Changing

  mutating func change(
    _ range: Range<Position>, to text: String, _ kind: EditHistory.Kind, follows: Bool = false
  ) {
    guard !range.isEmpty || !text.isEmpty else { return }
    let edit = Edit(start: range.lowerBound, removed: buffer.text(in: range), inserted: text)
    let before = cursor
    let end = buffer.replace(range, with: text)
    cursor = buffer.clamped(end)
    (aim, anchor) = (nil, nil)
    history.record(edit, kind, cursorBefore: before, cursorAfter: cursor, follows: follows)
  }

  private mutating func delete(back: Bool) {
    if let selection { return change(selection, to: "", .other) }
    let next = back ? buffer.position(before: cursor) : buffer.position(after: cursor)
    guard let next else { return }
    change(min(cursor, next)..<max(cursor, next), to: "", back ? .backspacing : .deleting)
  }

  private mutating func paste(_ text: String) {
    change(selection ?? cursor..<cursor, to: fitted(text, to: selection?.lowerBound ?? cursor), .other)
  }

  /// `text` with line breaks like those around `place`, and without what no text holds.
  func fitted(_ text: String, to place: Position) -> String {
    let ending = buffer.lineBreak(at: place.line)
    var pasted = String.UnicodeScalarView()
    var followsReturn = false
    for scalar in text.unicodeScalars where scalar != "\0" {
      switch scalar {
      case "\n" where followsReturn: break
      case "\n", "\r": pasted.append(contentsOf: ending.unicodeScalars)
      default: pasted.append(scalar)
      }
      followsReturn = scalar == "\r"
    }
    return String(pasted)
  }

  private mutating func undo() {
    guard let step = history.undo() else { return }
    buffer.replace(step.edit.insertedRange, with: step.edit.removed)
    cursor = step.cursorBefore
    (aim, anchor) = (nil, nil)
  }

  private mutating func redo() {
    guard let step = history.redo() else { return }
    buffer.replace(step.edit.removedRange, with: step.edit.inserted)
    cursor = step.cursorAfter
    (aim, anchor) = (nil, nil)
  }
}
