// SPDX-License-Identifier: MIT

/// What the terminal is to show: rows of styled text, each at most as wide as the screen, and the cursor.
public struct Frame: Hashable, Sendable {
  /// From the top; exactly as many as the screen has.
  public var rows: [Row]
  /// Where the cursor stands, in cells from the top left; nil hides it.
  public var cursor: Cursor?

  /// One row.
  public struct Row: Hashable, Sendable {
    /// Free of control characters.
    public var text: String
    /// How all of it looks.
    public var style: Style
    /// The cells that look selected, which may lie behind the text.
    public var selected: Range<Int>?
  }

  /// How a row looks.
  public enum Style: Hashable, Sendable, CaseIterable {
    /// The document's text.
    case text
    /// What the editor says by itself: hints, messages.
    case hint
    /// An offer, a wait or a question.
    case prompt
    /// The status line.
    case status
  }

  /// A cell of the screen.
  public struct Cursor: Hashable, Sendable {
    /// From the top, from 0.
    public var row: Int
    /// From the left, from 0.
    public var column: Int
  }
}

/// A text cut to a number of cells.
extension String {
  func fitted(to cells: Int, _ widths: CellWidths) -> String {
    let layout = LineLayout(text: self, widths: widths)
    guard layout.cell(at: utf8.count) > cells else { return layout.visible(0..<cells) }
    guard cells > 1 else { return layout.visible(0..<max(0, cells)) }
    return layout.visible(0..<(cells - 1)) + "…"
  }
}
