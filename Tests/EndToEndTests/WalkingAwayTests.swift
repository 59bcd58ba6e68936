// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import ActivityWire
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// What stays when an app or an agent ends by a signal.
@Suite(.waiting) struct WalkingAwayTests {
  @Test func s18c_aKilledAppLeavesItsOfferStandingMarkedLeftOpen() throws {
    let devices = try TwoDevices()
    try devices.offer("plan.md", "alpha")
    #expect(try devices.laptop.device.continuo("status").contains("desktop is editing plan.md in Notes"))
    let publisher = try #require(devices.desktop.publishing["plan.md"])
    publisher.signal(.kill)
    try publisher.waitForExit()
    let flow = devices.flow()
    let offer = try devices.laptop.app.wait(for: "the mark") { app in
      app.offers?.first { $0.flags.contains(.leftOpen) }
    }
    flow?.isOn = false
    #expect(offer.path == RelativePath("plan.md"))
    #expect(try devices.laptop.device.continuo("status").contains("desktop left plan.md in Notes open"))
    let printed = try devices.laptop.device.continuo("offers", "--json")
    #expect(printed.contains("\"leftOpen\" : true") || printed.contains("\"leftOpen\":true"), "\(printed)")
  }

  @Test func s18d_anAgentThatIsStoppedTakesNothingBack() throws {
    let devices = try TwoDevices()
    try devices.offer("plan.md", "alpha")
    let agent = pid_t(try devices.desktop.device.status().process)
    // Without it the publisher would start the next agent at once.
    devices.desktop.publishing["plan.md"]?.signal(.stop)
    kill(agent, SIGTERM)
    try #require(ProcessEnd(agent)).wait(for: "the agent's end")
    try devices.player.carrying().deliverEverything()
    let before = try devices.laptop.device.ask(.offers)
    guard case .offers(let offers) = before else {
      Issue.record("\(before)")
      return
    }
    #expect(offers.map(\.path) == [RelativePath("plan.md")])
    devices.desktop.publishing["plan.md"]?.signal(.resume)
  }

  @Test func s11a_s11b_s11c_whatAnAgentAnsweredSurvivesItsKilling() throws {
    let home = try Home()
    try home.device.continuo("status")
    let (mine, theirs) = (try home.app("org.mine"), try home.app("org.theirs"))
    for identifier in ["first-of-mine", "second-of-mine"] { try mine.save(identifier) }
    try theirs.save("one-of-theirs")
    try mine.ask { .deleteSaved($0, identifiers: ["first-of-mine"]) }
    try home.killAgent()
    #expect(home.saved == ["second-of-mine", "one-of-theirs"])
    try home.device.continuo("status")
    try home.app("org.mine").ask { .deleteSaved($0, identifiers: nil) }
    try home.killAgent()
    #expect(home.saved == ["one-of-theirs"])
  }
}

extension Home {
  fileprivate func app(_ appID: String) throws -> WireConnection {
    let connection = try #require(try WireConnection(socketPath: device.socket))
    connection.send(.request(.hello(AppManifest(appID: appID, name: appID))))
    return connection
  }

  fileprivate func killAgent() throws {
    let agent = pid_t(try device.status().process)
    kill(agent, SIGKILL)
    try waitForEnd(of: agent)
  }

  /// The identifiers that stand in the agent's file.
  fileprivate var saved: [String] {
    let state = device.root + "/state/continuo/activities.sqlite"
    let bytes = (Files.read(state) ?? []) + (Files.read(state + "-wal") ?? [])
    return ["first-of-mine", "second-of-mine", "one-of-theirs"].filter { identifier in
      let name = Array(identifier.utf8)
      return bytes.indices.contains { bytes[$0...].starts(with: name) }
    }
  }
}

extension WireConnection {
  fileprivate func save(_ identifier: String) throws {
    var snapshot = ActivitySnapshot(
      id: .random(), type: "a.b", appID: "org.a", changedAt: WallTime(milliseconds: wallNow()))
    snapshot.flags.insert(.search)
    snapshot.persistentIdentifier = identifier
    try ask { .save($0, snapshot) }
  }

  /// Sends a request and waits until it is durable.
  fileprivate func ask(_ request: (RequestID) -> AgentRequest) throws {
    let id = RequestID.random()
    send(.request(request(id)))
    try Waiting.wait(
      for: "the answer", by: Deadline(seconds: 10), on: { [descriptor] }, lastState: { "none" }
    ) { () -> Void? in
      var answered = false
      try takeNews { message, _ in
        if case .report(.kept(id, nil)) = message { answered = true }
      }
      return answered ? () : nil
    }
  }
}
