// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import TestSupport
import Testing
import Trust

@testable import Agent
@testable import AgentEngine

/// `pair`, `join` and what may come between them.
@Suite(.serialized) struct PairingTests {
  private func words(_ device: InProcessDevice) throws -> String {
    guard case .words(let words) = try device.ask(.pair(deviceName: nil)) else {
      throw Scratch.Failure(description: "no words")
    }
    return words.joined(separator: " ")
  }

  private func failure(_ answer: AgentAnswer) -> ContinuityError? {
    if case .failed(let error) = answer { error } else { nil }
  }

  private func devices() throws -> (World, InProcessDevice, InProcessDevice) {
    let world = try World()
    let (desktop, laptop) = (try world.device("desktop"), try world.device("laptop"))
    try desktop.addFolder()
    try desktop.carry(to: laptop)
    try laptop.addFolder()
    return (world, desktop, laptop)
  }

  @Test func aJoinThatCameBeforeItsInvitationWaitsForIt() throws {
    let (world, desktop, laptop) = try devices()
    let client = try world.connect(to: laptop.core)
    client.link.send(.join(words: try words(desktop), deviceName: "travel"), number: 3)
    world.settle()
    #expect(client.answers.isEmpty)
    try desktop.carry(to: laptop)
    try world.run("the join") { client.answers[3] != nil }
    guard case .joined(let inviter, let devices) = client.answers[3] else {
      Issue.record("\(String(describing: client.answers[3]))")
      return
    }
    #expect(inviter == "desktop" && devices == ["travel", "desktop"])
    try laptop.carry(to: desktop)
    #expect(try desktop.status().devices == ["desktop", "travel"])
  }

  @Test func wrongWordsAreSaidSoWhenAnotherInvitationLiesThere() throws {
    let (_, desktop, laptop) = try devices()
    let old = try words(desktop)
    _ = try words(desktop)
    try desktop.carry(to: laptop)
    laptop.core.pairing.patience.others = .milliseconds(50)
    let error = failure(try laptop.ask(.join(words: old, deviceName: nil)))
    #expect(error?.code == .pairingFailed)
    #expect(error?.description.contains("compare the words") == true)
  }

  @Test func wordsOfThisDeviceAndNonsenseAreRefusedAtOnce() throws {
    let (_, desktop, _) = try devices()
    let own = try words(desktop)
    #expect(failure(try desktop.ask(.join(words: "one two", deviceName: nil)))?.code == .pairingFailed)
    let error = failure(try desktop.ask(.join(words: own, deviceName: nil)))
    #expect(error?.code == .pairingFailed)
  }

  @Test func pairingWhileWaitingToBeLetInFailsAndLeavesTheAnswerWhereItIs() throws {
    let (_, desktop, laptop) = try devices()
    let invitation = try words(desktop)
    try desktop.carry(to: laptop)
    guard case .joined = try laptop.ask(.join(words: invitation, deviceName: nil)) else {
      Issue.record("not joined")
      return
    }
    #expect(failure(try laptop.ask(.pair(deviceName: nil)))?.code == .pairingFailed)
    try laptop.carry(to: desktop)
    #expect(try desktop.status().devices == ["desktop", "laptop"])
  }

  @Test func aSecondInvitationEndsTheFirstAndCancellingEndsItToo() throws {
    let (_, desktop, laptop) = try devices()
    _ = try words(desktop)
    _ = try words(desktop)
    #expect(Scratch.names(in: desktop.records).count { $0.hasSuffix(".inv") } == 1)
    _ = try desktop.ask(.cancelPairing)
    #expect(Scratch.names(in: desktop.records).allSatisfy { !$0.hasSuffix(".inv") })
    #expect(laptop.core.store.identity.otherDevices.isEmpty)
  }

  @Test func aDeviceOfACircleDoesNotJoinAnother() throws {
    let pair = try Pair()
    let third = try pair.world.device("third")
    try pair.desktop.carry(to: third)
    try third.addFolder()
    let other = try words(third)
    try third.carry(to: pair.laptop)
    let error = failure(try pair.laptop.ask(.join(words: other, deviceName: nil)))
    #expect(error?.description.contains("already belongs") == true)
  }

  @Test func aRosterThatComesAfterTheRecordStillLetsTheRecordCount() throws {
    let pair = try Pair()
    let third = try pair.world.device("third")
    try pair.desktop.carry(to: third)
    try third.addFolder()
    let invitation = try words(pair.desktop)
    try pair.desktop.carry(to: third)
    guard case .joined = try third.ask(.join(words: invitation, deviceName: nil)) else {
      Issue.record("not joined")
      return
    }
    try Scratch.write("third's", to: third.folder + "/plan.md")
    let editor = try pair.world.connect(to: third.core)
    editor.hello()
    editor.offer(third.folder + "/plan.md", at: 9_000)
    try pair.world.run("the record") { third.record?.activities.isEmpty == false }
    try third.carry(to: pair.laptop)
    // Once more, when the files are no longer so fresh that they would be read again anyway.
    pair.laptop.look()
    pair.world.settle()
    #expect(pair.viewer.offers.allSatisfy { $0.deviceName != "third" })
    try third.carry(to: pair.desktop)
    try pair.desktop.carry(to: pair.laptop)
    try pair.world.run("the third device's offer") {
      pair.viewer.offers.contains { $0.deviceName == "third" }
    }
  }
}
