// SPDX-License-Identifier: MIT

/// A text as lines, each with the ending it came with, so that what was not edited is written
/// back byte for byte.
///
/// Not `Equatable` on purpose: Swift's strings call "é" and "e" + accent equal, and a file does not. Compare
/// `bytes`.
public struct TextBuffer: Sendable {
  /// At least one; each but the last has an ending, the last has none.
  private(set) var lines: LineStore
  /// Whether the file began with U+FEFF, which is no part of the text but is written back.
  let hasByteOrderMark: Bool
  /// The size of the text when written.
  public private(set) var byteCount: Int

  /// One line.
  struct Line: Sendable {
    /// Without the ending.
    var text: String
    var ending: LineEnding

    var byteCount: Int { text.utf8.count + ending.text.utf8.count }
  }

  /// How a line ends. A carriage return alone ends no line: it is a character of it.
  enum LineEnding: Sendable {
    case none
    case lineFeed
    case carriageReturnLineFeed

    var text: String {
      switch self {
      case .none: ""
      case .lineFeed: "\n"
      case .carriageReturnLineFeed: "\r\n"
      }
    }
  }

  /// An empty text.
  public init() { self.init(lines: [Line(text: "", ending: .none)], hasByteOrderMark: false) }

  init(lines: [Line], hasByteOrderMark: Bool) {
    self.lines = LineStore(lines)
    self.hasByteOrderMark = hasByteOrderMark
    byteCount = lines.reduce(hasByteOrderMark ? Self.byteOrderMark.count : 0) { $0 + $1.byteCount }
  }

  /// The number of lines; a text that ends with a line break has an empty last one.
  public var lineCount: Int { lines.count }

  /// Whether nothing was ever written here.
  public var isEmpty: Bool { lines.count == 1 && lines[0].text.isEmpty }

  /// After the last character.
  public var end: Position { Position(line: lines.count - 1, offset: lines[lines.count - 1].text.utf8.count) }

  /// A line's text without its ending. Traps for a line that is not there.
  public func text(ofLine line: Int) -> String { lines[line].text }

  /// A line's length in UTF-8 bytes, without its ending.
  func length(ofLine line: Int) -> Int { lines[line].text.utf8.count }

  /// The bytes between two places, line endings included.
  func byteCount(in range: Range<Position>) -> Int {
    var count = range.upperBound.offset - range.lowerBound.offset
    lines.forEach(in: range.lowerBound.line..<range.upperBound.line) { count += $0.byteCount }
    return count
  }

  /// What Return puts in at `line`: the ending of that line, or of the one before it, or a line feed.
  func lineBreak(at line: Int) -> String {
    for candidate in [line, line - 1] where candidate >= 0 && lines[candidate].ending != .none {
      return lines[candidate].ending.text
    }
    return LineEnding.lineFeed.text
  }

  /// The text between two places, with its line endings.
  public func text(in range: Range<Position>) -> String {
    let (lower, upper) = (range.lowerBound, range.upperBound)
    let first = lines[lower.line]
    guard lower.line != upper.line else {
      return String(first.text[first.text.utf8Index(lower.offset)..<first.text.utf8Index(upper.offset)])
    }
    var text = String(first.text[first.text.utf8Index(lower.offset)...]) + first.ending.text
    lines.forEach(in: (lower.line + 1)..<upper.line) { line in
      text += line.text
      text += line.ending.text
    }
    let last = lines[upper.line].text
    return text + last[..<last.utf8Index(upper.offset)]
  }

  /// Puts `text` in the place of `range` and returns where it ends, in bytes: a following mark may join its
  /// last character, so a cursor goes to `clamped(_:)` of it. The one way by which a text changes.
  @discardableResult
  public mutating func replace(_ range: Range<Position>, with text: String) -> Position {
    let (lower, upper) = (range.lowerBound, range.upperBound)
    let end = lower.advanced(over: text)
    if lower.line == upper.line, end.line == lower.line {
      replaceInLine(lower.line, lower.offset..<upper.offset, with: text)
    } else {
      replaceLines(lower, upper, with: text)
    }
    return end
  }

  private mutating func replaceInLine(_ line: Int, _ range: Range<Int>, with text: String) {
    byteCount += text.utf8.count - range.count
    let lower = lines[line].text.utf8Index(range.lowerBound)
    let upper = lines[line].text.utf8Index(range.upperBound)
    lines[line].text.replaceSubrange(lower..<upper, with: text)
  }

  private mutating func replaceLines(_ lower: Position, _ upper: Position, with text: String) {
    let first = lines[lower.line].text
    let last = lines[upper.line]
    var fresh = Self.split(text)
    fresh[0].text = first[..<first.utf8Index(lower.offset)] + fresh[0].text
    fresh[fresh.count - 1].text += last.text[last.text.utf8Index(upper.offset)...]
    fresh[fresh.count - 1].ending = last.ending
    lines.forEach(in: lower.line..<(upper.line + 1)) { byteCount -= $0.byteCount }
    byteCount += fresh.reduce(0) { $0 + $1.byteCount }
    lines.replace(lower.line...upper.line, with: fresh)
  }

  private static func split(_ text: String) -> [Line] {
    var lines: [Line] = []
    var rest = text[...]
    while let feed = rest.utf8.firstIndex(of: UInt8(ascii: "\n")) {
      let hasReturn = feed > rest.startIndex && rest.utf8[rest.utf8.index(before: feed)] == UInt8(ascii: "\r")
      let end = hasReturn ? rest.utf8.index(before: feed) : feed
      lines.append(
        Line(text: String(rest[..<end]), ending: hasReturn ? .carriageReturnLineFeed : .lineFeed))
      rest = rest[rest.utf8.index(after: feed)...]
    }
    lines.append(Line(text: String(rest), ending: .none))
    return lines
  }
}
