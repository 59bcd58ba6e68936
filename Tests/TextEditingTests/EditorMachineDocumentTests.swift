// SPDX-License-Identifier: MIT

import Continuo
import Testing

@testable import TextEditing

/// Several documents, texts without a name, and the wish to resume.
extension EditorMachineTests {
  @Test mutating func altAndADigitShowAnotherDocument() {
    facts.count = 2
    #expect(send(.key(.alternate(2))) == [.show(2)])
    #expect(send(.key(.alternate(3))).isEmpty)
  }

  @Test mutating func anUntitledTextIsSavedUnderATypedName() {
    facts.hasFile = false
    #expect(send(.key(.control("s"))).isEmpty)
    for scalar in "a.mdx" { send(.key(.text(String(scalar)))) }
    send(.key(.backspace))
    #expect(send(.key(.enter)) == [.saveAs("a.md")])
  }

  @Test mutating func aReadOnlyDocumentIsNotTypedInto() {
    facts.isReadOnly = true
    #expect(send(.key(.text("a"))).isEmpty)
    #expect(line.contains("read-only"))
    #expect(send(.key(.move(.down))) == [.edit(.move(.down))])
    #expect(send(.key(.control("s"))).isEmpty)
  }

  @Test mutating func aPlaceThatIsGoneIsSaidToBe() {
    send(.continued(ContinuedDocument(deviceName: "desktop", wasAlreadyOpen: false, isPlaceGone: true)))
    #expect(line == "Continued from desktop; the place is gone from this text, here is the nearest line")
  }

  @Test mutating func resumingTakesTheFirstOfferOrSaysThatThereIsNone() throws {
    machine = EditorMachine(resumingUntil: Instant(nanoseconds: 5_000_000_000))
    #expect(machine.wakeAt != nil)
    let offer = try offer()
    #expect(send(.offers([], shown: [])).isEmpty)
    #expect(send(.offers([offer], shown: []), at: 1) == [.accept(offer.id)])
    #expect(machine.wakeAt == nil)

    machine = EditorMachine(resumingUntil: Instant(nanoseconds: 5_000_000_000))
    send(.connection(true))
    send(.tick, at: 5)
    #expect(line == "Nothing to continue: no device offers anything")
    #expect(send(.offers([offer], shown: []), at: 6).isEmpty, "too late to happen by itself")
  }

  @Test mutating func resumingTakesTheOfferThatWasAskedFor() throws {
    let offer = try offer()
    machine = EditorMachine(resumingUntil: Instant(nanoseconds: 5_000_000_000), offer: "ffffff")
    #expect(send(.offers([offer], shown: [])).isEmpty)
    let prefix = String(offer.id.description.prefix(6))
    machine = EditorMachine(resumingUntil: Instant(nanoseconds: 5_000_000_000), offer: prefix)
    #expect(send(.offers([offer], shown: [])) == [.accept(offer.id)])
  }

  @Test mutating func typingEndsTheWishToResume() throws {
    machine = EditorMachine(resumingUntil: Instant(nanoseconds: 5_000_000_000))
    send(.key(.text("a")))
    #expect(send(.offers([try offer()], shown: [])).isEmpty)
  }
}
