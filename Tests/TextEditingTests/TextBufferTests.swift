// SPDX-License-Identifier: MIT

import Continuo
import Testing
import TextEditing
import TestSamples

@Suite struct TextBufferTests {
  @Test(arguments: [
    "", "\n", "one", "one\n", "one\r\ntwo\r\n", "one\r\ntwo\nthree\r", "\r\r\n\n\r", "\u{FEFF}one\r\n",
    "e\u{301}\n",
    "\u{FEFF}", "a\u{2028}b\u{85}c\u{C}d\n",
  ])
  func bytesComeBackAsTheyWent(_ text: String) throws {
    let bytes = Array(text.utf8)
    let buffer = try TextBuffer(bytes: bytes, name: "plan.md")
    #expect(buffer.bytes == bytes)
    #expect(buffer.byteCount == bytes.count)
  }

  @Test func randomEditsKeepTheTextEqualToAPlainString() throws {
    var random = SeededGenerator(seed: 20)
    let pieces = [
      "a", "\n", "\r\n", "ü", "漢", "\r", "e\u{301}", "👍🏽", "one two\nthree", "", "\u{301}", "\r\n\r\n",
    ]
    for _ in 0..<200 {
      var buffer = TextBuffer()
      var plain: [UInt8] = []
      for _ in 0..<30 {
        let places = [place(in: buffer, &random), place(in: buffer, &random)].sorted()
        let offsets = places.map { offset(of: $0, in: buffer) }
        let piece = pieces.randomElement(using: &random) ?? ""
        buffer.replace(places[0]..<places[1], with: piece)
        plain.replaceSubrange(offsets[0]..<offsets[1], with: piece.utf8)
        try #require(buffer.bytes == plain)
        try #require(buffer.byteCount == plain.count)
      }
    }
  }

  private func place(in buffer: TextBuffer, _ random: inout some RandomNumberGenerator) -> Position {
    let line = Int.random(in: 0..<buffer.lineCount, using: &random)
    let length = buffer.text(ofLine: line).utf8.count
    return buffer.clamped(Position(line: line, offset: Int.random(in: 0...length, using: &random)))
  }

  private func offset(of position: Position, in buffer: TextBuffer) -> Int {
    buffer.text(in: .start..<position).utf8.count
  }

  @Test func undoingRandomEditsGivesTheFirstTextAndRedoingThemTheLast() throws {
    var random = SeededGenerator(seed: 20)
    let first = Array("# Plan\r\n\r\näöü 漢字\r\nlast".utf8)
    let moves = EditCommand.Movement.allCases
    for _ in 0..<50 {
      var editor = TextEditor(try TextBuffer(bytes: first, name: "plan.md"))
      for _ in 0..<60 {
        let command: EditCommand =
          switch Int.random(in: 0..<6, using: &random) {
          case 0: .backspace
          case 1: .delete
          case 2: .newline
          case 3: .move(moves.randomElement(using: &random) ?? .left)
          default: .insert(["x", " ", "ü", "\u{301}", "漢"].randomElement(using: &random) ?? "x")
          }
        editor.apply(command)
        #expect(editor.buffer.clamped(editor.cursor) == editor.cursor, "the cursor stands in a character")
      }
      let last = editor.buffer.bytes
      for _ in 0..<70 { editor.apply(.undo) }
      try #require(editor.buffer.bytes == first)
      #expect(editor.revision == 0)
      for _ in 0..<70 { editor.apply(.redo) }
      try #require(editor.buffer.bytes == last)
    }
  }

  @Test func aTextReadAgainHasANumberOfItsOwn() throws {
    var editor = TextEditor()
    editor.apply(.insert("a"))
    let seen = [0, editor.revision]
    editor.reload(try TextBuffer(bytes: Array("b".utf8), name: "plan.md"))
    #expect(!seen.contains(editor.revision))
  }

  @Test func aBinaryFileIsRefusedWithAWayOut() {
    let error = #expect(throws: ContinuityError.self) {
      try TextBuffer(bytes: [65, 0, 66], name: "photo.jpg")
    }
    #expect(error?.code == .documentUnreadable)
    #expect(error?.description.contains("photo.jpg is a binary file") == true)
  }

  @Test func textThatIsNotUTF8IsRefusedNamingTheLine() {
    let error = #expect(throws: ContinuityError.self) {
      try TextBuffer(bytes: [65, 10, 0xE4, 10], name: "old.txt")
    }
    #expect(error?.description.contains("not UTF-8 text (line 2)") == true)
  }

  @Test func fiveMegabytesComeBackAsTheyWent() throws {
    let line = Array("fifty characters make a line of prose, more or less\n".utf8)
    let bytes = Array(repeatElement(line, count: 90_000).joined())
    let buffer = try TextBuffer(bytes: bytes, name: "log.txt")
    #expect(buffer.byteCount == bytes.count)
    #expect(buffer.bytes == bytes)
  }

  @Test func typingInALargeTextCostsWhatItCostsInASmallOne() throws {
    let (small, large) = (try timeToType(intoLines: 100), try timeToType(intoLines: 90_000))
    #expect(large < small * 20, "\(large) in 5 MB, \(small) in 5 kB")
  }

  private func timeToType(intoLines count: Int) throws -> Duration {
    let line = Array("fifty characters make a line of prose, more or less\n".utf8)
    var editor = TextEditor(
      try TextBuffer(bytes: Array(repeatElement(line, count: count).joined()), name: "log"))
    editor.restore(PortablePosition(line: count / 2, column: 9), topLine: nil)
    return ContinuousClock().measure {
      for _ in 0..<500 { editor.apply(.insert("x")) }
      for _ in 0..<50 { editor.apply(.move(.pageDown)) }
      for _ in 0..<500 { editor.apply(.backspace) }
    }
  }

  @Test func typingStopsAtTheLargestSizeThatCanBeOpenedAgain() throws {
    let bytes = [UInt8](repeating: 65, count: TextBuffer.sizeLimit - 1)
    var editor = TextEditor(try TextBuffer(bytes: bytes, name: "log.txt"))
    editor.apply(.insert("ü"))
    editor.apply(.insert("b"))
    editor.apply(.insert("c"))
    #expect(editor.buffer.byteCount == TextBuffer.sizeLimit)
  }

  @Test func portablePositionsAreClamped() throws {
    let buffer = try TextBuffer(bytes: Array("äe\u{301}x\nzwei".utf8), name: "plan.md")
    #expect(buffer.position(PortablePosition(line: 1, column: 4)) == Position(line: 0, offset: 5))
    #expect(buffer.portable(Position(line: 0, offset: 5)) == PortablePosition(line: 1, column: 4))
    #expect(buffer.position(PortablePosition(line: 1, column: 3)) == Position(line: 0, offset: 5))
    #expect(buffer.position(PortablePosition(line: 2, column: 99)) == buffer.end)
    #expect(buffer.position(PortablePosition(line: .max, column: .max)) == buffer.end)
    #expect(buffer.position(PortablePosition(line: 2, column: .min)) == Position(line: 1, offset: 0))
    #expect(buffer.position(PortablePosition(line: .min, column: 1)) == .start)
  }
}
