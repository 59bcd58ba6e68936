// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import TestSupport
import Testing

@testable import Agent

/// What this computer's sleep is taken for. A machine that sleeps is none for tests: the clocks are played,
/// and that the kernel tells is its promise.
@Suite(.waiting) struct AwakeningTests {
  @Test func eachSleepIsToldOnceAndAClockThatIsSetIsNone() throws {
    var slept = Duration.seconds(100)
    var told = 0
    let awakening = Awakening(loop: try EventLoop(), slept: { slept })
    awakening.onResume = { told += 1 }
    awakening.start()
    for (now, expected) in [(100, 0), (101, 0), (103, 1), (103, 1), (3600, 2)] {
      slept = .seconds(now)
      awakening.look()
      #expect(told == expected, "after \(now) s")
    }
  }

  /// The descriptor is there, and quiet while nothing happens: no wake-ups.
  @Test func theKernelTellsNothingWhileTheMachineIsAwake() throws {
    let notices = try SleepNotices()
    for _ in 0..<2 {
      var entries = [Poll.Entry(notices.descriptor)]
      #expect(!Poll.wait(for: &entries, atMost: .milliseconds(20)))
      notices.drain()
    }
    // Both clocks are not read at one moment.
    let slept = SleepNotices.slept()
    #expect(slept > .seconds(-1) && slept < .seconds(365 * 24 * 3600), "\(slept)")
  }
}
