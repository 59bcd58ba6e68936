// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

/// A restored backup goes on (T03); two computers with one identity fall silent (T41).
@Suite struct TwinWatchTests {
  private let mine = [UInt8](repeating: 1, count: 16)
  private let other = [UInt8](repeating: 2, count: 16)
  private let third = [UInt8](repeating: 3, count: 16)
  private let wall = WallTime(milliseconds: 1_000_000_000)

  private func sighting(
    _ sequence: UInt64, _ nonce: [UInt8], at seconds: Int64 = 0, acknowledged: UInt64? = nil
  ) -> TwinWatch.Sighting {
    TwinWatch.Sighting(
      sequence: sequence, bootNonce: nonce,
      issuedAt: WallTime(milliseconds: UInt64(Int64(wall.milliseconds) + seconds * 1000)),
      acknowledged: acknowledged)
  }

  @Test func aRestoredBackupGoesOnWhateverOldRecordsComeAfterwards() {
    var watch = TwinWatch(bootNonce: mine)
    watch.used(64)
    #expect(watch.handle(sighting(100, other, at: -500), isNews: true, wall: wall) == .setBack)
    watch.used(101)
    // Later ones of the time before the backup was restored, of this run and of another.
    #expect(watch.handle(sighting(450, other, at: -300), isNews: true, wall: wall) == .setBack)
    #expect(watch.handle(sighting(500, third, at: -100), isNews: true, wall: wall) == .setBack)
    #expect(watch.handle(sighting(101, other, at: -490), isNews: false, wall: wall) == .known)
    #expect(!watch.isCopied && watch.seen == 500)
  }

  @Test func ofTwoComputersEachFindsOutByItsSecondRecordAtTheLatest() {
    var one = TwinWatch(bootNonce: mine)
    var two = TwinWatch(bootNonce: other)
    one.used(65)
    two.used(65)
    #expect(one.handle(sighting(65, other), isNews: false, wall: wall) == .known)
    two.used(66)
    // The clock of the other one is an hour behind: what counts is what it has heard.
    #expect(one.handle(sighting(66, other, at: -3600), isNews: true, wall: wall) == .setBack)
    one.used(67)
    let answer = two.handle(
      sighting(67, mine, at: -3600, acknowledged: one.seen), isNews: true, wall: wall)
    #expect(answer == .copied && two.isCopied)
    two.used(68)
    #expect(one.handle(sighting(68, other, at: -3600, acknowledged: 67), isNews: true, wall: wall) == .copied)
    // Neither says any more.
    #expect(two.handle(sighting(69, mine, acknowledged: 68), isNews: true, wall: wall) == .known)
  }

  @Test func aRunThatGoesOnAfterItWasSeenIsAnotherComputerWhateverItHasHeard() {
    var watch = TwinWatch(bootNonce: mine)
    #expect(watch.handle(sighting(70, other, at: -5), isNews: true, wall: wall) == .setBack)
    #expect(watch.handle(sighting(72, other, at: 5), isNews: true, wall: wall) == .copied)
  }

  @Test func aMachineThatRunsTwiceWithOneMemoryIsFoundOutToo() {
    var watch = TwinWatch(bootNonce: mine)
    watch.used(64)
    #expect(watch.handle(sighting(64, mine), isNews: false, wall: wall) == .known)
    #expect(watch.handle(sighting(65, mine, at: -5), isNews: true, wall: wall) == .setBack)
    #expect(watch.handle(sighting(67, mine, at: 5), isNews: true, wall: wall) == .copied)
  }

  /// A virtual machine is set back to an earlier moment, memory and all, after its agent was started again.
  @Test func aMachineThatIsSetBackWithItsMemoryIsNoCopy() {
    var later = TwinWatch(bootNonce: other)
    #expect(later.handle(sighting(64, mine), isNews: false, wall: wall) == .known)
    #expect(later.seen == nil, "the run before this one is over, and its record lies there")
    var watch = TwinWatch(bootNonce: mine)
    watch.used(64)
    #expect(
      watch.handle(sighting(130, other, at: -5, acknowledged: later.seen), isNews: true, wall: wall)
        == .setBack)
    #expect(watch.seen == 130)
  }

  @Test func aNumberThatBothUsedIsHeard() {
    var watch = TwinWatch(bootNonce: mine)
    watch.used(64)
    #expect(watch.handle(sighting(64, other), isNews: false, wall: wall) == .known)
    #expect(watch.seen == 64)
  }

  @Test func whoeverStaysGoesOnOnceTheOtherHasLeft() {
    var watch = TwinWatch(bootNonce: mine, isCopied: true)
    #expect(watch.handle(sighting(80, other, at: 9), isNews: true, wall: wall) == .known)
    #expect(watch.handle(sighting(81, TwinWatch.leaving, at: 9), isNews: true, wall: wall) == .released)
    #expect(!watch.isCopied)
    #expect(watch.handle(sighting(81, TwinWatch.leaving, at: 9), isNews: false, wall: wall) == .known)
  }

  // MARK: What others show

  private func say(
    _ world: inout ExchangeWorld, _ sequence: UInt64, _ nonce: [UInt8], acknowledged: UInt64? = nil
  ) -> [Offer] {
    var state = world.state([world.snapshot()])
    state.bootNonce = nonce
    state.acknowledgements[world.desktop] = acknowledged
    _ = world.handle(.received(world.desktop, name: "desktop", sequence: sequence, state))
    return world.machine.offers(wall: world.wall) { _ in nil }
  }

  @Test func offersOfTwoComputersUnderOneIdentityDoNotTakeTurns() {
    var world = ExchangeWorld()
    #expect(say(&world, 1, mine).count == 1)
    #expect(say(&world, 2, other).count == 1, "its agent was started again, as far as anybody can tell")
    #expect(world.machine.copiedDevices.isEmpty)
    for sequence in UInt64(3)...9 {
      #expect(say(&world, sequence, sequence % 2 == 0 ? other : mine).isEmpty)
      #expect(world.machine.copiedDevices == [world.desktop])
    }
    #expect(say(&world, 10, TwinWatch.leaving).count == 1)
    #expect(say(&world, 11, other).count == 1, "the one that stayed goes on")
    #expect(world.machine.copiedDevices.isEmpty)
  }

  @Test func aMachineThatIsSetBackWithItsMemoryIsShown() {
    var world = ExchangeWorld()
    #expect(say(&world, 1, mine).count == 1)
    #expect(say(&world, 65, other).count == 1, "its agent was started again")
    #expect(say(&world, 66, mine, acknowledged: 65).count == 1, "it knows of that, and goes on above it")
    #expect(say(&world, 67, mine, acknowledged: 65).count == 1)
    #expect(world.machine.copiedDevices.isEmpty)
    #expect(say(&world, 68, other, acknowledged: 67).isEmpty, "now both are alive")
    #expect(world.machine.copiedDevices == [world.desktop])
    #expect(say(&world, 69, mine, acknowledged: 68).isEmpty)
    #expect(say(&world, 130, third).count == 1)
    #expect(say(&world, 131, mine, acknowledged: 130).count == 1, "set back once more")
  }

  @Test func anAgentThatIsStartedAgainAndAgainIsOneDevice() {
    var world = ExchangeWorld()
    for sequence in UInt64(1)...40 {
      #expect(say(&world, sequence, [UInt8](repeating: UInt8(sequence), count: 16)).count == 1)
    }
  }

  // MARK: Records from the future, and what is not looked at yet

  @Test func aRecordFromTheFutureEndsWhenItsLifetimeHasPassedHere() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    var state = world.state([world.snapshot()])
    let years = UInt64(20 * 365 * 24 * 3600)
    state.issuedAt = world.wall.adding(seconds: years)
    state.activities[0].changedAt = state.issuedAt
    let actions = world.handle(.received(world.desktop, name: "desktop", sequence: 1, state))
    #expect(actions.offers?.count == 1)
    let end = world.now + .seconds(Int64(DeviceState.lifetimeLimit) + 600)
    #expect(actions.wake == end)
    world.pass(.seconds(Int64(DeviceState.lifetimeLimit) + 600))
    #expect(world.handle(.timer).offers == [])
  }

  @Test func whatIsBeingLookedAtIsNotCalledMissing() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    func news(_ byte: UInt8, _ sequence: UInt64) -> Arrival? {
      world.handle(
        .received(
          world.desktop, name: "desktop", sequence: sequence,
          world.state([world.snapshot(version: world.version(byte))]))
      ).offers?.first?.status.arrival
    }
    #expect(news(1, 1) == .behind)
    #expect(
      world.handle(.arrival(world.offer, ArrivalStatus(.current))).offers?.first?.status.arrival == .current)
    #expect(news(2, 2) == .behind, "the file is there, and is being looked at")
    let missing = ArrivalStatus(.missing, reason: "gone")
    #expect(world.handle(.arrival(world.offer, missing)).offers?.first?.status == missing)
    #expect(news(3, 3) == .missing, "and stays missing until it was looked at")
  }
}
