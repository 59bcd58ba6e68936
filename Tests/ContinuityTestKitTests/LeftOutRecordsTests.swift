// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import ContinuityTestKit

/// A sync engine that leaves records out is told to people, by agents in virtual time (T43).
@Suite struct LeftOutRecordsTests {
  private let world = ScriptedWorld(devices: ["desktop", "laptop", "tower"], folderName: "Notes")
  private let apps: [ScriptedConnection]
  private let activities: [ActivityID]

  init() throws {
    apps = try world.devices.map { try #require($0.connect { _, _ in }) }
    activities = apps.map { _ in .random() }
    var manifest = AppManifest(appID: "org.example.source", name: "source")
    manifest.activityTypes = ["public.text-editing"]
    for app in apps { app.send(.hello(manifest)) }
    world.run(for: .seconds(1))
  }

  /// So many half minutes, in each of which these devices change something, and records are carried.
  private func work(
    _ rounds: Int, writers: [Int] = [0, 1, 2], carrying isCarried: (_ from: Int, _ to: Int) -> Bool
  ) {
    for round in 0..<rounds {
      for writer in writers {
        var snapshot = ActivitySnapshot(
          id: activities[writer], type: "public.text-editing", appID: "org.example.source",
          changedAt: world.devices[writer].wall)
        snapshot.title = "\(round)"
        snapshot.userInfo[.text("round")] = .int(Int64(round))
        apps[writer].send(.update(snapshot, saved: nil))
      }
      world.run(for: .seconds(15))
      for from in world.devices.indices {
        for to in world.devices.indices where to != from && isCarried(from, to) {
          let name = world.devices[from].recordName
          if let record = world.devices[from].read(name) { world.devices[to].replace(name, with: record) }
        }
      }
      world.run(for: .seconds(15))
    }
  }

  private func problems(_ device: Int) throws -> [Reason] {
    guard case .status(let status)? = world.devices[device].device.agent?.perform(.status) else {
      throw ContinuityError(.agentUnavailable, description: "No status.")
    }
    return status.problems.map { Reason($0) }
  }

  @Test func whatIsLeftOutIsToldOnBothSidesUntilItComes() throws {
    work(4) { _, _ in true }
    work(30) { from, to in from != 0 || to != 1 }
    #expect(try problems(0) == [.recordsUnread(device: "laptop")])
    #expect(try problems(1) == [.recordsMissing(device: "desktop", readBy: "tower")])
    #expect(try problems(2).isEmpty)
    guard
      case .explained(let rows, _)? = world.devices[0].device.agent?.perform(.explain(app: nil, skipping: 0))
    else { throw ContinuityError(.agentUnavailable, description: "No explanation.") }
    #expect(rows.contains { $0.title == "laptop" && $0.statements.map(\.name) == ["records-unread"] })
    work(2) { _, _ in true }
    for device in 0..<3 { #expect(try problems(device).isEmpty) }
  }

  @Test func oneThatIsAsleepIsNotBlamedNorBlamesOthersWhenItWakes() throws {
    work(4) { _, _ in true }
    // It falls asleep before it has read what it was told last.
    work(1) { _, to in to != 1 }
    work(120, writers: [0, 2]) { from, to in from != 1 && to != 1 }
    for device in [0, 2] { #expect(try problems(device).isEmpty) }
    // It writes before its engine has brought anything.
    work(2) { _, to in to != 1 }
    for device in 0..<3 { #expect(try problems(device).isEmpty) }
    work(2) { _, _ in true }
    for device in 0..<3 { #expect(try problems(device).isEmpty) }
  }
}
