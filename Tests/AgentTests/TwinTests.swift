// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import FolderAccess
import Glibc
import LinuxSystem
import TestSupport
import Testing
import Trust
import VersionHistory

@testable import Agent
@testable import AgentEngine

/// A state directory that was copied to another computer (T41), a member that lies about this device's
/// numbers, and files that look like records of a later release.
@Suite(.serialized) struct TwinTests {
  /// The desktop's own folder and state, copied while its agent was not running.
  private func copy(_ pair: Pair) throws -> InProcessDevice {
    let twin = try pair.world.device("twin")
    twin.core.watch.stop()
    twin.core.closeDatabases()
    for name in Scratch.names(in: pair.desktop.stateDirectory) {
      guard let bytes = Scratch.bytes(at: "\(pair.desktop.stateDirectory)/\(name)") else { continue }
      try Scratch.write(bytes, to: "\(twin.stateDirectory)/\(name)")
    }
    let path = Array(twin.folder.utf8)
    var state = try AgentState(
      decoding: try #require(Scratch.bytes(at: "\(twin.stateDirectory)/state")))
    state.folders = state.folders.map {
      AgentState.RegisteredFolder(id: $0.id, name: $0.name, path: path)
    }
    try Scratch.write(state.encoded, to: "\(twin.stateDirectory)/state")
    try pair.desktop.carry(to: twin, documents: ["plan.md"])
    try twin.restart()
    return twin
  }

  /// What an engine does with two files of one name, until nothing is new: each comes as a copy beside the
  /// other.
  private func synchronise(_ pair: Pair, _ twin: InProcessDevice) throws {
    let name = record(of: pair)
    for _ in 0..<6 {
      for (from, to) in [
        (pair.desktop, twin), (pair.desktop, pair.laptop), (twin, pair.desktop), (twin, pair.laptop),
      ] {
        let bytes = try #require(Scratch.bytes(at: "\(from.records)/\(name)"))
        try Scratch.write(bytes, to: "\(to.records)/d-of-\(from.name).rec")
        to.look()
        pair.world.settle()
      }
    }
  }

  /// The name of the file that both computers write.
  private func record(of pair: Pair) -> String { pair.desktop.core.store.identity.fileName(.state) }

  private func problems(_ device: InProcessDevice, _ part: String) throws -> Int {
    try device.status().problems.count { $0.contains(part) }
  }

  @Test func twoComputersWithOneIdentityFallSilentAndResetMendsEither() throws {
    let pair = try Pair()
    try pair.offer("two")
    let twin = try copy(pair)
    let app = try pair.world.connect(to: twin.core)
    app.hello()
    try Scratch.write("three", to: twin.folder + "/plan.md")
    app.offer(twin.folder + "/plan.md", at: 2_000)
    pair.world.settle()
    try synchronise(pair, twin)
    for device in [pair.desktop, twin] {
      #expect(try problems(device, "Another computer uses this device's identity") == 1)
      #expect(try problems(device, "set back") == 0)
    }
    let name = record(of: pair)
    let before = [pair.desktop, twin].map { Scratch.bytes(at: "\($0.records)/\(name)") }
    app.offer(twin.folder + "/plan.md", at: 3_000)
    pair.editor.offer(pair.desktop.folder + "/plan.md", at: 3_000)
    pair.world.settle()
    try synchronise(pair, twin)
    let after = [pair.desktop, twin].map { Scratch.bytes(at: "\($0.records)/\(name)") }
    #expect(after == before, "neither says anything more")
    #expect(pair.viewer.offers.isEmpty, "the third device's offers do not take turns")
    guard case .activities(let own) = try twin.ask(.ownActivities) else { return }
    #expect(
      !own.isEmpty && own.allSatisfy { $0.cause == .copied }, "as `publish` says")
    // It is still so after a restart.
    try twin.restart()
    #expect(try problems(twin, "Another computer") == 1)
    // The copy becomes a device of its own, and the other one goes on.
    let id = twin.core.store.identity.id
    guard case .done(let sentence) = try twin.ask(.reset) else { return }
    #expect(sentence.contains("is a new device now") && twin.core.store.identity.id != id)
    #expect(try problems(twin, "Another computer") == 0)
    let last = try #require(Scratch.bytes(at: "\(twin.records)/\(name)"))
    for device in [pair.desktop, pair.laptop] {
      try Scratch.write(last, to: "\(device.records)/d-of-twin.rec")
      device.look()
    }
    try pair.world.run("the desktop goes on") {
      pair.desktop.core.records.publisher.current != nil && !pair.desktop.core.records.isCopied
    }
    #expect(try problems(pair.desktop, "Another computer") == 0)
    try pair.desktop.carry(to: pair.laptop)
    try pair.world.run("its offer") { !pair.viewer.offers.isEmpty }
    #expect(Scratch.bytes(at: twin.folder + "/plan.md") == Array("three".utf8))
    #expect(twin.core.folders.roots.count == 1)
  }

  @Test func whatAMemberSaysOfThisDevicesNumbersIsNoEvidenceOfABackup() throws {
    let pair = try Pair()
    try pair.offer("two")
    let store = pair.desktop.core.store
    let next = try store.nextSequence()
    for (number, lie) in [next + 1000, 1 << 61].enumerated() {
      var state = DeviceState(issuedAt: .now, bootNonce: [UInt8](repeating: 9, count: 16))
      state.acknowledgements[store.identity.id] = lie
      var generator = SystemRandomNumberGenerator()
      let sequence = try pair.laptop.core.store.nextSequence()
      let file = try pair.laptop.core.store.identity.stateFile(
        state.recordPayload().bytes, sequence: sequence, using: &generator)
      try Scratch.write(file.bytes, to: pair.desktop.records + "/d-lie\(number).rec")
      pair.desktop.look()
      pair.world.settle()
    }
    #expect(try problems(pair.desktop, "set back") == 0)
    let reached = try store.nextSequence()
    #expect(reached > next + 1000 && reached < next + 2000)
  }

  @Test func onlyARecordWithTheCirclesMarkTellsOfANewerRelease() throws {
    let pair = try Pair()
    try pair.offer("two")
    let record = try #require(pair.desktop.core.records.publisher.current?.bytes)
    var stranger = [UInt8](repeating: 0x5a, count: record.count)
    stranger.replaceSubrange(0..<8, with: record[0..<8])
    stranger[8] = 2
    try Scratch.write(stranger, to: pair.laptop.records + "/d-stranger.rec")
    pair.laptop.look()
    pair.world.settle()
    #expect(try problems(pair.laptop, "newer Continuo") == 0)
    var newer = record
    newer[8] = 2
    try Scratch.write(newer, to: pair.laptop.records + "/d-newer.rec")
    pair.laptop.look()
    pair.world.settle()
    #expect(try problems(pair.laptop, "newer Continuo") == 1)
  }

  @Test func aRecordFromTheFutureEndsAlsoWhereTheAgentIsStartedAgainAndAgain() throws {
    let pair = try Pair()
    try pair.offer("two")
    let identity = pair.desktop.core.store.identity
    try pair.bringRecordOfTheFuture()
    pair.world.settle()
    #expect(pair.viewer.offers.count == 1)
    let arrived = try #require(pair.laptop.core.store.state.early[identity.id])
    try pair.laptop.restart()
    pair.world.settle()
    #expect(pair.laptop.core.store.state.early[identity.id] == arrived)
    #expect(pair.laptop.core.allOffers().count == 1)
    let ago = WallTime(milliseconds: WallTime.now.milliseconds - (DeviceState.lifetimeLimit + 700) * 1000)
    try pair.laptop.core.store.change { $0.early[identity.id]?.arrivedAt = ago }
    try pair.laptop.restart()
    pair.world.settle()
    #expect(pair.laptop.core.allOffers().isEmpty)
  }
}
