// SPDX-License-Identifier: MIT

import CGtk
import Continuo
import Foundation
import TextEditing
import WindowEditing

/// The window of a large file that is being read: there is no document yet, so there is nothing to type into,
/// to save or to lose.
@MainActor final class OpeningWindow {
  let url: URL
  /// What the list of open windows says of it meanwhile.
  let entry: OpenWindows.Entry
  let frame: WindowFrame
  /// The document has the frame.
  private(set) var isTaken = false
  /// The person has closed it, or there is no document to come.
  private(set) var isClosed = false
  /// Called then.
  var closed: @MainActor () -> Void = {}

  init(_ url: URL, _ entry: OpenWindows.Entry, gtk: UnsafeMutablePointer<GtkApplication>) {
    (self.url, self.entry) = (url, entry)
    frame = WindowFrame(gtk)
    let name = DisplayText.shown(url.lastPathComponent)
    write_window_set_title(frame.widget, name)
    frame.bar.show(Self.bar(name))
    frame.closing = { [weak self] in self?.close() }
    frame.on("close") { [weak self] in self?.close() }
    frame.present()
  }

  /// What is said while a text is on its way; `share` of it is laid in, nil before it was read.
  static func bar(_ name: String, share: Double? = nil) -> MessageBar {
    MessageBar(text: "Opening \(name) …", share: share, isBusy: share == nil, answers: [])
  }

  /// Gives the frame away.
  func take() -> WindowFrame {
    isTaken = true
    return frame
  }

  /// Takes the window away, unless a document has it.
  func close() {
    guard !isTaken, !isClosed else { return }
    isClosed = true
    write_window_destroy(frame.widget)
    closed()
  }
}
