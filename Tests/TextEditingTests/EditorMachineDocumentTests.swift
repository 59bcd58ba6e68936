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
    #expect(send(.key(.enter)) == [.saveAs("a.md", then: .nothing)])
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
    machine = EditorMachine(
      resumingUntil: Instant(nanoseconds: 5_000_000_000), offer: prefix, isAll: true)
    #expect(send(.offers([offer], shown: [])) == [.accept(offer.id, isAll: true)])
  }

  @Test mutating func typingEndsTheWishToResume() throws {
    machine = EditorMachine(resumingUntil: Instant(nanoseconds: 5_000_000_000))
    send(.key(.text("a")))
    #expect(send(.offers([try offer()], shown: [])).isEmpty)
  }

  // MARK: Questions that are no longer true

  @Test mutating func aQuestionAboutChangesIsNoLongerAskedWhenTheyAreSaved() {
    facts.isEdited = true
    #expect(send(.key(.control("q"))).isEmpty)
    #expect(line.hasPrefix("Unsaved changes in plan.md"))
    facts.isEdited = false
    send(.documentsChanged)
    #expect(line == "Everything is saved now, nothing is left to discard  Enter quits, Esc stays")
    #expect(send(.key(.text("d"))).isEmpty, "neither typed nor believed")
    #expect(line.hasPrefix("Everything is saved now"))
    #expect(send(.key(.enter)) == [.quit(saving: false)])
  }

  @Test mutating func aKeyThatComesBeforeTheScreenIsDrawnAnewDiscardsNothingEither() {
    facts.isEdited = true
    send(.key(.control("w")))
    facts.isEdited = false
    #expect(send(.key(.text("d"))).isEmpty)
    #expect(line.hasSuffix("Enter closes, Esc stays"))
    #expect(send(.key(.escape)).isEmpty && machine.question == nil)
  }

  @Test mutating func aQuestionNamesWhatIsStillUnsaved() {
    facts.isEdited = true
    facts.otherEdited = ["todo.txt"]
    send(.key(.control("q")))
    #expect(line.hasPrefix("Unsaved changes in 2 texts"))
    facts.isEdited = false
    send(.documentsChanged)
    #expect(line.hasPrefix("Unsaved changes in todo.txt"))
    #expect(send(.key(.text("d"))) == [.quit(saving: false)])
  }

  @Test mutating func whileADocumentIsBeingSavedThereIsNothingToDiscard() {
    facts.isEdited = true
    facts.isBeingSaved = true
    send(.key(.control("q")))
    #expect(line == "Saving …  Esc stays")
    #expect(send(.key(.text("d"))).isEmpty && send(.key(.text("s"))).isEmpty)
    (facts.isEdited, facts.isBeingSaved) = (false, false)
    #expect(send(.key(.text("s"))) == [.quit(saving: false)])
  }

  @Test mutating func anUntitledTextThatIsToBeSavedIsAskedForItsName() {
    facts.hasFile = false
    facts.isEdited = true
    send(.key(.control("q")))
    #expect(send(.key(.text("s"))) == [.quit(saving: true)])
    send(.needsName(then: .quit))
    send(.key(.text("a")))
    #expect(send(.key(.enter)) == [.saveAs("a", then: .quit)])
    send(.needsName(then: .quit))
    send(.key(.escape))
    #expect(line == "Not saved" && machine.prompt == nil)
  }

  @Test mutating func whatWasNotSavedIsNoLongerSaidToBeWhenItIs() {
    facts.isEdited = true
    send(.notSaved(reason: "the disk is full", isChangedOnDisk: false))
    send(.documentsChanged)
    #expect(line.hasPrefix("Not saved: the disk is full"))
    facts.isEdited = false
    send(.documentsChanged)
    #expect(line.isEmpty)
    send(.notSaved(reason: "a.md exists already", isChangedOnDisk: false))
    send(.documentsChanged)
    #expect(line.hasPrefix("Not saved: a.md exists already"), "there were no changes")
  }

  // MARK: Where a file lies

  @Test mutating func aFileInNoSyncedFolderIsSaidToBeOnce() {
    facts.folder = "/tmp"
    send(.foldersChanged)
    #expect(line.isEmpty, "nobody knows yet")
    facts.isInSyncedFolder = false
    send(.foldersChanged)
    #expect(line.hasPrefix("plan.md lies in no synced folder: nothing is offered; `continuo folder add"))
    send(.key(.move(.down)))
    send(.foldersChanged)
    #expect(line.isEmpty)
  }

  @Test mutating func theStatusTellsOfANewFileAndItsFolder() {
    facts.isNew = true
    facts.folder = "~/Notes"
    #expect(
      machine.status(TextEditor(), facts, isNarrow: false) == "plan.md  Ln 1, Col 1  new file in ~/Notes")
    facts.isInSyncedFolder = false
    #expect(machine.status(TextEditor(), facts, isNarrow: false).hasSuffix("~/Notes  not synced"))
  }
}
