// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AgentClient
import LinuxSystem
import LocalNetwork
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// What was typed on the desktop and not saved is saved there when a person goes on with it on the laptop:
/// real agents, and real network processes on loopback.
@Suite(.waiting, .timeLimit(.minutes(20))) struct LinkedSavesTests {
  private let pair: Pair
  private let request = RequestID.random()

  init() throws {
    pair = try Pair.linkedWithOneVersion()
    try offer("one", at: 2_000, isEdited: true)
    try pair.awaitStanding(.current)
  }

  private func offer(_ text: String, at time: UInt64, isEdited: Bool) throws {
    let path = pair.desktop.folder + "/plan.md"
    if Scratch.bytes(at: path) != Array(text.utf8) { try Scratch.write(text, to: path) }
    pair.editor.offer(
      path, id: pair.activity, at: time, flags: isEdited ? [.handoff, .unsavedChanges] : [.handoff])
    if !isEdited { return }
    try pair.world.run("the offer", within: .seconds(5)) {
      pair.viewer.offers.contains { $0.changedAt.milliseconds == time }
    }
  }

  private var saveRequests: [(request: RequestID, activity: ActivityID, device: String)] {
    pair.editor.reports.compactMap {
      guard case .saveNow(let request, let activity, let device) = $0 else { return nil }
      return (request, activity, device)
    }
  }

  /// The laptop's app accepts, and the desktop's is asked.
  private func accept() throws -> RequestID {
    let former = saveRequests.count
    pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("the question", within: .seconds(5)) { saveRequests.count > former }
    let asked = try #require(saveRequests.last)
    #expect(asked.activity == pair.activity && asked.device == "laptop")
    return asked.request
  }

  private func answer(_ request: RequestID, _ answer: SaveAnswer) {
    pair.editor.link.send(.answerSave(request, answer), descriptor: nil)
  }

  private func delivered() throws -> (delivery: Delivery, bytes: [UInt8]?) {
    try pair.world.run("the delivery", within: .seconds(25)) { !pair.viewer.delivered.isEmpty }
    let found = try #require(pair.viewer.delivered.first)
    return (found.delivery, found.bytes)
  }

  @Test func s36c_whatWasTypedIsSavedAndThatVersionIsContinued() throws {
    let asked = try accept()
    try pair.world.run("the reason") {
      pair.viewer.reports.contains {
        guard case .progress(_, let status) = $0 else { return false }
        return status.cause == .beingSaved(document: "plan.md", device: "desktop")
      }
    }
    #expect(pair.viewer.delivered.isEmpty)
    try offer("one and more", at: 3_000, isEdited: false)
    answer(asked, .saved(changedAt: WallTime(milliseconds: 3_000)))
    let (delivery, bytes) = try delivered()
    #expect(bytes == Array("one and more".utf8) && delivery.status.arrival == .current)
    #expect(delivery.activity.changedAt.milliseconds == 3_000)
    #expect(saveRequests.count == 1, "asked once")
  }

  @Test func s36c_aReasonTravelsAndWhatWasSavedIsContinued() throws {
    answer(try accept(), .refused("It is being printed."))
    let (delivery, bytes) = try delivered()
    #expect(bytes == Array("one".utf8))
    #expect(
      delivery.status.cause
        == .notSaved(document: "plan.md", device: "desktop", message: "It is being printed."))
  }

  @Test func s36c_textThatCameAfterIsTold() throws {
    let asked = try accept()
    try offer("one and more", at: 3_000, isEdited: true)
    answer(asked, .saved(changedAt: WallTime(milliseconds: 3_000)))
    let (delivery, bytes) = try delivered()
    #expect(bytes == Array("one and more".utf8))
    #expect(delivery.status.cause == .savedBefore(document: "plan.md", device: "desktop"))
  }

  @Test func s36c_anAppThatEndsMeanwhileIsNotWaitedFor() throws {
    _ = try accept()
    let began = Instant.now
    pair.editor.link.disconnect()
    #expect(try delivered().bytes == Array("one".utf8))
    #expect(Instant.now - began < SaveMachine.appPatience, "nobody waits for an app that is gone")
  }

  @Test func s36c_aLinkThatEndsMeanwhileIsNotWaitedFor() throws {
    _ = try accept()
    let began = Instant.now
    try pair.desktop.lan(.off)
    let (delivery, bytes) = try delivered()
    #expect(bytes == Array("one".utf8) && delivery.status.cause?.kind == .notSaved)
    #expect(Instant.now - began < SaveMachine.patience, "nobody waits for a link that is gone")
  }

  /// An app that never answers, and a device of an earlier release: both have their time, and no more.
  @Test(arguments: [true, false]) func s36c_whoSaysNothingIsNotWaitedForLong(isApp: Bool) throws {
    let began = Instant.now
    if isApp {
      _ = try accept()
    } else {
      pair.desktop.core.ports.network.onReport = { _ in }
      pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    }
    let (delivery, bytes) = try delivered()
    #expect(bytes == Array("one".utf8))
    #expect(delivery.status.cause == .notSaved(document: "plan.md", device: "desktop", message: nil))
    #expect(Instant.now - began < .seconds(20))
  }

  /// A member that asks again and again has the app asked once in 5 s.
  @Test func whoeverAsksInALoopHasNothingSavedMoreOften() throws {
    let asked = try accept()
    let laptop = pair.laptop.core
    let link = try #require(laptop.linkedDocuments.present.keys.min())
    for number in 1_000..<2_000 as Range<UInt32> {
      let word = SaveWord.ask(SaveNumber(rawValue: number), pair.activity)
      laptop.ports.network.send(.send(link, .request, word.encoded))
    }
    // What is fetched comes after they were heard.
    guard case .fetched = try pair.world.connect(to: laptop).ask(.fetch(pair.offerID), pair.world) else {
      Issue.record("nothing came")
      return
    }
    #expect(saveRequests.count == 1)
    answer(asked, .saved(changedAt: WallTime(milliseconds: 2_000)))
    _ = try delivered()
  }

  @Test func aMemberHasNothingSavedThatItWasNotOffered() throws {
    let hidden = ActivityID.random()
    let folder = try pair.world.scratch.folder("private")
    _ = try pair.desktop.ask(.addFolder(path: Array(folder.utf8), name: "Private"))
    try Scratch.write("mine", to: folder + "/diary.md")
    pair.editor.offer(folder + "/diary.md", id: hidden, at: 3_000, flags: [.handoff, .unsavedChanges])
    try pair.world.run("the record") {
      pair.desktop.record?.activities.contains { $0.id == hidden } == true
    }
    let laptop = pair.laptop.core
    let link = try #require(laptop.linkedDocuments.present.keys.min())
    for (number, activity) in [(101, hidden), (102, .random())] as [(UInt32, ActivityID)] {
      let word = SaveWord.ask(SaveNumber(rawValue: number), activity)
      laptop.ports.network.send(.send(link, .request, word.encoded))
    }
    // What comes after it is asked, so nothing is under way.
    _ = try accept()
    #expect(saveRequests.map(\.activity) == [pair.activity])
  }

  /// What an app has not said under a request that it was asked under is no answer.
  @Test func anAnswerOfAnotherAppIsNone() throws {
    let asked = try accept()
    let stranger = try pair.world.connect(to: pair.desktop.core)
    stranger.hello("org.example.other")
    stranger.link.send(.answerSave(asked, .refused("Never.")), descriptor: nil)
    answer(.random(), .refused("Never."))
    try offer("one and more", at: 3_000, isEdited: false)
    answer(asked, .saved(changedAt: WallTime(milliseconds: 3_000)))
    #expect(try delivered().bytes == Array("one and more".utf8))
  }
}
