// SPDX-License-Identifier: MIT

import Continuo

/// Lays the screen out: the text, above the status line a line for messages, offers and questions (on screens
/// of fewer than five rows both share the last row).
public struct ScreenLayout: Hashable, Sendable {
  /// The screen's cells across; at least 1.
  public let columns: Int
  /// The screen's rows; at least 1.
  public let rows: Int

  /// A screen of `columns` by `rows`.
  public init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
  }

  private var hasMessageRow: Bool { rows >= 5 }
  /// The rows left for the text.
  public var textRows: Int { max(1, rows - (hasMessageRow ? 2 : 1)) }

  /// The screen as it should be now.
  public func frame(_ editor: TextEditor, machine: EditorMachine, facts document: DocumentFacts) -> Frame {
    let isStart = !document.hasFile && editor.buffer.isEmpty && machine.isUntouched
    var frame = Frame(rows: textRows(of: editor), cursor: cursor(in: editor))
    if isStart { showStart(&frame) }
    showPanel(machine.panel(document), &frame)
    guard rows > 1 else { return frame }
    let line = machine.line(document)
    let status = Frame.Row(
      text: fit(machine.status(editor, document, isNarrow: columns < 40)), style: .status)
    if hasMessageRow {
      showMessage(line, helpLine(editor, document), &frame)
      frame.rows.append(status)
    } else {
      frame.rows.append(line.map { Frame.Row(text: $0.fitted(to: columns), style: $0.style) } ?? status)
    }
    if let prompt = machine.prompt { ask(prompt, &frame) }
    return frame
  }

  /// A long sentence takes the last row of the text too, unless the cursor stands there or rows are scarce.
  private func showMessage(_ line: MessageLine?, _ help: String, _ frame: inout Frame) {
    guard let line else { return frame.rows.append(Frame.Row(text: help, style: .hint)) }
    let isFree = frame.rows[textRows - 1].style == .text && frame.cursor?.row != textRows - 1
    guard rows >= 8, isFree, let (first, second) = line.broken(at: columns) else {
      return frame.rows.append(Frame.Row(text: line.fitted(to: columns), style: line.style))
    }
    frame.rows[textRows - 1] = Frame.Row(text: first, style: line.style)
    frame.rows.append(Frame.Row(text: second, style: line.style))
  }

  /// Above the message line, as far as there is room; the text's first row stays.
  private func showPanel(_ panel: [String], _ frame: inout Frame) {
    let lines = panel.prefix(max(0, textRows - 1))
    for (index, line) in lines.enumerated() {
      frame.rows[textRows - lines.count + index] = Frame.Row(text: fit(line), style: .prompt)
    }
    if let row = frame.cursor?.row, row >= textRows - lines.count { frame.cursor = nil }
  }

  /// Keys that do something now, as many as there is room for.
  private func helpLine(_ editor: TextEditor, _ document: DocumentFacts) -> String {
    var keys = ["F1 Help", "^Q Quit", "^F Find", "^O Open"]
    if !document.isReadOnly {
      keys.insert("^S Save", at: 1)
      if editor.history.canUndo { keys.append("^Z Undo") }
    }
    return keys.dropFirst().reduce(fit(keys[0])) { help, key in
      help.count + 2 + key.count <= columns ? help + "  " + key : help
    }
  }

  /// One row of a sentence: names of files and devices stand in it.
  private func fit(_ text: String) -> String { DisplayText.shown(text).fitted(to: columns, .unicode) }

  private func textRows(of editor: TextEditor) -> [Frame.Row] {
    var shown: [Frame.Row] = []
    var next: TextRow? = editor.row(at: editor.viewport.top)
    while shown.count < textRows, let row = next {
      shown.append(
        Frame.Row(
          text: editor.wrap(row.line).shown(row.bytes), style: .text, selected: editor.selectedCells(in: row)
        ))
      next = editor.row(after: row)
    }
    let missing = max(0, textRows - shown.count)
    return shown + Array(repeating: Frame.Row(text: "", style: .text), count: missing)
  }

  private func cursor(in editor: TextEditor) -> Frame.Cursor? {
    editor.cursorOnScreen.map {
      Frame.Cursor(row: min($0.row, rows - 1), column: min($0.column, columns - 1))
    }
  }

  private func showStart(_ frame: inout Frame) {
    let lines = [
      "Continuo Edit",
      "",
      "Type to begin a new text; Ctrl-S saves it.",
      "Or start with a file: continuo-edit FILE",
      "What you left on another device is offered below.",
    ]
    guard textRows >= lines.count + 2 else { return }
    for (index, line) in lines.enumerated() {
      frame.rows[index + 2] = Frame.Row(text: fit("  " + line), style: .hint)
    }
  }

  private func ask(_ prompt: LinePrompt, _ frame: inout Frame) {
    let question = prompt.question(isNarrow: columns < 40)
    let row = frame.rows.count - (hasMessageRow ? 2 : 1)
    let room = max(1, columns - question.count - 1)
    let layout = LineLayout(text: prompt.answer, widths: .unicode)
    let end = layout.cell(at: prompt.answer.utf8.count)
    let shown = layout.visible(max(0, end - room)..<max(end, 1))
    frame.rows[row] = Frame.Row(text: fit(question + shown), style: .prompt)
    frame.cursor = Frame.Cursor(row: row, column: min(columns - 1, question.count + min(end, room)))
  }
}
