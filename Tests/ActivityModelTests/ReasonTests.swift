// SPDX-License-Identifier: MIT

import Testing

@testable import ActivityModel

@Suite struct ReasonTests {
  static func samples(_ name: String, _ other: String) -> [Reason] {
    let progress = Reason.Progress(1_234_567, of: 9_876_543_210)
    let comings: [Reason.Coming] = [.through(folder: other), .through(folder: other, progress), .copy(other)]
    let near: [Reason.Beside] = [
      .nothing, .copies([other, name]), .copies([name]), .version(copy: other), .markers,
    ]
    let states: [Reason?] = [
      nil, .missing(document: name, device: other, .through(folder: name)), .told("The disk says \(name)."),
    ]
    let remedies: [Reason.LateVersion.Remedy] = [
      .sync(folder: other, canOpen: true), .sync(folder: other, canOpen: false), .makeReadable, .wait,
    ]
    let shared = [true, false].map {
      Reason.folderShared(
        Reason.SharedFolder(
          folder: name, path: "/home/\(name)", other: other, isOtherFirst: $0, copy: name,
          copyPath: "/\(name)"))
    }
    return comings.flatMap {
      [.behind(document: name, device: other, $0), .missing(document: name, device: other, $0)]
    } + near.map { .diverged(document: name, device: other, $0) } + states.map(Reason.overdue)
      + states.flatMap { state in
        remedies.map {
          .neverArrived(.init(document: name, device: other, seconds: 30, state: state, remedy: $0))
        }
      } + shared
      + [
        .looking, .ahead(document: name, device: other), .unreadable(document: name, why: nil),
        .unreadable(document: name, why: other), .replaced(document: name, folder: other),
        .written(document: name, device: other, folder: other, nil),
        .written(document: name, device: other, folder: name, progress),
        .otherSize(document: name, device: other, size: ByteAmount(7), expected: ByteAmount(.max)),
        .reading(document: name, progress), .moved(document: name, path: "\(other)/\(name)", folder: other),
        .folderUnknown(document: name, folder: nil), .folderUnknown(document: name, folder: other),
        .folderAway(document: name, folder: other), .folderReplaced(folder: name, path: "/\(other)"), .absent,
        .folderGone, .changedWhileOpened(document: name), .overtaken, .unopenable(document: name, why: other),
        .othersLeftOut(1), .othersLeftOut(12),
      ] + activities(name, other) + explanations(name, other)
  }

  private static func explanations(_ name: String, _ other: String) -> [Reason] {
    [
      .offered(to: []), .offered(to: [other, name]), .notCurrent(app: other, document: name),
      .notOpen(document: name), .tooLarge(.record),
      .tooLarge(.payload(70_000, limit: 65_536, largest: "title (60000 bytes)")),
      .tooLarge(.userInfo(70_000, limit: 65_536, largest: nil)),
      .tooLarge(.userInfo(70_000, limit: 65_536, largest: "\(name) (7 bytes), \(other) (1 bytes)")),
      .noApp(type: other, maker: name), .otherTeam(app: name, maker: other), .continuable(app: name),
      .continuedHere, .silent(device: other), .untrusted(1, folder: name), .untrusted(17, folder: name),
      .newerFormat, .deviceCopied(device: nil), .deviceCopied(device: other),
      .recordsLeftOut(folder: name), .recordsUnread(device: other),
      .recordsMissing(device: name, readBy: other), .keptBack(document: name),
      .nested(document: name, folder: name, outer: other), .since(.looking, time: "14:02"),
      .since(.missing(document: name, device: other, .through(folder: name)), time: "14:02"),
      .noNetwork, .linkOff(device: name), .linkUnanswered(device: name, port: 47_000),
      .linkOutdated(device: other), .linkApart(device: name), .linkRefused(device: name),
      .sentOverLink(document: name, device: other, folder: other),
      .draftOutOfReach(document: name, device: other),
      .beingSaved(document: name, device: other), .savedBefore(document: name, device: other),
      .changedSinceKept(document: name),
      .notSaved(document: name, device: other, message: nil),
      .notSaved(document: name, device: other, message: name),
    ]
  }

  private static func activities(_ name: String, _ other: String) -> [Reason] {
    let apps: [String?] = [nil, name]
    return [
      .untyped, .notEligible, .requiredKeyMissing(name), .expired, .unchanged,
      .outsideFolders(path: "/\(name)"),
      .tooMany(8), .removed(by: nil), .removed(by: name), .copied, .addressesLeftOut("webpageURL", and: nil),
      .addressesLeftOut("webpageURL", and: "referrerURL"), .filesLeftOut(1), .filesLeftOut(3),
      .continued(device: name, at: nil), .continued(device: name, at: ShownMoment(time: "10:42")),
      .continued(device: name, at: ShownMoment(time: "10:42", date: "2026-01-31")),
      .notTaken(device: name), .notShownThere(device: name, message: nil),
      .notShownThere(device: name, message: other), .appEnded(app: name), .moreOffers(1),
      .notStarted(app: name, message: nil), .notStarted(app: name, message: other),
      .neverConnected(app: name),
      .moreActivities(240),
      .offerGone, .cancelled, .givenUp, .deviceRemoved(device: name), .ended, .superseded, .agentUnreachable,
      .told("\(name) and nothing known"),
    ]
      + apps.flatMap { app -> [Reason] in
        [
          .appSilent(app: app), .declined(app: app), .notShown(app: app, message: nil),
          .notShown(app: app, message: other),
        ]
      }
  }

  @Test func theSamplesAreOfEveryKindAndDetailAndFillEveryTemplate() {
    let samples = Self.samples("plan.md", "laptop")
    #expect(Set(samples.map(\.kind)) == Set(Reason.Kind.allCases))
    #expect(Set(samples.compactMap(\.detail)) == Set(Reason.Detail.allCases))
    let filled = samples.map { Form(kind: $0.kind, slots: Set($0.parts.fields.keys)) }
    let templates = ReasonLanguage.english.templates.flatMap { kind, templates in
      templates.map { Form(kind: kind, slots: $0.slots) }
    }
    #expect(Set(filled.filter { $0.kind != .told }) == Set(templates))
    #expect(Set(templates).count == templates.count, "two templates of a kind have the same slots")
  }

  private struct Form: Hashable {
    var kind: Reason.Kind
    var slots: Set<Reason.Slot>
  }

  @Test func noSentenceIsEmptyOrShowsASlot() {
    for reason in Self.samples("plan.md", "laptop") {
      #expect(reason.sentence.hasSuffix(".") || reason.kind == .told || reason.texts.contains("laptop"))
      #expect(!reason.sentence.contains { "{}".contains($0) }, "\(reason)")
    }
  }

  @Test(arguments: [
    ("plan.md", "laptop"), ("Report (2) final.md", "Anna's laptop"), ("a, b; c d.md", "Büro – Mac"),
    ("“plan”.md", "two words"), ("3 kB", "1"), ("café.md", "кабинет"),
  ])
  func aSentenceGivesItsCaseBack(_ name: String, _ other: String) {
    for reason in Self.samples(name, other) { #expect(Reason(reason.sentence) == reason) }
  }

  /// Whatever names hold: the same sentence. Where it can be read in two ways, nobody says which is meant.
  @Test func noNameMakesAnotherSentence() {
    let templates = ReasonLanguage.english.templates.values.joined()
    var names = [
      "", " ", ".", "”, “", "“", "{document}", "<<<<<<<", "of 3 kB", "a\u{301}", "99999999999999999999",
    ]
    names += templates.map { $0.text { _ in "x" } }
    names += [
      "b is here; the version from c",
      "q is not here; the version from r is still on its way through folder s",
    ]
    names += [
      "n: 3 kB of 5 kB are here", "x. It did not come in time: keep waiting, open what is here, or give up.",
    ]
    names += ["\u{202e}gpj.exe", "line\nbreak", "\u{e0001}tag"]
    var told = 0
    for name in names {
      for other in ["laptop", name] {
        for reason in Self.samples(name, other) {
          let sentence = reason.sentence
          let found = Reason(sentence)
          #expect(found.sentence.utf8.elementsEqual(sentence.utf8), "\(name.debugDescription): \(reason)")
          if found.kind == .told { told += 1 }
        }
      }
    }
    #expect(told > 0)
  }

  /// A device in whose name a whole piece of the sentence stands.
  @Test func whatCanBeReadInTwoWaysIsTold() {
    let way = Reason.Coming.through(folder: "Notes")
    let twofold = Reason.behind(document: "a", device: "b is here; the version from c", way)
    #expect(Reason(twofold.sentence) == .told(twofold.sentence))
    #expect(twofold != .behind(document: "a is here; the version from b", device: "c", way))
    let special = Reason.missing(document: "a", device: "b", .through(folder: "n: 3 kB of 5 kB are here"))
    #expect(
      Reason(special.sentence)
        == .missing(document: "a", device: "b", .through(folder: "n", .init(3000, of: 5000))))
  }

  @Test func aPieceOfASentenceIsTold() {
    for reason in Self.samples("plan.md", "laptop") where reason.kind != .told {
      for sentence in [String(reason.sentence.dropFirst()), reason.sentence + "?", "Now: " + reason.sentence]
      {
        #expect(Reason(sentence).sentence == sentence)
      }
      let cut = DisplayText.cut(reason.sentence, to: reason.sentence.utf8.count - 1)
      #expect(Reason(cut).sentence == cut)
    }
    #expect(Reason("The door is open.") == .told("The door is open."))
    #expect(Reason("") == .told(""))
  }

  /// A message holds 64 KiB; what is in it may be chosen to be slow.
  @Test func longSentencesAreReadAsFast() {
    let begin = "An older version of "
    let end = " is still on its way through folder Notes."
    for piece in [" is here; the version from ", " (1 kB) is here and is being read: ", "“a”, ", ". Its "] {
      let sentence = begin + String(repeating: piece, count: 60_000 / piece.utf8.count) + end
      #expect(Reason(sentence) == .told(sentence))
    }
    let overdue = " It did not come in time: keep waiting, open what is here, or give up."
    let nested = "The document is not here." + String(repeating: overdue, count: 800)
    #expect(Reason(nested).sentence == nested)
    let listed =
      "Ed declined it." + String(repeating: " 3 older offers are not listed: the list is full.", count: 900)
    #expect(Reason.all(in: listed).text == listed)
  }

  @Test func severalSentencesAreSeveralReasons() {
    let reasons: [Reason] = [.declined(app: "Ed"), .addressesLeftOut("webpageURL", and: nil), .moreOffers(3)]
    #expect(Reason.all(in: reasons.text) == reasons)
    #expect(Reason.all(in: "Ed says. No. " + reasons[1].sentence) == [.told("Ed says. No."), reasons[1]])
    #expect(Reason.all(in: "") == [] && [Reason]().text.isEmpty)
    let message = Reason.notShown(app: "Ed", message: "The font is missing. Install it.")
    #expect(Reason.all(in: [message, reasons[1]].text) == [message, reasons[1]])
  }

  @Test(
    arguments: [
      (0, "0 bytes"), (999, "999 bytes"), (1000, "1 kB"), (999_999, "999 kB"), (1_000_000, "1.0 MB"),
      (3_199_999, "3.1 MB"), (9_999_999, "9.9 MB"), (10_000_000, "10 MB"),
      (999_999_999, "999 MB"), (1_000_000_000, "1.0 GB"), (12_345_678_901, "12.3 GB"),
      (.max, "18446744073.7 GB"),
    ] as [(UInt64, String)])
  func amountsAreAsPreciseAsTheyAreTold(_ bytes: UInt64, _ text: String) {
    let units = ReasonLanguage.english.units
    #expect(ByteAmount(bytes).text(units) == text)
    #expect(ByteAmount(text, units) == ByteAmount(bytes))
    #expect(ByteAmount(ByteAmount(bytes).bytes) == ByteAmount(bytes))
  }

  @Test(arguments: [
    "", "kB", "1kB", "1500 bytes", "01 kB", "-1 kB", "0.5 MB", "5 MB", "12.5 MB", "1.5 kB", "0.9 GB",
    "1.0.0 GB", "x GB", "GB", "1  kB",
  ])
  func otherAmountsAreNone(_ text: String) {
    #expect(ByteAmount(text, ReasonLanguage.english.units) == nil)
  }

  @Test(arguments: Phrase.allCases)
  func eachPhraseNamesWhatItIsAbout(_ phrase: Phrase) throws {
    #expect(try #require(ReasonLanguage.english.phrases[phrase]).slots == phrase.slots)
  }
}
