// SPDX-License-Identifier: MIT

/// What takes changes of a document back: `UndoManager`, which Foundation lacks on Linux, as far as a menu or
/// a key needs it. What can be undone the app notes by its own means, and says what it did to the document by
/// `updateChangeCount(_:)`. Main actor only.
@MainActor
public protocol UndoManaging: AnyObject {
  /// Whether `undo()` would do something.
  var canUndo: Bool { get }
  /// Whether `redo()` would do something.
  var canRedo: Bool { get }
  /// Takes the last change back; without one it does nothing.
  func undo()
  /// Makes the change again that was taken back last; without one it does nothing.
  func redo()
}
