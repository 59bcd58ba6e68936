// SPDX-License-Identifier: MIT

/// The part of the text that the screen shows. It moves no more than it must to show the cursor.
public struct Viewport: Hashable, Sendable {
  /// The first line shown, from 0.
  public var topLine = 0
  /// The first cell shown of each line, from 0.
  public private(set) var leftCell = 0
  /// Lines shown; at least 1.
  public private(set) var height = 24
  /// Cells shown of a line; at least 1.
  public private(set) var width = 80

  /// A window of 80 by 24 at the start of the text.
  public init() {}

  /// Takes another size; the caller lets it follow the cursor afterwards.
  mutating func resize(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
    leftCell = 0
  }

  /// Shows `line`, and of it the cells `cells` (those under the cursor).
  mutating func follow(line: Int, cells: Range<Int>, lineCount: Int) {
    topLine = min(max(topLine, line - height + 1), line)
    topLine = min(max(0, topLine), lineCount - 1)
    if cells.lowerBound < leftCell {
      leftCell = cells.lowerBound < width ? 0 : cells.lowerBound - width / 2
    }
    if cells.upperBound > leftCell + width {
      leftCell = max(0, min(cells.lowerBound, cells.upperBound - (width + 1) / 2))
    }
  }
}
