// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Testing

/// What devices tell each other of open documents, decided without links.
@Suite struct PresenceMachineTests {
  private typealias Place = PresenceMachine.Place

  private var machine = PresenceMachine()
  private let laptop: DeviceID = .random()
  private let phone: DeviceID = .random()
  private let plan: ActivityID = .random()
  private let now = Instant(nanoseconds: 5)
  private let link = LinkNumber(rawValue: 3)

  private mutating func handle(
    _ event: PresenceMachine.Event, after pause: Duration = .zero
  ) -> [PresenceMachine.Action] {
    machine.handle(event, at: now + pause)
  }

  private mutating func tell(
    _ line: UInt32?, to devices: Set<DeviceID>, after pause: Duration = .zero
  ) -> [PresenceMachine.Action] {
    handle(.tells([plan: PresenceMachine.Told(Place(line: line), to: devices)]), after: pause)
  }

  // MARK: What is told

  @Test mutating func s34h_aDeviceHearsTheNewestPlaceTenTimesASecondAtMost() {
    #expect(tell(1, to: [laptop]) == [], "there is no link")
    #expect(handle(.linked([link: laptop])) == [.say(.here(plan, line: 1), link)])
    for line in 2..<90 as Range<UInt32> {
      #expect(tell(line, to: [laptop], after: .milliseconds(Int64(line))) == [])
    }
    #expect(machine.nextMoment == now + PresenceMachine.pause)
    #expect(handle(.time, after: .milliseconds(99)) == [])
    #expect(handle(.time, after: .milliseconds(100)) == [.say(.here(plan, line: 89), link)])
    #expect(machine.nextMoment == nil)
    #expect(tell(89, to: [laptop], after: .milliseconds(300)) == [], "it knows")
    #expect(tell(4, to: [laptop], after: .milliseconds(300)) == [.say(.here(plan, line: 4), link)])
  }

  @Test mutating func whatCameBackMeanwhileIsNotSaidAgain() {
    _ = handle(.linked([link: laptop]))
    _ = tell(1, to: [laptop])
    _ = tell(2, to: [laptop], after: .milliseconds(10))
    #expect(tell(1, to: [laptop], after: .milliseconds(20)) == [])
    #expect(machine.nextMoment == nil)
  }

  @Test mutating func severalDocumentsGoInTurns() throws {
    let other = ActivityID.random()
    let both = [plan, other].sorted()
    _ = handle(.linked([link: laptop]))
    let documents = [plan, other].map { ($0, PresenceMachine.Told(Place(line: 7), to: [laptop])) }
    let event = PresenceMachine.Event.tells(Dictionary(uniqueKeysWithValues: documents))
    #expect(handle(event) == [.say(.here(both[0], line: 7), link)])
    // The one that was told moves on; the other one waits longer.
    var moved = documents
    for index in moved.indices where moved[index].0 == both[0] { moved[index].1.place.line = 8 }
    #expect(handle(.tells(Dictionary(uniqueKeysWithValues: moved)), after: .milliseconds(50)) == [])
    #expect(handle(.time, after: .milliseconds(100)) == [.say(.here(both[1], line: 7), link)])
    #expect(handle(.time, after: .milliseconds(200)) == [.say(.here(both[0], line: 8), link)])
  }

  @Test mutating func whoMayNotHearIsToldNothing() {
    _ = handle(.linked([link: laptop, LinkNumber(rawValue: 4): phone]))
    #expect(tell(1, to: [laptop]) == [.say(.here(plan, line: 1), link)])
    #expect(tell(nil, to: [laptop], after: .seconds(1)) == [.say(.here(plan, line: nil), link)])
    #expect(tell(1, to: [], after: .seconds(2)) == [.say(.left(plan), link)], "it has the folder no more")
    #expect(handle(.tells([:]), after: .seconds(3)) == [], "it was told")
  }

  @Test mutating func ofSeveralLinksOneIsUsedAndANewOneHearsItAll() {
    let second = LinkNumber(rawValue: 9)
    _ = handle(.linked([link: laptop, second: laptop]))
    #expect(tell(1, to: [laptop]) == [.say(.here(plan, line: 1), link)])
    #expect(
      handle(.linked([second: laptop]), after: .milliseconds(1)) == [.say(.here(plan, line: 1), second)])
    #expect(handle(.linked([:]), after: .milliseconds(2)) == [])
    #expect(tell(2, to: [laptop], after: .seconds(1)) == [] && machine.nextMoment == nil)
  }

  // MARK: What comes

  @Test mutating func whatADeviceTellsIsShownTwentyTimesASecondAtMost() {
    _ = handle(.linked([link: laptop]))
    #expect(handle(.said(.here(plan, line: 1), laptop, link)) == [.show])
    #expect(handle(.said(.here(plan, line: 2), laptop, link), after: .milliseconds(9)) == [])
    #expect(machine.nextMoment == now + PresenceMachine.showingPause)
    #expect(handle(.time, after: .milliseconds(50)) == [.show])
    #expect(machine.places == [laptop: [plan: Place(line: 2)]])
    #expect(handle(.said(.here(plan, line: 2), laptop, link), after: .seconds(1)) == [], "no news")
    #expect(handle(.said(.left(plan), laptop, link), after: .seconds(1)) == [.show])
    #expect(machine.places.isEmpty && machine.nextMoment == nil)
    #expect(handle(.said(.left(plan), laptop, link), after: .seconds(2)) == [])
  }

  @Test mutating func whoIsLinkedNoMoreIsNotThere() {
    let second = LinkNumber(rawValue: 9)
    _ = handle(.linked([link: laptop, second: phone]))
    _ = handle(.said(.here(plan, line: 1), laptop, link))
    _ = handle(.said(.here(plan, line: 5), phone, second), after: .seconds(1))
    #expect(handle(.linked([second: phone]), after: .seconds(2)) == [.show])
    #expect(machine.places == [phone: [plan: Place(line: 5)]])
  }

  @Test mutating func aWordMayComeBeforeItsLinkIsTold() {
    #expect(handle(.said(.here(plan, line: 1), laptop, link)) == [.show])
    #expect(handle(.linked([link: laptop]), after: .seconds(1)) == [])
    #expect(machine.places == [laptop: [plan: Place(line: 1)]])
    #expect(handle(.linked([:]), after: .seconds(2)) == [.show])
    #expect(machine.places.isEmpty)
  }

  /// What a link still holds that its device has left counts for nothing; a newer link counts.
  @Test mutating func aLateWordOfAFormerLinkIsNoNews() {
    let next = LinkNumber(rawValue: 2)
    _ = handle(.linked([link: laptop]))
    _ = handle(.said(.here(plan, line: 1), laptop, link))
    _ = handle(.linked([link: laptop, next: laptop]), after: .seconds(1))
    #expect(handle(.said(.here(plan, line: 9), laptop, next), after: .seconds(2)) == [.show])
    #expect(handle(.said(.here(plan, line: 3), laptop, link), after: .seconds(3)) == [])
    #expect(handle(.said(.left(plan), laptop, link), after: .seconds(3)) == [])
    #expect(handle(.linked([next: laptop]), after: .seconds(4)) == [])
    #expect(machine.places == [laptop: [plan: Place(line: 9)]])
  }

  /// A device speaks for itself alone, and fills nothing.
  @Test mutating func whatADeviceMayNotTellCountsForNothing() {
    _ = handle(.linked([link: laptop]))
    #expect(handle(.said(.here(plan, line: 1), phone, link)) == [])
    #expect(machine.places.isEmpty)
    for _ in 0..<10_000 { _ = handle(.said(.here(.random(), line: nil), laptop, link)) }
    #expect(machine.places[laptop]?.count == PresenceMachine.limit)
  }
}
