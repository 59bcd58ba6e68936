// SPDX-License-Identifier: MIT

/// What a person does to a text. What changes it takes the place of the selection, if there is one.
public enum EditCommand: Hashable, Sendable {
  /// Puts text in at the cursor, line breaks included.
  case insert(String)
  /// Puts text in as one step, with its line breaks made like those around the cursor.
  case paste(String)
  /// Ends the line, the way the lines around it end.
  case newline
  /// Deletes the character before the cursor.
  case backspace
  /// Deletes the character behind the cursor.
  case delete
  /// Deletes what `TextEditor.copiedText` gives: the selection, or the cursor's line.
  case cut
  /// Moves the cursor and ends the selection.
  case move(Movement)
  /// Moves the cursor; what it passes is selected.
  case select(Movement)
  /// Selects the whole text.
  case selectAll
  /// Puts the cursor at a cell of the screen; `selecting` keeps the selection's other end.
  case point(row: Int, column: Int, selecting: Bool)
  /// Shows rows further down, or up; the cursor stays.
  case scroll(Int)
  /// Puts the cursor at the start of a line, counted from 1; a line that is not there gives the last.
  case goTo(line: Int)
  /// Takes back the last change; typing is taken back a word at a time.
  case undo
  /// Makes again what `undo` took back.
  case redo

  /// Where the cursor goes.
  public enum Movement: Hashable, Sendable, CaseIterable {
    /// One character, over line breaks.
    case left, right
    /// One row of the screen; the column is kept in cells where the row is long enough.
    case up, down
    /// Over a word.
    case wordLeft, wordRight
    /// Inside the line.
    case lineStart, lineEnd
    /// A screen less one row; the view moves with the cursor.
    case pageUp, pageDown
    /// The ends of the text.
    case documentStart, documentEnd
  }

  /// Whether it leaves the text as it is.
  var onlyMoves: Bool {
    switch self {
    case .move, .select, .selectAll, .point, .scroll, .goTo: true
    case .insert, .paste, .newline, .backspace, .delete, .cut, .undo, .redo: false
    }
  }

  /// How much larger it can make a text, in bytes.
  var growth: Int {
    switch self {
    case .insert(let text): text.utf8.count
    case .paste(let text): text.utf8.reduce(text.utf8.count) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    case .newline: 2
    default: 0
    }
  }
}
