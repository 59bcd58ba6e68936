// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Testing

/// Who has streams with whom, decided without sockets.
@Suite struct StreamMachineTests {
  private typealias Place = StreamMachine.Place

  private var machine = StreamMachine()
  private let laptop: DeviceID = .random()
  private let activity: ActivityID = .random()
  private let now = Instant(nanoseconds: 5)
  /// One that was dialled here, and one that was accepted.
  private let dialled = LinkNumber(rawValue: 3)
  private let accepted = LinkNumber.firstAccepted

  private mutating func handle(_ event: StreamMachine.Event, after pause: Duration = .zero)
    -> [StreamMachine.Action]
  {
    machine.handle(event, at: now + pause)
  }

  private mutating func ask(_ request: RequestID = .random()) -> [StreamMachine.Action] {
    handle(.asked(request, OfferID(device: laptop, activity: activity)))
  }

  private static func number(_ number: UInt32) -> StreamNumber { StreamNumber(rawValue: number) }

  private func place(_ number: UInt32, on link: LinkNumber? = nil) -> Place {
    Place(on: link ?? dialled, as: Self.number(number))
  }

  @Test mutating func whatIsAskedForIsGivenOnceTheOtherDeviceSaysSo() {
    let request = RequestID.random()
    #expect(ask(request) == [.end(request, .unlinked(laptop))])
    #expect(handle(.linked([dialled: laptop, accepted: .random()])).isEmpty)
    #expect(ask(request) == [.open(request, place(1)), .say(.open(Self.number(1), activity), dialled)])
    #expect(machine.nextMoment == now + StreamMachine.patience)
    #expect(handle(.said(.accept(Self.number(1)), laptop, dialled)) == [.give(request)])
    #expect(handle(.said(.accept(Self.number(1)), laptop, dialled)) == [], "once")
    #expect(handle(.said(.refuse(Self.number(1), .busy), laptop, dialled)) == [], "too late")
    #expect(machine.nextMoment == nil)
    #expect(handle(.ended(place(1), .whole)) == [.end(request, nil)])
    #expect(handle(.ended(place(1), .whole)) == [])
  }

  /// One end reads nothing for an hour: nobody ends it for that.
  @Test mutating func whatIsOpenWaitsForItsReader() {
    _ = handle(.linked([dialled: laptop]))
    let request = RequestID.random()
    _ = ask(request)
    #expect(handle(.said(.accept(Self.number(1)), laptop, dialled)) == [.give(request)])
    #expect(machine.nextMoment == nil && handle(.time, after: .seconds(3600)) == [])
    #expect(handle(.ended(place(1), .whole), after: .seconds(3601)) == [.end(request, nil)])
  }

  @Test mutating func whoeverDialledCountsOddAndWhoeverAcceptedEven() {
    _ = handle(.linked([dialled: laptop]))
    _ = ask()
    #expect(ask().first.map { if case .open(_, place(3)) = $0 { true } else { false } } == true)
    _ = handle(.linked([accepted: laptop]))
    #expect(ask().contains(.say(.open(Self.number(2), activity), accepted)))
    // The other device's numbers are the others; one of ours, or one in use, is no question.
    #expect(handle(.said(.open(Self.number(4), activity), laptop, accepted)) == [])
    let asked = place(7, on: accepted)
    #expect(
      handle(.said(.open(Self.number(7), activity), laptop, accepted)) == [.connect(asked, activity, laptop)])
    #expect(handle(.said(.open(Self.number(7), activity), laptop, accepted)) == [])
  }

  @Test mutating func whoeverIsAskedSaysYesOrWhyNot() {
    _ = handle(.linked([accepted: laptop]))
    let (first, second) = (place(1, on: accepted), place(3, on: accepted))
    let request = RequestID.random()
    _ = handle(.said(.open(first.stream, activity), laptop, accepted))
    #expect(handle(.connected(first, request, nil)) == [.say(.accept(first.stream), accepted)])
    _ = handle(.said(.open(second.stream, activity), laptop, accepted))
    #expect(
      handle(.connected(second, .random(), .appGone)) == [.say(.refuse(second.stream, .appGone), accepted)])
    #expect(handle(.connected(second, .random(), nil)) == [], "nobody asks for that any more")
    #expect(handle(.ended(first, .reset)) == [.end(request, .reset(laptop))])
  }

  @Test mutating func fourPairsOfAnActivityAreOpenAtATimeOnEitherSide() {
    _ = handle(.linked([accepted: laptop]))
    let requests = (0..<4).map { _ in RequestID.random() }
    for request in requests { _ = ask(request) }
    let fifth = RequestID.random()
    #expect(ask(fifth) == [.end(fifth, .tooMany)])
    #expect(
      handle(.said(.open(Self.number(1), activity), laptop, accepted))
        == [.say(.refuse(Self.number(1), .busy), accepted)])
    let other = ActivityID.random()
    #expect(
      handle(.said(.open(Self.number(3), other), laptop, accepted))
        == [.connect(place(3, on: accepted), other, laptop)])
    // One that is refused makes room.
    let refused = handle(.said(.refuse(Self.number(2), .unsupported), laptop, accepted))
    #expect(
      refused == [
        .reset(place(2, on: accepted), isTold: false), .end(requests[0], .refused(laptop, .unsupported)),
      ])
    #expect(ask().count == 2)
  }

  @Test mutating func whatIsNotAnsweredEndsAndWhatIsAbandonedIsTakenBack() {
    _ = handle(.linked([dialled: laptop]))
    let (late, abandoned) = (RequestID.random(), RequestID.random())
    _ = ask(late)
    _ = ask(abandoned)
    #expect(handle(.abandoned(abandoned)) == [.reset(place(3), isTold: false)])
    #expect(handle(.abandoned(abandoned)) == [])
    #expect(handle(.time, after: StreamMachine.patience - .milliseconds(1)) == [])
    #expect(
      handle(.time, after: StreamMachine.patience) == [
        .reset(place(1), isTold: false), .end(late, .unanswered(laptop)),
      ])
    // Too late: its app has its end, and would wait for ever.
    #expect(
      handle(.said(.accept(Self.number(1)), laptop, dialled)) == [.reset(place(1), isTold: true)])
  }

  @Test mutating func whatEndsBeforeItBeganIsNoStreamAndWhatCannotBeGivenIsTakenBack() {
    _ = handle(.linked([dialled: laptop]))
    let (first, second) = (RequestID.random(), RequestID.random())
    _ = ask(first)
    #expect(handle(.ended(place(1), .whole)) == [.end(first, .reset(laptop))])
    _ = ask(second)
    #expect(handle(.said(.accept(Self.number(3)), laptop, dialled)) == [.give(second)])
    #expect(handle(.abandoned(second)) == [.reset(place(3), isTold: true)])
  }

  /// A member that floods is refused before there are more than the network process takes, and before this
  /// device was told of its link.
  @Test mutating func aLinkHasSoManyPairsWhateverTheyAreAskedFor() {
    for index in 0..<UInt32(StreamMachine.linkLimit) {
      let place = place(2 * index + 1, on: accepted)
      let actions = handle(.said(.open(place.stream, .random()), laptop, accepted))
      #expect(actions.count == 1)
      #expect(handle(.connected(place, .random(), nil)) == [.say(.accept(place.stream), accepted)])
    }
    #expect(
      handle(.said(.open(Self.number(1001), .random()), laptop, accepted))
        == [.say(.refuse(Self.number(1001), .busy), accepted)])
    // The link was gone before it was told of.
    #expect(handle(.linked([:])).count == StreamMachine.linkLimit)
  }

  @Test mutating func aPairEndsWithItsLink() {
    let other = LinkNumber(rawValue: 9)
    _ = handle(.linked([dialled: laptop, other: laptop]))
    let request = RequestID.random()
    _ = ask(request)
    _ = handle(.said(.accept(Self.number(1)), laptop, dialled))
    #expect(handle(.linked([other: laptop])) == [.end(request, .lost(laptop))])
    // The numbers of another link are its own.
    #expect(ask().contains(.say(.open(Self.number(1), activity), other)))
    // What was asked for over a link that is gone is not connected any more.
    _ = handle(.said(.open(Self.number(2), activity), laptop, other))
    _ = handle(.linked([:]))
    #expect(handle(.connected(place(2, on: other), .random(), nil)) == [])
  }
}
