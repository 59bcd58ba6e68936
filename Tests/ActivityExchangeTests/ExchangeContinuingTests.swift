// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

@Suite struct ExchangeContinuingTests {
  @Test func s35a_anOfferGoesToAppsThatDeclareItsTypeOnly() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    _ = world.handle(.connected(world.other, ExchangeWorld.manifest("org.other", types: ["org.other.type"])))
    let actions = world.handle(
      .received(world.desktop, name: "desktop", sequence: 1, world.state([world.snapshot()])))
    let told = actions.compactMap { action in
      if case .report(let client, .offers) = action { client } else { nil }
    }
    #expect(told == [world.editor])
  }

  @Test func s35a_aTypeThatIsNotPublicGoesToTheSameAppOnly() {
    var world = ExchangeWorld()
    let type = "org.continuo.private"
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest(types: [type])))
    _ = world.handle(.connected(world.other, ExchangeWorld.manifest("org.other", types: [type])))
    let state = world.state([world.snapshot(type: type)])
    let actions = world.handle(.received(world.desktop, name: "desktop", sequence: 1, state))
    #expect(actions.filter { if case .report(_, .offers) = $0 { true } else { false } }.count == 1)
  }

  @Test func anOlderOrEqualSequenceChangesNothing() {
    var world = ExchangeWorld()
    world.offered(.current, sequence: 5)
    let empty = world.state([])
    #expect(world.handle(.received(world.desktop, name: "desktop", sequence: 5, empty)).offers == nil)
    #expect(world.handle(.received(world.desktop, name: "desktop", sequence: 4, empty)).offers == nil)
    #expect(world.handle(.received(world.desktop, name: "desktop", sequence: 6, empty)).offers == [])
  }

  @Test func s46a_aCurrentDocumentIsOpenedAtOnce() {
    var world = ExchangeWorld()
    world.offered(.current)
    let actions = world.handle(.accepted(world.editor, world.offer, world.request))
    #expect(actions.reports.first.map { if case .willContinue = $0 { true } else { false } } == true)
    #expect(actions.opened)
  }

  @Test(arguments: [Arrival.behind, .missing, .diverged, .unreadable, .folderUnknown])
  func s46b_aDocumentThatIsNotTheVersionIsAwaitedAndNotOpened(_ arrival: Arrival) {
    var world = ExchangeWorld()
    world.offered(arrival)
    #expect(!world.handle(.accepted(world.editor, world.offer, world.request)).opened)
    #expect(world.handle(.arrival(world.offer, ArrivalStatus(.current))).opened)
  }

  @Test func s46e_aNewerLocalVersionIsOpenedAndSaidToBeNewer() {
    var world = ExchangeWorld()
    world.offered(.ahead)
    let actions = world.handle(.accepted(world.editor, world.offer, world.request))
    let status = actions.compactMap { if case .open(_, _, _, _, let status) = $0 { status } else { nil } }
    #expect(status.first?.arrival == .ahead)
  }

  @Test func s43c_s46c_afterTheDeadlineThePersonIsAskedAndThenItFailsWithTheReason() {
    var world = ExchangeWorld()
    world.offered(.behind)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    world.pass(.seconds(30))
    let asked = world.handle(.timer)
    #expect(asked.failure == nil)
    #expect(asked.reports.contains { if case .progress = $0 { true } else { false } })
    world.pass(.seconds(120))
    #expect(world.handle(.timer).failure?.code == .versionNeverArrived)
    #expect(world.handle(.arrival(world.offer, ArrivalStatus(.current))).opened == false)
  }

  @Test func s46d_waitingCanBeExtendedChosenAndCancelled() {
    var world = ExchangeWorld()
    world.offered(.diverged)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    _ = world.handle(.extended(world.request, seconds: 100))
    world.pass(.seconds(31))
    #expect(world.handle(.timer).reports.isEmpty)
    #expect(world.handle(.chose(world.request, .openHere)).opened)
    var second = ExchangeWorld()
    second.offered(.missing)
    _ = second.handle(.accepted(second.editor, second.offer, second.request))
    #expect(second.handle(.cancelled(second.request)).failure?.code == .userCancelled)
    #expect(second.handle(.cancelled(second.request)).failure == nil)
  }

  @Test func aDeliveryThatFoundOtherBytesWaitsAgain() {
    var world = ExchangeWorld()
    world.offered(.current)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    let actions = world.handle(.deliveryPostponed(world.request, ArrivalStatus(.behind, reason: "changed")))
    let afresh = actions.compactMap { action in
      switch action {
      case .untrack: "untrack"
      case .track(_, _, isAwaited: true): "track"
      default: nil
      }
    }
    #expect(afresh == ["untrack", "track"], "what was known of the file is out of date")
    #expect(world.handle(.arrival(world.offer, ArrivalStatus(.current))).opened)
  }

  /// Somebody accepted the offer, waited in vain, and has been asked.
  private func askedAboutAnOlderVersion() -> ExchangeWorld {
    var world = ExchangeWorld()
    world.offered(.behind)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    world.pass(.seconds(30))
    _ = world.handle(.timer)
    return world
  }

  @Test func aPersonWhoWasAskedIsNotAskedAgainWhenTheDeliveryFoundOtherBytes() {
    var world = askedAboutAnOlderVersion()
    world.pass(.seconds(60))
    #expect(world.handle(.arrival(world.offer, ArrivalStatus(.current))).opened)
    _ = world.handle(.deliveryPostponed(world.request, ArrivalStatus(.behind, reason: "changed")))
    _ = world.handle(.arrival(world.offer, ArrivalStatus(.behind)))
    world.pass(.seconds(59))
    #expect(world.handle(.timer).reports.isEmpty)
    world.pass(.seconds(1))
    #expect(world.handle(.timer).failure?.code == .versionNeverArrived)
  }

  @Test func aDeliveryThatTookLongerThanTheWaitLeavesTimeToLookAgainOnce() {
    var world = askedAboutAnOlderVersion()
    for before in [115, 5] {
      world.pass(.seconds(before))
      #expect(world.handle(.arrival(world.offer, ArrivalStatus(.current))).opened)
      world.pass(.seconds(10))
      _ = world.handle(.deliveryPostponed(world.request, ArrivalStatus(.behind, reason: "changed")))
      let failure = world.handle(.timer).failure
      #expect(failure?.code == (before == 5 ? .versionNeverArrived : nil))
      #expect(failure?.cause == (before == 5 ? .told("changed") : nil), "not that the document is missing")
    }
  }

  @Test func whoAgreedToOneStandingIsAskedAboutAnother() {
    var world = askedAboutAnOlderVersion()
    #expect(world.handle(.chose(world.request, .openHere)).opened)
    _ = world.handle(.deliveryPostponed(world.request, ArrivalStatus(.behind, reason: "changed")))
    _ = world.handle(.arrival(world.offer, ArrivalStatus(.diverged, reason: "Both changed.")))
    world.pass(.seconds(10))
    let asked = world.handle(.timer)
    #expect(asked.failure == nil)
    let question = asked.reports.compactMap { report in
      if case .progress(_, let status) = report { status.cause } else { nil }
    }
    #expect(question == [.overdue(.told("Both changed."))])
  }

  @Test func anAnswerIsNotForTheNextQuestion() {
    var world = askedAboutAnOlderVersion()
    var opened = world.handle(.chose(world.request, .openHere)).opened
    // The source saves faster than the document can be read here.
    for _ in 0..<2 {
      #expect(opened)
      _ = world.handle(.deliveryPostponed(world.request, ArrivalStatus(.behind, reason: "changed")))
      opened = world.handle(.arrival(world.offer, ArrivalStatus(.behind))).opened
      world.pass(.seconds(6))
    }
    _ = world.handle(.deliveryPostponed(world.request, ArrivalStatus(.behind, reason: "changed")))
    let asked = world.handle(.timer)
    #expect(asked.failure == nil && !asked.reports.isEmpty)
    #expect(!world.handle(.arrival(world.offer, ArrivalStatus(.behind))).opened)
    world.pass(.seconds(120))
    #expect(world.handle(.timer).failure?.code == .versionNeverArrived)
  }

  @Test func whoGoesOnWaitingHasNotAgreedToWhatIsHere() {
    var world = ExchangeWorld()
    world.offered(.behind)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    #expect(world.handle(.chose(world.request, .openHere)).opened)
    _ = world.handle(.deliveryPostponed(world.request, ArrivalStatus(.behind, reason: "changed")))
    _ = world.handle(.chose(world.request, .keepWaiting))
    #expect(!world.handle(.arrival(world.offer, ArrivalStatus(.behind))).opened)
  }

  @Test func theOutcomeBecomesAClaimAndTheOfferIsNotShownAgain() {
    var world = ExchangeWorld()
    world.offered(.current)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    _ = world.handle(.delivered(world.request))
    let actions = world.handle(.outcome(world.editor, world.request, .opened))
    #expect(actions.published?.claims.map(\.request) == [world.request])
    #expect(actions.offers == [])
    #expect(world.handle(.outcome(world.editor, world.request, .opened)).published == nil)
  }

  @Test func aClaimIsToldToItsAppOnceAndTheActivityStays() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    _ = world.handle(.updated(world.editor, world.snapshot()))
    let claim = Claim(
      source: world.desktop, activity: world.activity, request: world.request, outcome: .opened,
      at: world.wall)
    let state = world.state([], claims: [claim])
    let first = world.handle(.received(world.desktop, name: "laptop", sequence: 1, state))
    #expect(first.reports.contains(.continued(world.activity, claim.receipt(by: "laptop"))))
    let second = world.handle(.received(world.desktop, name: "laptop", sequence: 2, state))
    #expect(!second.reports.contains(.continued(world.activity, claim.receipt(by: "laptop"))))
    world.pass(.seconds(2))
    #expect(world.handle(.updated(world.editor, world.snapshot())).published?.activities.count == 1)
  }

  @Test func anOfferThatEndsWhileAwaitedFailsTheContinuation() {
    var world = ExchangeWorld()
    world.offered(.missing)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    let actions = world.handle(.received(world.desktop, name: "desktop", sequence: 2, world.state([])))
    #expect(actions.failure?.code == .handoffFailed)
  }

  @Test func anExpiredRecordOffersNothing() {
    var world = ExchangeWorld()
    world.offered(.current)
    world.pass(.seconds(7 * 86400 + 601))
    #expect(world.machine.offers(wall: world.wall) { _ in nil }.isEmpty)
  }

  @Test func acceptingWhatIsNotOfferedFails() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    #expect(
      world.handle(.accepted(world.editor, world.offer, world.request)).failure?.code == .handoffFailed)
  }

  @Test func s37b_aConclusionThatTheLastAgentMissedIsClaimedOnce() {
    var world = ExchangeWorld()
    world.offered(.current)
    let ended = ConcludedContinuation(offer: world.offer, changedAt: world.wall, outcome: .opened)
    let told = world.handle(.concluded(world.editor, world.request, ended))
    #expect(told.published?.claims.map(\.request) == [world.request])
    #expect(told.offers == [])
    world.pass(.seconds(2))
    #expect(world.handle(.concluded(world.editor, world.request, ended)).published == nil)
  }

  /// The disk is full, or the folder away, when the agent starts again.
  @Test func s37b_aConclusionThatComesBeforeTheRecordOfItsSourceIsClaimedAndEndsTheOffer() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    let ended = ConcludedContinuation(offer: world.offer, changedAt: world.wall, outcome: .opened)
    let told = world.handle(.concluded(world.editor, world.request, ended))
    #expect(told.published?.claims.map(\.request) == [world.request])
    let state = world.state([world.snapshot(version: world.version())])
    let heard = world.handle(.received(world.desktop, name: "desktop", sequence: 1, state))
    #expect(heard.offers == nil)
    #expect(world.machine.offers(wall: world.wall) { _ in nil }.isEmpty)
  }

  @Test func aConclusionOfAnOlderStateLeavesTheNewerOffer() {
    var world = ExchangeWorld()
    let before = world.wall
    world.pass(.seconds(60))
    world.offered(.current)
    let ended = ConcludedContinuation(offer: world.offer, changedAt: before, outcome: .opened)
    #expect(world.handle(.concluded(world.editor, world.request, ended)).offers == nil)
    #expect(world.machine.offers(wall: world.wall) { _ in nil }.count == 1)
  }
}
