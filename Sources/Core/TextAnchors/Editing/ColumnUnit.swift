// SPDX-License-Identifier: MIT

/// In which unit an editor counts columns. The names are those of the Language Server Protocol.
public enum ColumnUnit: String, Hashable, Sendable, CaseIterable {
  /// Bytes of UTF-8, as in Vim and most terminals' editors.
  case utf8 = "utf-8"
  /// Code units of UTF-16, as in JavaScript, Qt and AppKit: two for a scalar above U+FFFF.
  case utf16 = "utf-16"
  /// Unicode scalars, as in Emacs, Python and `public.text-editing`.
  case scalars = "utf-32"
}

extension ColumnUnit {
  /// How many scalars stand before `column` (from 0, in this unit), in the UTF-8 bytes of a line.
  ///
  /// Total: a column below 0 is the line's start, one beyond its end is the end, one inside a scalar is its
  /// beginning. Each byte that belongs to no well-formed sequence counts one, in every unit, as if it were
  /// U+FFFD. Reads no more than the column.
  public func scalars(of column: Int, in line: UnsafeBufferPointer<UInt8>) -> Int {
    var (scalars, units, byte) = (0, 0, 0)
    while byte < line.count {
      let length = line.scalarLength(at: byte)
      units += width(ofScalarOfLength: length)
      if units > column { break }
      scalars += 1
      byte += length
    }
    return scalars
  }

  /// The column (from 0, in this unit) behind so many scalars of a line; the opposite of
  /// `scalars(of:in:)`, and as total.
  public func column(ofScalars scalars: Int, in line: UnsafeBufferPointer<UInt8>) -> Int {
    var (left, units, byte) = (scalars, 0, 0)
    while byte < line.count, left > 0 {
      let length = line.scalarLength(at: byte)
      units += width(ofScalarOfLength: length)
      left -= 1
      byte += length
    }
    return units
  }

  private func width(ofScalarOfLength length: Int) -> Int {
    switch self {
    case .utf8: length
    case .utf16: length == 4 ? 2 : 1
    case .scalars: 1
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The number of bytes of the well-formed UTF-8 sequence that begins at `index`; 1 where none begins, so
  /// that bytes of another encoding count one each.
  func scalarLength(at index: Int) -> Int {
    let lead = self[index]
    if lead < 0x80 { return 1 }
    let length = lead < 0xC2 || lead > 0xF4 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard length > 1, count - index >= length, Self.second(after: lead).contains(self[index + 1]) else {
      return 1
    }
    for byte in self[index + 2..<index + length] where !byte.isContinuation { return 1 }
    return length
  }

  /// Which bytes may follow `lead`: neither overlong forms, nor surrogates, nor more than U+10FFFF.
  private static func second(after lead: UInt8) -> ClosedRange<UInt8> {
    switch lead {
    case 0xE0: 0xA0...0xBF
    case 0xED: 0x80...0x9F
    case 0xF0: 0x90...0xBF
    case 0xF4: 0x80...0x8F
    default: 0x80...0xBF
    }
  }
}
