// SPDX-License-Identifier: MIT

/// A text as numbered lines, read in place: an editor lends its own storage, and nothing is copied.
public protocol AnchorableText {
  /// The number of lines; a text that ends with a line break has an empty last one. Zero is allowed.
  var lineCount: Int { get }

  /// Lends the UTF-8 bytes of a line, from 0, without its line break (a carriage return left there does no
  /// harm). Called with lines below `lineCount` only; calls `body` once, and should take constant time.
  func withUTF8(ofLine line: Int, body: (UnsafeBufferPointer<UInt8>) -> Void)
}

/// A text of which the lines are there as strings.
public struct StringLines: AnchorableText, Sendable {
  private var lines: [String]

  /// Lines without their breaks.
  public init(_ lines: [String]) { self.lines = lines }

  /// Splits at line feeds; a carriage return before one belongs to the break.
  public init(text: String) {
    lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      String(Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
    }
  }

  /// At least one when made from a text.
  public var lineCount: Int { lines.count }

  /// Copies nothing, but for strings so short that they have no storage.
  public func withUTF8(ofLine line: Int, body: (UnsafeBufferPointer<UInt8>) -> Void) {
    var text = lines[line]
    text.withUTF8(body)
  }
}

/// A place in a text as it travels between devices. Columns count Unicode scalars, for every language can
/// count those, and none agrees on characters.
public struct LineColumn: Hashable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// Unicode scalars before the place in its line, plus 1.
  public var column: Int

  /// A place; nothing is checked, for it may come from another device.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A place in the bytes of a text: a line from 0, and bytes from its start.
struct BytePlace: Hashable {
  var line: Int
  var byte: Int
}

extension AnchorableText {
  /// The nearest place that exists; nil in a text without lines.
  func bytePlace(_ place: LineColumn) -> BytePlace? {
    guard lineCount > 0 else { return nil }
    let line = min(max(place.line, 1), lineCount) - 1
    let column = place.line > lineCount ? Int.max : place.line < 1 ? 1 : max(place.column, 1)
    var byte = 0
    withUTF8(ofLine: line) { bytes in
      var scalars = 1
      while byte < bytes.count, scalars < column {
        byte += bytes.scalarLength(at: byte)
        scalars += 1
      }
    }
    return BytePlace(line: line, byte: byte)
  }

  /// The same place, counted in scalars from 1.
  func lineColumn(_ place: BytePlace) -> LineColumn {
    var column = 1
    withUTF8(ofLine: place.line) { bytes in
      var byte = 0
      while byte < min(place.byte, bytes.count) {
        byte += bytes.scalarLength(at: byte)
        column += 1
      }
    }
    return LineColumn(line: place.line + 1, column: column)
  }

  /// The number of bytes in a line.
  func byteCount(ofLine line: Int) -> Int {
    var count = 0
    withUTF8(ofLine: line) { count = $0.count }
    return count
  }
}

extension UInt8 {
  /// Not the first byte of its scalar.
  var isContinuation: Bool { self & 0xC0 == 0x80 }
  /// No white space and no control character: what a re-indentation or another width of lines leaves alone.
  var isContent: Bool { self > 0x20 }
}
