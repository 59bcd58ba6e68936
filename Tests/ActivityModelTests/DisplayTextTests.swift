// SPDX-License-Identifier: MIT

import ActivityModel
import TestSupport
import Testing

// Threat T50: what another device or program called a file, a title or a device stands on a person's screen.
@Suite struct DisplayTextTests {
  @Test func controlsAreSeenAndSteerNothing() {
    #expect(DisplayText.shown("row\nlaptop") == "row\u{FFFD}laptop")
    #expect(DisplayText.shown("\u{1b}[2J\u{9b}2J\u{7}\t\u{2028}\u{2029}\u{85}") == "�[2J�2J�����")
  }

  @Test func whatHasNoLookIsLeftOut() {
    #expect(DisplayText.shown("gpj.\u{202e}txt\u{2066}\u{2069}\u{200f}\u{61c}") == "gpj.txt")
    #expect(DisplayText.shown("pl\u{200b}an\u{200c}\u{200d}\u{2060}\u{feff}\u{ad}\u{34f}.md") == "plan.md")
    #expect(DisplayText.shown("tag\u{e0061}\u{e007f}\u{fe0f}\u{3164}") == "tag")
  }

  @Test func joinersStayWhereTheyJoin() {
    for text in [
      "👩‍👩‍👧 ☃︎ ❤️‍🔥 1️⃣", "می\u{200c}خواهم", "ක්\u{200d}ර",
      "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}!",
      "Grüße 計画 \u{5e9}\u{5dc}\u{5d5}\u{5dd} e\u{301}", "\u{600}٣",
    ] { #expect(Array(DisplayText.shown(text).utf8) == Array(text.utf8)) }
    #expect(DisplayText.shown("a\u{200d}b 👩\u{200d}b \u{200d}") == "ab 👩b ")
    #expect(DisplayText.shown("🏴\u{e0061}\u{e0062}\u{e007f}") == "🏴")
  }

  @Test func textOfNothingSeenIsSeen() {
    #expect(DisplayText.shown("\u{200b}\u{202e}") == "\u{FFFD}")
    #expect(DisplayText.shown("") == "")
  }

  @Test func bytesThatAreNotUTF8AreSeen() {
    #expect(DisplayText.shown([0x63, 0xe9, 0x2e]) == "c\u{FFFD}.")
  }

  @Test func aLongTextIsCut() {
    #expect(DisplayText.shown(String(repeating: "👩‍👩‍👧", count: 20), byteLimit: 256).utf8.count <= 256)
  }

  @Test func everyScalarAloneAndHostileNamesAreCleanOnce() throws {
    for value in 0...0x10ffff as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let once = DisplayText.shown("a\(scalar)b")
      #expect(DisplayText.shown(once) == once)
      let isControl = once.unicodeScalars.contains { $0.properties.generalCategory == .control }
      #expect(!isControl, "\(value)")
    }
    for name in try HostileNames.all() {
      let once = DisplayText.shown(name)
      #expect(!once.isEmpty && DisplayText.isClean(once))
      for scalar in once.unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: Issue.record("\(scalar.value)")
        default: break
        }
      }
    }
  }

  @Test func whatIsBuiltFromNamesIsClean() throws {
    for name in try HostileNames.all() {
      guard let path = RelativePath(components: [name, name]) else { continue }
      let text = String(decoding: name, as: UTF8.self)
      var snapshot = ActivitySnapshot(
        id: .random(), type: "a.b", appID: "a.c", changedAt: WallTime(milliseconds: 1))
      snapshot.title = text
      let offer = Offer(
        id: OfferID(device: .random(), activity: snapshot.id), deviceName: text, snapshot: snapshot,
        folderName: text, status: ArrivalStatus(.behind, reason: text))
      let own = OwnActivity(snapshot, reason: text, remarks: [text])
      let error = ContinuityError(.invalidRequest, subject: text, description: text)
      let shown = [
        path.description, path.displayName, offer.title, offer.displayTitle, offer.deviceName,
        offer.folderName,
        offer.status.reason, own.title, own.reason, own.remarks[0], error.description, error.subject,
        SyncedRoot(id: .random(), name: text, path: name).name,
        CircleDevice(name: text, shownID: "A", isThisDevice: false).name,
      ]
      for each in shown { #expect(DisplayText.isClean(each), "\(each.debugDescription)") }
    }
  }
}
