// SPDX-License-Identifier: MIT

/// A key as the person meant it, whatever bytes the terminal sent for it.
public enum Key: Hashable, Sendable {
  /// A typed character, or one scalar of it.
  case text(String)
  /// Return.
  case enter
  /// Tab.
  case tab
  /// The key that deletes to the left.
  case backspace
  /// The key that deletes to the right.
  case delete
  /// Escape, alone.
  case escape
  /// A key that moves the cursor, with Control where `EditCommand.Movement` has a further one for it.
  case move(EditCommand.Movement)
  /// Control with a lower-case letter.
  case control(Character)

  /// What the key does to a text; nil for keys that command the editor.
  var editCommand: EditCommand? {
    switch self {
    case .text(let text): .insert(text)
    case .enter: .newline
    case .tab: .insert("\t")
    case .backspace: .backspace
    case .delete: .delete
    case .move(let movement): .move(movement)
    case .control("z"): .undo
    case .control("y"): .redo
    case .control, .escape: nil
    }
  }
}
