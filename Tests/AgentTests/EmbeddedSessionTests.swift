// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AgentClient
import AppSession
import Glibc
import TestSupport
import TextAnchors
import Testing

@testable import Agent
@testable import AgentEngine
@testable import Embedding

/// The session of an editor that is not written in Swift, with real agents on both sides.
@Suite(.serialized) struct EmbeddedSessionTests {
  @Test func aDocumentOfASyncedFolderIsOfferedByItselfAndOpenedOnTheOtherDevice() throws {
    let both = try EmbeddedPair()
    let place = TextPlace(
      cursor: .init(line: 1, column: 6), selection: .init(line: 0, column: 1), topLine: 1, unit: .utf8)
    let handle = try both.offer("one\nä😀 two\nthree", at: place)
    #expect(both.source.session.standing(of: handle)?.folderName == "Notes")
    let request = try both.accept()
    let handover = try #require(both.target.handovers.first)
    #expect(handover.request == request && !handover.isReadOnly)
    #expect(handover.delivery.path == Array(both.copy.utf8))
    let descriptor = try #require(handover.descriptor)
    #expect(Scratch.bytes(of: dup(descriptor)) == Array("one\nä😀 two\nthree".utf8))
    // Six bytes are two scalars, and three units of UTF-16.
    let found = try #require(both.target.session.place(of: handover, unit: .utf16))
    #expect(found.place.cursor == .init(line: 1, column: 3) && found.place.unit == .utf16)
    #expect(found.place.selection == .init(line: 0, column: 1))
    #expect(found.place.topLine == 1 && found.certainty == .sure)
    let copy = try both.target.session.open(Array(both.copy.utf8))
    both.target.session.becomeCurrent(copy)
    both.target.session.answer(request, opened: true)
    try both.claim()
    try both.world.run("the claim's news") { both.source.continuedBy == ["laptop"] }
  }

  @Test func s23f_aServerThatWasStartedAgainHearsThatItsDocumentWasContinued() throws {
    let both = try EmbeddedPair()
    try both.offer("one two")
    let request = try both.accept()
    both.source.session.client.disconnect()
    let next = try EmbeddedHost(both.world)
    try next.connect(to: both.pair.desktop)
    next.session.becomeCurrent(try next.session.open(Array(both.document.utf8)))
    try both.world.run("another activity") { both.pair.desktop.record?.activities.count == 2 }
    both.target.session.answer(request, opened: true)
    try both.claim()
    try both.world.run("the claim's news") { next.continuedBy == ["laptop"] }
    let isGivenUp = next.events.contains {
      if case .wasContinued(_, .some, _, isGivenUp: true) = $0 { true } else { false }
    }
    #expect(isGivenUp)
  }

  /// The end of a round that ran before takes nothing away from the one that a device waits for.
  @Test func s25g_aSaveIsRefusedInTheRoundThatNamesTheDevice() throws {
    let both = try EmbeddedPair()
    try both.offer("one two")
    let session = both.source.session
    let activity = try #require(session.app.current)
    session.handle(.beginsRound(activity))
    session.app.receive(.saveNow(.random(), activity, device: "laptop"))
    session.update(activity, isEdited: true)
    #expect(session.refuseToSave(activity, because: "It is being printed."))
    #expect(!session.refuseToSave(activity, because: "It is being printed."), "once")
    // Its answer may have been given by then.
    session.app.receive(.saveNow(.random(), activity, device: "laptop"))
    session.update(activity, isEdited: false)
    #expect(!session.refuseToSave(activity, because: "It is being printed."))
  }

  /// Nobody is in a document any more whose folder is removed.
  @Test func s34h_whoWasThereIsGoneWithTheActivity() throws {
    let both = try EmbeddedPair()
    try both.offer("one two")
    let (host, session) = (both.source, both.source.session)
    let activity = try #require(session.app.current)
    let other = DocumentPresence(
      offer: OfferID(device: .random(), activity: .random()), deviceName: "laptop", line: 3)
    session.app.receive(.presence(activity, [other]))
    session.app.receive(.roots([]))
    session.dispatch()
    let told = host.events.compactMap { if case .presenceChanged(_, let others) = $0 { others } else { nil } }
    #expect(told == [[other], []])
  }

  @Test func anAppThatAsksToContinueHandlesOrDeclines() throws {
    for handles in [true, false] {
      let both = try EmbeddedPair()
      try both.offer("other text")
      both.target.session.asksToContinue = true
      let request = try both.accept()
      #expect(both.target.handovers.count == 1)
      both.target.session.answer(request, handled: handles)
      if !handles {
        try both.world.run("the document") { both.target.handovers.count == 2 }
        both.target.session.answer(request, opened: true)
      }
      try both.claim()
      let outcome = both.pair.laptop.record?.claims.first?.outcome
      #expect(outcome == (handles ? .handled : .opened))
    }
  }

  @Test func aFileThatChangesWhileItIsOpenedIsNotTakenForTheVersionMeant() throws {
    let both = try EmbeddedPair()
    try both.offer("two words")
    let request = try both.accept()
    try Scratch.write("something else", to: both.copy)
    both.target.session.answer(request, opened: true)
    try both.world.run("the failure") { both.target.failures.map(\.code) == [.changedWhileOpening] }
    both.target.session.answer(request, opened: true)
    both.world.settle()
    #expect(both.target.failures.count == 1)
    #expect(both.pair.laptop.record?.claims.contains { $0.outcome.isContinued } != true)
  }

  @Test func theHostsOwnSavesAreNoNewsAndThoseOfOthersAre() throws {
    let both = try EmbeddedPair()
    try both.offer("saved here")
    try Scratch.write("by somebody else", to: both.document)
    both.pair.desktop.look()
    try both.world.run("the change") { !both.source.changes.isEmpty }
    #expect(both.source.changes.count == 1)
    // News of what the host knows by now: it read the file again, or wrote it.
    let handle = try #require(both.source.session.document(at: Array(both.document.utf8)))
    both.source.session.reread(handle)
    let news = AgentReport.documentChanged(path: Array(both.document.utf8), .changed(nil))
    both.source.session.handle(.report(news))
    both.source.session.handle(.report(.documentChanged(path: Array(both.document.utf8), .deleted)))
    both.source.session.dispatch()
    #expect(both.source.changes.count == 1)
    both.source.session.handle(.report(.documentChanged(path: Array("/elsewhere".utf8), .deleted)))
    #expect(remove(both.document) == 0)
    both.source.session.handle(.report(.documentChanged(path: Array(both.document.utf8), .deleted)))
    both.source.session.dispatch()
    #expect(both.source.changes.last == .deleted && both.source.changes.count == 2)
  }

  @Test func aDocumentThatLeavesTheFolderLosesItsActivityAndGetsOneWhenItComesBack() throws {
    let both = try EmbeddedPair()
    let session = both.source.session
    let handle = try both.offer("on its way")
    let first = try #require(session.standing(of: handle)?.activity)
    let outside = both.world.scratch.path + "/outside.md"
    #expect(rename(both.document, outside) == 0)
    try session.moved(handle, to: Array(outside.utf8))
    let standing = try #require(session.standing(of: handle))
    #expect(standing.activity == nil && standing.reason?.contains("lies in no synced folder") == true)
    try both.world.run("the end of the offer") {
      both.pair.desktop.record?.activities.contains { $0.id == first } == false
    }
    #expect(rename(outside, both.document) == 0)
    try session.moved(handle, to: Array(both.document.utf8))
    #expect(session.standing(of: handle)?.activity != nil && session.standing(of: handle)?.activity != first)
    session.changed(handle, isEdited: false)
    try both.world.run("a new offer") { both.pair.desktop.record?.activities.isEmpty == false }
  }

  @Test func anAgentThatWasRestartedHearsEverythingAgain() throws {
    let both = try EmbeddedPair()
    let handle = try both.offer("kept by the app")
    let activity = try #require(both.source.session.standing(of: handle)?.activity)
    try both.pair.desktop.restart()
    try both.world.run("the loss") { !both.source.session.isConnected }
    try both.source.connect(to: both.pair.desktop)
    try both.world.run("the offer again") {
      both.pair.desktop.record?.activities.contains { $0.id == activity } == true
    }
    #expect(both.source.session.standing(of: handle)?.activity == activity)
    try Scratch.write("changed by another program", to: both.document)
    both.pair.desktop.look()
    try both.world.run("the change") { !both.source.changes.isEmpty }
  }

  @Test func whatIsWrittenOverANewDocumentBetweenTwoAgentsIsTold() throws {
    let both = try EmbeddedPair()
    let (session, desktop) = (both.source.session, both.pair.desktop)
    let path = desktop.folder + "/new.md"
    let handle = try session.open(Array(path.utf8))
    session.becomeCurrent(handle)
    try Scratch.write("made here", to: path)
    session.saved(handle)
    try both.world.run("the offer") { desktop.record?.activities.isEmpty == false }
    try desktop.restart()
    try both.world.run("the loss") { !session.isConnected }
    try Scratch.write("by somebody else", to: path)
    try both.source.connect(to: desktop)
    try both.world.run("the change") { !both.source.changes.isEmpty }
  }

  @Test func nothingIsToldOutsideDispatchAndDispatchInsideAnEventDoesNothing() throws {
    let both = try EmbeddedPair()
    try both.offer("to be continued", isDelivered: false)
    let told = both.target.events.count
    let offer = try #require(both.target.session.offers.first)
    var depth = 0
    var deepest = 0
    both.target.answer = { _ in
      depth += 1
      deepest = max(deepest, depth)
      both.target.session.dispatch()
      depth -= 1
    }
    let request = try both.target.session.accept(offer.id)
    both.target.session.cancel(request)
    #expect(both.target.events.count == told)
    var ready = pollfd(fd: both.target.session.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&ready, 1, 10_000) == 1)
    both.target.session.dispatch()
    #expect(both.target.failures.map(\.code) == [.userCancelled] && deepest == 1)
  }

  @Test func aFileThatIsNotMadeYetIsNotTakenForADeletedOne() throws {
    let both = try EmbeddedPair()
    let session = both.source.session
    let path = Array((both.pair.desktop.folder + "/new.md").utf8)
    let handle = try session.open(path)
    let gone = AgentReport.documentChanged(
      path: try #require(session.resolvedPath(of: handle)), .deleted)
    session.handle(.report(gone))
    session.dispatch()
    #expect(both.source.changes.isEmpty)
    try Scratch.write("made", to: both.pair.desktop.folder + "/new.md")
    session.saved(handle)
    #expect(remove(both.pair.desktop.folder + "/new.md") == 0)
    session.handle(.report(gone))
    session.dispatch()
    #expect(both.source.changes == [.deleted])
  }

  @Test func aFileThatIsDeletedBeforeTheHostSaysThatItWroteItIsToldAsDeleted() throws {
    let both = try EmbeddedPair()
    let session = both.source.session
    let handle = try session.open(Array((both.pair.desktop.folder + "/new.md").utf8))
    session.saved(handle)
    session.handle(
      .report(.documentChanged(path: try #require(session.resolvedPath(of: handle)), .deleted)))
    session.dispatch()
    #expect(both.source.changes == [.deleted])
  }

  @Test func aSaveIsOneRoundAndOneRecord() throws {
    let both = try EmbeddedPair()
    let handle = try both.offer("before")
    both.world.settle()
    let rounds = both.source.rounds
    let before = both.pair.desktop.record?.issuedAt
    both.source.session.changed(handle, isEdited: true)
    try Scratch.write("and after", to: both.document)
    both.source.session.saved(handle)
    var written: Set<WallTime> = []
    try both.world.run("the record") {
      if let record = both.pair.desktop.record, record.issuedAt != before { written.insert(record.issuedAt) }
      return both.pair.desktop.record?.activities.first?.document?.version.size == 9
    }
    both.world.settle()
    if let last = both.pair.desktop.record?.issuedAt { written.insert(last) }
    #expect(both.source.rounds == rounds + 1 && written.count == 1)
  }

  @Test func theLastStateCanBeHastenedBeforeTheEnd() throws {
    let both = try EmbeddedPair()
    let handle = try both.offer("before")
    let rounds = both.source.rounds
    both.source.session.changed(handle, isEdited: true)
    both.source.session.hasten()
    both.source.session.dispatch()
    #expect(both.source.rounds == rounds + 1)
    try both.world.run("the last state") {
      both.pair.desktop.record?.activities.first?.flags.contains(.unsavedChanges) == true
    }
  }

  @Test func whatWasClosedSinceIsNotAskedAbout() throws {
    let both = try EmbeddedPair()
    let handle = try both.offer("before")
    let rounds = both.source.rounds
    both.source.session.changed(handle, isEdited: true)
    both.source.session.hasten()
    both.source.session.close(handle)
    both.source.session.dispatch()
    #expect(both.source.rounds == rounds)
  }

  @Test func aFileThatWasReadAgainIsOfferedAsItIsAndNotAsItWasSaved() throws {
    let both = try EmbeddedPair()
    let handle = try both.offer("before")
    both.source.session.resignCurrent(handle)
    both.world.settle()
    try Scratch.write("saved", to: both.document)
    both.source.session.saved(handle)
    try Scratch.write("brought by the engine", to: both.document)
    both.source.session.reread(handle)
    let size = UInt64("brought by the engine".utf8.count)
    let rounds = both.source.rounds
    both.source.session.becomeCurrent(handle)
    try both.world.run("the version") {
      both.pair.desktop.record?.activities.first?.document?.version.size == size
    }
    #expect(both.source.rounds == rounds + 1)
  }

  @Test func anActivityWithoutADocumentReachesTheSameApp() throws {
    let both = try EmbeddedPair()
    let other = try EmbeddedHost(both.world)
    try other.connect(to: both.pair.laptop)
    let session = both.source.session
    let activity = try session.makeActivity(type: "org.example.ed.page")
    session.change(activity) { $0.userInfo[.text("page")] = .int(7) }
    session.becomeCurrent(activity)
    try both.world.run("the record") { both.pair.desktop.record?.activities.isEmpty == false }
    try both.pair.desktop.carry(to: both.pair.laptop)
    try both.world.run("the offer") { !other.session.offers.isEmpty }
    other.session.asksToContinue = true
    let request = try other.session.accept(try #require(other.session.offers.first).id)
    try both.world.run("the handover") { !other.handovers.isEmpty }
    #expect(other.handovers.first?.delivery.activity.userInfo[.text("page")] == .int(7))
    other.session.answer(request, handled: false)
    try both.claim()
    #expect(both.pair.laptop.record?.claims.first?.outcome == .declined)
    session.change(activity) { $0.requiredUserInfoKeys = ["chapter"] }
    try both.world.run("the reason") {
      both.source.events.contains { if case .withheld(activity, nil, _) = $0 { true } else { false } }
    }
  }

  @Test func wrongRequestsAreRefusedInASentence() throws {
    let both = try EmbeddedPair()
    let session = both.source.session
    #expect(throws: ContinuityError.self) { try session.open(Array("plan.md".utf8)) }
    #expect(throws: ContinuityError.self) { try session.open(Array("/no such folder/plan.md".utf8)) }
    #expect(throws: ContinuityError.self) { try session.open(Array((both.document + "\0").utf8)) }
    #expect(throws: ContinuityError.self) { try session.makeActivity(type: "org.example.unknown") }
    #expect(throws: ContinuityError.self) {
      try session.accept(OfferID(device: .random(), activity: .random()))
    }
    let nothing = DocumentHandle(rawValue: 77)
    session.saved(nothing)
    session.changed(nothing, isEdited: true)
    session.becomeCurrent(nothing)
    session.close(nothing)
    session.answer(.random(), opened: true)
    #expect(session.standing(of: nothing) == nil)
    let handle = try session.open(Array(both.document.utf8))
    #expect(try session.open(Array((both.pair.desktop.folder + "/./plan.md").utf8)) == handle)
    session.close(handle)
    #expect(try session.open(Array(both.document.utf8)) != handle)
    session.close(within: .zero)
    session.dispatch()
    #expect(session.descriptor == -1)
  }
}
