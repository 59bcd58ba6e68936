// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

/// What is declined, and what is not offered, with the reasons (semantics 41).
@Suite struct ExchangeOwnTests {
  @Test func s41b_aDeclinedContinuationIsClaimedAsDeclinedAndStaysOffered() {
    var world = ExchangeWorld()
    world.offered(.current)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    _ = world.handle(.delivered(world.request))
    let ended = world.handle(.outcome(world.editor, world.request, .declined))
    #expect(ended.published?.claims.map(\.outcome) == [.declined])
    #expect(ended.offers?.map(\.notes) == [[.declined(app: "Editor")]])
  }

  @Test func s41b_theSourceReadsThatItWasDeclined() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    _ = world.handle(.updated(world.editor, world.snapshot()))
    let claim = Claim(
      source: ExchangeWorld.id(9, DeviceID.self), activity: world.activity, request: world.request,
      outcome: .declined, at: world.wall)
    let heard = world.handle(
      .received(world.desktop, name: "laptop", sequence: 1, world.state([], claims: [claim])))
    #expect(heard.reports.allSatisfy { if case .continued = $0 { false } else { true } })
    #expect(world.machine.ownActivities(wall: world.wall).map(\.notes) == [[.notTaken(device: "laptop")]])
  }

  @Test func s23f_theSourceReadsWhoHasItSinceWhenAlsoWhenItsAppHasEnded() {
    var world = ExchangeWorld()
    let state = world.snapshot()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    _ = world.handle(.updated(world.editor, state))
    _ = world.handle(.disconnected(world.editor))
    world.pass(.seconds(60))
    let claim = Claim(
      source: ExchangeWorld.id(9, DeviceID.self), activity: world.activity, request: world.request,
      outcome: .opened, at: world.wall, changedAt: state.changedAt)
    let record = world.state([], claims: [claim])
    _ = world.handle(.received(world.desktop, name: "laptop", sequence: 1, record))
    #expect(world.own.map(\.notes) == [[Self.receipt]])
    #expect(world.own.map(\.isOffered) == [true])

    var after = ExchangeWorld()
    _ = after.handle(.restored(after.state([state])))
    _ = after.handle(.received(after.desktop, name: "laptop", sequence: 1, record))
    #expect(after.own.map(\.notes) == [[Self.receipt]])

    _ = after.handle(.connected(after.editor, ExchangeWorld.manifest()))
    _ = after.handle(.updated(after.editor, after.changed(state)))
    #expect(after.own.map(\.notes) == [[]])
  }

  @Test func s23f_whatItsAppGaveUpIsListedWithThatAlsoWhenItHasEnded() {
    var world = ExchangeWorld()
    let state = world.snapshot()
    let givenUp = OwnActivity(state, because: .continued(device: "laptop", at: nil))
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    _ = world.handle(.withheld(world.editor, givenUp))
    #expect(world.own.map(\.cause) == [givenUp.cause])
    let claim = Claim(
      source: ExchangeWorld.id(9, DeviceID.self), activity: world.activity, request: world.request,
      outcome: .handled, at: world.wall, changedAt: state.changedAt)
    let record = world.state([], claims: [claim])
    _ = world.handle(.received(world.desktop, name: "laptop", sequence: 1, record))
    #expect(world.own.map(\.cause) == [Self.receipt])
    _ = world.handle(.disconnected(world.editor))
    #expect(world.own.map(\.cause) == [Self.receipt])
    _ = world.handle(.connected(world.other, ExchangeWorld.manifest()))
    #expect(world.own.isEmpty)
  }

  @Test func aDocumentThatWasSavedBeforeItsAppEndedIsOfferedAsItIs() {
    var world = ExchangeWorld()
    var state = world.snapshot(version: world.version())
    state.translatedDocuments = [state.document].compactMap { $0 }
    state.flags.insert(.unsavedChanges)
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    _ = world.handle(.updated(world.editor, state))
    world.pass(.seconds(2))
    // Its app has it, and says what it is.
    #expect(world.handle(.foundLeftOpen(world.activity, world.version(8))).published == nil)
    #expect(world.machine.documents(of: world.editor) == [world.activity: state.document])
    _ = world.handle(.disconnected(world.editor))
    world.pass(.seconds(2))
    #expect(world.handle(.foundLeftOpen(world.activity, world.version())).published == nil)
    let told = world.handle(.foundLeftOpen(world.activity, world.version(8))).published?.activities.first
    #expect(told?.document?.version == world.version(8))
    #expect(told?.translatedDocuments.map(\.version) == [world.version(8)])
    #expect(told?.flags.contains(.unsavedChanges) == false)
    #expect(told?.changedAt == state.changedAt)
  }

  /// The file is newer than what was handed over beside it, and may lack some of that.
  @Test func aDraftIsNotOfferedBesideAFileThatWasFoundLater() {
    var world = ExchangeWorld()
    var state = world.snapshot(version: world.version())
    state.flags.insert(.unsavedChanges)
    state.draft = Draft(digest: world.version(7).digest, size: 1, changedAt: state.changedAt)
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    _ = world.handle(.updated(world.editor, state))
    _ = world.handle(.disconnected(world.editor))
    world.pass(.seconds(2))
    let told = world.handle(.foundLeftOpen(world.activity, world.version(8))).published?.activities.first
    #expect(told?.document?.version == world.version(8) && told?.draft == nil)
    #expect(told?.flags.contains(.unsavedChanges) == true)
  }

  @Test func whatAnotherDeviceSavedIsNotOfferedAsLeftOpenHere() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    _ = world.handle(.updated(world.editor, world.snapshot(version: world.version())))
    let theirs = world.state([world.snapshot(version: world.version(8))])
    _ = world.handle(.received(world.desktop, name: "laptop", sequence: 1, theirs))
    world.pass(.seconds(2))
    _ = world.handle(.disconnected(world.editor))
    world.pass(.seconds(2))
    #expect(world.handle(.foundLeftOpen(world.activity, world.version(8))).published == nil)
    #expect(world.handle(.foundLeftOpen(world.activity, world.version(9))).published != nil)
  }

  @Test(arguments: [true, false]) func s23f_whoGoesOnWithWhatWasLeftOpenIsToldThatItWasContinued(
    isClaimedFirst: Bool
  ) {
    var world = ExchangeWorld()
    let former = world.snapshot(version: world.version())
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    _ = world.handle(.updated(world.editor, former))
    _ = world.handle(.disconnected(world.editor))
    world.pass(.seconds(1))
    var next = world.snapshot(version: world.version())
    next.id = ExchangeWorld.id(0xad, ActivityID.self)
    let claim = Claim(
      source: ExchangeWorld.id(9, DeviceID.self), activity: former.id, request: world.request,
      outcome: .opened, at: world.wall, changedAt: former.changedAt)
    let events: [ExchangeMachine.Event] = [
      .received(world.desktop, name: "laptop", sequence: 1, world.state([], claims: [claim])),
      .updated(world.other, next),
    ]
    _ = world.handle(.connected(world.other, ExchangeWorld.manifest()))
    let actions = (isClaimedFirst ? events : events.reversed()).flatMap { world.handle($0) }
    let receipt = ContinuationReceipt(device: "laptop", at: claim.at, changedAt: next.changedAt)
    #expect(
      actions.reports.filter { if case .continued = $0 { true } else { false } } == [
        .continued(next.id, receipt)
      ])
  }

  @Test func s23f_anotherVersionOrALaterDayGoesOnWithNothingThatWasContinued() {
    for (version, pause) in [(8, 1), (7, 120)] as [(UInt8, Int)] {
      var world = ExchangeWorld()
      let former = world.snapshot(version: world.version())
      _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
      _ = world.handle(.updated(world.editor, former))
      _ = world.handle(.disconnected(world.editor))
      world.pass(.seconds(pause))
      var next = world.snapshot(version: world.version(version))
      next.id = ExchangeWorld.id(0xad, ActivityID.self)
      _ = world.handle(.connected(world.other, ExchangeWorld.manifest()))
      _ = world.handle(.updated(world.other, next))
      let claim = Claim(
        source: ExchangeWorld.id(9, DeviceID.self), activity: former.id, request: world.request,
        outcome: .opened, at: world.wall, changedAt: former.changedAt)
      let heard = world.handle(
        .received(world.desktop, name: "laptop", sequence: 1, world.state([], claims: [claim])))
      #expect(heard.reports.allSatisfy { if case .continued = $0 { false } else { true } })
    }
  }

  @Test func s23f_whatWasContinuedHereGoesOnWithNothingThatWasLeftOpenBefore() {
    // Whatever was begun since: before the delivery, or after it.
    for isBegunBefore in [false, true] {
      var world = ExchangeWorld()
      world.offered(.current)
      var former = world.snapshot(version: world.version())
      former.id = ExchangeWorld.id(0xad, ActivityID.self)
      _ = world.handle(.updated(world.editor, former))
      _ = world.handle(.disconnected(world.editor))
      _ = world.handle(.connected(world.other, ExchangeWorld.manifest()))
      var next = former
      next.id = ExchangeWorld.id(0xae, ActivityID.self)
      if isBegunBefore { _ = world.handle(.updated(world.other, next)) }
      _ = world.handle(.accepted(world.other, world.offer, world.request))
      _ = world.handle(.delivered(world.request, former.document))
      if !isBegunBefore { _ = world.handle(.updated(world.other, next)) }
      let claim = Claim(
        source: ExchangeWorld.id(9, DeviceID.self), activity: former.id,
        request: ExchangeWorld.id(0x02, RequestID.self), outcome: .opened, at: world.wall,
        changedAt: former.changedAt)
      let heard = world.handle(
        .received(world.desktop, name: "laptop", sequence: 2, world.state([], claims: [claim])))
      #expect(heard.reports.allSatisfy { if case .continued = $0 { false } else { true } })
    }
  }

  private static let receipt = Reason.continued(device: "laptop", at: ShownMoment(time: "10:42"))

  @Test func s41c_aRemarkEndsWithTheNextState() {
    var world = ExchangeWorld()
    world.offered(.current)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    _ = world.handle(.delivered(world.request))
    _ = world.handle(.outcome(world.editor, world.request, .failed))
    #expect(
      world.machine.offers(wall: world.wall) { _ in nil }.map(\.notes) == [
        [.notShown(app: "Editor", message: nil)]
      ])
    world.pass(.seconds(1))
    let newer = world.state([world.snapshot(version: world.version())])
    let actions = world.handle(.received(world.desktop, name: "desktop", sequence: 2, newer))
    #expect(actions.offers?.map(\.notes) == [[]])
  }

  @Test func s41c_whatIsNotOfferedHasAReason() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    var reasons: [Reason?] = []
    func reason(_ change: (inout ActivitySnapshot) -> Void) {
      var snapshot = world.snapshot()
      change(&snapshot)
      _ = world.handle(.updated(world.editor, snapshot))
      reasons += world.machine.ownActivities(wall: world.wall).map(\.cause)
    }
    reason { _ in }
    reason { $0.flags = [] }
    reason { $0.requiredUserInfoKeys = ["page"] }
    reason { $0.expiresAt = WallTime(milliseconds: world.wall.milliseconds - 1) }
    reason { $0.userInfo[.text(NSUserActivityDocumentURLKey)] = .url("file:///tmp/plan.md") }
    #expect(
      reasons == [
        nil, .notEligible, .requiredKeyMissing("page"), .expired, .outsideFolders(path: "/tmp/plan.md"),
      ])
  }

  @Test func s41c_whatAnAppWithholdsIsListedUntilItIsOfferedOrGone() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    let own = OwnActivity(world.snapshot(), reason: "It is too large.")
    let reasons = { (world: ExchangeWorld) in
      world.machine.ownActivities(wall: world.wall).map(\.reason)
    }
    _ = world.handle(.withheld(world.editor, own))
    #expect(reasons(world) == ["It is too large."])
    _ = world.handle(.updated(world.editor, world.snapshot()))
    #expect(reasons(world) == [""])
    _ = world.handle(.withdrew(world.editor, world.activity))
    #expect(reasons(world) == [])
    _ = world.handle(.withheld(world.editor, own))
    _ = world.handle(.disconnected(world.editor))
    #expect(reasons(world) == [])
  }

  @Test func s41c_aDeviceThatOffersTooManySaysSoOfTheOldest() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    for number in 1...UInt8(DeviceState.activityLimit + 1) {
      var snapshot = world.snapshot()
      snapshot.id = ExchangeWorld.id(number, ActivityID.self)
      _ = world.handle(.updated(world.editor, snapshot))
      world.pass(.seconds(2))
    }
    let own = world.machine.ownActivities(wall: world.wall)
    #expect(own.map(\.isOffered) == [Bool](repeating: true, count: 8) + [false])
    #expect(own.last?.cause == .tooMany(8))
  }
}

extension ExchangeWorld {
  /// What `continuo offers --own` lists, at 10:42.
  fileprivate var own: [OwnActivity] {
    machine.ownActivities(wall: wall, shown: { _ in ShownMoment(time: "10:42") })
  }

  fileprivate func changed(_ state: ActivitySnapshot) -> ActivitySnapshot {
    var changed = state
    changed.changedAt = state.changedAt.adding(seconds: 1)
    return changed
  }
}
