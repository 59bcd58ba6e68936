// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import Glibc
import TestSupport
import Testing
import Trust

@testable import Agent
@testable import AgentEngine

/// Apps that go away and come back, and two processes of one app, over real sockets.
@Suite(.serialized) struct ReturningTests {
  private func begun(_ client: TestClient) -> [RequestID] {
    client.reports.compactMap { if case .willContinue(let request, _) = $0 { request } else { nil } }
  }

  @Test func s37c_whatAnAppHadAcceptedIsDeliveredToItsNextProcess() throws {
    let pair = try Pair()
    try pair.offer("two")
    let request = RequestID.random()
    pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("progress") { pair.viewer.waits > 0 }
    pair.viewer.link.disconnect()
    let next = try pair.world.connect(to: pair.laptop.core)
    next.hello()
    try pair.world.run("the beginning") { self.begun(next) == [request] }
    try pair.write("two")
    try pair.world.run("the delivery") { !next.delivered.isEmpty }
    #expect(next.delivered.map(\.bytes) == [Array("two".utf8)])
    #expect(pair.viewer.delivered.isEmpty)
    next.link.send(.outcome(request, .opened), descriptor: nil)
    try pair.world.run("the claim") { pair.laptop.record?.claims.map(\.outcome) == [.opened] }
  }

  @Test func whatAnAppSavedAndDidNotTellBeforeItEndedIsOffered() throws {
    let pair = try Pair()
    try pair.offer("two")
    try Scratch.write("three", to: pair.desktop.folder + "/plan.md")
    pair.editor.link.disconnect()
    try pair.world.run("the record of it") {
      pair.desktop.record?.activities.map(\.document?.version.size) == [5]
    }
    let left = try #require(pair.desktop.record?.activities.first)
    #expect(left.flags.contains(.leftOpen))
    try pair.desktop.carry(to: pair.laptop, documents: ["plan.md"])
    try pair.world.run("the version") { pair.viewer.offers.first?.status.arrival == .current }
  }

  @Test func s37b_theOpeningForAProcessThatIsGoneReachesOnlyTheNextOne() throws {
    let pair = try Pair()
    try pair.offer("two")
    try pair.write("two")
    try pair.world.run("the version") { pair.viewer.offers.first?.status.arrival == .current }
    let request = RequestID.random()
    // The next connection says the same before the agent has seen the first one end.
    let next = try pair.world.connect(to: pair.laptop.core)
    pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    next.hello()
    next.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("the delivery") { !next.delivered.isEmpty }
    pair.world.settle()
    #expect(next.delivered.count == 1)
  }

  @Test func resumeGoesToTheProcessThatConnectedLast() throws {
    let pair = try Pair()
    try pair.offer("two")
    let second = try pair.world.connect(to: pair.laptop.core)
    second.hello()
    try pair.world.run("the offer") { !second.offers.isEmpty }
    #expect(second.offers == pair.viewer.offers)
    guard case .handedOver = try pair.laptop.ask(.resume(nil)) else {
      Issue.record("nobody took it")
      return
    }
    try pair.world.run("the beginning") { !self.begun(second).isEmpty }
    pair.world.settle()
    #expect(begun(pair.viewer).isEmpty)
  }

  @Test func s41b_theSourcesAgentIsToldThatItWasDeclined() throws {
    let pair = try Pair()
    try pair.offer("two")
    try pair.write("two")
    let request = RequestID.random()
    pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("the delivery") { !pair.viewer.delivered.isEmpty }
    pair.viewer.link.send(.outcome(request, .declined), descriptor: nil)
    try pair.world.run("the claim") { pair.laptop.record?.claims.isEmpty == false }
    try pair.laptop.carry(to: pair.desktop)
    guard case .activities(let own) = try pair.desktop.ask(.ownActivities) else {
      Issue.record("no answer")
      return
    }
    #expect(own.map(\.notes) == [[.notTaken(device: "laptop")]] && own.map(\.isOffered) == [true])
  }
}
