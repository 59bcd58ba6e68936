// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import ActivityExchange

/// The values that `ExchangeMachine` orders, each by itself.
@Suite struct ExchangeValuesTests {
  private let world = ExchangeWorld()
  private let timing = ExchangeMachine.Timing()
  private var start: Instant { world.now }

  private func snapshot(_ byte: UInt8, changedAt seconds: UInt64 = 0) -> ActivitySnapshot {
    ActivitySnapshot(
      id: ExchangeWorld.id(byte, ActivityID.self), type: ExchangeWorld.type, appID: "org.continuo.edit",
      changedAt: world.wall.adding(seconds: seconds))
  }

  private func accepted(until seconds: Int64 = 30) -> AcceptedOffer {
    let wait = AcceptedOffer.Wait(until: start + .seconds(seconds))
    return AcceptedOffer(of: world.offer, by: world.editor, snapshot(1), wait: wait)
  }

  // MARK: AcceptedOffer

  @Test func onlyWhatThePersonAgreedToIsOpenedBesideTheVersion() {
    for arrival in [Arrival.current, .ahead] {
      var offer = accepted()
      #expect(offer.open(ArrivalStatus(arrival), at: start) == true)
      #expect(offer.phase == .opening)
    }
    var offer = accepted()
    #expect(offer.open(ArrivalStatus(.behind), at: start) == false)
    offer.agree(to: .behind)
    #expect(offer.open(ArrivalStatus(.diverged), at: start) == false)
    #expect(offer.open(ArrivalStatus(.behind), at: start) == true)
    #expect(offer.open(ArrivalStatus(.behind), at: start) == false)
  }

  @Test func aTimeEndsInAQuestionAndThenInAFailure() {
    var offer = accepted()
    #expect(offer.expire(choiceEnd: start + .seconds(150)) == .asks)
    #expect(offer.phase == .overdue)
    #expect(offer.deadline == start + .seconds(150))
    #expect(offer.expire(choiceEnd: start) == .fails)
    var handed = accepted()
    _ = handed.open(ArrivalStatus(.current), at: start)
    #expect(handed.expire(choiceEnd: start) == nil)
    handed.deliver(answerUntil: start + .seconds(60))
    #expect(handed.wait == nil)
    #expect(handed.expire(choiceEnd: start) == .staysUnanswered)
    #expect(handed.phase.isDelivered)
    #expect(handed.expire(choiceEnd: start) == nil)
  }

  @Test func aDeliveryInVainLeavesTimeForOneMoreLook() {
    var offer = accepted(until: 5)
    _ = offer.open(ArrivalStatus(.current), at: start)
    offer.postpone(ArrivalStatus(.behind), secondLook: .seconds(10), at: start + .seconds(40))
    #expect(offer.phase == .waiting)
    #expect(offer.deadline == start + .seconds(80))
    _ = offer.open(ArrivalStatus(.current), at: start + .seconds(50))
    offer.postpone(ArrivalStatus(.behind), secondLook: .seconds(10), at: start + .seconds(79))
    #expect(offer.deadline == start + .seconds(80))
  }

  @Test func anAgreementIsNotOfAnotherProcess() throws {
    var offer = accepted()
    offer.agree(to: .behind)
    var wait = try #require(offer.wait)
    wait.forgetAgreement(choiceEnd: start + .seconds(120))
    #expect(wait.isOverdue)
    #expect(wait.agreed == nil)
    #expect(wait.deadline == start + .seconds(120))
    var plain = try #require(accepted().wait)
    plain.forgetAgreement(choiceEnd: start + .seconds(120))
    #expect(!plain.isOverdue)
  }

  @Test func whatWasDeliveredStaysTheStateThatWasDelivered() {
    var offer = accepted()
    offer.renew(snapshot(2))
    #expect(offer.snapshot == snapshot(2))
    offer.deliver(answerUntil: start)
    offer.renew(snapshot(3))
    #expect(offer.snapshot == snapshot(2))
  }

  // MARK: OwnActivities and RecordSchedule

  @Test func whatAnAppLeavesOpenEndsUnlessItIsSaidAgain() {
    var own = OwnActivities()
    own.update(snapshot(1), by: world.editor, remarks: [])
    own.update(snapshot(2), by: world.editor, remarks: [])
    #expect(own.disconnect(world.other, at: start) == false)
    #expect(own.disconnect(world.editor, at: start) == true)
    #expect(own.holder(of: snapshot(1).id) == nil)
    own.connect("org.other", endsAt: start)
    #expect(own.nextEnd == nil)
    own.connect("org.continuo.edit", endsAt: start + .seconds(5))
    own.connect("org.continuo.edit", endsAt: start + .seconds(9))
    #expect(own.nextEnd == start + .seconds(5))
    own.update(snapshot(2), by: world.other, remarks: [])
    #expect(own.endLeftOpen(at: start + .seconds(4)) == false)
    #expect(own.endLeftOpen(at: start + .seconds(5)) == true)
    #expect(own.ids == [snapshot(2).id])
  }

  @Test func anAppWithoutEndDoesNotFillTheMemory() {
    var own = OwnActivities()
    let limit = 4 * DeviceState.activityLimit
    for number in 0...limit {
      own.update(snapshot(UInt8(number), changedAt: UInt64(number)), by: world.editor, remarks: [])
    }
    #expect(own.ids.count == limit)
    #expect(!own.ids.contains(snapshot(0).id))
    #expect(own.recorded(wall: world.wall).count == DeviceState.activityLimit)
    #expect(own.recorded(wall: world.wall).first?.id == snapshot(UInt8(limit)).id)
  }

  @Test func aRecordWaitsForTheLeastTimeAndIsRenewed() {
    var schedule = RecordSchedule()
    #expect(schedule.duty(at: start) == nil)
    schedule.request()
    #expect(schedule.duty(at: start) == .everywhere)
    schedule.record(stated: [snapshot(1).id], for: .everywhere, timing, at: start)
    #expect(schedule.duty(at: start) == nil)
    #expect(schedule.nextMoment == start + timing.renewal)
    schedule.request()
    #expect(schedule.duty(at: start + .seconds(1)) == nil)
    #expect(schedule.nextMoment == start + timing.publishInterval)
    #expect(schedule.duty(at: start + timing.publishInterval) == .everywhere)
    schedule.retry(at: start + .seconds(30))
    #expect(schedule.duty(at: start + .seconds(29)) == nil)
    schedule.stopWaiting()
    #expect(schedule.duty(at: start) == .everywhere)
    schedule.record(stated: [], for: .everywhere, timing, at: start)
    schedule.requestRenewal(at: start + timing.renewal)
    #expect(schedule.duty(at: start + timing.renewal) == nil)
  }

  // MARK: Offers

  @Test func aNewRecordTellsWhatEndedAndWhatStands() throws {
    var devices = RemoteDevices(clockSkew: timing.clockSkew)
    let record = { (sequence: UInt64, activities: [ActivitySnapshot]) in
      RemoteDevice(name: "desktop", sequence: sequence, state: world.state(activities))
    }
    let first = record(1, [snapshot(2), snapshot(1)])
    _ = devices.receive(first, of: world.desktop, at: start, wall: world.wall)
    let newer = record(2, [snapshot(3), snapshot(2)])
    let received = devices.receive(newer, of: world.desktop, at: start, wall: world.wall)
    let change = try #require(received)
    #expect(change.ended == [OfferID(device: world.desktop, activity: snapshot(1).id)])
    #expect(change.standing.map(\.snapshot.id) == [snapshot(2).id, snapshot(3).id])
    #expect(change.standing.map { $0.before != nil } == [true, false])
    let older = devices.receive(record(1, []), of: world.desktop, at: start, wall: world.wall)
    #expect(older == nil)
    #expect(devices.offers(wall: world.wall).count == 2)
    let late = world.wall.adding(seconds: DeviceState.lifetimeLimit + timing.clockSkew + 1)
    #expect(devices.offers(wall: late).isEmpty)
  }

  @Test func whatWasMissingIsMissingWhileItIsLookedAtAnew() {
    var standings = OfferStandings()
    #expect(standings.shown(world.offer).arrival == .behind)
    standings.record(ArrivalStatus(.missing), of: world.offer, wall: world.wall)
    standings.outdate(world.offer)
    standings.outdate(world.offer)
    #expect(standings[world.offer] == nil)
    #expect(standings.shown(world.offer).arrival == .missing)
    standings.record(ArrivalStatus(.current), of: world.offer, wall: world.wall)
    standings.outdate(world.offer)
    #expect(standings.shown(world.offer).arrival == .behind)
  }

  @Test func aDocumentStandsSinceTheFirstLookThatFoundItSo() {
    var standings = OfferStandings()
    let (first, later) = (world.wall, world.wall.adding(seconds: 60))
    standings.record(ArrivalStatus(.behind), of: world.offer, wall: first)
    standings.outdate(world.offer)
    standings.record(ArrivalStatus(.behind, received: 7), of: world.offer, wall: later)
    #expect(standings.since(world.offer) == first)
    standings.record(ArrivalStatus(.missing), of: world.offer, wall: later)
    #expect(standings.since(world.offer) == later)
    standings.recordNoDocument(of: world.offer)
    #expect(standings.since(world.offer) == nil)
  }

  @Test func aRemarkIsAboutOneState() {
    var remarks = OfferRemarks()
    remarks.record(.absent, on: world.offer, changedAt: world.wall)
    #expect(remarks.cause(on: world.offer, changedAt: world.wall) == .absent)
    #expect(remarks.cause(on: world.offer, changedAt: world.wall.adding(seconds: 1)) == nil)
    remarks.record(nil, on: world.offer, changedAt: world.wall)
    #expect(remarks.cause(on: world.offer, changedAt: world.wall) == nil)
  }

  @Test func whatWasContinuedIsForgottenOldestFirst() throws {
    var memory = ContinuedOffers([world.offer: world.wall])
    #expect(memory.contains(world.offer, changedAt: world.wall))
    #expect(!memory.contains(world.offer, changedAt: world.wall.adding(seconds: 1)))
    for number in 1...UInt64(ContinuedOffers.limit) {
      let bytes = [UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 0, count: 14)
      let offer = OfferID(device: world.desktop, activity: try #require(ActivityID(bytes: bytes)))
      memory.record(offer, changedAt: world.wall.adding(seconds: number))
    }
    #expect(memory.changes.count == ContinuedOffers.limit)
    #expect(memory.changes[world.offer] == nil)
  }

  @Test func appsAreToldWhatChanged() {
    var shown = ShownOffers()
    #expect(!shown.hold(at: world.wall))
    #expect(shown.show([], to: world.editor) == true)
    #expect(shown.show([], to: world.editor) == false)
    shown.hold(from: world.wall, until: world.wall.adding(seconds: 9)) { _ in nil }
    #expect(shown.hold(at: world.wall.adding(seconds: 8)))
    #expect(!shown.hold(at: world.wall.adding(seconds: 9)))
    shown.outdate()
    #expect(!shown.hold(at: world.wall))
    shown.forget(world.editor)
    #expect(shown.show([], to: world.editor) == true)
  }
}
