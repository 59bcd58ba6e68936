// SPDX-License-Identifier: MIT

import Testing

@testable import ContinuityTestKit

struct EventQueueTests {
  @Test func whatAnEngineHeldBackComesSoonAfterTheFaultsEndAndInItsOrder() {
    var queue = EventQueue()
    func add(_ kind: StepKind, at time: UInt64) {
      queue.add(EventQueue.Event(time: time, seed: time, device: 0, life: 0, kind: kind, perform: {}))
    }
    for time in [190, 12, 130] as [UInt64] { add(.engine, at: time) }
    for time in [60, 11] as [UInt64] { add(.timer, at: time) }
    queue.release(at: 10, engines: 5)
    var found: [[UInt64]] = []
    while let event = queue.removeNext() { found.append([event.seed, event.time]) }
    #expect(found == [[11, 11], [12, 12], [130, 15], [190, 15], [60, 60]])
  }
}
