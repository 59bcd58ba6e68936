// SPDX-License-Identifier: MIT

/// Editing by a view that has keys, cursor and scrolling of its own: a window's.
extension TextEditor {
  /// Puts `text` in the place of `range`, with line breaks like those around it; the cursor goes behind it.
  /// What was typed or deleted letter by letter becomes one step for undo, as by keys of this editor, and
  /// with `follows` the deletion just before is the first half of this. Returns what was put in; nil, and
  /// nothing changes, when the text would become larger than may be opened again.
  public mutating func replace(
    _ range: Range<Position>, with text: String, follows: Bool = false
  ) -> String? {
    let fresh = fitted(text, to: range.lowerBound)
    guard fresh.isEmpty || buffer.byteCount + fresh.utf8.count <= TextBuffer.sizeLimit else { return nil }
    change(range, to: fresh, kind(of: range, fresh), follows: follows)
    return fresh
  }

  /// Carries out replacements in their order, each as one step for undo, with line breaks as they come.
  mutating func take(_ edits: [(range: Range<Position>, text: String)]) {
    for edit in edits {
      noteSaved()
      change(edit.range, to: edit.text, .other)
    }
    noteSaved()
    showCursor()
  }

  private func kind(of range: Range<Position>, _ text: String) -> EditHistory.Kind {
    if range.isEmpty { return text.count == 1 ? .typing : .other }
    let isOne = buffer.position(after: range.lowerBound).map { $0 >= range.upperBound } ?? false
    guard text.isEmpty, isOne else { return .other }
    return range.upperBound == cursor ? .backspacing : range.lowerBound == cursor ? .deleting : .other
  }

  /// The cursor is at `place`, and what lies between it and `selection` is selected.
  public mutating func go(to place: Position, selection: Position?) {
    guard isElsewhere(place, selection: selection) else { return }
    if place != cursor { noteSaved() }
    (cursor, anchor, aim) = (place, selection, nil)
  }

  /// Whether the cursor, or what is selected, is not this.
  func isElsewhere(_ place: Position, selection: Position?) -> Bool {
    place != cursor || (selection ?? place) != (anchor ?? cursor)
  }

  /// The first line that is shown, from 0; the cursor may be elsewhere.
  public mutating func look(from topLine: Int) {
    viewport.top = Position(line: min(max(0, topLine), buffer.lineCount - 1), offset: 0)
  }
}

extension TextBuffer {
  /// The place behind so many Unicode scalars of a line, also inside a character; the nearest one there is.
  public func place(line: Int, scalar: Int) -> Position {
    let line = min(max(0, line), lineCount - 1)
    return Position(line: line, offset: text(ofLine: line).utf8Offset(ofScalar: max(0, scalar)))
  }

  /// The Unicode scalars of its line before a place.
  public func scalar(of place: Position) -> Int { text(ofLine: place.line).scalarCount(before: place.offset) }

  /// What makes `fresh` of this text, as one replacement: of the lines that differ, where that is known.
  public func replacement(to fresh: TextBuffer) -> (range: Range<Position>, text: String) {
    guard let change = change(to: fresh) else {
      return (.start..<end, fresh.text(in: .start..<fresh.end))
    }
    return change.isEmpty ? (.start..<(.start), "") : (change.removedRange, change.inserted)
  }
}
