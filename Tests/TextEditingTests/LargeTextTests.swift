// SPDX-License-Identifier: MIT

import Continuo
import Testing

@testable import TextEditing

/// What a key costs does not grow with the text. Compared within one run, with room for a busy machine.
@Suite(.serialized) struct LargeTextTests {
  private static let line = "Nov 21 02:10:11 desktop engine[4711]: picked up plan.md, 12345 bytes, 3 blocks\n"

  private func log(lines: Int) throws -> TextEditor {
    let text = String(repeating: Self.line, count: lines)
    var editor = TextEditor(try TextBuffer(bytes: Array(text.utf8), name: "big.log"))
    editor.resize(width: 80, height: 24)
    return editor
  }

  /// Typing, line breaks, movements and the frame in the middle of the text.
  private func work(_ editor: inout TextEditor) -> Duration {
    let layout = ScreenLayout(columns: 80, rows: 26)
    let facts = DocumentFacts(name: "big.log", hasFile: true, isEdited: true)
    return ContinuousClock().measure {
      for _ in 0..<20 {
        for command in [EditCommand.insert("x"), .newline, .move(.pageDown), .move(.up), .backspace, .undo] {
          editor.apply(command)
        }
        _ = layout.frame(editor, machine: EditorMachine(), facts: facts)
      }
    }
  }

  @Test func aKeyInALongTextCostsWhatItCostsInAShortOne() throws {
    var (short, long) = (try log(lines: 1_000), try log(lines: 64_000))
    short.apply(.goTo(line: 500))
    long.apply(.goTo(line: 32_000))
    _ = work(&short)
    let (less, more) = (work(&short), work(&long))
    #expect(more < less * 8, "\(more) against \(less)")
  }

  @Test func aKeyInALongLineCostsLittle() throws {
    let text = String(repeating: "word and another ", count: 62_000)
    var long = TextEditor(try TextBuffer(bytes: Array(text.utf8), name: "one.json"))
    long.resize(width: 80, height: 24)
    long.apply(.move(.lineEnd))
    for _ in 0..<100 { long.apply(.move(.up)) }
    #expect(long.buffer.byteCount > 1_000_000)
    let spent = work(&long)
    #expect(spent < .seconds(10), "\(spent) for 20 rounds")
    for _ in 0..<300 { long.apply(.undo) }
    #expect(long.buffer.bytes == Array(text.utf8))
  }

  @Test func rowsOfALongLineCoverItWithoutGapOrOverlap() {
    let text = String(repeating: "漢字 e\u{301}x wide\tand narrow ", count: 900)
    let wrap = LineWrap(text: text, widths: .unicode, width: 37)
    var row = wrap.row(at: 0)
    var rows = [row]
    while let next = wrap.row(after: row) {
      #expect(next.lowerBound == row.upperBound)
      #expect(wrap.row(before: next) == row)
      row = next
      rows.append(row)
    }
    #expect(rows.first?.lowerBound == 0 && rows.last?.upperBound == text.utf8.count)
    for row in rows {
      #expect(wrap.row(at: row.lowerBound) == row)
      #expect(wrap.cell(at: row.upperBound, in: row) <= 37)
    }
  }

  @Test func aFileOfFiftyMegabytesIsWithinTheLimitAndOneOfSeventyIsNot() throws {
    let seventy = [UInt8](repeating: UInt8(ascii: "x"), count: 70_000_000)
    #expect(try TextBuffer(bytes: seventy[..<50_000_000], name: "big.log").byteCount == 50_000_000)
    #expect(throws: ContinuityError.self) { try TextBuffer(bytes: seventy, name: "big.log") }
  }
}
