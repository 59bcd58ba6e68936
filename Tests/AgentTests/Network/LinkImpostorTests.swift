// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import LocalNetwork
import TestSupport
import Testing
import Trust

@testable import Agent
@testable import AgentEngine

/// T15: a member of the circle has the key of every link, and says that it is another member.
@Suite(.waiting, .timeLimit(.minutes(20))) struct LinkImpostorTests {
  /// The bytes of a proof's frame.
  private static func frame(_ proof: [UInt8]) -> [UInt8] {
    [0] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: proof.count >> (8 * $0)) } + proof
  }

  /// A connection to the device's agent with the right key.
  private func connection(to device: InProcessDevice) throws -> LyingDevice {
    let status = try device.lan()
    let period = try #require(device.core.links.reachability).period
    let id = device.core.store.id
    let epoch = device.core.store.identity.circle.currentEpoch
    let key = ReceivingKey(
      period: period, key: epoch.linkKey(to: id, period: period),
      context: EpochKey.linkContext(of: id, period: period))
    return try LyingDevice(port: status.port, key: key, in: device.world)
  }

  @Test func aMemberThatSaysItIsAnotherOneIsCutOff() throws {
    let pair = try Pair()
    let tablet = try pair.add("tablet")
    let desktop = pair.desktop
    try desktop.switchOn()
    let (victim, liar) = (pair.laptop.core.store.identity, tablet.core.store.identity)
    let epoch = liar.circle.currentEpoch

    func proof(by identity: Identity, on link: LyingDevice, as role: LinkProof.Role = .dialler) throws
      -> [UInt8]
    {
      try identity.linkProof(for: desktop.core.store.id, as: role, under: epoch, exporter: link.exporter)
    }
    let lies: [(String, (LyingDevice) throws -> [UInt8])] = [
      (
        "its own signature under the other one's ID",
        { victim.id.bytes + (try proof(by: liar, on: $0)).dropFirst(16) }
      ),
      (
        "what the other one said on another connection",
        { _ in try proof(by: victim, on: try connection(to: desktop)) }
      ),
      ("what the other one would say when it is asked", { try proof(by: victim, on: $0, as: .receiver) }),
      ("the desktop's own ID", { desktop.core.store.id.bytes + (try proof(by: liar, on: $0)).dropFirst(16) }),
      ("nobody's ID", { DeviceID.random().bytes + (try proof(by: liar, on: $0)).dropFirst(16) }),
      ("nothing of sense", { _ in LanDevice.random(LinkProof.size) }),
    ]
    for (what, lie) in lies {
      let link = try connection(to: desktop)
      try link.say(Self.frame(try lie(link)))
      try desktop.world.run("the end of a link that says \(what)") { link.hasEnded }
      #expect(desktop.core.links.transports.isEmpty, "\(what)")
    }
    // The truth is taken, so the lies were not refused for something else.
    let link = try connection(to: desktop)
    try link.say(Self.frame(try proof(by: liar, on: link)))
    try desktop.world.run("a link") {
      desktop.core.lanStatus.links.contains { $0.link.name == "tablet" && $0.link.state == .linked }
    }
    // Under it only what that device has signed counts.
    let record = try #require(pair.laptop.core.records.publisher.current).bytes
    try link.say(
      [1] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: record.count >> (8 * $0)) } + record)
    try desktop.world.run("the end of a link that says another one's record") { link.hasEnded }
  }
}

extension Pair {
  /// A third device, in the circle of both.
  func add(_ name: String) throws -> InProcessDevice {
    let third = try world.device(name)
    try desktop.carry(to: third)
    try third.addFolder()
    guard case .words(let words) = try desktop.ask(.pair(deviceName: nil)) else {
      throw Scratch.Failure(description: "no words")
    }
    try desktop.carry(to: third)
    guard case .joined = try third.ask(.join(words: words.joined(separator: " "), deviceName: nil)) else {
      throw Scratch.Failure(description: "not joined")
    }
    let all = [desktop, laptop, third]
    for _ in 0..<2 {
      for from in all { for to in all where to !== from { try from.carry(to: to) } }
    }
    return third
  }
}
