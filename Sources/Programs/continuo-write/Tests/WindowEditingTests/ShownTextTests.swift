// SPDX-License-Identifier: MIT

import Continuo
import Testing
import TextEditing
import WindowEditing

/// Places and texts on their way between the document and GTK's buffer.
@Suite struct ShownTextTests {
  private func buffer(_ text: String) throws -> TextBuffer {
    try TextBuffer(bytes: Array(text.utf8), name: "plan.md")
  }

  @Test(arguments: [
    ("plain\nlines\n", "plain\nlines\n"), ("one\r\ntwo\r\n", "one\ntwo\n"), ("a\rb", "a\u{240D}b"),
    ("\r\r\n", "\u{240D}\n"), ("a\u{2029}b", "a\u{00B6}b"), ("é😀漢", "é😀漢"), ("\u{10FFFC}", "\u{FFFD}"),
    ("e\u{301}\u{2028}", "e\u{301}\u{2028}"), ("a\0", "a\u{2400}"), ("", ""),
  ])
  func whatEndsALineInGtkAndNoneInTheDocumentIsShownAsASign(text: String, shown: String) {
    #expect(ShownText.of(text) == shown)
  }

  /// The lines of GTK are those of the document, and each scalar has the same number.
  @Test(arguments: ["", "a", "aé😀漢\nzwei\r\n\rthree\u{2029}x\n\n", "\u{FEFF}mark\nend", "e\u{301}x\n👩‍👩‍👧\n"])
  func everyPlaceIsTheSameInBoth(text: String) throws {
    let buffer = try buffer(text)
    let lines = ShownText.of(buffer.text(in: .start..<buffer.end))
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == buffer.lineCount)
    for (line, shown) in lines.enumerated() {
      for scalar in 0...shown.unicodeScalars.count {
        let place = ShownText.Place(line: line, scalar: scalar)
        #expect(ShownText.place(ShownText.position(place, in: buffer), in: buffer) == place)
      }
    }
  }

  @Test func aPlaceThatIsNotThereIsTheNearestOne() throws {
    let buffer = try buffer("ab\nc")
    #expect(ShownText.position(.init(line: 0, scalar: 9), in: buffer) == Position(line: 0, offset: 2))
    #expect(ShownText.position(.init(line: 9, scalar: 9), in: buffer) == Position(line: 1, offset: 1))
  }

  @Test(arguments: ["", "a", "one\r\ntwo\r\n\r", "a\n\n\nb\rc\u{2029}", "\n", "long enough for one\nx\ny\nz"])
  func partsOfATextAreTogetherTheWhole(text: String) throws {
    let buffer = try buffer(text)
    let whole = ShownText.of(buffer.text(in: .start..<buffer.end))
    for bytes in [1, 3, 8, 1000] {
      var (shown, next, parts) = ("", Int?(0), 0)
      while let line = next {
        let part = ShownText.part(of: buffer, from: line, bytes: bytes)
        // Each begins a line, and has some.
        #expect(part.next.map { $0 > line && part.text.hasSuffix("\n") } ?? true)
        (shown, next, parts) = (shown + part.text, part.next, parts + 1)
      }
      #expect(shown == whole && (bytes == 1 ? parts == buffer.lineCount : parts <= buffer.lineCount))
    }
  }

  @Test func onlyTheLinesThatDifferAreReplaced() throws {
    let change = try #require(ShownText.change(from: buffer("a\r\nb\r\nc"), to: buffer("a\r\nx\ry\r\nc")))
    #expect(change.range == Position(line: 1, offset: 0)..<Position(line: 2, offset: 0))
    #expect(change.text == "x\u{240D}y\n")
    #expect(try ShownText.change(from: buffer("same"), to: buffer("same")) == nil)
  }
}
