// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import ActivityExchange

/// When a device tells what it keeps for search, and what is asked of others meanwhile.
@Suite struct SavedListMachineTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  private func parts(_ digests: [UInt8?]) -> SavedListMachine.Event {
    .prepared(digests.map { SavedListMachine.Part(digest: [$0 ?? 0], isEmpty: $0 == nil) })
  }

  /// Says what is to be said, and returns which parts that was.
  private func tell(_ digests: [UInt8?], _ machine: inout SavedListMachine, at now: Instant) -> [Int] {
    guard machine.handle(.timer, at: now) == [.prepare] else { return [-1] }
    return machine.handle(parts(digests), at: now).map { action in
      guard case .say(let part) = action else { return -1 }
      #expect(machine.handle(.said(part: part, [digests[part] ?? 0]), at: now) == [])
      return part
    }
  }

  @Test func s11i_aChangeIsToldSoonAndThenAtMostOnceIn30Seconds() {
    var machine = SavedListMachine()
    #expect(machine.handle(.changed, at: start) == [.wake(start + .seconds(2))])
    #expect(machine.handle(.changed, at: start + .seconds(1)) == [], "it is told with the first")
    #expect(machine.handle(.timer, at: start) == [.wake(start + .seconds(2))], "too early")
    let first = start + .seconds(2)
    #expect(tell([1, nil, nil, nil], &machine, at: first) == [0])
    #expect(machine.handle(.changed, at: first + .seconds(1)) == [.wake(first + .seconds(30))])
    #expect(tell([2, nil, 3, nil], &machine, at: first + .seconds(30)) == [0, 2])
    #expect(machine.handle(.changed, at: first + .seconds(90)) == [.wake(first + .seconds(92))])
  }

  @Test func nothingIsToldThatWasSaidBefore() {
    var machine = SavedListMachine(said: [0: [1]])
    _ = machine.handle(.changed, at: start)
    #expect(tell([1, nil, nil, nil], &machine, at: start + .seconds(2)) == [])
    #expect(machine.handle(.changed, at: start + .seconds(3)) == [.wake(start + .seconds(5))], "no write")
    #expect(tell([nil, nil, nil, nil], &machine, at: start + .seconds(5)) == [0], "it is empty now")
    _ = machine.handle(.changed, at: start + .seconds(50))
    #expect(tell([nil, nil, nil, nil], &machine, at: start + .seconds(52)) == [])
  }

  @Test func whatAFolderLostIsSaidAgain() {
    var machine = SavedListMachine(said: [0: [1], 3: [2]])
    #expect(machine.handle(.missing(part: 3), at: start) == [.wake(start + .seconds(2))])
    #expect(tell([1, nil, nil, 2], &machine, at: start + .seconds(2)) == [3])
    _ = machine.handle(.changed, at: start + .seconds(60))
    #expect(tell([1, nil, nil, 2], &machine, at: start + .seconds(62)) == [])
  }

  @Test func whatCouldNotBeSaidIsTriedAgainLater() {
    var machine = SavedListMachine()
    _ = machine.handle(.changed, at: start)
    let first = start + .seconds(2)
    #expect(machine.handle(.timer, at: first) == [.prepare])
    #expect(machine.handle(parts([1, 2, nil, nil]), at: first) == [.say(part: 0), .say(part: 1)])
    #expect(machine.handle(.failed, at: first) == [.wake(first + .seconds(30))])
    #expect(machine.handle(.failed, at: first) == [], "for both")
    #expect(tell([1, 2, nil, nil], &machine, at: first + .seconds(30)) == [0, 1])
  }

  // MARK: Deletions

  private let owner = DeviceID(bytes: [UInt8](repeating: 7, count: 16))
  private let wall = WallTime(milliseconds: 1_800_000_000_000)

  private func activity(_ identifier: String, after seconds: UInt64 = 0) -> SavedActivity {
    var snapshot = ActivitySnapshot(
      id: .random(), type: "a.b", appID: "org.a", changedAt: wall.adding(seconds: seconds))
    snapshot.persistentIdentifier = identifier
    return SavedActivity(appID: "org.a", snapshot: snapshot, device: owner)
  }

  @Test func s11k_aDeletionHidesAStateUntilItsOwnerListsItNoMore() throws {
    let (soup, owner) = (activity("soup", after: 5), try #require(owner))
    let key = try #require(soup.key)
    let part = SavedActivityList.part(of: key)
    var deletions = RequestedDeletions()
    deletions.ask(for: [soup], at: wall)
    #expect(deletions.hides(key, changedAt: soup.snapshot.changedAt))
    #expect(deletions.hides(key, changedAt: wall), "and what was before")
    #expect(!deletions.hides(key, changedAt: wall.adding(seconds: 6)), "not what is kept later")
    #expect(deletions.deletions(in: part).map(\.key) == [key])
    deletions.listed([:], by: owner, in: (part + 1) % 4, at: wall)
    deletions.listed([key: soup.snapshot.changedAt], by: owner, in: part, at: wall)
    deletions.listed([:], by: .random(), in: part, at: wall)
    #expect(deletions.deletions(in: part).count == 1)
    var other = deletions
    other.listed([key: wall.adding(seconds: 6)], by: owner, in: part, at: wall)
    #expect(other.isEmpty, "its app kept it anew")
    deletions.listed([:], by: owner, in: part, at: wall)
    #expect(deletions.isEmpty)
  }

  @Test func deletionsEndWithTheirOwnerAndAfterAYear() throws {
    let (soup, owner) = (activity("soup"), try #require(owner))
    let key = try #require(soup.key)
    var deletions = RequestedDeletions()
    deletions.ask(for: [soup], at: wall)
    var left = deletions
    left.keep(of: [owner])
    #expect(!left.isEmpty)
    left.keep(of: [.random()])
    #expect(left.isEmpty)
    let year = wall.adding(seconds: RequestedDeletions.lifetime)
    deletions.listed([key: wall], by: owner, in: SavedActivityList.part(of: key), at: year)
    #expect(deletions.isEmpty)
  }

  @Test func thereAreNotMoreThanTheLimit() {
    var deletions = RequestedDeletions()
    deletions.ask(for: [activity("first")], at: wall)
    let many = (0..<RequestedDeletions.limit).map { activity("\($0)") }
    deletions.ask(for: many, at: wall.adding(seconds: 1))
    #expect(deletions.requests.count == RequestedDeletions.limit)
    #expect(!deletions.requests.keys.contains { $0.identifier == "first" }, "the one that ends first")
  }
}
