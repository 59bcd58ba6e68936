// SPDX-License-Identifier: MIT

import CGtk
import GTKContinuo
import TextEditing
import WindowEditing

/// Two texts side by side: what would be saved, and the other one. Both are for reading; what is chosen is
/// the comparison's.
@MainActor final class ComparisonView {
  /// What the person does with the differences.
  enum Choice { case take, takeAll, next, previous, undo }

  /// The window's actions for that.
  static let choices: [String: Choice] = [
    "take": .take, "take-all": .takeAll, "next-difference": .next, "previous-difference": .previous,
  ]

  let comparison: DocumentComparison
  let widget: Widget?
  /// The view of what would be saved.
  let result = write_view_new()
  /// The view of the other text.
  let other = write_view_new()
  private let sentence = write_label_new()
  private var take: Widget?

  private static let differs = "differs"
  private static let current = "current"

  init(_ comparison: DocumentComparison) {
    self.comparison = comparison
    widget = write_box_new(1, 0)
    build()
    let text = comparison.texts.other
    show(ShownText.of(text.text(in: .start..<text.end)), in: other)
    refresh()
  }

  private func build() {
    let row = write_status_box_new(6)
    gtk_widget_add_css_class(row, "write-bar")
    gtk_widget_set_hexpand(sentence, 1)
    if let row { write_set_accessible_name(row, "Differences") }
    write_box_append(row, sentence)
    let buttons = [
      ("_Previous", "previous-difference"), ("Ne_xt", "next-difference"), ("_Take Other", "take"),
      ("Ta_ke All", "take-all"), ("Sa_ve Result", "save"), ("Canc_el", "dismiss"),
    ]
    for (label, action) in buttons {
      guard let button = write_button_new(label) else { continue }
      write_button_set_action(button, "win.\(action)")
      if action == "take" { take = button }
      write_box_append(row, button)
    }
    let columns = write_even_box_new(1)
    for (view, title, name) in [
      (result, "Yours, with what you take", "Your text with what you take"),
      (other, "The other: \(comparison.otherName)", "The other text"),
    ] {
      guard let view, let title = column(view, title, name) else { continue }
      write_box_append(columns, title)
    }
    write_box_append(widget, row)
    write_box_append(widget, columns)
  }

  private func column(_ view: Widget, _ title: String, _ name: String) -> Widget? {
    let column = write_box_new(1, 0)
    let head = write_label_new()
    write_label_set_text(head, title)
    write_label_set_one_line(head)
    write_set_margins(head, 10, 4)
    gtk_widget_add_css_class(view, "write")
    write_set_accessible_name(view, name)
    write_view_set_editable(view, 0)
    DesktopStyle.dress(view)
    write_buffer_add_tag(write_view_buffer(view), Self.differs, "rgba(217, 98, 43, 0.2)")
    write_buffer_add_tag(write_view_buffer(view), Self.current, "rgba(217, 98, 43, 0.45)")
    write_box_append(column, head)
    write_box_append(column, write_scrolled_new(view))
    return column
  }

  private func show(_ text: String, in view: Widget?) {
    write_buffer_set_text(write_view_buffer(view), text, Int32(clamping: text.utf8.count))
  }

  /// Carries a choice out, and shows what came of it.
  func choose(_ choice: Choice) {
    switch choice {
    case .take: comparison.texts.toggle()
    case .takeAll: comparison.texts.takeAll()
    case .next: comparison.texts.goToNext()
    case .previous: comparison.texts.goToPrevious()
    case .undo: _ = comparison.texts.undo()
    }
    refresh()
  }

  private func refresh() {
    let texts = comparison.texts
    show(ShownText.of(texts.result), in: result)
    mark(texts.resultLines, in: result)
    mark(texts.differences.map(\.other), in: other)
    write_label_set_text(sentence, texts.headline)
    guard let take, texts.differences.indices.contains(texts.current) else { return }
    write_button_set_label(take, texts.differences[texts.current].isTaken ? "_Take Yours" : "_Take Other")
  }

  /// Marks the lines of all differences, and shows those of the current one.
  private func mark(_ lines: [Range<Int>], in view: Widget?) {
    let buffer = write_view_buffer(view)
    write_buffer_unmark(buffer)
    for (number, range) in lines.enumerated() {
      let tag = number == comparison.texts.current ? Self.current : Self.differs
      write_buffer_mark_lines(
        buffer, tag, Int32(clamping: range.lowerBound), Int32(clamping: range.upperBound))
    }
    guard lines.indices.contains(comparison.texts.current) else { return }
    write_view_show_line(view, Int32(clamping: lines[comparison.texts.current].lowerBound))
  }
}
