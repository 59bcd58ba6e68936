// SPDX-License-Identifier: MIT

import Testing
import TextAnchors
import TestSamples

/// Columns of editors that count differently, and texts as the bytes of a file.
@Suite struct ColumnUnitTests {
  private func scalars(_ unit: ColumnUnit, _ column: Int, _ line: [UInt8]) -> Int {
    line.withUnsafeBufferPointer { unit.scalars(of: column, in: $0) }
  }

  private func column(_ unit: ColumnUnit, _ scalars: Int, _ line: [UInt8]) -> Int {
    line.withUnsafeBufferPointer { unit.column(ofScalars: scalars, in: $0) }
  }

  @Test func randomTextsGoThereAndBackInAllUnits() {
    var generator = SeededGenerator(seed: 8)
    let pieces = ["a", " ", "\t", "é", "e\u{301}", "漢", "😀", "👨‍👩‍👧", "\u{FEFF}", "\r", "\u{7F}", "ﷺ"]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }.joined()
      let (line, swift) = (Array(text.utf8), Array(text.unicodeScalars))
      for count in 0...swift.count {
        let head = String(String.UnicodeScalarView(swift[..<count]))
        let expected = [head.utf8.count, head.utf16.count, count]
        #expect(ColumnUnit.allCases.map { column($0, count, line) } == expected, "\(swift)")
        #expect(zip(ColumnUnit.allCases, expected).allSatisfy { scalars($0, $1, line) == count }, "\(swift)")
      }
    }
  }

  @Test func randomBytesGoThereAndBackInAllUnits() {
    var generator = SeededGenerator(seed: 9)
    let bytes: [UInt8] = [0x41, 0x80, 0xBF, 0xC0, 0xC3, 0xA9, 0xE0, 0xE6, 0xED, 0xA0, 0xF0, 0x9F, 0xF4, 0xFF]
    for _ in 0..<5000 {
      let line = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        bytes[Int.random(in: 0..<bytes.count, using: &generator)]
      }
      let end = scalars(.utf8, .max, line)
      #expect(scalars(.scalars, .max, line) == end && column(.utf8, .max, line) == line.count)
      for unit in ColumnUnit.allCases {
        let columns = (0...end).map { column(unit, $0, line) }
        #expect(columns.map { scalars(unit, $0, line) } == Array(0...end), "\(unit): \(line)")
      }
    }
  }

  @Test(
    arguments: [
      ([0xFF, 0x80], 2), ([0xC3, 0xA9], 1), ([0xC3], 1), ([0xC3, 0x41], 2), ([0xC0, 0x80], 2),
      ([0xE0, 0x80, 0x80], 3), ([0xED, 0xA0, 0x80], 3), ([0xE6, 0xBC], 2), ([0xE6, 0xBC, 0xA2], 1),
      ([0xF0, 0x9F, 0x98, 0x80], 1), ([0xF4, 0x90, 0x80, 0x80], 4), ([0xF8, 0x88, 0x80, 0x80, 0x80], 5),
    ] as [([UInt8], Int)])
  func eachByteOutsideUTF8CountsOne(_ line: [UInt8], _ count: Int) {
    for unit in ColumnUnit.allCases { #expect(scalars(unit, .max, line) == count, "\(unit)") }
    let lines = ByteLines(line)
    #expect(TextAnchor(at: LineColumn(line: 1, column: .max), in: lines).position.column == count + 1)
  }

  @Test func aColumnInsideAScalarOrBeyondTheLineIsClamped() {
    let line = Array("a😀".utf8)
    #expect([1, 2, 3, 4].map { scalars(.utf8, $0, line) } == [1, 1, 1, 1])
    #expect([1, 2, 3, 4].map { scalars(.utf16, $0, line) } == [1, 1, 2, 2])
    for unit in ColumnUnit.allCases {
      #expect(scalars(unit, .min, line) == 0 && scalars(unit, .max, line) == 2)
      #expect(column(unit, .min, line) == 0 && column(unit, .max, line) == column(unit, 2, line))
      #expect(scalars(unit, 5, []) == 0 && column(unit, 5, []) == 0)
    }
  }

  private func lines(_ bytes: [UInt8]) -> [[UInt8]] {
    let text = ByteLines(bytes)
    return (0..<text.lineCount).map { line in
      var found: [UInt8] = []
      text.withUTF8(ofLine: line) { found = Array($0) }
      return found
    }
  }

  @Test(arguments: [
    ("", [""]), ("one", ["one"]), ("one\n", ["one", ""]), ("one\r\ntwo\n\r\n", ["one", "two", "", ""]),
    ("\u{FEFF}one\r\n", ["one", ""]), ("\u{FEFF}", [""]), ("a\rb\r\r\nc\r", ["a\rb\r", "c\r"]),
    ("one\u{FEFF}", ["one\u{FEFF}"]),
  ])
  func linesOfAFileAreThoseOfItsBreaks(_ text: String, _ expected: [String]) {
    #expect(lines(Array(text.utf8)) == expected.map { Array($0.utf8) })
  }

  @Test func linesAreFoundWhereverTheirBreaksLie() {
    var generator = SeededGenerator(seed: 10)
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
        Bool.random(using: &generator) ? UInt8.random(in: 9...11, using: &generator) : 0x8A
      }
      let split = bytes.split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
      #expect(lines(bytes) == split)
    }
  }

  @Test func anAnchorOfATextThatIsNoUTF8IsFoundAgain() throws {
    let words = "Grüße aus Köln über die Brücke nach Süden".unicodeScalars.map { UInt8($0.value) }
    let rows = (1...80).map { words + Array(" \($0 * 7919)".utf8) }
    let place = LineColumn(line: 40, column: 12)
    let anchor = TextAnchor(at: place, in: ByteLines(Array(rows.joined(separator: [10]))))
    #expect(anchor.position == place)
    let sent = try #require(TextAnchor(userInfoValue: anchor.userInfoValue))
    let found = sent.resolve(in: ByteLines(Array(([[97], [98]] + rows).joined(separator: [13, 10]))))
    #expect(found.place == LineColumn(line: 42, column: 12))
    #expect(found.certainty != .unsure)
  }
}
