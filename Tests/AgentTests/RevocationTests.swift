// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import TestSupport
import Testing
import Trust

@testable import Agent
@testable import AgentEngine

/// A device that is taken out of the circle, as the others and it itself live through it.
@Suite(.serialized) struct RevocationTests {
  private func sentence(_ answer: AgentAnswer) -> String {
    switch answer {
    case .done(let sentence): sentence
    case .failed(let error): error.description
    default: ""
    }
  }

  /// A third device in the circle of a pair, with an app that watches offers.
  private func third(of pair: Pair) throws -> (device: InProcessDevice, viewer: TestClient) {
    let third = try pair.world.device("third")
    try pair.desktop.carry(to: third)
    try third.addFolder()
    guard case .words(let words) = try pair.desktop.ask(.pair(deviceName: nil)) else {
      throw Scratch.Failure(description: "no words")
    }
    try pair.desktop.carry(to: third)
    _ = try third.ask(.join(words: words.joined(separator: " "), deviceName: nil))
    try third.carry(to: pair.desktop)
    try pair.desktop.carry(to: third)
    try pair.desktop.carry(to: pair.laptop)
    let viewer = try pair.world.connect(to: third.core)
    viewer.hello()
    return (third, viewer)
  }

  @Test func offersOfARemovedDeviceEndAtOnceAndWhatIsContinuedFromItFails() throws {
    let pair = try Pair()
    try pair.offer("two")
    try pair.world.run("the offer") { !pair.viewer.offers.isEmpty }
    let request = RequestID.random()
    pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("the wait") { pair.viewer.waits > 0 }
    let said = sentence(try pair.laptop.ask(.revoke("desktop")))
    #expect(said.contains("can no longer read new activity"))
    try pair.world.run("the end") {
      pair.viewer.offers.isEmpty && !pair.viewer.failures(of: request).isEmpty
    }
    let failure = pair.viewer.failures(of: request)[0]
    #expect(failure.code == .handoffFailed && failure.cause == .deviceRemoved(device: "desktop"))
    #expect(try pair.laptop.status().devices == ["laptop"])
    // The record that lies there still, and one that comes later.
    pair.laptop.look()
    pair.world.settle()
    try pair.offer("three", at: 2_000)
    pair.world.settle()
    #expect(pair.viewer.offers.isEmpty)
    try pair.laptop.restart()
    let later = try pair.world.connect(to: pair.laptop.core)
    later.hello()
    pair.laptop.look()
    pair.world.settle()
    #expect(later.offers.isEmpty)
  }

  @Test func othersLearnOfARemovalThroughTheFolderAndReadOn() throws {
    let pair = try Pair()
    let (third, viewer) = try third(of: pair)
    try Scratch.write("laptop's", to: pair.laptop.folder + "/plan.md")
    pair.viewer.offer(pair.laptop.folder + "/plan.md", at: 5_000)
    try pair.world.run("the record") { pair.laptop.record?.activities.isEmpty == false }
    try pair.laptop.carry(to: third)
    try pair.world.run("the laptop's offer") { viewer.offers.contains { $0.deviceName == "laptop" } }

    _ = try pair.desktop.ask(.revoke("laptop"))
    try pair.desktop.carry(to: third)
    try pair.world.run("the removal") { viewer.offers.isEmpty }
    #expect(third.core.store.identity.circle.roster.devices.count == 2)
    // The thief goes on: nobody believes it.
    pair.viewer.offer(pair.laptop.folder + "/plan.md", at: 6_000)
    try pair.world.run("the thief's record") {
      pair.laptop.record?.activities.contains { $0.changedAt.milliseconds == 6_000 } == true
    }
    try pair.laptop.carry(to: third)
    #expect(viewer.offers.isEmpty)
    // What is new is read by who belongs, and by nobody else.
    try pair.offer("new", at: 7_000)
    try pair.desktop.carry(to: third)
    try pair.world.run("the desktop's offer") { viewer.offers.contains { $0.deviceName == "desktop" } }
    let key = pair.desktop.core.store.identity.circle.currentEpoch
    #expect(third.core.store.identity.circle.currentEpoch == key && key.number == 2)
    #expect(!pair.laptop.core.store.identity.circle.epochs.contains(key))
  }

  @Test func aDeviceThatWasRemovedSaysSoAndPublishesNothing() throws {
    let pair = try Pair()
    pair.viewer.offer(pair.laptop.folder + "/plan.md", at: 5_000)
    try pair.world.run("the record") { pair.laptop.record?.activities.isEmpty == false }
    _ = try pair.desktop.ask(.revoke("laptop"))
    try pair.desktop.carry(to: pair.laptop)
    try pair.world.run("the news") { pair.laptop.core.store.identity.isRemoved }
    let name = pair.laptop.core.store.identity.fileName(.state)
    #expect(!Scratch.names(in: pair.laptop.records).contains(name))
    #expect(try pair.laptop.status().problems.contains { $0.contains("removed from its circle by desktop") })
    pair.viewer.offer(pair.laptop.folder + "/plan.md", at: 6_000)
    try pair.world.run("the update") {
      pair.laptop.record?.activities.contains { $0.changedAt.milliseconds == 6_000 } == true
    }
    pair.laptop.look()
    pair.world.settle()
    #expect(!Scratch.names(in: pair.laptop.records).contains(name))
    guard case .devices(let devices) = try pair.desktop.ask(.devices) else {
      Issue.record("no devices")
      return
    }
    #expect(devices.map(\.name) == ["desktop", "laptop"])
    #expect(devices[1].removal?.remover == "desktop" && devices[0].removal == nil)
  }

  @Test func aRemovedDeviceComesBackByPairingAnew() throws {
    let pair = try Pair()
    let before = pair.laptop.core.store.identity.id
    _ = try pair.desktop.ask(.revoke("laptop"))
    try pair.desktop.carry(to: pair.laptop)
    guard case .words(let words) = try pair.desktop.ask(.pair(deviceName: nil)) else {
      throw Scratch.Failure(description: "no words")
    }
    try pair.desktop.carry(to: pair.laptop)
    _ = try pair.laptop.ask(.join(words: words.joined(separator: " "), deviceName: nil))
    try pair.laptop.carry(to: pair.desktop)
    try pair.desktop.carry(to: pair.laptop)
    #expect(pair.laptop.core.store.identity.id != before)
    try pair.offer("again")
    try pair.world.run("the offer") { !pair.viewer.offers.isEmpty }
    #expect(try pair.laptop.status().problems.isEmpty)
  }

  @Test func aDeviceMayLeaveAndTheOthersGoOnWithoutIt() throws {
    let pair = try Pair()
    let (third, viewer) = try third(of: pair)
    #expect(sentence(try pair.laptop.ask(.revoke("laptop"))).contains("has left the circle"))
    try pair.laptop.carry(to: pair.desktop)
    try pair.desktop.carry(to: third)
    try pair.world.run("the news") { third.core.store.identity.circle.roster.devices.count == 2 }
    try third.carry(to: pair.desktop)
    try pair.desktop.carry(to: third)
    #expect(
      third.core.store.identity.circle.currentEpoch == pair.desktop.core.store.identity.circle.currentEpoch)
    try pair.offer("three")
    try pair.desktop.carry(to: third)
    try pair.world.run("the desktop's offer") { !viewer.offers.isEmpty }
    #expect(pair.viewer.offers.isEmpty)
  }

  @Test func unknownAmbiguousAndFormerDevicesAreToldApart() throws {
    let pair = try Pair()
    #expect(
      sentence(try pair.desktop.ask(.revoke("phone"))) == "No device is called phone; there are "
        + "\(pair.desktop.core.store.identity.circle.roster.devices.map(\.name).joined(separator: ", ")).")
    let shown = pair.laptop.core.store.identity.keys.publicKeys.fingerprint
    #expect(sentence(try pair.desktop.ask(.revoke(String(shown.prefix(3))))).contains("No device is called"))
    #expect(sentence(try pair.desktop.ask(.revoke(shown.lowercased()))).contains("laptop is removed"))
    #expect(sentence(try pair.desktop.ask(.revoke("desktop"))).contains("only one of its circle"))
    let other = try Pair()
    _ = try third(of: other)
    _ = try other.laptop.ask(.pair(deviceName: "desktop"))
    try other.laptop.carry(to: other.desktop)
    #expect(sentence(try other.desktop.ask(.revoke("desktop"))).contains("2 devices are called desktop"))
    #expect(sentence(try other.desktop.ask(.revoke("third"))).contains("third is removed"))
    #expect(sentence(try other.desktop.ask(.revoke("third"))).contains("was removed already"))
  }

  @Test func anOpenInvitationEndsWithARemoval() throws {
    let pair = try Pair()
    _ = try third(of: pair)
    _ = try pair.desktop.ask(.pair(deviceName: nil))
    let name = try #require(pair.desktop.core.store.identity.pairing?.file.name)
    #expect(Scratch.names(in: pair.desktop.records).contains(name))
    #expect(sentence(try pair.desktop.ask(.revoke("third"))).contains("open invitation is closed"))
    let own = pair.desktop.core.store.identity
    #expect(own.pairing == nil)
    #expect(!Scratch.names(in: pair.desktop.records).contains(name))
  }
}
