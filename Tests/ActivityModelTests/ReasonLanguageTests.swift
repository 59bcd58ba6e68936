// SPDX-License-Identifier: MIT

import Testing

@testable import ActivityModel

/// Each language beside English, by what is said in it.
@Suite struct ReasonLanguageTests {
  private let german = ReasonLanguage.german

  private struct Form: Hashable {
    var kind: Reason.Kind
    var slots: [Reason.Slot: Int]
  }

  /// Which slots a language's templates have. How often each stands in one is the language's own matter.
  private func forms(_ language: ReasonLanguage) -> [Form: Int] {
    let forms = language.templates.flatMap { kind, templates in
      templates.map { Form(kind: kind, slots: Dictionary($0.slots.map { ($0, 1) }) { one, _ in one }) }
    }
    return Dictionary(forms.map { ($0, 1) }, uniquingKeysWith: +)
  }

  @Test func eachReasonCanBeToldInGerman() {
    #expect(forms(german) == forms(.english))
    #expect(Set(german.phrases.keys) == Set(Phrase.allCases))
    for (phrase, template) in german.phrases { #expect(template.slots == phrase.slots) }
  }

  /// Everything that a value holds stands in the sentence, as it is written there.
  private func shown(_ value: Reason.Value) -> [String] {
    switch value {
    case .text(let text): [text]
    case .amount(let amount): [amount.text(german.units)]
    case .number(let number): ["\(number)"]
    case .names(let names): names.map { "„\($0)“" }
    case .reason(let reason): [reason.sentence(in: german)]
    case .mark: []
    }
  }

  @Test func noGermanSentenceIsEnglishOrKeepsSomethingToItself() {
    for reason in ReasonTests.samples("plan.md", "laptop") where reason.kind != .told {
      let sentence = reason.sentence(in: german)
      #expect(sentence != reason.sentence && !sentence.isEmpty)
      #expect(!sentence.contains { "{}”".contains($0) } && !sentence.contains("  "), "\(sentence)")
      for text in reason.parts.fields.values.flatMap(shown) {
        #expect(sentence.contains(text), "\(text) in \(sentence)")
      }
      let commands = reason.sentence.split(separator: "`", omittingEmptySubsequences: false)
      for index in stride(from: 1, to: commands.count, by: 2) {
        #expect(sentence.contains("`\(commands[index])`"), "\(sentence)")
      }
    }
    for phrase in Phrase.allCases {
      let fields = Dictionary(phrase.slots.map { ($0, Reason.Value.text("<\($0)>")) }) { one, _ in one }
      let (own, other) = (german.phrase(phrase, fields), ReasonLanguage.english.phrase(phrase, fields))
      #expect(own != other && phrase.slots.allSatisfy { own.contains("<\($0)>") }, "\(own)")
    }
  }

  @Test func aToldSentenceStaysAsItIs() {
    #expect(Reason.told("Der Drucker brennt.").sentence(in: german) == "Der Drucker brennt.")
  }

  @Test func amountsAndListsAreWrittenAsGermanDoes() {
    let reading = Reason.reading(document: "Plan.md", .init(1_500_000_000, of: 2_000_000_000))
    let sentence =
      "Plan.md (2,0 GB) ist hier und wird gelesen: 1,5 GB von 2,0 GB. Die Version kam nicht "
      + "rechtzeitig an: weiter warten, öffnen, was hier liegt, oder aufgeben."
    #expect(Reason.overdue(reading).sentence(in: german) == sentence)
    #expect(german.reason(in: sentence) == .overdue(reading))
    let copies = Reason.diverged(document: "a", device: "b", .copies(["c", "d"])).sentence(in: german)
    #expect(copies.contains("(„c“, „d“)"))
  }

  @Test func aNotificationIsGerman() {
    let told = OfferNotification.Told(
      title: "plan.md", deviceName: "desktop", appName: "Notizen", changedAt: WallTime(milliseconds: 0))
    let text = OfferNotification.one(told).text(in: german) { _ in "9:30" }
    #expect(text.summary == "plan.md von desktop fortsetzen" && text.body == "Notizen, 9:30 Uhr")
    #expect(text.buttons.map(\.label) == ["Fortsetzen", "Jetzt nicht"])
    let several = OfferNotification.several(count: 12, newest: [told]).text(in: german) { _ in "" }
    #expect(several.summary == "12 Dokumente lassen sich auf diesem Gerät fortsetzen")
    #expect(several.body == "plan.md von desktop fortsetzen")
  }

  @Test(
    arguments: [
      ([:], nil), (["LANG": ""], nil), (["LANGUAGE": "de"], nil), (["LANG": "de_DE.UTF-8"], "de"),
      (["LANG": "de"], "de"), (["LANG": "DE_AT@euro"], "de"), (["LANG": "den_CA"], "en"),
      (["LANG": "C.UTF-8"], "en"), (["LANG": "fr_FR.UTF-8"], "en"),
      (["LANG": "de_DE", "LC_MESSAGES": "en_GB"], "en"), (["LANG": "en_GB", "LC_MESSAGES": "de_CH"], "de"),
      (["LANG": "de_DE", "LC_MESSAGES": "de_DE", "LC_ALL": "C"], "en"),
      (["LANG": "de_DE", "LC_ALL": ""], "de"),
    ] as [([String: String], String?)])
  func theSessionChoosesTheLanguage(_ environment: [String: String], _ code: String?) {
    #expect(ReasonLanguage(askedBy: environment)?.code == code)
  }
}
