// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

/// When a device's own record is laid into a folder again.
@Suite struct OwnRecordMachineTests {
  private var machine = OwnRecordMachine()

  private func at(_ seconds: UInt64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

  @Test mutating func whatIsMissingForTwoSecondsIsWrittenAgain() {
    #expect(machine.handle(.looked(isIntact: true), at: at(0)) == [])
    #expect(machine.handle(.looked(isIntact: false), at: at(10)) == [.wake(at(12))])
    #expect(machine.handle(.looked(isIntact: false), at: at(11)) == [])
    #expect(machine.handle(.timer, at: at(12)) == [.look])
    #expect(machine.handle(.looked(isIntact: false), at: at(12)) == [.write])
  }

  @Test mutating func aReplacementUnderWayIsLeftAlone() {
    #expect(machine.handle(.looked(isIntact: false), at: at(10)) == [.wake(at(12))])
    #expect(machine.handle(.looked(isIntact: true), at: at(11)) == [.wake(nil)])
    #expect(machine.handle(.timer, at: at(12)) == [])
  }

  @Test mutating func whoeverTakesItAwayEachTimeIsAnsweredOnceAMinute() {
    var writes: [UInt64] = []
    for second in 0..<200 {
      for event in [OwnRecordMachine.Event.timer, .looked(isIntact: false)]
      where machine.handle(event, at: at(UInt64(second))).contains(.write) { writes.append(UInt64(second)) }
    }
    #expect(writes == [2, 62, 122, 182])
  }
}
