// SPDX-License-Identifier: MIT

import ActivityModel
import ContinuityTestKit
import Testing

/// A world in which nothing happens but what a test says.
@Suite struct ScriptedWorldTests {
  private let world: ScriptedWorld
  private let desktop: ScriptedDevice
  private let laptop: ScriptedDevice

  init() throws {
    world = ScriptedWorld(devices: ["desktop", "laptop"], folderName: "Notes")
    try #require(world.devices.count == 2)
    (desktop, laptop) = (world.devices[0], world.devices[1])
    world.run(for: .seconds(1))
  }

  /// What an app heard.
  private final class Ear {
    var reports: [AgentReport] = []
    var bytes: [UInt8]?

    var offers: [Offer] {
      reports.reversed().lazy.compactMap { if case .offers(let offers) = $0 { offers } else { nil } }.first
        ?? []
    }

    func take(_ report: AgentReport, _ bytes: [UInt8]?) {
      reports.append(report)
      if let bytes { self.bytes = bytes }
    }
  }

  private func manifest(_ name: String) -> AppManifest {
    var manifest = AppManifest(appID: "org.example.\(name)", name: name)
    manifest.activityTypes = ["public.text-editing"]
    return manifest
  }

  /// Offers a file of the desktop, until its record is there.
  private func publish(_ path: String) throws -> ScriptedConnection {
    let connection = try #require(desktop.connect { _, _ in })
    connection.send(.hello(manifest("source")))
    var snapshot = ActivitySnapshot(
      id: .random(), type: "public.text-editing", appID: "org.example.source", changedAt: desktop.wall)
    snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url(
      FileURL.text(of: desktop.folderPath + Array("/\(path)".utf8)))
    connection.send(.update(snapshot, saved: nil), fileAt: path)
    world.run(for: .seconds(5))
    return connection
  }

  private func carry(_ isWanted: (String) -> Bool, from source: ScriptedDevice, to target: ScriptedDevice) {
    for path in source.list() where isWanted(path) {
      if let bytes = source.read(path) { target.replace(path, with: bytes) }
    }
    world.run(for: .seconds(5))
  }

  @Test func filesHoldWhatIsWritten() {
    desktop.replace("notes/plan.md", with: [1, 2, 3])
    desktop.replace("empty", with: [])
    #expect(desktop.list() == ["empty", "notes/plan.md"])
    #expect(desktop.read("notes/plan.md") == [1, 2, 3])
    #expect(desktop.read("empty") == [])
    desktop.overwrite("notes/plan.md", with: [4])
    #expect(desktop.read("notes/plan.md") == [4])
    #expect(desktop.move("notes/plan.md", to: "later/plan.md"))
    #expect(desktop.read("later/plan.md") == [4] && desktop.read("notes/plan.md") == nil)
    #expect(!desktop.move("notes/plan.md", to: "x"))
    #expect(desktop.remove("later/plan.md") && !desktop.remove("later/plan.md"))
    #expect(laptop.list() == [])
  }

  @Test func equalBytesAreOneVersion() {
    #expect(world.digest(of: [1, 2]) == world.digest(of: [1, 2]))
    #expect(world.digest(of: [1, 2]) != world.digest(of: [2, 1]))
    #expect(world.digest(of: []) != world.digest(of: [0]))
  }

  @Test func aHandOffTakesWhatTheEngineBrings() throws {
    desktop.replace("plan.md", with: Array("alpha".utf8))
    let source = try publish("plan.md")
    #expect(desktop.recordFile != nil && laptop.recordFile != desktop.recordFile)
    let ear = Ear()
    let app = try #require(laptop.connect(receive: ear.take))
    app.send(.hello(manifest("target")))
    carry({ $0.hasPrefix(".continuo/") }, from: desktop, to: laptop)
    #expect(ear.offers.map(\.deviceName) == ["desktop"])
    #expect(ear.offers.first?.status.arrival == .missing)
    #expect(ear.offers.first?.status.cause?.texts.contains("Notes") == true)
    #expect(ear.offers.first?.version?.digest == world.digest(of: Array("alpha".utf8)))
    app.send(.accept(try #require(ear.offers.first).id, .random()))
    carry({ $0 == "plan.md" }, from: desktop, to: laptop)
    #expect(ear.bytes == Array("alpha".utf8))
    #expect(world.violations == [])
    source.close()
  }

  @Test func aKilledAgentAnswersNobodyUntilItIsStartedAgain() throws {
    desktop.replace("plan.md", with: Array("alpha".utf8))
    let source = try publish("plan.md")
    #expect(source.isOpen && desktop.killAgent() && !desktop.killAgent())
    #expect(!source.isOpen && !desktop.isRunning && desktop.offers == nil)
    #expect(desktop.connect { _, _ in } == nil)
    #expect(!desktop.killWatchProcess())
    desktop.start()
    #expect(desktop.isRunning && desktop.offers == [])
    #expect(desktop.killWatchProcess())
    #expect(!desktop.killWatchProcess())
    world.run(for: .seconds(1))
    #expect(desktop.killWatchProcess())
  }

  @Test func timePassesOnlyWhereItIsAskedTo() {
    let before = world.now
    desktop.replace("plan.md", with: [1])
    #expect(world.now == before)
    world.run(for: .seconds(7))
    #expect(world.now == before + .seconds(7))
    while world.step(until: before + .seconds(8)) {}
    #expect(world.now == before + .seconds(8))
  }
}
