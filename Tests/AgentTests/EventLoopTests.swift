// SPDX-License-Identifier: MIT

import ActivityModel
import Dispatch
import Glibc
import LinuxSystem
import Testing

@testable import Agent
@testable import AgentEngine

/// One thread, whatever is closed, opened or posted meanwhile.
@Suite struct EventLoopTests {
  private func pipes() throws -> [Int32] {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    return ends
  }

  @Test func aDescriptorThatWasForgottenAndReusedInOneTurnIsNotMistaken() throws {
    let loop = try EventLoop()
    let (first, second) = (try pipes(), try pipes())
    defer { for end in first + second { close(end) } }
    for end in [first[1], second[1]] { write(end, "x", 1) }
    var calls = 0
    var mistaken = 0
    for (mine, other) in [(first[0], second[0]), (second[0], first[0])] {
      loop.watch(mine) { _ in
        calls += 1
        loop.forget(other)
        loop.watch(other, for: .writable) { _ in mistaken += 1 }
      }
    }
    loop.turn()
    #expect(calls == 1 && mistaken == 0)
  }

  @Test func timersFireInOrderAndNotOnceCancelled() throws {
    let loop = try EventLoop()
    var fired: [Int] = []
    let now = Instant.now
    loop.schedule(at: now + .milliseconds(2)) { fired.append(2) }
    loop.schedule(at: now + .milliseconds(1)) { fired.append(1) }
    let cancelled = loop.schedule(at: now + .milliseconds(1)) { fired.append(9) }
    loop.schedule(at: now) { loop.cancel(cancelled) }
    loop.schedule(at: now + .milliseconds(3)) { loop.stop() }
    loop.run()
    #expect(fired == [1, 2])
  }

  @Test func workOfOtherThreadsIsDoneHereInOrder() throws {
    let loop = try EventLoop()
    let mailbox = loop.mailbox
    let done = Results()
    DispatchQueue.global().async {
      for number in 0..<100 { mailbox.post { done.numbers.append(number) } }
    }
    while done.numbers.count < 100 { loop.turn() }
    #expect(done.numbers == Array(0..<100))
  }

  @Test func whatIsDoneOnceAMinuteIsDueAtOneMoment() {
    let moments: [UInt64] = [60_000_000_000, 60_000_000_001, 119_999_999_999]
    #expect(Set(moments.map { Instant(nanoseconds: $0).nextMinute.nanoseconds }) == [120_000_000_000])
  }

  /// Touched on the loop's thread only.
  private final class Results: @unchecked Sendable {
    var numbers: [Int] = []
  }
}
