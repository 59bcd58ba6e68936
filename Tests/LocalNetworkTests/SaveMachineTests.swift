// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Testing

/// Who is asked to save before something is continued elsewhere, and what is answered, decided without links.
@Suite struct SaveMachineTests {
  private typealias Place = SaveMachine.Place

  private var machine = SaveMachine()
  private let laptop: DeviceID = .random()
  private let activity: ActivityID = .random()
  private let now = Instant(nanoseconds: 5)
  private let link = LinkNumber(rawValue: 3)
  private let digest: ContentDigest

  init() throws { digest = try #require(ContentDigest(bytes: [UInt8](repeating: 9, count: 32))) }

  private var offer: OfferID { OfferID(device: laptop, activity: activity) }

  private mutating func handle(_ event: SaveMachine.Event, after pause: Duration = .zero)
    -> [SaveMachine.Action]
  {
    machine.handle(event, at: now + pause)
  }

  private func place(_ number: UInt32) -> Place { Place(on: link, as: SaveNumber(rawValue: number)) }

  private func stated(_ time: UInt64, isEdited: Bool = false) -> SaveMachine.Event {
    .stated([
      activity: SaveMachine.Stated(
        changedAt: WallTime(milliseconds: time), digest: digest, hasUnsavedChanges: isEdited)
    ])
  }

  private static func saved(_ time: UInt64) -> SaveAnswer { .saved(changedAt: WallTime(milliseconds: time)) }

  /// Another device asks, and an app here is asked for it.
  private mutating func beAsked(_ number: UInt32, _ request: RequestID, after pause: Duration = .zero) {
    let word = SaveWord.ask(SaveNumber(rawValue: number), activity)
    #expect(handle(.said(word, laptop, link), after: pause) == [.ask(place(number), activity, laptop)])
    #expect(handle(.passedOn(place(number), request, nil), after: pause) == [])
  }

  /// A draft has no version before its app hands it over: that it is asked for is no answer yet.
  @Test mutating func whatHasNoVersionBeforeIsAnsweredOnceItHasOne() {
    let request = RequestID.random()
    _ = handle(.linked([link: laptop]))
    let state = SaveMachine.Stated(
      changedAt: WallTime(milliseconds: 4), digest: nil, hasUnsavedChanges: true)
    _ = handle(.stated([activity: state]))
    beAsked(1, request)
    #expect(handle(.answered(request, Self.saved(5))) == [])
    #expect(
      handle(stated(5)) == [.say(.saved(SaveNumber(rawValue: 1), digest, hasTextAfter: false), link)])
  }

  // MARK: Asking

  @Test mutating func aDeviceIsAskedOnceForAllThatWait() {
    #expect(handle(.wants(offer)) == [.end(offer, .notAsked)], "there is no link")
    _ = handle(.linked([link: laptop, LinkNumber(rawValue: 4): .random()]))
    let first = SaveNumber(rawValue: 1)
    #expect(handle(.wants(offer)) == [.say(.ask(first, activity), link)])
    #expect(handle(.wants(offer)) == [], "the same answer is for both")
    #expect(machine.nextMoment == now + SaveMachine.patience)
    #expect(
      handle(.said(.saved(first, digest, hasTextAfter: true), laptop, link)) == [
        .end(offer, .saved(digest, hasTextAfter: true))
      ])
    #expect(handle(.said(.refuse(first, .busy, message: ""), laptop, link)) == [], "once")
    #expect(machine.nextMoment == nil)
    let second = SaveNumber(rawValue: 2)
    #expect(handle(.wants(offer)) == [.say(.ask(second, activity), link)])
    #expect(
      handle(.said(.refuse(second, .refused, message: "It is being printed."), laptop, link)) == [
        .end(offer, .notSaved("It is being printed."))
      ])
  }

  @Test mutating func whoeverWaitsIsToldAfterAWhileAndWhenTheLinkEnds() {
    _ = handle(.linked([link: laptop]))
    _ = handle(.wants(offer))
    #expect(handle(.time, after: SaveMachine.patience - .nanoseconds(1)) == [])
    #expect(handle(.time, after: SaveMachine.patience) == [.end(offer, .notSaved(""))])
    _ = handle(.wants(offer))
    #expect(handle(.linked([:])) == [.end(offer, .notSaved(""))])
    #expect(handle(.said(.saved(SaveNumber(rawValue: 2), digest, hasTextAfter: false), laptop, link)) == [])
  }

  // MARK: Being asked

  /// Whoever asked has the record first, and so the version.
  @Test mutating func itIsAnsweredOnceTheRecordStatesWhatTheAppSaved() {
    let request = RequestID.random()
    _ = handle(.linked([link: laptop]))
    _ = handle(stated(1_000, isEdited: true))
    beAsked(1, request)
    #expect(handle(.answered(request, Self.saved(2_000))) == [])
    #expect(handle(stated(1_500)) == [])
    let answer = SaveWord.saved(SaveNumber(rawValue: 1), digest, hasTextAfter: true)
    #expect(handle(stated(2_000, isEdited: true)) == [.say(answer, link)])
    #expect(handle(stated(3_000)) == [], "once")
    #expect(machine.nextMoment == nil)
  }

  @Test mutating func itIsAnsweredAtOnceWhereTheRecordStatesItAlready() {
    let request = RequestID.random()
    _ = handle(.linked([link: laptop]))
    _ = handle(stated(2_000))
    beAsked(1, request)
    let answer = SaveWord.saved(SaveNumber(rawValue: 1), digest, hasTextAfter: false)
    #expect(handle(.answered(request, Self.saved(2_000))) == [.say(answer, link)])
  }

  @Test mutating func whyItIsNotSavedIsSaid() {
    _ = handle(.linked([link: laptop]))
    _ = handle(stated(1_000))
    func refusal(_ number: UInt32, _ refusal: SaveRefusal, _ message: String = "") -> [SaveMachine.Action] {
      [.say(.refuse(SaveNumber(rawValue: number), refusal, message: message), link)]
    }
    let requests = (0...5).map { _ in RequestID.random() }
    beAsked(1, requests[1])
    #expect(handle(.answered(requests[1], .refused("No."))) == refusal(1, .refused, "No."))
    beAsked(2, requests[2], after: SaveMachine.pause)
    #expect(handle(.ended(requests[2]), after: SaveMachine.pause) == refusal(2, .appGone))
    beAsked(3, requests[3], after: SaveMachine.pause * 2)
    #expect(machine.nextMoment == now + SaveMachine.pause * 2 + SaveMachine.appPatience)
    let late = SaveMachine.pause * 2 + SaveMachine.appPatience
    #expect(handle(.time, after: late) == refusal(3, .unanswered))
    #expect(handle(.answered(requests[3], Self.saved(1_000)), after: late) == [], "too late")
    // The activity ends while its app saves.
    beAsked(4, requests[4], after: late * 2)
    #expect(handle(.answered(requests[4], Self.saved(5_000)), after: late * 2) == [])
    #expect(handle(.stated([:]), after: late * 2) == refusal(4, .unknownActivity))
    let word = SaveWord.ask(SaveNumber(rawValue: 5), activity)
    _ = handle(.said(word, laptop, link), after: late * 3)
    #expect(
      handle(.passedOn(place(5), requests[5], .appGone), after: late * 3) == refusal(5, .appGone))
  }

  /// A member that asks in a loop has nothing saved more often, and fills nothing.
  @Test mutating func whoeverAsksAgainAndAgainIsTold() {
    _ = handle(.linked([link: laptop]))
    _ = handle(stated(1_000))
    let request = RequestID.random()
    func busy(_ number: UInt32) -> [SaveMachine.Action] {
      [.say(.refuse(SaveNumber(rawValue: number), .busy, message: ""), link)]
    }
    beAsked(1, request)
    #expect(handle(.said(.ask(SaveNumber(rawValue: 1), activity), laptop, link)) == [], "a number in use")
    #expect(handle(.said(.ask(SaveNumber(rawValue: 2), activity), laptop, link)) == busy(2))
    _ = handle(.answered(request, Self.saved(1_000)))
    #expect(handle(.said(.ask(SaveNumber(rawValue: 3), activity), laptop, link)) == busy(3), "so soon")
    // Others: four wait for apps at most.
    for number in 10..<10 + UInt32(SaveMachine.limit) {
      let other = ActivityID.random()
      _ = handle(.said(.ask(SaveNumber(rawValue: number), other), laptop, link))
      #expect(handle(.passedOn(place(number), .random(), nil)) == [])
    }
    #expect(handle(.said(.ask(SaveNumber(rawValue: 20), .random()), laptop, link)) == busy(20))
    let later = SaveMachine.appPatience + SaveMachine.pause
    #expect(handle(.time, after: later).count == SaveMachine.limit)
    beAsked(21, .random(), after: later)
  }

  @Test mutating func aLinkThatEndsTakesItsQuestionsAlong() {
    let request = RequestID.random()
    _ = handle(.linked([link: laptop]))
    _ = handle(stated(1_000))
    beAsked(1, request)
    _ = handle(.linked([:]))
    #expect(handle(.answered(request, Self.saved(1_000))) == [] && !machine.awaits(request))
    #expect(machine.nextMoment == nil)
    // Over another link it is as soon.
    let next = LinkNumber(rawValue: 9)
    _ = handle(.linked([next: laptop]))
    let word = SaveWord.ask(SaveNumber(rawValue: 1), activity)
    #expect(
      handle(.said(word, laptop, next)) == [
        .say(.refuse(SaveNumber(rawValue: 1), .busy, message: ""), next)
      ])
  }
}
