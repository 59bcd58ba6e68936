// SPDX-License-Identifier: MIT

import Continuo

/// Undo and redo of a text as the framework knows them: its own history, one step at a time.
@MainActor
final class TextUndo: UndoManaging {
  /// The text has this, and not the other way round.
  private weak var document: TextDocument?

  init(_ document: TextDocument) { self.document = document }

  var canUndo: Bool { document?.editor.history.canUndo ?? false }
  var canRedo: Bool { document?.editor.history.canRedo ?? false }
  func undo() { if canUndo { document?.perform(.undo) } }
  func redo() { if canRedo { document?.perform(.redo) } }
}
