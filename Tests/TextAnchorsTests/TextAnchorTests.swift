// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Testing
import TextAnchors

@Suite struct TextAnchorTests {
  private let lines = StringLines(text: "one two\nthree four\r\nfive six\n")

  /// Ten thousand cases, a thousand at a time.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func randomEditsElsewhereLeaveTheAnchorAtItsOwnCharacters(_ thousand: UInt64) {
    for seed in thousand * 1000..<(thousand + 1) * 1000 {
      var edits = RandomEdits(seed: seed)
      let anchor = TextAnchor(at: edits.place, in: edits.text)
      let isInIndentation = edits.ownLine.prefix(edits.place.column - 1).allSatisfy { $0 == " " }
      for _ in 0...seed % 8 { edits.edit() }
      let found = anchor.resolve(in: edits.text)
      #expect(found.place.line == edits.place.line, "seed \(seed): \(found), not \(edits.place)")
      #expect(isInIndentation || found.place == edits.place, "seed \(seed): \(found), not \(edits.place)")
      #expect(found.certainty != .unsure, "seed \(seed): \(found)")
    }
  }

  @Test func anUnchangedTextIsSureEverywhere() {
    for line in 1...4 {
      for column in 1...12 {
        let anchor = TextAnchor(at: LineColumn(line: line, column: column), in: lines)
        let found = anchor.resolve(in: lines)
        #expect(found.place == anchor.position)
        #expect(found.confidence == 1)
      }
    }
  }

  /// What follows is a byte that only continues in UTF-8, as in Latin-1 texts: no part of what stands before.
  /// More white space than an anchor counts: in a text that is as it was the place is where it was.
  @Test(arguments: [1, 255, 256, 400, 1000]) func farBehindTheContentIsWhereItWas(_ spaces: Int) {
    let lines = ByteLines(Array(("end" + String(repeating: " ", count: spaces) + "\nbelow").utf8))
    let place = LineColumn(line: 1, column: 4 + spaces)
    let found = TextAnchor(at: place, in: lines).resolve(in: lines)
    #expect(found.place == place && found.confidence == 1)
  }

  @Test func aTextInAnotherEncodingIsSureEverywhere() {
    for text in ["One line.\n\u{a1}Hola!\n", "caf\u{e9}\u{bf} \u{a1}no\u{c3}\n\u{a9}\n"] {
      let lines = ByteLines(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
      for line in 1...3 {
        for column in 1...11 {
          let anchor = TextAnchor(at: LineColumn(line: line, column: column), in: lines)
          #expect(anchor.resolve(in: lines).place == anchor.position)
        }
      }
    }
  }

  @Test func aPlaceBeyondTheTextIsItsEnd() {
    let far = TextAnchor(at: LineColumn(line: .max, column: .max), in: lines)
    #expect(far.position == LineColumn(line: 4, column: 1))
    let near = TextAnchor(at: LineColumn(line: .min, column: .min), in: lines)
    #expect(near.position == LineColumn(line: 1, column: 1))
  }

  @Test func textsWithoutLinesOrContentAreNoTrouble() {
    let none = StringLines([])
    let blank = StringLines(["", "  ", ""])
    for text in [none, blank, lines] {
      let anchor = TextAnchor(at: LineColumn(line: 2, column: 2), in: text)
      #expect(TextAnchor(userInfoValue: anchor.userInfoValue) == anchor)
      #expect(anchor.resolve(in: none).place == LineColumn(line: 1, column: 1))
      #expect(anchor.resolve(in: none).confidence == 0)
      #expect(anchor.resolve(in: blank).place.line <= 3)
      #expect(anchor.resolve(in: lines).place.line <= 4)
    }
  }

  @Test func anEncodedAnchorHasAtMost512Bytes() {
    let texts = [
      String(repeating: "x", count: 1000), String(repeating: "漢", count: 400),
      String(repeating: "\u{1F389}", count: 300), "line of some length",
    ]
    for text in texts {
      let lines = StringLines((0..<100).map { "\(text)\($0)" })
      for column in [1, 150, 151, 152] {
        let anchor = TextAnchor(at: LineColumn(line: 50, column: column), in: lines)
        #expect(TextAnchor(userInfoValue: anchor.userInfoValue) == anchor)
        #expect(anchor.userInfoValue.cbor.encoded.count <= 512)
        #expect(anchor.resolve(in: lines).place == anchor.position)
      }
    }
  }

  @Test func theFormIsTheDocumentedOne() {
    let anchor = TextAnchor(at: LineColumn(line: 2, column: 7), in: lines)
    #expect(
      anchor.userInfoValue
        == .map([
          .text("v"): .int(1), .text("line"): .int(2), .text("column"): .int(7),
          .text("before"): .text("onetwothree"), .text("after"): .text("fourfivesix"),
          .text("own"): .array([.int(5), .int(4)]),
          .text("gap"): .array([.int(0), .int(0), .int(1), .int(0)]),
          .text("above"): .bytes([0xB5, 0xBF, 0xB2, 0x57]), .text("below"): .bytes([0xBD, 0xF2, 0x43, 0x9B]),
        ]))
  }
}
