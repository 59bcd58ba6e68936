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
  public func frame(_ editor: TextEditor, _ machine: EditorMachine, _ document: DocumentFacts) -> Frame {
    let isStart = !document.hasFile && editor.buffer.isEmpty && machine.isUntouched
    var frame = Frame(rows: textRows(of: editor), cursor: cursor(in: editor))
    if isStart { showStart(&frame) }
    guard rows > 1 else { return frame }
    let line = machine.line(document)
    let status = Frame.Row(
      text: fit(machine.status(editor, document, isNarrow: columns < 40)), style: .status)
    if hasMessageRow {
      showMessage(line, &frame)
      frame.rows.append(status)
    } else {
      frame.rows.append(line.map { Frame.Row(text: $0.fitted(to: columns), style: $0.style) } ?? status)
    }
    if let typed = machine.saveName { askName(typed, &frame) }
    return frame
  }

  /// A long sentence takes the last row of the text too, unless the cursor stands there or rows are scarce.
  private func showMessage(_ line: MessageLine?, _ frame: inout Frame) {
    guard let line else { return frame.rows.append(Frame.Row(text: help, style: .hint)) }
    guard rows >= 8, frame.cursor?.row != textRows - 1, let (first, second) = line.broken(at: columns) else {
      return frame.rows.append(Frame.Row(text: line.fitted(to: columns), style: line.style))
    }
    frame.rows[textRows - 1] = Frame.Row(text: first, style: line.style)
    frame.rows.append(Frame.Row(text: second, style: line.style))
  }

  /// The keys, as many as there is room for.
  private var help: String {
    ["^Q Quit", "^Z Undo", "^Y Redo", "^R Continue"].reduce("^S Save") { help, key in
      help.count + 2 + key.count <= columns ? help + "  " + key : help
    }
  }

  private func fit(_ text: String) -> String { text.fitted(to: columns, .unicode) }

  private func textRows(of editor: TextEditor) -> [Frame.Row] {
    let top = editor.viewport.topLine
    let window = editor.viewport.leftCell..<(editor.viewport.leftCell + columns)
    return (top..<(top + textRows)).map { line in
      guard line < editor.buffer.lineCount else { return Frame.Row(text: "", style: .text) }
      return Frame.Row(text: editor.layout(ofLine: line).visible(window), style: .text)
    }
  }

  private func cursor(in editor: TextEditor) -> Frame.Cursor {
    let column = editor.cursorCells.lowerBound - editor.viewport.leftCell
    let row = editor.cursor.line - editor.viewport.topLine
    return Frame.Cursor(row: min(max(0, row), rows - 1), column: min(max(0, column), columns - 1))
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

  private func askName(_ typed: String, _ frame: inout Frame) {
    let question = columns >= 40 ? "Save as (Esc: not now): " : "Save as: "
    let row = frame.rows.count - (hasMessageRow ? 2 : 1)
    let room = max(1, columns - question.count - 1)
    let layout = LineLayout(text: typed, widths: .unicode)
    let end = layout.cell(at: typed.utf8.count)
    let shown = layout.visible(max(0, end - room)..<max(end, 1))
    frame.rows[row] = Frame.Row(text: fit(question + shown), style: .prompt)
    frame.cursor = Frame.Cursor(row: row, column: min(columns - 1, question.count + min(end, room)))
  }
}
