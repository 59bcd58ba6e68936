// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Testing

/// When a device tells where it is, and whom it dials when.
@Suite struct MeetingMachineTests {
  private typealias World = MeetingWorld

  private static let two: [[UInt8]] = [[192, 168, 1, 7], [10, 0, 0, 7]]

  @Test func whoeverIsSwitchedOffTellsNothingAndDialsNobody() {
    var world = World()
    #expect(world.handle(.addresses([World.home])).isEmpty)
    #expect(world.handle(.devices([World.high: World.place(Self.two)])).isEmpty)
    #expect(world.machine.nextMoment(after: world.now) == nil)
    #expect(world.machine.state(of: World.high) == .off)
  }

  @Test func ownAddressesAreToldOnceAndAgainAfterHalfAMinuteAtTheEarliest() {
    var (world, actions) = World.on([:])
    #expect(actions.told == [[World.home.bytes]])
    #expect(world.handle(.addresses([World.home])).isEmpty)
    world.now = world.now + .seconds(1)
    #expect(world.handle(.addresses([World.home, World.cable])).told.isEmpty)
    #expect(world.handle(.addresses([World.cable])).told.isEmpty)
    let later = world.pass(.seconds(60))
    #expect(later.map(\.action).told == [[World.cable.bytes]] && later.first?.after == .seconds(29))
    #expect(world.handle(.switchedOff).isEmpty)
    #expect(world.handle(.switchedOn(AddressRules(), port: 4000)).told == [[World.cable.bytes]])
  }

  @Test func aNetworkThatIsAwayForAMomentIsNotTold() {
    var (world, _) = World.on([:])
    world.now = world.now + .seconds(1)
    #expect(world.machine.addresses == [World.home.bytes])
    #expect(world.handle(.addresses([])).told.isEmpty && world.machine.addresses.isEmpty)
    #expect(world.machine.nextMoment(after: world.now) == nil)
    #expect(world.handle(.addresses([World.home])).told.isEmpty)
    #expect(world.pass(.seconds(60)).map(\.action).told.isEmpty)
    #expect(world.handle(.addresses([])).told.isEmpty)
    #expect(world.handle(.addresses([World.cable])).told == [[World.cable.bytes]])
  }

  @Test func whoeverBeginsWithoutANetworkTellsTheFirstOneAtOnce() {
    var world = World()
    #expect(world.handle(.switchedOn(AddressRules(), port: 4000)).told == [[]])
    world.now = world.now + .seconds(1)
    #expect(world.handle(.addresses([World.home])).told == [[World.home.bytes]])
  }

  @Test func aNetworkThatIsSwitchedOffIsTakenBackAtOnce() {
    var (world, _) = World.on([:])
    _ = world.pass(.seconds(60))
    #expect(
      world.handle(.addresses([World.home, World.cable])).told == [[World.cable.bytes, World.home.bytes]])
    var settings = NetworkSettings()
    settings.offInterfaces = [World.home.interface]
    #expect(world.handle(.switchedOn(AddressRules(settings), port: 4000)).told == [[World.cable.bytes]])
    #expect(world.handle(.switchedOn(AddressRules(settings), port: 4000)).told.isEmpty)
  }

  @Test func allAddressesAreDialledInParallelAQuarterOfASecondApart() {
    var (world, actions) = World.on([World.high: World.place(Self.two)])
    #expect(actions.dials == [NetworkAddress(bytes: Self.two[0], port: 4000)])
    #expect(world.machine.state(of: World.high) == .dialling)
    let later = world.pass(.seconds(3))
    #expect(later.map(\.action).dials == [NetworkAddress(bytes: Self.two[1], port: 4000)])
    #expect(later.first?.after == .milliseconds(250))
    // Two seconds for each, and nobody has answered.
    #expect(later.map(\.action).closed == actions.numbers + later.map(\.action).numbers)
    #expect(later.map(\.after).suffix(2) == [.seconds(2), .milliseconds(2250)])
    #expect(world.machine.state(of: World.high) == .unreachable)
  }

  @Test func whoeverHasTheHigherIDLetsTheOtherOneDialFirst() {
    var (world, actions) = World.on([World.low: World.place(Self.two)])
    #expect(actions.dials.isEmpty && world.machine.state(of: World.low) == .dialling)
    #expect(world.pass(.milliseconds(250)).map(\.action).dials.count == 1)
  }

  @Test func aConnectionThatStandsHasTheTimeOfItsProof() {
    var (world, actions) = World.on([World.high: World.place([Self.two[0]])])
    _ = world.handle(.secured(actions.numbers[0]))
    #expect(world.pass(.seconds(10)).isEmpty)
    #expect(world.handle(.linked(actions.numbers[0], World.high)).isEmpty)
    #expect(world.machine.state(of: World.high) == .linked && world.machine.isLinked)
    #expect(world.machine.nextMoment(after: world.now) == nil, "a link needs no clock")
  }

  @Test func noAddressIsTriedTwiceInHalfAMinuteAndPausesGrow() {
    var (world, first) = World.on([World.high: World.place([Self.two[0]])])
    let later = world.pass(.seconds(3600)).filter { !$0.action.isClose }
    var moments = [Duration.zero] + later.map(\.after)
    let gaps = zip(moments.dropFirst(), moments).map { $0 - $1 }
    #expect(first.dials.count == 1 && gaps.allSatisfy { $0 >= .seconds(30) })
    #expect(gaps.prefix(3) == [.seconds(32), .seconds(62), .seconds(122)])
    #expect(gaps.last == .seconds(602) && moments.count < 12)
    // Whoever says another address each second makes nobody knock more often.
    moments = []
    for round in 0..<120 {
      world.now = world.now + .seconds(1)
      let place = World.place([[10, 9, UInt8(round), 1]], period: 7)
      if !world.handle(.devices([World.high: place])).dials.isEmpty { moments.append(.seconds(round)) }
    }
    #expect((1...6).contains(moments.count), "\(moments)")
  }

  /// A key is replaced and an address comes back, all within a moment: what is said in between is nobody's
  /// reason to wait, neither where a link stands nor where a round is planned already.
  @Test func whoeverSaysMuchInAMomentIsDialledInHalfAMinute() {
    for isLinked in [true, false] {
      var (world, actions) = World.on([World.high: World.place([Self.two[0]])])
      if isLinked { _ = world.handle(.linked(actions.numbers[0], World.high)) }
      _ = world.pass(.seconds(100))
      for period in 2...9 {
        _ = world.handle(.devices([World.high: World.place([], period: UInt64(period))]))
      }
      if isLinked { _ = world.handle(.cut(actions.numbers)) }
      #expect(world.pass(.seconds(30)).isEmpty)
      actions = world.handle(.devices([World.high: World.place([Self.two[1]], period: 9)]))
      let dials = world.pass(.seconds(30)).map(\.action).dials
      #expect((actions.dials + dials).count == 1, "linked: \(isLinked)")
    }
  }

  @Test func twoDevicesThatSayOneAddressMakeOneKnock() {
    var (world, first) = World.on([
      World.high: World.place([Self.two[0]]), World.id(0x91): World.place([Self.two[0]], port: 4001),
    ])
    #expect((first + world.pass(.seconds(20)).map(\.action)).dials.count == 1)
  }

  @Test func aMemberWhoLiesMakesNobodyKnockAtServicesOrHere() {
    var (world, actions) = World.on([
      World.high: World.place([[127, 0, 0, 1], [224, 0, 0, 1], [169, 254, 0, 1], World.home.bytes])
    ])
    #expect(actions.dials.isEmpty && world.pass(.seconds(3600)).isEmpty)
    #expect(world.machine.state(of: World.high) == .unreachable)
  }

  @Test func whatWasTriedInVainIsTriedAgainOnAnotherNetworkAndAfterSleep() {
    var (world, _) = World.on([World.high: World.place([Self.two[0]])])
    _ = world.pass(.seconds(2000))
    #expect(world.handle(.addresses([World.cable])).dials.count == 1)
    _ = world.pass(.seconds(2000))
    #expect(world.handle(.resumed).dials.count == 1)
    _ = world.pass(.seconds(2000))
    // As is what says that it is somewhere else, or is reached under another number.
    let other = World.place([Self.two[0]], period: 2)
    #expect(world.handle(.devices([World.high: other])).dials.count == 1)
  }

  @Test func withoutANetworkOrOnOneThatIsSwitchedOffNobodyIsDialled() {
    var (world, actions) = World.on([World.high: World.place([Self.two[0]])])
    #expect(actions.dials.count == 1)
    _ = world.handle(.addresses([]))
    #expect(world.pass(.seconds(600)).map(\.action).dials.isEmpty)
    var settings = NetworkSettings()
    settings.offInterfaces = ["wlan0"]
    _ = world.handle(.switchedOn(AddressRules(settings), port: 4000))
    #expect(world.handle(.addresses([World.home])).dials.isEmpty)
    #expect(world.pass(.seconds(600)).map(\.action).dials.isEmpty)
    #expect(world.handle(.addresses([World.home, World.cable])).dials.count == 1)
  }

  @Test func aHostThatWasTypedIsTriedForEachDeviceAtItsPort() {
    let place = World.place([], port: 4007)
    var (world, actions) = World.on([
      World.high: place, World.id(0x91): place, World.id(0x92): Optional<Reachability>.none,
    ])
    #expect(actions.dials.isEmpty)
    let host = TypedHost(name: "desk", addresses: [[10, 5, 5, 5]])
    #expect(
      world.handle(.typed([host])).dials
        == [10, 10].map { NetworkAddress(bytes: [$0, 5, 5, 5], port: 4007) })
    _ = world.pass(.seconds(2000))
    let other = TypedHost(name: "den", port: 5000, addresses: [[10, 6, 6, 6]])
    let dials = world.handle(.typed([other])).dials
    #expect(dials == Array(repeating: NetworkAddress(bytes: [10, 6, 6, 6], port: 5000), count: 2))
    _ = world.handle(.typed([]))
    #expect(world.pass(.seconds(4000)).map(\.action).dials.isEmpty)
  }

  /// Nobody may ever answer where the device was; where it was typed somebody does at once.
  @Test func whatAPersonTypesIsTriedBesideADialThatNobodyAnswers() {
    for device in [World.high, World.low] {
      var (world, actions) = World.on([device: World.place([Self.two[0], [10, 7, 7, 7]])])
      _ = world.pass(.milliseconds(300))
      let typed = NetworkAddress(bytes: [10, 5, 5, 5], port: 4000)
      actions = world.handle(.typed([TypedHost(name: "desk", port: 4000, addresses: [[10, 5, 5, 5]])]))
      actions += world.pass(.milliseconds(300)).map(\.action)
      #expect(actions.dials.contains(typed), "beside a dial, and what is not dialled yet")
      // Then as after any round: what was tried is left alone for a while.
      let later = world.pass(.seconds(25)).map(\.action).dials
      #expect(later.count <= 1 && !later.contains(typed))
    }
  }

  @Test func statesTellWhatCameOfIt() {
    var (world, actions) = World.on([
      World.high: World.place([Self.two[0]]), World.low: Optional<Reachability>.none,
    ])
    #expect(world.machine.state(of: World.low) == .off && world.machine.state(of: World.id(9)) == .off)
    _ = world.handle(.ended(actions.numbers[0], .refused))
    #expect(world.machine.state(of: World.high) == .refused)
    let again = world.pass(.seconds(31)).map(\.action)
    _ = world.handle(.ended(again.numbers[0], .unreachable))
    #expect(world.machine.state(of: World.high) == .unreachable)
    _ = world.handle(.switchedOff)
    #expect(world.machine.state(of: World.high) == .off)
  }
}

extension MeetingMachine.Action {
  fileprivate var isClose: Bool { if case .close = self { true } else { false } }
}
