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

  @Test func aLongRestIsAnnouncedAndAShortOneIsNot() throws {
    let loop = try EventLoop()
    var rests = 0
    loop.beforeRest = { rests += 1 }
    let soon = loop.schedule(at: .now) {}
    loop.turn()
    #expect(rests == 0)
    loop.cancel(soon)
    loop.schedule(at: .now + .seconds(600)) {}
    loop.mailbox.post {}
    loop.turn()
    #expect(rests == 1)
  }

  @Test func restsAreLongFromASecondOnAndNotTwiceInOne() {
    var pace = RestPace()
    let start = Instant.now
    let rests: [(from: Duration, until: Duration?)] = [
      (.zero, .milliseconds(999)), (.zero, .seconds(1)), (.milliseconds(999), nil), (.seconds(1), nil),
    ]
    let told = rests.map { rest in
      pace.rest(from: start + rest.from, until: rest.until.map { start + $0 })
    }
    #expect(told == [.short, .long, .longFrom(start + .seconds(1)), .long])
  }

  @Test func aRestThatIsLongTooSoonIsLookedAtAgain() throws {
    let loop = try EventLoop()
    var rests: [Instant] = []
    loop.beforeRest = { [mailbox = loop.mailbox] in
      rests.append(.now)
      mailbox.post {}
    }
    let deadline = Instant.now + .seconds(30)
    loop.schedule(at: deadline) {}
    while rests.count < 2 { loop.turn() }
    #expect(rests[1] >= rests[0] + .seconds(1) && rests[1] < deadline)
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
