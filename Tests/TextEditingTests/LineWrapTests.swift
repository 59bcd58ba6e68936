// SPDX-License-Identifier: MIT

import Testing

@testable import TextEditing

/// Plain text takes a short way through `LineWrap`; it has to come out where the long way does.
@Suite("Rows of plain and of other text") struct LineWrapTests {
  /// Words of pseudo-random lengths, with one to three blanks between them.
  private static func line(_ seed: Int) -> String {
    var state = UInt64(seed) &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    func next(_ limit: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % limit)
    }
    return (0..<12).map { _ in
      String(repeating: "w", count: next(9)) + String(repeating: " ", count: 1 + next(3))
    }
    .joined()
  }

  private static func rows(_ text: String, _ width: Int) -> [Range<Int>] {
    let wrap = LineWrap(text: text, widths: .unicode, width: width)
    var rows = [wrap.row(at: 0)]
    while let row = rows.last.flatMap({ wrap.row(after: $0) }) { rows.append(row) }
    return rows
  }

  /// A letter of two bytes and one cell in place of each `w`: the same cells, by the long way.
  @Test(arguments: 0..<40) func plainRowsBreakWhereOthersDo(seed: Int) {
    let plain = Self.line(seed)
    let other = String(plain.map { $0 == "w" ? "ä" : $0 })
    for width in 1...20 {
      let shown = { (text: String) in
        let wrap = LineWrap(text: text, widths: .unicode, width: width)
        return Self.rows(text, width).map { wrap.shown($0) }
      }
      #expect(shown(plain).map { $0.count } == shown(other).map { $0.count }, "width \(width)")
      #expect(shown(plain).joined() == plain)
    }
  }

  @Test(arguments: 0..<10) func cellsOfPlainTextAreItsBytes(seed: Int) {
    let line = Self.line(seed)
    let wrap = LineWrap(text: line, widths: .unicode, width: 12)
    for row in Self.rows(line, 12) {
      #expect(wrap.cell(at: row.lowerBound, in: row) == 0)
      #expect(wrap.cell(at: row.upperBound, in: row) == row.count)
      #expect(wrap.cell(at: row.upperBound + 5, in: row) == row.count)
    }
  }

  @Test func aMarkBehindTheLastCellBelongsToIt() {
    #expect(Self.rows("abc\u{301}d", 3) == [0..<5, 5..<6])
    #expect(Self.rows("abcd\u{301}", 4) == [0..<6])
    let wrap = LineWrap(text: "abc\u{301}", widths: .unicode, width: 3)
    #expect(wrap.shown(0..<5) == "abc\u{301}")
    #expect(wrap.cell(at: 5, in: 0..<5) == 3)
  }
}
