// SPDX-License-Identifier: MIT

/// How many terminal cells characters take.
///
/// Terminal, terminal library and editor must agree, or the screen falls apart. So a character is shown only
/// as far as they all agree: what joins several pictures into one is dropped (a family is shown as its first
/// person), and nothing is shown wider than its scalars are one by one.
public struct CellWidths: Sendable {
  private let ofScalar: @Sendable (Unicode.Scalar) -> Int

  /// Widths by a function that gives 0, 1 or 2, or less than 0 for what cannot be shown: `wcwidth` of the
  /// locale that the terminal library uses.
  public init(_ ofScalar: @escaping @Sendable (Unicode.Scalar) -> Int) { self.ofScalar = ofScalar }

  /// Widths from Unicode's properties, where no terminal library has a say.
  public static let unicode = CellWidths { unicodeWidth($0) }

  /// One character as it is shown.
  struct Shape: Hashable {
    /// What to write; free of control characters.
    var text: String
    /// The cells it takes.
    var cells: Int
  }

  /// The marks that one cell can hold, in the terminal library's fixed-size cell.
  private static let markLimit = 4

  /// A character's shape at cell `cell` of its line: a tab reaches to the next multiple of 8, a control
  /// character is shown in caret notation, what has no width of its own or stands for a byte as U+FFFD.
  func shape(of character: Character, at cell: Int) -> Shape {
    if character == "\t" {
      let cells = 8 - cell % 8
      return Shape(text: String(repeating: " ", count: cells), cells: cells)
    }
    var shown = String.UnicodeScalarView()
    var (cells, marks) = (0, 0)
    for scalar in character.unicodeScalars {
      let width = ofScalar(scalar)
      if shown.isEmpty, width <= 0 || ForeignBytes.isStand(scalar) { return Self.stand(for: scalar) }
      if Self.joins(scalar) { break }
      if width > 0 {
        (cells, marks) = (cells + width, 0)
      } else {
        marks += 1
        guard width == 0, marks <= Self.markLimit else { continue }
      }
      shown.append(scalar)
    }
    return Shape(text: String(shown), cells: cells)
  }

  private static func stand(for scalar: Unicode.Scalar) -> Shape {
    switch scalar.value {
    case 0..<0x20: Shape(text: "^" + String(UnicodeScalar(UInt8(scalar.value + 0x40))), cells: 2)
    case 0x7F: Shape(text: "^?", cells: 2)
    default: Shape(text: "\u{FFFD}", cells: 1)
    }
  }

  /// Zero-width joiner, variation selectors, skin tones: behind them terminals differ.
  private static func joins(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200D, 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF: true
    default: false
    }
  }

  private static func unicodeWidth(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: return -1
    case 0x20..<0x7F, 0xAD: return 1
    case 0x1160...0x11FF: return 0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    case 0x1F1E6...0x1F1FF: return 1
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: return -1
    default: return scalar.properties.isEmojiPresentation ? 2 : 1
    }
  }
}
