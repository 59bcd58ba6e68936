// SPDX-License-Identifier: MIT

import CGtk
public import Continuo

/// Tells the framework which window the person is in, and which of its responders has the keys, as GTK does:
/// so the activity of what has the focus is the current one. For any app that has GTK windows; a `Window` of
/// the framework stands for each.
@MainActor public final class GTKFocus {
  private let widget: Widget
  private weak var window: Window?
  private var responders: [(widget: Widget, responder: () -> Responder?)] = []
  private let moved: @MainActor () -> Void

  /// Follows `widget`, a GtkWindow, for `window`; keep it as long as the window is open. `moved` is called
  /// when the person has come into the window, also at once where they are in it.
  public init(_ widget: Widget, for window: Window, moved: @escaping @MainActor () -> Void = {}) {
    (self.widget, self.window, self.moved) = (widget, window, moved)
    Signals.connect(widget, toChangeOf: "is-active") { [weak self] in self?.noteWindow() }
    Signals.connect(widget, toChangeOf: "focus-widget") { [weak self] in self?.noteFocus() }
    noteWindow()
  }

  /// While `widget` or what it holds has the keys, `responder` is the first one. Not retained.
  public func follow(_ widget: Widget, as responder: Responder) {
    responders.append((widget, { [weak responder] in responder }))
  }

  private func noteWindow() {
    guard write_window_is_active(widget) != 0, let window else { return }
    window.makeMain()
    moved()
  }

  private func noteFocus() {
    guard let window else { return }
    guard let focus = write_window_get_focus(widget) else { return }
    let found = responders.first {
      $0.widget == focus || gtk_widget_is_ancestor(focus, $0.widget) != 0
    }
    window.makeFirstResponder(found?.responder())
  }
}
