// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Testing
import TestSamples

// Threat T50: a title that another device wrote is shown on a person's screen.
@Suite struct RecordTextTests {
  @Test func controlsAndDirectionMarksAreTakenOut() {
    #expect(RecordText.sanitised("a\u{0}\u{1b}[31m\n\tb\u{7f}\u{85}\u{9b}c") == "a[31mbc")
    #expect(RecordText.sanitised("gpj.\u{202e}txt\u{2066}\u{2069}\u{200f}\u{61c}\u{2028}") == "gpj.txt")
  }

  @Test func lettersOfAllKindsStay() {
    let text = "Grüße 計画 \u{5e9}\u{5dc}\u{5d5}\u{5dd} 👩‍👩‍👧 e\u{301}"
    #expect(Array(RecordText.sanitised(text).utf8) == Array(text.utf8))
  }

  @Test func aLongTextIsCutBetweenTwoCharacters() {
    let cut = RecordText.sanitised(String(repeating: "👩‍👩‍👧", count: 20))
    #expect(cut == String(repeating: "👩‍👩‍👧", count: 14))
    #expect(RecordText.sanitised(String(repeating: "a", count: 257)).utf8.count == 256)
  }

  @Test func aCharacterLongerThanTheLimitIsCutBetweenItsScalars() {
    let cut = RecordText.sanitised("a" + String(repeating: "\u{301}", count: 300))
    #expect(cut.utf8.count == 255)
  }

  @Test func cleaningTwiceChangesNothingMore() {
    var generator = SeededGenerator(seed: 20)
    for _ in 0..<500 {
      let text = (0..<40).map { _ in RecordSamples.text(generator: &generator) }.joined()
      let once = RecordText.sanitised(text)
      #expect(RecordText.isClean(once, byteLimit: 256))
      #expect(Array(RecordText.sanitised(once).utf8) == Array(once.utf8))
    }
  }

  @Test func anEncodedTitleIsClean() throws {
    var generator = SeededGenerator(seed: 21)
    var snapshot = RecordSamples.fullSnapshot(generator: &generator)
    snapshot.title = "a\u{202e}b\n" + String(repeating: "c", count: 300)
    #expect(try ActivitySnapshot(cbor: snapshot.cbor).title == "ab" + String(repeating: "c", count: 254))
  }

  /// What is not shown, the first release wrote: those records stay readable, byte for byte.
  @Test func aTitleThatIsShownOtherwiseIsRead() throws {
    var generator = SeededGenerator(seed: 22)
    var snapshot = RecordSamples.fullSnapshot(generator: &generator)
    snapshot.title = "pl\u{200b}an \u{feff}\u{e0061}\u{e007f}\u{ad}"
    let read = try ActivitySnapshot(cbor: snapshot.cbor)
    #expect(Array(read.title.utf8) == Array(snapshot.title.utf8))
    #expect(DisplayText.shown(read.title) == "plan ")
  }
}
