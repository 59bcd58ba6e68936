// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

/// Apps and agents that go away while something is continued (semantics 37).
@Suite struct ExchangeReturningTests {
  private let next = ClientNumber(rawValue: 9)

  private func began(_ actions: [ExchangeMachine.Action], for client: ClientNumber) -> [RequestID] {
    actions.compactMap { action in
      if case .report(client, .willContinue(let request, _)) = action { request } else { nil }
    }
  }

  @Test func s37c_anAppThatIsStartedAgainGetsWhatItHadAcceptedBegunAnew() {
    var world = ExchangeWorld()
    world.offered(.behind)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    #expect(world.handle(.disconnected(world.editor)).failure == nil)
    world.pass(.seconds(59))
    let back = world.handle(.connected(next, ExchangeWorld.manifest()))
    #expect(began(back, for: next) == [world.request])
    let here = world.handle(.arrival(world.offer, ArrivalStatus(.current)))
    #expect(here.contains { if case .open(world.request, next, _, _, _) = $0 { true } else { false } })
    _ = world.handle(.delivered(world.request))
    let ended = world.handle(.outcome(next, world.request, .opened))
    #expect(ended.offers == [])
  }

  @Test func s37c_onlyThatAppGetsItAndOnlyOnce() {
    var world = ExchangeWorld()
    world.offered(.behind)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    _ = world.handle(.disconnected(world.editor))
    let other = world.handle(.connected(world.other, ExchangeWorld.manifest("org.other")))
    #expect(began(other, for: world.other).isEmpty)
    #expect(!began(world.handle(.connected(next, ExchangeWorld.manifest())), for: next).isEmpty)
    let third = ClientNumber(rawValue: 10)
    #expect(began(world.handle(.connected(third, ExchangeWorld.manifest())), for: third).isEmpty)
  }

  @Test func s37c_anAppThatDoesNotComeBackLeavesTheOffer() {
    var world = ExchangeWorld()
    world.offered(.behind)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    let gone = world.handle(.disconnected(world.editor))
    #expect(gone.wake == world.now + .seconds(60))
    world.pass(.seconds(60))
    let late = world.handle(.timer)
    #expect(late.contains { if case .log = $0 { true } else { false } })
    let back = world.handle(.connected(next, ExchangeWorld.manifest()))
    #expect(began(back, for: next).isEmpty)
    #expect(back.offers?.count == 1)
  }

  @Test func s37c_whatWasDeliveredAndNotAnsweredIsOfferedAgainAndNotBegunByItself() {
    var world = ExchangeWorld()
    world.offered(.current)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    _ = world.handle(.delivered(world.request))
    _ = world.handle(.disconnected(world.editor))
    let back = world.handle(.connected(next, ExchangeWorld.manifest()))
    #expect(began(back, for: next).isEmpty)
    #expect(back.offers?.first?.notes == [.appEnded(app: "Editor")])
    let again = ExchangeWorld.id(2, RequestID.self)
    #expect(world.handle(.accepted(next, world.offer, again)).opened)
  }

  @Test func s37b_anAppThatRepeatsItsRequestOnANewConnectionIsBegunThere() {
    var world = ExchangeWorld()
    world.offered(.current)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    // The old connection has not ended yet for the agent.
    _ = world.handle(.connected(next, ExchangeWorld.manifest()))
    let again = world.handle(.accepted(next, world.offer, world.request))
    #expect(again.opened && began(again, for: next) == [world.request])
    #expect(!world.machine.isOpening(world.request, for: world.editor))
    // What the old one still held is no news, nor is its end.
    #expect(!world.handle(.accepted(world.editor, world.offer, world.request)).opened)
    _ = world.handle(.disconnected(world.editor))
    #expect(world.machine.isOpening(world.request, for: next))
  }

  @Test func aWaitGoesOnWhereItWasWhenItsAppReconnects() {
    var world = ExchangeWorld()
    world.offered(.diverged)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    world.pass(.seconds(20))
    _ = world.handle(.disconnected(world.editor))
    world.pass(.seconds(5))
    #expect(world.handle(.connected(next, ExchangeWorld.manifest())).wake == world.now + .seconds(5))
    world.pass(.seconds(5))
    #expect(asks(world.handle(.timer)))
    // The question stands, and is asked in a process that was not there before.
    world.pass(.seconds(100))
    _ = world.handle(.disconnected(next))
    world.pass(.seconds(10))
    let third = ClientNumber(rawValue: 10)
    #expect(asks(world.handle(.connected(third, ExchangeWorld.manifest()))))
    world.pass(.seconds(10))
    #expect(world.handle(.timer).failure?.code == .documentDiverged)
  }

  @Test func aWaitGoesOnWhereItWasWhenItsRequestIsRepeatedBeforeTheOldConnectionEnded() {
    var world = ExchangeWorld()
    world.offered(.behind)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    _ = world.handle(.extended(world.request, seconds: 60))
    world.pass(.seconds(80))
    _ = world.handle(.connected(next, ExchangeWorld.manifest()))
    let again = world.handle(.accepted(next, world.offer, world.request))
    #expect(began(again, for: next) == [world.request] && again.wake == world.now + .seconds(10))
  }

  @Test func whatThePersonAgreedToOpenIsAgreedToForTheProcessThatAskedAndNoOther() {
    var world = ExchangeWorld()
    world.offered(.diverged)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    #expect(world.handle(.chose(world.request, .openHere)).opened)
    _ = world.handle(.connected(next, ExchangeWorld.manifest()))
    #expect(world.handle(.accepted(next, world.offer, world.request)).opened, "it knows the request")
    _ = world.handle(.disconnected(world.editor))
    _ = world.handle(.disconnected(next))
    let third = ClientNumber(rawValue: 10)
    let back = world.handle(.connected(third, ExchangeWorld.manifest()))
    #expect(began(back, for: third) == [world.request] && !back.opened)
    #expect(asks(back), "it knows no answer")
    world.pass(.seconds(119))
    #expect(world.handle(.timer).failure == nil)
    world.pass(.seconds(1))
    #expect(world.handle(.timer).failure?.code == .documentDiverged)
  }

  private func asks(_ actions: [ExchangeMachine.Action]) -> Bool {
    actions.reports.contains {
      if case .progress(_, let status) = $0 { status.cause?.kind == .overdue } else { false }
    }
  }

  @Test func anotherAppCannotTakeARequestOver() {
    var world = ExchangeWorld()
    world.offered(.current)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    _ = world.handle(.connected(next, ExchangeWorld.manifest("org.other")))
    #expect(world.handle(.accepted(next, world.offer, world.request)).failure?.code == .invalidRequest)
    #expect(world.machine.isOpening(world.request, for: world.editor))
  }

  @Test func s43b_anAppThatNeverAnswersIsSaidToAndTheOfferStands() {
    var world = ExchangeWorld()
    world.offered(.current)
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    #expect(world.handle(.delivered(world.request)).wake == world.now + .seconds(60))
    world.pass(.seconds(60))
    let late = world.handle(.timer)
    let log = late.compactMap { if case .log(let line) = $0 { line } else { nil } }
    #expect(log == ["an app does not answer a continuation: code 4610"])
    #expect(late.offers?.first?.notes == [.appSilent(app: "Editor")])
    #expect(world.handle(.timer).offers == nil)
    // A late answer still counts.
    let ended = world.handle(.outcome(world.editor, world.request, .opened))
    #expect(ended.published?.claims.map(\.outcome) == [.opened] && ended.offers == [])
  }

  @Test func anOutcomeOfAnotherClientOrOfNothingChangesNothing() {
    var world = ExchangeWorld()
    world.offered(.current)
    _ = world.handle(.connected(world.other, ExchangeWorld.manifest("org.other")))
    _ = world.handle(.accepted(world.editor, world.offer, world.request))
    #expect(world.handle(.outcome(world.editor, world.request, .opened)).published == nil, "not delivered")
    _ = world.handle(.delivered(world.request))
    #expect(world.handle(.outcome(world.other, world.request, .opened)).published == nil)
    let unknown = ExchangeWorld.id(77, RequestID.self)
    for event in [
      ExchangeMachine.Event.delivered(unknown), .cancelled(unknown), .chose(unknown, .openHere),
      .extended(unknown, seconds: .max), .outcome(world.editor, unknown, .failed),
      .deliveryPostponed(unknown, ArrivalStatus(.behind)),
      .deliveryFailed(unknown, ContinuityError(.handoffFailed, description: "No.")),
    ] {
      #expect(world.handle(event).reports.isEmpty)
    }
    #expect(world.handle(.outcome(world.editor, world.request, .opened)).published != nil)
  }
}
