// SPDX-License-Identifier: MIT

import ActivityModel
import Testing
import Trust

@testable import AgentEngine
@testable import ContinuityTestKit

/// As many devices as a circle has, on one network that loses and breaks, while the folder is slow.
@Suite struct LargeCircleTests {
  private let world = ScriptedWorld(
    circle: (1...Roster.deviceLimit).map { "device \($0)" }, folderName: "Notes", network: 5)

  /// Links that a device of this world knows, of both ends together.
  private var linkedEnds: Int {
    world.devices.reduce(0) { sum, device in
      sum + (device.device.agent?.core.links.states.count { $0.state == .linked } ?? 0)
    }
  }

  @Test func allLinksAreThereAgainAfterAnHourOfFaults() throws {
    let wires = try #require(world.world.wires)
    let count = world.devices.count
    world.carryRecords()
    world.run(for: .seconds(60))
    #expect(count == 32 && linkedEnds == 2 * 496, "\(linkedEnds) ends of links")
    var fewest = linkedEnds
    for round in 0..<60 {
      wires.fail(wires.random.below(count), devices: count)
      world.run(for: .seconds(60))
      fewest = min(fewest, linkedEnds)
      if round % 15 == 14 { world.carryRecords() }
    }
    #expect(fewest < 2 * 496, "nothing went wrong")
    // The longest pause between two rounds of dialling is ten minutes.
    world.run(for: .seconds(700))
    #expect(linkedEnds == 2 * 496, "\(linkedEnds) ends of links")
    #expect(world.violations == [])
  }
}
