// SPDX-License-Identifier: MIT

import CGtk
import GTKContinuo
import TextEditing

/// The bar on top of a window's text: what other devices offer, what is awaited, and what is to be decided.
@MainActor final class BarView {
  let widget: Widget
  private let text = write_label_new()
  private let detail = write_label_new()
  private let progress = write_progress_new()
  private let spinner = write_spinner_new()
  private let buttons = write_box_new(0, 6)
  private var shown: MessageBar?
  /// What a button says when it is pressed.
  var answered: @MainActor (MessageBar.Answer) -> Void = { _ in }

  init() {
    let row = write_status_box_new(12)
    let words = write_box_new(1, 2)
    widget = write_revealer_new(row)
    gtk_widget_add_css_class(row, "write-bar")
    gtk_widget_add_css_class(detail, "dim-label")
    gtk_widget_add_css_class(text, "heading")
    gtk_widget_set_hexpand(words, 1)
    gtk_widget_set_valign(words, GTK_ALIGN_CENTER)
    gtk_widget_set_valign(buttons, GTK_ALIGN_CENTER)
    for part in [text, detail, progress] { write_box_append(words, part) }
    for part in [spinner, words, buttons] { write_box_append(row, part) }
    write_set_accessible_name(row, "Continuation")
    write_set_accessible_name(progress, "How much is here")
    write_revealer_reveal(widget, 0)
  }

  /// Whether the keys go to one of its buttons.
  func hasFocus(in window: Widget) -> Bool {
    guard let focus = write_window_get_focus(window) else { return false }
    return gtk_widget_is_ancestor(focus, widget) != 0
  }

  /// Gives the keys to its first button.
  func takeFocus() { if let button = gtk_widget_get_first_child(buttons) { gtk_widget_grab_focus(button) } }

  /// Shows `bar`; nil hides it.
  func show(_ bar: MessageBar?) {
    guard bar != shown else { return }
    let former = shown
    shown = bar
    write_revealer_reveal(widget, bar == nil ? 0 : 1)
    guard let bar else { return write_spinner_spin(spinner, 0) }
    write_label_set_text(text, bar.text)
    write_label_set_text(detail, bar.detail)
    gtk_widget_set_visible(detail, bar.detail.isEmpty ? 0 : 1)
    gtk_widget_set_visible(progress, bar.share == nil ? 0 : 1)
    if let share = bar.share { write_progress_set(progress, share) }
    gtk_widget_set_visible(spinner, bar.isBusy ? 1 : 0)
    write_spinner_spin(spinner, bar.isBusy ? 1 : 0)
    if former?.answers != bar.answers { show(bar.answers) }
  }

  private func show(_ answers: [MessageBar.Answer]) {
    write_box_clear(buttons)
    for answer in answers {
      guard let button = write_button_new(answer.label) else { continue }
      if answer == .accept { gtk_widget_add_css_class(button, "suggested-action") }
      Signals.connect(button, to: "clicked") { [weak self] in self?.answered(answer) }
      write_box_append(buttons, button)
    }
  }
}
