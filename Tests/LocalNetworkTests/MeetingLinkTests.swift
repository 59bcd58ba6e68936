// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Testing

/// Which links stay, and what follows when one ends.
@Suite struct MeetingLinkTests {
  private typealias World = MeetingWorld

  private static let place = MeetingWorld.place([[192, 168, 1, 7]])

  @Test func ofTwoLinksTheOneThatTheLowerDialledStaysWhicheverCameFirst() {
    // This device is the lower one: its own dial stays.
    var (world, actions) = World.on([World.high: Self.place])
    let own = actions.numbers[0]
    #expect(world.handle(.linked(World.accepted(0), World.high)).isEmpty)
    #expect(world.handle(.linked(own, World.high)).closed == [World.accepted(0)])
    #expect(world.handle(.linked(World.accepted(1), World.high)).closed == [World.accepted(1)])
    #expect(world.machine.state(of: World.high) == .linked)

    // It is the higher one: the other's stays, and its own dial is of no use.
    (world, _) = World.on([World.low: Self.place])
    let other = world.pass(.milliseconds(250)).map(\.action).numbers[0]
    #expect(world.handle(.linked(World.accepted(0), World.low)).closed == [other])
    (world, _) = World.on([World.low: Self.place])
    let second = world.pass(.milliseconds(250)).map(\.action).numbers[0]
    #expect(world.handle(.linked(second, World.low)).isEmpty)
    #expect(world.handle(.linked(World.accepted(0), World.low)).closed == [second])
  }

  @Test func ofTwoThatOneDeviceDialledItKeepsTheFirstAndTheOtherWaitsForThat() {
    var (world, actions) = World.on([World.high: World.place([[192, 168, 1, 7], [10, 0, 0, 7]])])
    let second = world.pass(.milliseconds(250)).map(\.action).numbers[0]
    #expect(world.handle(.linked(actions.numbers[0], World.high)).closed == [second])
    (world, _) = World.on([World.low: Self.place])
    #expect(world.handle(.linked(World.accepted(0), World.low)).isEmpty)
    #expect(world.handle(.linked(World.accepted(1), World.low)).isEmpty)
    for number: UInt32 in 2...4 { _ = world.handle(.linked(World.accepted(number), World.low)) }
    #expect(world.handle(.linked(World.accepted(5), World.low)).closed == [World.accepted(1)])
  }

  @Test func aLinkThatComesLaterTakesThePlaceOfOneThatIsDeadOnItsOtherEnd() {
    var (world, actions) = World.on([World.high: Self.place])
    let own = actions.numbers[0]
    _ = world.handle(.linked(own, World.high))
    world.now = world.now + .seconds(11)
    #expect(world.handle(.linked(World.accepted(0), World.high)).closed == [own])
    #expect(world.machine.state(of: World.high) == .linked)
  }

  @Test func aLinkThatHeldIsDialledAgainAtOnceAndOneThatDidNotAfterAPause() {
    var (world, actions) = World.on([World.high: Self.place])
    _ = world.handle(.linked(actions.numbers[0], World.high))
    _ = world.pass(.seconds(40))
    let again = world.handle(.ended(actions.numbers[0], .ended))
    #expect(again.dials.count == 1, "the address has shown that a device is there")
    _ = world.handle(.linked(again.numbers[0], World.high))
    _ = world.pass(.seconds(1))
    #expect(world.handle(.ended(again.numbers[0], .ended)).dials.isEmpty)
    let later = world.pass(.seconds(31)).filter { if case .dial = $0.action { true } else { false } }
    #expect(later.map(\.after) == [.seconds(30)])
  }

  @Test func keysThatChangeEndLinksAndTheDeviceIsMetAgainAtOnce() {
    var (world, actions) = World.on([World.high: Self.place])
    _ = world.handle(.linked(actions.numbers[0], World.high))
    let cut = world.handle(.cut([actions.numbers[0]]))
    #expect(cut.closed == [actions.numbers[0]] && cut.dials.count == 1)
    _ = world.handle(.linked(cut.numbers[0], World.high))
    #expect(world.handle(.begunAnew).dials.count == 1)
    #expect(!world.machine.isLinked)
  }

  @Test func aDeviceThatBelongsNoMoreLosesItsLinksAndIsNotTakenAgain() {
    var (world, actions) = World.on([World.high: Self.place])
    _ = world.handle(.linked(actions.numbers[0], World.high))
    #expect(world.handle(.devices([:])).closed == actions.numbers)
    #expect(world.handle(.linked(World.accepted(0), World.high)).closed == [World.accepted(0)])
    #expect(world.machine.state(of: World.high) == .off)
  }

  @Test func linksEndWithSleepWithAnAddressThatIsLostAndWithTheSwitch() {
    var (world, actions) = World.on([World.high: Self.place])
    var number = actions.numbers[0]
    _ = world.handle(.linked(number, World.high))
    let woken = world.handle(.resumed)
    #expect(woken.closed == [number] && woken.dials.count == 1)
    number = woken.numbers[0]
    _ = world.handle(.linked(number, World.high))
    #expect(world.handle(.addresses([World.home, World.cable])).closed.isEmpty)
    let moved = world.handle(.addresses([World.cable]))
    #expect(moved.closed == [number] && moved.dials.count == 1)
    number = moved.numbers[0]
    _ = world.handle(.linked(number, World.high))
    #expect(world.handle(.switchedOff).closed == [number] && !world.machine.isLinked)
    #expect(world.handle(.linked(World.accepted(0), World.high)).closed == [World.accepted(0)])
  }
}
