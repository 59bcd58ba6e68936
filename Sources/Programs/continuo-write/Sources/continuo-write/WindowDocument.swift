// SPDX-License-Identifier: MIT

import Continuo
import TextEditing

/// A text that has a window of its own.
final class WindowDocument: TextDocument {
  /// GTK takes seconds for each key in a line of a megabyte.
  override class var lineLimit: Int? { 512 * 1024 }

  override func makeWindowControllers() {
    guard windowControllers.isEmpty, let session = WriteSession.current else { return }
    let window = EditorWindow(self, in: session.frame(for: self), of: session)
    addWindowController(WindowController(window: window))
  }

  /// Its window; nil before it is displayed.
  var window: EditorWindow? { windowControllers.first?.window as? EditorWindow }
}
