// SPDX-License-Identifier: MIT

/// A key as the person meant it, whatever bytes the terminal sent for it.
public enum Key: Hashable, Sendable {
  /// A typed character, or one scalar of it.
  case text(String)
  /// What the terminal pasted, in one piece.
  case paste(String)
  /// Return.
  case enter
  /// The key that indents.
  case tab
  /// The key that deletes to the left.
  case backspace
  /// The key that deletes to the right.
  case delete
  /// Escape, alone.
  case escape
  /// A key that moves the cursor, with Control where `EditCommand.Movement` has a further one for it.
  case move(EditCommand.Movement)
  /// The same with Shift.
  case select(EditCommand.Movement)
  /// Control with a lower-case letter.
  case control(Character)
  /// Alt with a digit from 1 to 9.
  case alternate(Int)
  /// F1 and its neighbours.
  case function(Int)
  /// The mouse, at a cell counted from 0.
  case mouse(Mouse, row: Int, column: Int)

  /// What the mouse did.
  public enum Mouse: Hashable, Sendable {
    /// The left button went down.
    case press
    /// It moved with the button down, or the button went up.
    case drag
    /// The wheel turned.
    case wheelUp, wheelDown
  }

  /// What the key does to a text; nil for keys that command the editor.
  var editCommand: EditCommand? {
    switch self {
    case .text(let text): .insert(text)
    case .paste(let text): .paste(text)
    case .enter: .newline
    case .tab: .insert("\t")
    case .backspace: .backspace
    case .delete: .delete
    case .move(let movement): .move(movement)
    case .select(let movement): .select(movement)
    case .control("z"): .undo
    case .control("y"): .redo
    case .control("a"): .selectAll
    case .mouse(.press, let row, let column): .point(row: row, column: column, selecting: false)
    case .mouse(.drag, let row, let column): .point(row: row, column: column, selecting: true)
    case .mouse(.wheelUp, _, _): .scroll(-3)
    case .mouse(.wheelDown, _, _): .scroll(3)
    case .control, .escape, .alternate, .function: nil
    }
  }

  var isMouse: Bool { if case .mouse = self { true } else { false } }
}
