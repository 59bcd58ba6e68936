// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import LinuxSystem
import TestSamples
import TestSupport
import Testing
import Trust

@testable import Agent
@testable import AgentEngine

/// A device of the circle that lies about all that it may sign: its state, and who belongs.
@Suite struct LyingMemberTests {
  /// What the laptop signs reaches the desktop's folder; gives its number.
  @discardableResult
  private func tell(_ payload: [UInt8], _ pair: Pair) throws -> UInt64 {
    var generator = SystemRandomNumberGenerator()
    let sequence = try pair.laptop.core.store.nextSequence()
    let file = try pair.laptop.core.store.identity.stateFile(payload, sequence: sequence, using: &generator)
    try Scratch.write(file.bytes, to: "\(pair.desktop.records)/\(file.name)")
    pair.desktop.look()
    return sequence
  }

  private func tell(_ state: DeviceState, _ pair: Pair, number: Int) throws {
    try tell(state.recordPayload().bytes, pair)
    if number.isMultiple(of: 10) { pair.world.settle() }
  }

  /// A state of which nothing is true: other devices' activities and numbers, documents of folders that are
  /// not there and of this one, moments of any year.
  private func lie(_ pair: Pair, using generator: inout SeededGenerator) -> DeviceState {
    var state = RecordSamples.fullState(generator: &generator)
    let desktop = pair.desktop.core.store.identity.id
    let years: UInt64 = 10 * 365 * 24 * 3600
    let now = WallTime.now
    state.issuedAt =
      [now, now.adding(seconds: years), WallTime(milliseconds: now.milliseconds - years * 1000)][
        Int(generator.next() % 3)]
    state.acknowledgements[desktop] = generator.next() % 2 == 0 ? .max : generator.next() % 5000
    let folder = pair.desktop.core.folders.roots[0].canonical
    for index in state.activities.indices {
      if index == 0 { state.activities[index].id = pair.activity }
      guard generator.next() % 2 == 0 else { continue }
      state.activities[index].document?.folder = folder
    }
    state.claims += [
      Claim(source: desktop, activity: .random(), request: .random(), outcome: .opened, at: state.issuedAt)
    ]
    return state
  }

  @Test func whateverAMemberSaysTheOthersKeepTheirOwnAndTheirFiles() throws {
    let pair = try Pair()
    try pair.offer("two")
    let before = try #require(pair.desktop.record?.activities)
    let own = try pair.world.connect(to: pair.desktop.core)
    own.hello()
    let files = Scratch.names(in: pair.desktop.folder)
    let next = try pair.desktop.core.store.nextSequence()
    var generator = SeededGenerator(seed: 22)
    for number in 0..<200 { try tell(lie(pair, using: &generator), pair, number: number) }
    var last = lie(pair, using: &generator)
    last.issuedAt = .now
    // The samples changed long ago, and have expired: such activities are nobody's offers.
    for index in last.activities.indices {
      (last.activities[index].changedAt, last.activities[index].expiresAt) = (.now, nil)
    }
    try tell(last, pair, number: 200)
    pair.world.settle()
    #expect(!own.offers.isEmpty, "a lie that may be told is an offer of its teller")
    let (desktop, laptop) = (pair.desktop.core.store.identity, pair.laptop.core.store.identity)
    #expect(own.offers.allSatisfy { $0.id.device == laptop.id }, "an offer in another device's name")
    #expect(own.offers.count <= DeviceState.activityLimit)
    for offer in own.offers {
      #expect(DisplayText.isClean(offer.title) && DisplayText.isClean(offer.deviceName))
    }
    #expect(pair.desktop.record?.activities == before, "what this device offers was changed")
    #expect(desktop.otherDevices.map(\.id) == [laptop.id])
    #expect(Scratch.names(in: pair.desktop.folder) == files)
    #expect(Scratch.bytes(at: pair.desktop.folder + "/plan.md") == Array("two".utf8))
    #expect(
      try pair.desktop.core.store.nextSequence() < next + 200 + (200 << 32), "the counter was driven away")
    // And the true ones go on: the laptop is offered what the desktop has.
    try pair.offer("three", at: 2_000)
    try pair.world.run("the offer") { pair.viewer.offers.contains { $0.changedAt.milliseconds == 2_000 } }
    // Once it is out, nothing of it is left.
    _ = try pair.desktop.ask(.revoke("laptop"))
    try pair.world.run("the end of its offers") { own.offers.isEmpty }
  }

  /// Threat T50: the record is read, and nothing of it is shown.
  @Test func aTitleThatTheFormatRefusesIsNeverOffered() throws {
    let pair = try Pair()
    let own = try pair.world.connect(to: pair.desktop.core)
    own.hello()
    let laptop = pair.laptop.core.store.id
    let refused = try HostileNames.all().filter {
      $0.count <= DisplayText.byteLimit && !RecordText.isClean(String(decoding: $0, as: UTF8.self))
    }
    #expect(refused.count > 10)
    for name in refused {
      var state = DeviceState(issuedAt: .now, bootNonce: [UInt8](repeating: 7, count: 16))
      var activity = ActivitySnapshot(
        id: .random(), type: "public.text-editing", appID: "org.example.notes", changedAt: .now)
      activity.title = String(repeating: "t", count: name.count)
      activity.flags = .handoff
      state.activities = [activity]
      // The same record with a title that is one, so that it is not another reason for which it is refused.
      try tell(state.recordPayload().bytes, pair)
      try pair.world.run("the offer") { own.offers.map(\.id.activity) == [activity.id] }
      var payload = state.recordPayload().bytes
      let place = try #require(payload.indices.first { payload[$0...].starts(with: activity.title.utf8) })
      payload.replaceSubrange(place..<place + name.count, with: name)
      let sequence = try tell(payload, pair)
      let key = AgentState.HighWaterKey(device: laptop, kind: UInt64(RecordKind.state.rawValue))
      try pair.world.run("the lie to be read") {
        pair.desktop.core.store.state.highWater[key]?.sequence == sequence
      }
      pair.world.settle()
      #expect(own.offers.allSatisfy { $0.title == activity.title }, "\(DisplayText.shown(name))")
    }
  }
}
