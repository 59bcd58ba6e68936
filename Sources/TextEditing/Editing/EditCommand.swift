// SPDX-License-Identifier: MIT

/// What a person does to a text.
public enum EditCommand: Hashable, Sendable {
  /// Puts text in at the cursor, line breaks included.
  case insert(String)
  /// Ends the line, the way the lines around it end.
  case newline
  /// Deletes the character before the cursor.
  case backspace
  /// Deletes the character behind the cursor.
  case delete
  /// Moves the cursor.
  case move(Movement)
  /// Takes back the last change; typing is taken back a word at a time.
  case undo
  /// Makes again what `undo` took back.
  case redo

  /// Where the cursor goes.
  public enum Movement: Hashable, Sendable, CaseIterable {
    /// One character, over line breaks.
    case left, right
    /// One line; the column is kept in cells where the line is long enough.
    case up, down
    /// Over a word.
    case wordLeft, wordRight
    /// Inside the line.
    case lineStart, lineEnd
    /// A screen less one line; the view moves with the cursor.
    case pageUp, pageDown
    /// The ends of the text.
    case documentStart, documentEnd
  }
}
