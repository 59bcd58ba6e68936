// SPDX-License-Identifier: MIT

import Testing

@testable import ContinuityTestKit

@Suite struct SimulationTests {
  @Test func theTextFormComesBackAsItWas() throws {
    for seed in UInt64(1)...20 {
      let simulation = Simulation(seed: seed, steps: 300, profile: seed % 2 == 0 ? .swarm : .engine(.rclone))
      #expect(try Simulation(text: simulation.text) == simulation)
    }
  }

  @Test func aLineThatIsNotUnderstoodIsNamed() {
    #expect(throws: SimulationTextError.self) { try Simulation(text: "history 1\nat 5 device 9 edit seed 1") }
    #expect(throws: SimulationTextError.self) { try Simulation(text: "history 2") }
  }

  @Test func theSameHistoryEndsTheSameWay() {
    for seed in UInt64(1)...20 {
      let simulation = Simulation(seed: seed, steps: 200)
      let first = World(simulation).run()
      #expect(World(simulation).run() == first)
      #expect(World(Simulation(seed: seed + 1000, steps: 200)).run().trace != first.trace)
    }
  }

  @Test func noPromiseIsBrokenInAHundredHistories() {
    for seed in UInt64(1)...100 {
      let outcome = World(Simulation(seed: seed, steps: 200)).run()
      #expect(outcome.violations.isEmpty, "seed \(seed)")
    }
  }

  /// A million histories have to fit into memory, one after the other.
  @Test func aHistoryThatEndedLeavesNothingInMemory() {
    struct Left {
      weak var agent: SimulatedAgent?
      weak var app: EditorApp?
    }
    var left: [Left] = []
    for seed in UInt64(1)...10 {
      let world = World(Simulation(seed: seed, steps: 400))
      var seen: Set<ObjectIdentifier> = []
      while world.step < 400, world.proceed(until: .max) {
        for device in world.devices {
          guard let agent = device.agent, seen.insert(ObjectIdentifier(agent)).inserted else { continue }
          left.append(Left(agent: agent, app: device.app))
        }
      }
    }
    #expect(left.count > 30)
    #expect(left.allSatisfy { $0.agent == nil && $0.app == nil })
  }

  /// A world too tame would find nothing: in these histories everything that matters has to happen.
  @Test func muchHappens() {
    var counts: [Outcome.Count: Int] = [:]
    for seed in UInt64(1)...100 {
      counts.merge(World(Simulation(seed: seed, steps: 400)).run().counts, uniquingKeysWith: +)
    }
    // Clones and deliveries that are postponed are for longer runs.
    for count in Outcome.Count.allCases where count != .clones && count != .postponed {
      #expect(counts[count, default: 0] > 0, "\(count)")
    }
  }

  /// The harness can fail: a canary that must be found is.
  @Test func theCanaryIsFound() {
    let found = (UInt64(1)...20).filter { seed in
      World(Simulation(seed: seed, steps: 400), canary: true).run().violations.first?.rule == .canary
    }
    #expect(!found.isEmpty)
  }

  /// A planted failure: an edit of the second device "breaks" something. What is left is that edit alone.
  @Test func shrinkingKeepsWhatBreaksThePromise() {
    let simulation = Simulation(seed: 7, steps: 300)
    let planted = Violation(rule: .canary, sentence: "planted", step: 1)
    let short = simulation.shrunk(keeping: .canary) { simulation in
      var outcome = Outcome(violations: [], trace: 0, faultySteps: 0, healedSteps: 0, counts: [:])
      if simulation.commands.contains(where: { $0.action == .edit && $0.device == 1 }) {
        outcome.violations = [planted]
      }
      return outcome
    }
    #expect(short.commands.count == 1)
    #expect(short.commands.first?.action == .edit)
    #expect(short.devices == 2)
    #expect(short.faults.isEmpty)
  }
}
