// SPDX-License-Identifier: MIT

public import TextEditing

/// A text as GTK's text buffer has it: scalar for scalar the document's, but for line ends, which are line
/// feeds there, and for what would end a line in GTK and ends none in the document.
///
/// So a place is the same line and the same number of scalars in both, and only these numbers cross over.
public enum ShownText {
  /// A place in GTK's buffer.
  public struct Place: Hashable, Sendable {
    /// From 0.
    public var line: Int
    /// Unicode scalars before it in its line.
    public var scalar: Int

    /// A place; nothing is checked.
    public init(line: Int, scalar: Int) { (self.line, self.scalar) = (line, scalar) }
  }

  /// What is shown for a piece of the document's text.
  public static func of(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x0D || $0 == 0 || $0 >= 0xE2 }) else { return text }
    var shown = String.UnicodeScalarView()
    var scalars = text.unicodeScalars.makeIterator()
    var next = scalars.next()
    while let scalar = next {
      next = scalars.next()
      if scalar == "\r", next == "\n" { continue }
      shown.append(stand(for: scalar))
    }
    return String(shown)
  }

  /// What is shown for the lines from `line` on, so many that they have about `bytes`, at least one; and the
  /// first line that is left, nil behind the last.
  public static func part(of buffer: TextBuffer, from line: Int, bytes: Int) -> (text: String, next: Int?) {
    var (next, count) = (line, 0)
    while next < buffer.lineCount, next == line || count < bytes {
      count += buffer.text(ofLine: next).utf8.count + 1
      next += 1
    }
    let isLast = next >= buffer.lineCount
    let end = isLast ? buffer.end : Position(line: next, offset: 0)
    return (of(buffer.text(in: Position(line: line, offset: 0)..<end)), isLast ? nil : next)
  }

  private static func stand(for scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x0D: "\u{240D}"
    case 0x00: "\u{2400}"
    case 0x2029: "\u{00B6}"
    // What stands for bytes that are no UTF-8.
    case 0x10FF80...: "\u{FFFD}"
    default: scalar
    }
  }

  /// `place` in GTK's buffer, as a place of `buffer`; the nearest one there is.
  public static func position(_ place: Place, in buffer: TextBuffer) -> Position {
    buffer.place(line: place.line, scalar: place.scalar)
  }

  /// A place of `buffer` in GTK's.
  public static func place(_ position: Position, in buffer: TextBuffer) -> Place {
    Place(line: position.line, scalar: buffer.scalar(of: position))
  }

  /// What GTK's buffer has to replace when the document's text became `fresh`; nil where nothing differs.
  public static func change(from former: TextBuffer, to fresh: TextBuffer) -> (
    range: Range<Position>, text: String
  )? {
    let (range, text) = former.replacement(to: fresh)
    return range.isEmpty && text.isEmpty ? nil : (range, of(text))
  }
}
