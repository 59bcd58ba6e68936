// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import Glibc
import TestSupport
import Testing
import Trust

@testable import Agent
@testable import AgentEngine

/// From an accepted offer to the document that the app gets: the right version, once, or a reason.
@Suite(.serialized) struct DeliveringTests {
  @Test func theVersionThatWasAnnouncedIsDeliveredOnceItIsHere() throws {
    let pair = try Pair()
    try pair.offer("two")
    let request = RequestID.random()
    pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("progress") { pair.viewer.waits > 0 }
    #expect(pair.viewer.delivered.isEmpty)
    try pair.write("two")
    try pair.world.run("the delivery") { !pair.viewer.delivered.isEmpty }
    #expect(pair.viewer.delivered.map(\.bytes) == [Array("two".utf8)])
    let delivery = try #require(pair.viewer.delivered.first?.delivery)
    #expect(delivery.status.arrival == .current)
    #expect(delivery.path == Array((pair.laptop.folder + "/plan.md").utf8))
    #expect(delivery.activity.userInfo[.text("line")] == .int(7))
    let url = FileURL.text(of: Array((pair.laptop.folder + "/plan.md").utf8))
    #expect(delivery.activity.userInfo[.text(NSUserActivityDocumentURLKey)] == .url(url))
  }

  @Test func otherBytesAtTheMomentOfOpeningAreNeverDeliveredAndDoNotHoldUpTheAgent() throws {
    let pair = try Pair()
    try pair.offer("two")
    try pair.write("two")
    try pair.world.run("the version", state: { "\(pair.viewer.offers)" }) {
      pair.viewer.offers.first?.status.arrival == .current
    }
    // No hint comes before the person accepts: the agent still believes what it saw.
    pair.laptop.core.watch.stop()
    try Scratch.write("six", to: pair.laptop.folder + "/plan.md")
    let request = RequestID.random()
    pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("progress") { pair.viewer.waits > 0 }
    #expect(pair.viewer.delivered.isEmpty)
    try Scratch.write("two", to: pair.laptop.folder + "/plan.md")
    try pair.world.run("the delivery") { !pair.viewer.delivered.isEmpty }
    #expect(pair.viewer.delivered.map(\.bytes) == [Array("two".utf8)])
  }

  @Test func s48a_aDocumentThatWasRenamedHereIsDeliveredUnderItsNewName() throws {
    let pair = try Pair()
    try pair.offer("two")
    try pair.write("two")
    try pair.world.run("the version") { pair.viewer.offers.first?.status.arrival == .current }
    let place = pair.laptop.folder + "/renamed plan.md"
    #expect(rename(pair.laptop.folder + "/plan.md", place) == 0)
    pair.laptop.look()
    let request = RequestID.random()
    pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("the delivery") { !pair.viewer.delivered.isEmpty }
    #expect(pair.viewer.delivered.map(\.bytes) == [Array("two".utf8)])
    let delivery = try #require(pair.viewer.delivered.first?.delivery)
    #expect(delivery.path == Array(place.utf8))
    let url = FileURL.text(of: Array(place.utf8))
    #expect(delivery.activity.userInfo[.text(NSUserActivityDocumentURLKey)] == .url(url))
  }

  @Test func aLaterStateThatCameMeanwhileIsTheOneDelivered() throws {
    let pair = try Pair()
    try pair.offer("two")
    let request = RequestID.random()
    pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("progress") { pair.viewer.waits > 0 }
    try pair.offer("three", at: 2_000)
    try pair.write("two")
    pair.world.settle()
    #expect(pair.viewer.delivered.isEmpty)
    try pair.write("three")
    try pair.world.run("the delivery") { !pair.viewer.delivered.isEmpty }
    #expect(pair.viewer.delivered.map(\.bytes) == [Array("three".utf8)])
  }

  @Test func openingWhatIsHereWhereNothingIsFailsWithTheReason() throws {
    let pair = try Pair()
    unlink(pair.laptop.folder + "/plan.md")
    try pair.offer("two")
    let request = RequestID.random()
    pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("progress") { pair.viewer.waits > 0 }
    pair.viewer.link.send(.choose(request, .openHere), descriptor: nil)
    try pair.world.run("the failure") { !pair.viewer.failures(of: request).isEmpty }
    #expect(pair.viewer.failures(of: request).map(\.code) == [.documentMissing])
    #expect(pair.viewer.delivered.isEmpty)
  }

  @Test func theOlderVersionIsOpenedWhenThePersonSaysSo() throws {
    let pair = try Pair()
    try pair.offer("one", at: 500)
    pair.world.settle()
    try pair.offer("two")
    let request = RequestID.random()
    pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("progress") { pair.viewer.waits > 0 }
    pair.viewer.link.send(.choose(request, .openHere), descriptor: nil)
    try pair.world.run("the delivery") { !pair.viewer.delivered.isEmpty }
    #expect(pair.viewer.delivered.first?.delivery.status.arrival == .behind)
    pair.viewer.link.send(.choose(request, .keepWaiting), descriptor: nil)
    try pair.write("two")
    pair.world.settle()
    #expect(pair.viewer.delivered.count == 1, "a delivered continuation is not delivered again")
  }

  @Test(arguments: [ContinuationOutcome.opened, .handled, .declined, .failed])
  func onlyWhatAClientOpenedItIsNotToldOf(_ outcome: ContinuationOutcome) throws {
    let pair = try Pair()
    let path = Array((pair.laptop.folder + "/plan.md").utf8)
    let request = try pair.deliver("two", whileOpenAt: path)
    pair.viewer.link.send(.outcome(request, outcome), descriptor: nil)
    let changes: () -> Int = { pair.viewer.changes(of: path) }
    if outcome == .opened {
      // Its window shows the version; the save that comes next is told.
      pair.world.settle()
      #expect(changes() == 0)
      try pair.write("three")
    }
    try pair.world.run("the change") { changes() > 0 }
  }

  @Test func aClientThatSavedBeforeItAnsweredIsToldWhatLiesThere() throws {
    let pair = try Pair()
    let path = pair.laptop.folder + "/plan.md"
    let request = try pair.deliver("two", whileOpenAt: Array(path.utf8))
    // The save was under way when the delivery came; the window may show either.
    try Scratch.write("mine", to: path)
    pair.viewer.offer(path, at: 2_000)
    try pair.world.run("the record") { pair.laptop.record?.activities.isEmpty == false }
    let changes: () -> Int = { pair.viewer.changes(of: Array(path.utf8)) }
    let before = changes()
    pair.viewer.link.send(.outcome(request, .opened), descriptor: nil)
    try pair.world.run("the change") { changes() > before }
  }

  @Test(arguments: [true, false])
  func aClientWhoseUpdateCameToNothingIsToldWhenItsEarlierVersionIsBack(isWithdrawn: Bool) throws {
    let pair = try Pair()
    let path = pair.laptop.folder + "/plan.md"
    pair.viewer.link.send(.opened(path: Array(path.utf8)), descriptor: nil)
    pair.world.settle()
    try Scratch.write("mine", to: path)
    let saved = open(path, O_RDONLY | O_CLOEXEC)
    // An engine takes it away before it is read, and then nobody wants it any more, or it is overtaken.
    unlink(path)
    let activity = pair.viewer.offer(path, at: 2_000, from: saved)
    if isWithdrawn {
      pair.viewer.link.send(.withdraw(activity), descriptor: nil)
    } else {
      pair.viewer.offer(path, id: activity, at: 2_100, withDescriptor: false)
    }
    pair.world.settle()
    try pair.write("one")
    try pair.world.run("the change") { pair.viewer.changes(of: Array(path.utf8)) > 0 }
  }

  @Test func aClientThatAnswersLateHasWhatItWasToldSince() throws {
    let pair = try Pair()
    let path = Array((pair.laptop.folder + "/plan.md").utf8)
    let request = try pair.deliver("two", whileOpenAt: path)
    try pair.write("three")
    try pair.world.run("the change") { pair.viewer.changes(of: path) > 0 }
    let before = pair.viewer.changes(of: path)
    pair.viewer.link.send(.outcome(request, .opened), descriptor: nil)
    pair.world.settle()
    try pair.write("two")
    try pair.world.run("the way back") { pair.viewer.changes(of: path) > before }
  }

  @Test func aStateWithoutASavedFileDoesNotSayWhatItsAppShows() throws {
    let pair = try Pair()
    let path = pair.laptop.folder + "/plan.md"
    pair.viewer.link.send(.opened(path: Array(path.utf8)), descriptor: nil)
    pair.world.settle()
    try Scratch.write("two", to: path)
    // The cursor moved in "one", before anybody saw that the file is another one.
    pair.viewer.offer(path, at: 2_000, withDescriptor: false)
    try pair.world.run("the record") { pair.laptop.record?.activities.isEmpty == false }
    pair.laptop.look()
    try pair.world.run("the change") { pair.viewer.changes(of: Array(path.utf8)) > 0 }
  }

  @Test func aClientThatReadAnEarlierFileIsToldWhatLiesThereNow() throws {
    let pair = try Pair()
    let path = pair.laptop.folder + "/plan.md"
    let read = try #require(FileMark(path: path))
    let opened = AgentRequest.opened(path: Array(path.utf8), file: read)
    let changes: () -> Int = { pair.viewer.changes(of: Array(path.utf8)) }
    pair.viewer.link.send(opened, descriptor: nil)
    pair.world.settle()
    #expect(changes() == 0)
    // It said so while the agent was looking elsewhere, or dead.
    pair.viewer.link.send(.closed(path: Array(path.utf8)), descriptor: nil)
    try Scratch.write("longer", to: path)
    pair.viewer.link.send(opened, descriptor: nil)
    try pair.world.run("the change") { changes() > 0 }
  }

  @Test func whatAnotherProgramWroteIntoTheSavedFileIsNotOfferedAsSaved() throws {
    let pair = try Pair()
    let path = pair.laptop.folder + "/plan.md"
    pair.viewer.link.send(.opened(path: Array(path.utf8)), descriptor: nil)
    pair.world.settle()
    try Scratch.write("mine", to: path)
    let saved = try #require(FileMark(path: path))
    // An engine that writes in place is faster than the app's word.
    let file = open(path, O_WRONLY | O_TRUNC)
    #expect(write(file, "theirs", 6) == 6 && close(file) == 0)
    pair.viewer.offer(path, at: 2_000, saved: saved)
    try pair.world.run("the change") { pair.viewer.changes(of: Array(path.utf8)) > 0 }
    pair.world.settle()
    #expect(pair.laptop.record?.activities.isEmpty != false)
    // The app shows what lies there now, and says so.
    pair.viewer.offer(path, at: 3_000, withDescriptor: false)
    try pair.world.run("the record") { pair.laptop.record?.activities.isEmpty == false }
    #expect(pair.laptop.record?.activities.first?.document?.version.size == 6)
  }

  @Test func aSavedFileWhoseTimesWereSetIsLeftToItsApp() throws {
    let pair = try Pair()
    let path = pair.laptop.folder + "/plan.md"
    let saved = try #require(FileMark(path: path))
    pair.viewer.link.send(.opened(path: Array(path.utf8), file: saved), descriptor: nil)
    pair.world.settle()
    #expect(utimes(path, nil) == 0)
    pair.viewer.offer(path, at: 2_000, saved: saved)
    // Though the agent knows these bytes to be those that the app has.
    try pair.world.run("the change") { pair.viewer.changes(of: Array(path.utf8)) > 0 }
  }

  @Test func anAgentThatWasKilledForgetsNothingThatItHadSaid() throws {
    let pair = try Pair()
    try pair.offer("two")
    try pair.laptop.restart()
    let viewer = try pair.world.connect(to: pair.laptop.core)
    viewer.hello()
    let request = RequestID.random()
    viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("progress") { viewer.waits > 0 }
    try pair.write("two")
    try pair.world.run("the delivery") { !viewer.delivered.isEmpty }
    #expect(viewer.delivered.map(\.bytes) == [Array("two".utf8)])
  }

  @Test func s23a_theSourceIsToldOnceThatItWasContinuedThoughItsAgentDiedMeanwhile() throws {
    let pair = try Pair()
    try pair.offer("two")
    try pair.write("two")
    let request = RequestID.random()
    pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("the delivery") { !pair.viewer.delivered.isEmpty }
    pair.viewer.link.send(.outcome(request, .opened), descriptor: nil)
    try pair.world.run("the claim") { pair.laptop.record?.claims.isEmpty == false }
    try pair.laptop.carry(to: pair.desktop, records: false)
    try pair.desktop.restart()
    try pair.laptop.carry(to: pair.desktop)
    let editor = try pair.world.connect(to: pair.desktop.core)
    editor.hello()
    editor.offer(pair.desktop.folder + "/plan.md", id: pair.activity, at: 3_000)
    let told: (TestClient) -> Int = { client in
      client.reports.count { if case .continued = $0 { true } else { false } }
    }
    try pair.world.run("the claim's telling") { told(editor) > 0 }
    editor.offer(pair.desktop.folder + "/plan.md", id: pair.activity, at: 4_000)
    pair.world.settle()
    #expect(told(editor) == 1)
  }

  @Test func whatWaitsToBePublishedIsPublishedWhenTheAgentEnds() throws {
    let pair = try Pair()
    pair.world.publishInterval = .seconds(60)
    try pair.desktop.restart()
    let editor = try pair.world.connect(to: pair.desktop.core)
    editor.hello()
    for time in UInt64(1)...2 {
      editor.offer(pair.desktop.folder + "/plan.md", id: pair.activity, at: time)
      pair.world.settle()
    }
    #expect(pair.desktop.record?.activities.map(\.changedAt.milliseconds) == [1])
    pair.desktop.core.stop()
    #expect(pair.desktop.record?.activities.map(\.changedAt.milliseconds) == [2])
  }
}
