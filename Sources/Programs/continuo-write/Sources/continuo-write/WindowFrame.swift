// SPDX-License-Identifier: MIT

import CGtk
import Foundation
import GTKContinuo
import TextEditing

/// What a window has around its text, and the view of the text, which is empty and for reading until there is
/// a document.
@MainActor final class WindowFrame {
  let widget: Widget
  let bar = BarView()
  let page = write_box_new(1, 0)
  let view = write_view_new()
  let scrolled: Widget
  let said = write_label_new()
  let status = write_line_new()
  let recent = g_menu_new()
  /// Called when the person closes the window.
  var closing: @MainActor () -> Void = {}

  init(_ gtk: UnsafeMutablePointer<GtkApplication>) {
    widget = write_window_new(gtk, 760, 560)
    scrolled = write_scrolled_new(view)
    build()
    gtk_widget_add_css_class(view, "write")
    write_set_accessible_name(view, "Text")
    write_view_set_editable(view, 0)
    DesktopStyle.dress(view)
    Signals.connect(closing: widget) { [weak self] in
      self?.closing()
      return true
    }
  }

  private func build() {
    let foot = write_box_new(1, 2)
    write_set_margins(foot, 10, 4)

    for label in [said, status] {
      gtk_widget_add_css_class(label, "caption")
      write_box_append(foot, label)
    }
    gtk_widget_set_visible(said, 0)
    for part in [bar.widget, scrolled, foot] { write_box_append(page, part) }
    write_window_set_child(widget, page)
    let head = write_header_bar_new()
    for (label, action) in [("_Open", "app.open"), ("_New", "app.new")] {
      write_header_bar_pack(head, button(label, action), 0)
    }
    let menu = write_menu_button_new("_Menu", WindowMenu.make(recent: recent))
    if let menu { write_set_accessible_name(menu, "Menu") }
    write_header_bar_pack(head, menu, 1)
    write_header_bar_pack(head, button("_Save", "win.save"), 1)
    write_window_set_titlebar(widget, head)
  }

  private func button(_ label: String, _ action: String) -> Widget? {
    let button = write_button_new(label)
    if let button { write_button_set_action(button, action) }
    return button
  }

  /// An action of the window; one of the same name goes.
  @discardableResult
  func on(_ name: String, _ body: @escaping @MainActor () -> Void) -> OpaquePointer? {
    guard let action = write_action_new(widget, name, 0) else { return nil }
    Signals.connect(action: action) { _ in body() }
    return action
  }

  /// Shows the window, with the keys in its text.
  func present() {
    write_window_present(widget)
    gtk_widget_grab_focus(view)
  }

  /// Returns when the window was drawn once; on a display that does not draw it, a moment later.
  func drawn() async {
    await withCheckedContinuation { (answer: CheckedContinuation<Void, Never>) in
      var isDrawn = false
      let done = {
        guard !isDrawn else { return }
        isDrawn = true
        answer.resume()
      }
      if let clock = write_window_clock(widget) {
        Signals.connect(UnsafeMutableRawPointer(clock), to: "after-paint") { done() }
      }
      MainQueue.after(milliseconds: 300) { done() }
    }
  }
}
