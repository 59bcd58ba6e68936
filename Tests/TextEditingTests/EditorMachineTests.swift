// SPDX-License-Identifier: MIT

import Continuo
import FoundationEssentials
import Testing

@testable import TextEditing

/// What the line shows and what keys do while other devices offer something.
@Suite struct EditorMachineTests {
  var machine = EditorMachine()
  var facts = DocumentFacts(name: "plan.md", hasFile: true, isEdited: false)

  @discardableResult
  mutating func send(_ event: EditorEvent, at seconds: UInt64 = 0) -> [EditorAction] {
    machine.handle(event, document: facts, at: Instant(nanoseconds: seconds * 1_000_000_000))
  }

  var line: String { machine.line(facts)?.fitted(to: 200) ?? "" }

  /// An offer by the first of two devices unless `device` says otherwise.
  func offer(
    _ name: String = "plan.md", device: UInt8 = 1, version: UInt8 = 1, at: UInt64 = 1,
    _ arrival: Arrival = .current
  ) throws -> Offer {
    let id = OfferID(
      device: try #require(DeviceID(bytes: [UInt8](repeating: device, count: 16))),
      activity: try #require(ActivityID(bytes: [UInt8](repeating: device, count: 16))))
    var snapshot = ActivitySnapshot(
      id: id.activity, type: "public.text-editing", appID: "org.continuo.edit",
      changedAt: WallTime(milliseconds: at))
    let digest = try #require(ContentDigest(bytes: [UInt8](repeating: version, count: 32)))
    snapshot.document = DocumentReference(
      folder: try #require(FolderID(bytes: [UInt8](repeating: 9, count: 16))),
      path: try #require(RelativePath(name)), version: DocumentVersion(digest: digest, size: 1))
    return Offer(
      id: id, deviceName: device == 1 ? "desktop" : "tablet", snapshot: snapshot, folderName: "notes",
      status: ArrivalStatus(arrival))
  }

  @Test mutating func returnAcceptsWhileNothingWasTyped() throws {
    let offer = try offer()
    send(.offers([offer], shown: []))
    #expect(line == "Continue plan.md from desktop – Enter")
    #expect(send(.key(.enter)) == [.accept(offer.id)])
  }

  @Test mutating func allThatIsOpenThereComesWithAKeyOfItsOwn() throws {
    let offer = try offer()
    send(.offers([offer], shown: []))
    #expect(send(.key(.function(2))).isEmpty)
    send(.offers([offer], shown: [], beside: [offer.id: 9]))
    #expect(line == "Continue plan.md from desktop – Enter, all 10 with F2")
    #expect(send(.key(.function(2))) == [.accept(offer.id, isAll: true)])
  }

  @Test mutating func whatComesAlongTakesNoKeyFromTheDocumentInFront() {
    send(.waiting(title: "both.md", ArrivalStatus(.diverged, reason: "Both changed it."), comesAlong: true))
    #expect(send(.key(.text("o"))) == [.edit(.insert("o"))])
    #expect(line.hasSuffix("Ctrl-R chooses, Esc cancels"))
    send(.key(.control("r")))
    #expect(send(.key(.text("o"))) == [.choose(.openHere)])
  }

  private func kept(_ title: String, on device: String? = nil) throws -> KeptActivity {
    let fields = [
      "id": title, "title": title, "app": "org.a", "changedAt": "2026-01-02T10:00:00Z", "path": "/n/\(title)",
      "device": device,
    ]
    return try JSONDecoder().decode(KeptActivity.self, from: JSONEncoder().encode(fields))
  }

  @Test mutating func whatWasRecentAnywhereIsListedAndANumberGoesOnWithIt() throws {
    send(.key(.function(4)))
    send(.key(.text("soup")))
    #expect(send(.key(.enter)) == [.findKept(words: "soup")])
    send(.key(.function(4)))
    #expect(send(.key(.enter)) == [.findKept(words: "")])
    let (soup, plan) = (try kept("soup"), try kept("plan", on: "desktop"))
    send(.found([soup, plan], words: ""))
    #expect(line == "Kept on your devices  a number goes on with it, Esc closes")
    #expect(
      machine.panel(facts) == ["1  soup  2026-01-02  /n/soup", "2  plan  2026-01-02  /n/plan  on desktop"])
    #expect(machine.bar(facts)?.answers.map(\.label) == ["soup", "plan", "L_ater"])
    #expect(send(.key(.text("2"))) == [.openKept(plan)])
    send(.found([], words: ""))
    #expect(line == "No app has kept anything for search")
    send(.found([], words: "soup"))
    #expect(line == "Nothing kept for search has: soup")
    // What is asked already is not hidden.
    send(.notSaved(reason: "", isChangedOnDisk: true))
    send(.found([soup], words: ""))
    #expect(machine.bar(facts)?.answers.first == .showBoth)
  }

  @Test mutating func returnIsALineBreakOnceSomethingWasTypedAndControlRAccepts() throws {
    let offer = try offer()
    send(.key(.text("a")))
    send(.offers([offer], shown: []))
    #expect(line == "Continue plan.md from desktop – Ctrl-R")
    #expect(send(.key(.enter)) == [.edit(.newline)])
    #expect(send(.key(.control("r"))) == [.accept(offer.id)])
  }

  @Test mutating func movingTheCursorMakesReturnALineBreakToo() throws {
    send(.key(.move(.down)))
    send(.offers([try offer()], shown: []))
    #expect(send(.key(.enter)) == [.edit(.newline)])
  }

  @Test mutating func returnWithoutAnOfferIsALineBreak() {
    #expect(send(.key(.enter)) == [.edit(.newline)])
  }

  @Test mutating func theNewestOfferIsShown() throws {
    send(.offers([try offer(at: 5), try offer("todo.txt", device: 2, at: 6)], shown: []))
    #expect(line == "Continue todo.txt from tablet – Enter")
  }

  @Test mutating func escapeHidesAnOfferUntilItChanges() throws {
    send(.offers([try offer()], shown: []))
    #expect(send(.key(.escape)).isEmpty)
    #expect(line.isEmpty)
    send(.offers([try offer(at: 9)], shown: []))
    #expect(line.isEmpty, "a cursor that moves is no change")
    send(.offers([try offer(version: 2)], shown: []))
    #expect(line == "Continue plan.md from desktop – Enter")
  }

  @Test mutating func anOfferOfTheDocumentOnTheScreenIsShownOnlyWhenItBringsSomething() throws {
    let same = try offer()
    send(.offers([same], shown: [same.id]))
    #expect(line == "Continue plan.md from desktop – Enter")
    send(.key(.text("a")))
    #expect(line.isEmpty)
    let newer = try offer(version: 2, .behind)
    send(.offers([newer], shown: [newer.id]))
    #expect(line == "Continue plan.md from desktop – Ctrl-R")
    let arrived = try offer(version: 2, .current)
    send(.fileChanged(.reloaded))
    send(.offers([arrived], shown: [arrived.id]))
    #expect(line.hasPrefix("Continue plan.md from desktop – Ctrl-R"))
  }

  @Test mutating func aConflictCopyIsToldWhetherItComesBeforeTheOtherTextOrAfterIt() {
    let copies = FileNews.conflict(copies: [ConflictCopy(path: "/notes/plan.sync-conflict-1.md")])
    let told = "plan.md has a conflict copy: plan.sync-conflict-1.md – Ctrl-D shows"
    for news in [[.reloaded, copies], [copies, .reloaded], [copies, .moved(to: "plan.md")]] {
      for next in news { send(.fileChanged(next)) }
      #expect(line == told)
    }
    send(.fileChanged(.conflict(copies: [])))
    #expect(line == "plan.md has no conflict copy any more")
    send(.fileChanged(.reloaded))
    #expect(line == "plan.md changed on disk; its new text is shown")
  }

  @Test mutating func theContinuedOfferIsGoneAndReturnIsALineBreak() throws {
    let offer = try offer()
    send(.offers([offer], shown: []))
    send(.key(.enter))
    send(.continuing)
    send(.continued(ContinuedDocument(deviceName: "desktop", wasAlreadyOpen: false)))
    send(.offers([offer], shown: [offer.id]))
    #expect(line == "Continued from desktop")
    #expect(send(.key(.enter)) == [.edit(.newline)])
    #expect(line.isEmpty)
  }

  @Test mutating func aKeptPlaceIsTold() {
    let place = PortablePosition(line: 12, column: 7)
    send(.continued(ContinuedDocument(deviceName: "desktop", wasAlreadyOpen: true, keptFrom: place)))
    #expect(line == "Continued from desktop; your place is kept (there it was Ln 12, Col 7)")
  }

  @Test mutating func aWaitSaysWhyAndEscapeEndsIt() {
    send(.continuing)
    var status = ArrivalStatus(.behind, reason: "the version of 10:12 is on its way.")
    send(.waiting(title: "plan.md", status))
    #expect(line == "Waiting for plan.md: the version of 10:12 is on its way.  Ctrl-R chooses, Esc cancels")
    (status.received, status.expected) = (1, 3)
    send(.waiting(title: "plan.md", status))
    #expect(line.hasPrefix("Waiting for plan.md [###.......] 33 % of 3 bytes: "))
    #expect(send(.key(.text("w"))) == [.edit(.insert("w"))], "typing goes on")
    #expect(send(.key(.escape)) == [.cancel])
    send(.failed(ContinuityError(.userCancelled, description: "Cancelled.")))
    #expect(line.isEmpty)
  }

  @Test mutating func aDivergedDocumentIsAChoiceOfThreeKeys() {
    send(.continuing)
    send(.waiting(title: "plan.md", ArrivalStatus(.diverged, reason: "Both were edited.")))
    #expect(line == "plan.md diverged: Both were edited.  o open read-only, w wait, g give up")
    #expect(send(.key(.text("o"))) == [.choose(.openHere)])
  }

  @Test mutating func aChoiceTakesNoKeyFromSomebodyWhoTypes() {
    send(.continuing)
    send(.key(.text("n")))
    send(.waiting(title: "plan.md", ArrivalStatus(.diverged, reason: "Both were edited.")))
    #expect(line == "plan.md diverged: Both were edited.  Ctrl-R chooses, Esc cancels")
    #expect(send(.key(.text("o"))) == [.edit(.insert("o"))])
    #expect(send(.key(.control("r"))).isEmpty)
    #expect(send(.key(.text("g"))) == [.choose(.giveUp)])
  }

  @Test mutating func anyOtherKeyLeavesTheChoice() {
    send(.continuing)
    send(.waiting(title: "plan.md", ArrivalStatus(.diverged, reason: "Both were edited.")))
    #expect(send(.key(.text("x"))) == [.edit(.insert("x"))])
    #expect(send(.key(.text("o"))) == [.edit(.insert("o"))])
  }

  @Test mutating func aLongSentenceTakesTheLastRowOfTheTextUnlessTheCursorIsThere() throws {
    send(.waiting(title: "plan.md", ArrivalStatus(.behind, reason: "it is still on its way through notes.")))
    let layout = ScreenLayout(columns: 50, rows: 8)
    var editor = TextEditor(try TextBuffer(bytes: Array("1\n2\n3\n4\n5\n6".utf8), name: "plan.md"))
    editor.resize(width: layout.columns, height: layout.textRows)
    #expect(
      layout.frame(editor, machine: machine, facts: facts).rows.map(\.text)[4...] == [
        "5", "Waiting for plan.md: it is still on its way", "through notes.  Ctrl-R chooses, Esc cancels",
        "plan.md  Ln 1, Col 1",
      ])
    editor.apply(.move(.documentEnd))
    #expect(
      layout.frame(editor, machine: machine, facts: facts).rows.map(\.text)[5...] == [
        "6", "Waiting for plan.md:…  Ctrl-R chooses, Esc cancels", "plan.md  Ln 6, Col 2",
      ])
  }

  @Test func theKeysOfAPromptStayVisible() {
    let line = MessageLine(text: "Waiting for plan.md: it is on its way.", keys: "Esc cancels")
    #expect(line.fitted(to: 36) == "Waiting for plan.md: i…  Esc cancels")
  }

  @Test mutating func aWaitThatIsTooLongCanBecomeAChoice() {
    send(.waiting(title: "plan.md", ArrivalStatus(.behind, reason: "It is on its way.")))
    send(.key(.control("r")))
    #expect(line == "It is on its way.  o open read-only, w wait, g give up")
    #expect(send(.key(.text("o"))) == [.choose(.openHere)])
  }

  @Test mutating func aFailureIsToldAndStaysAboveOffers() throws {
    send(.failed(ContinuityError(.versionNeverArrived, description: "plan.md did not come within 30 s.")))
    send(.offers([try offer()], shown: []))
    #expect(line == "plan.md did not come within 30 s.")
    send(.key(.move(.left)))
    #expect(line == "Continue plan.md from desktop – Ctrl-R")
  }

  @Test mutating func quittingWithChangesAsks() {
    facts.isEdited = true
    #expect(send(.key(.control("q"))).isEmpty)
    #expect(line == "Unsaved changes in plan.md  s saves, d discards, Esc stays")
    #expect(send(.key(.text("a"))) == [.edit(.insert("a"))], "another key is no answer")
    #expect(send(.key(.text("d"))) == [.edit(.insert("d"))])
    send(.key(.control("q")))
    #expect(send(.key(.text("d"))) == [.quit(saving: false)])
    send(.key(.control("q")))
    #expect(send(.key(.text("s"))) == [.quit(saving: true)])
    send(.key(.control("q")))
    #expect(send(.key(.escape)).isEmpty)
    #expect(line.isEmpty)
  }

  @Test mutating func quittingAsksForTheOtherDocumentsToo() {
    facts.otherEdited = ["todo.txt"]
    #expect(send(.key(.control("q"))).isEmpty)
    #expect(line.hasPrefix("Unsaved changes in todo.txt"))
    facts.isEdited = true
    send(.key(.escape))
    send(.key(.control("q")))
    #expect(line.hasPrefix("Unsaved changes in 2 texts"))
    #expect(machine.panel(facts) == ["With unsaved changes:", "  plan.md", "  todo.txt"])
    #expect(send(.key(.control("w"))).isEmpty)
    #expect(line.hasPrefix("Unsaved changes in plan.md"))
    #expect(send(.key(.text("d"))) == [.close(saving: false)])
  }

  @Test mutating func quittingWithoutChangesAsksNothing() {
    #expect(send(.key(.control("q"))) == [.quit(saving: false)])
    #expect(send(.key(.control("w"))) == [.close(saving: false)])
  }

  @Test mutating func aFileChangedOnDiskIsAChoiceAndNeverOverwrittenBySaving() {
    #expect(send(.key(.control("s"))) == [.save(overwriting: false)])
    send(.notSaved(reason: "", isChangedOnDisk: true))
    #expect(line == "plan.md changed on disk  k keep yours, l load theirs, Esc later")
    #expect(machine.panel(facts).count == 3)
    #expect(send(.key(.text("a"))) == [.edit(.insert("a"))])
    #expect(send(.key(.control("s"))) == [.save(overwriting: false)])
    send(.notSaved(reason: "", isChangedOnDisk: true))
    #expect(send(.key(.text("k"))) == [.keepMine])
    send(.notSaved(reason: "", isChangedOnDisk: true))
    #expect(send(.key(.text("l"))) == [.loadTheirs])
  }

  @Test mutating func aChangeOnDiskTakesNoKeyUntilTheChoiceIsAskedFor() {
    send(.fileChanged(.kept))
    facts.isChangedOnDisk = true
    #expect(line.contains("Ctrl-D decides"))
    #expect(send(.key(.text("k"))) == [.edit(.insert("k"))])
    send(.key(.control("d")))
    #expect(send(.key(.text("k"))) == [.keepMine])
  }

  @Test mutating func conflictCopiesAreListedAndOpenedByNumber() {
    let copy = ConflictCopy(
      path: "/notes/plan.sync-conflict-20261121-021000-ABCDEFG.md", modified: "2026-11-21 02:10")
    facts.copies = [copy]
    send(.fileChanged(.conflict(copies: [copy])))
    #expect(line.contains("Ctrl-D shows"))
    send(.key(.control("d")))
    #expect(machine.panel(facts)[1] == " 1  2026-11-21 02:10  by ABCDEFG  \(copy.name)")
    #expect(send(.key(.text("1"))) == [.openCopy(copy)])
    send(.fileChanged(.conflict(copies: [])))
    #expect(line.contains("no conflict copy any more"))
  }

  @Test mutating func aDivergedDocumentShowsItsConflictCopies() {
    let copy = ConflictCopy(path: "/notes/plan.sync-conflict-20261121-021000-ABCDEFG.md", modified: "now")
    send(.continuing)
    send(
      .waiting(title: "plan.md", ArrivalStatus(.diverged, reason: "Both were edited."), copies: [copy]))
    #expect(machine.panel(facts).count == 2)
    #expect(send(.key(.text("1"))) == [.openCopy(copy)])
    #expect(send(.key(.text("g"))) == [.choose(.giveUp)], "the choice is still open")
  }

  @Test func conflictCopiesAreKnownByTheirNames() {
    for name in [
      "plan.sync-conflict-20261121-021000-ABCDEFG.md", "plan (conflicted copy 2026-11-21 021000).md",
      "plan_conflict-20261121-021000.md",
    ] {
      #expect(ConflictCopy.isCopy(name, of: "plan.md"))
    }
    for name in ["plan.md", "plans.sync-conflict-1-2-3.md", "plan-2.md", "plan.sync-conflict-1-2-3.txt"] {
      #expect(!ConflictCopy.isCopy(name, of: "plan.md"))
    }
  }
}
