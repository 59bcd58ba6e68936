// SPDX-License-Identifier: MIT

/// The part of the text that the screen shows: rows from a first one on. Long lines take several rows.
public struct Viewport: Hashable, Sendable {
  /// The line of the first row, from 0.
  public var topLine: Int { top.line }
  /// Where the first row begins.
  var top = Position.start
  /// Rows shown; at least 1.
  public private(set) var height = 24
  /// Cells of a row; at least 1.
  public private(set) var width = 80

  /// A window of 80 by 24 at the start of the text.
  public init() {}

  /// Takes another size; the editor shows its cursor afterwards.
  mutating func resize(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
  }
}

/// One row of the screen.
struct TextRow: Hashable {
  var line: Int
  /// Its bytes in the line.
  var bytes: Range<Int>

  var start: Position { Position(line: line, offset: bytes.lowerBound) }
}
