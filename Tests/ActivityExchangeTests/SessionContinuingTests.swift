// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

@Suite("A session's continuations")
struct SessionContinuingTests {
  var session = SessionSample()
  let first: RequestID = sampleIdentifier(11)
  let second: RequestID = sampleIdentifier(12)

  init() {
    session.connect()
    session.feed(.report(.offers([offer(7)])))
  }

  @Test mutating func s36a_aKnownOfferIsAnnouncedAtOnceAndOnlyOnce() {
    #expect(
      session.feed(.accept(offer(7).id, first)) == [
        .willContinue(first, offer(7)), .send(.accept(offer(7).id, first)),
      ])
    #expect(session.feed(.report(.willContinue(first, offer: offer(7)))) == [])
  }

  @Test mutating func s36a_aContinuationBegunByTheAgentIsAnnounced() {
    #expect(session.feed(.report(.willContinue(first, offer: offer(9)))) == [.willContinue(first, offer(9))])
  }

  @Test mutating func s37a_aDeliveryIsTheOneAnswer() {
    session.feed(.accept(offer(7).id, first))
    #expect(session.feed(.report(.deliver(first, delivery()))) == [.deliver(first, delivery())])
    #expect(session.feed(.report(.deliver(first, delivery()))) == [])
    #expect(session.feed(.report(.fail(first, error()))) == [])
    #expect(session.feed(.cancel(first)) == [])
    #expect(session.feed(.finished(first, .handled)) == [.send(.outcome(first, .handled))])
    #expect(session.feed(.finished(first, .handled)) == [])
  }

  @Test mutating func s37a_aFailureIsTheOneAnswer() {
    session.feed(.accept(offer(7).id, first))
    #expect(
      session.feed(.report(.fail(first, error()))) == [.didFail(first, type: "public.text-editing", error())])
    #expect(session.feed(.report(.fail(first, error()))) == [])
    #expect(session.feed(.report(.deliver(first, delivery()))) == [.send(.outcome(first, .failed))])
  }

  @Test mutating func s37b_anAgentKilledInBetweenIsAskedAgainWithoutASecondAnnouncement() {
    session.feed(.accept(offer(7).id, first))
    session.feed(.disconnected)
    #expect(session.feed(.connected, after: .seconds(1)).contains(.send(.accept(offer(7).id, first))))
    #expect(session.feed(.report(.willContinue(first, offer: offer(7)))) == [])
    #expect(session.feed(.report(.deliver(first, delivery()))) == [.deliver(first, delivery())])
  }

  @Test mutating func s37b_anAgentThatStaysAwayEndsTheContinuation() {
    session.feed(.accept(offer(7).id, first))
    session.feed(.disconnected)
    #expect(session.machine.nextDeadline == session.now + .seconds(30))
    let actions = session.feed(.tick, after: .seconds(30))
    guard case .didFail(first, "public.text-editing", let error) = actions.first, actions.count == 1 else {
      Issue.record("expected one didFail, got \(actions)")
      return
    }
    #expect(error.code == .connectionUnavailable)
    #expect(session.machine.nextDeadline == nil)
  }

  @Test mutating func s37b_anOutcomeReachedWhileTheAgentIsAwayIsSaidAfterTheReconnect() {
    session.feed(.accept(offer(7).id, first))
    session.feed(.report(.deliver(first, delivery())))
    session.feed(.disconnected)
    #expect(session.feed(.finished(first, .opened)) == [])
    let actions = session.feed(.connected)
    let ended = ConcludedContinuation(
      offer: offer(7).id, changedAt: delivery().activity.changedAt, outcome: .opened)
    #expect(actions.contains(.send(.concluded(first, ended))))
    #expect(!actions.contains(.send(.accept(offer(7).id, first))))
  }

  @Test mutating func s38a_aSecondContinuationCancelsTheFirst() {
    session.feed(.accept(offer(7).id, first))
    let actions = session.feed(.accept(offer(7).id, second))
    #expect(actions.first == .send(.cancel(first)))
    guard case .didFail(first, _, let error) = actions.dropFirst().first else {
      Issue.record("expected the first to fail, got \(actions)")
      return
    }
    #expect(error.code == .userCancelled)
    #expect(actions.suffix(2) == [.willContinue(second, offer(7)), .send(.accept(offer(7).id, second))])
    #expect(session.feed(.report(.deliver(second, delivery()))) == [.deliver(second, delivery())])
  }

  @Test mutating func s38a_aDeliveredContinuationIsNotCancelledByTheNext() {
    session.feed(.accept(offer(7).id, first))
    session.feed(.report(.deliver(first, delivery())))
    #expect(session.feed(.accept(offer(7).id, second)).count == 2)
    #expect(session.feed(.finished(first, .opened)) == [.send(.outcome(first, .opened))])
  }

  @Test mutating func s52b_whatWasOpenTogetherIsNotCancelledByTheNext() {
    let leader = offer(7)
    let beside = offersBeside(leader)
    session.feed(.report(.offers([leader, offer(8)] + beside)))
    #expect(session.machine.offers == [leader, offer(8)])
    #expect(session.machine.openedBeside(leader.id) == beside)
    #expect(session.machine.openedBeside(offer(8).id) == [])
    let requests = (beside + [leader]).map { (offer: $0, request: RequestID.random()) }
    for (offer, request) in requests {
      let actions = session.feed(.accept(offer.id, request))
      #expect(actions == [.willContinue(request, offer), .send(.accept(offer.id, request))])
    }
    // What a person wants next ends them all, and the same offer again ends itself alone.
    let again = session.feed(.accept(leader.id, first))
    #expect(again.filter { if case .didFail = $0 { true } else { false } }.count == 1)
    let ended = session.feed(.accept(offer(8).id, second))
    #expect(ended.filter { if case .didFail = $0 { true } else { false } }.count == 3)
  }

  /// Two documents that are open there beside the one of `leader`.
  private func offersBeside(_ leader: Offer) -> [Offer] {
    let world = ExchangeWorld()
    var snapshot = ActivitySnapshot(
      id: leader.id.activity, type: leader.type, appID: leader.appID, changedAt: leader.changedAt)
    snapshot.translatedDocuments = ["a.md", "b.md"].compactMap { RelativePath($0) }.map {
      DocumentReference(folder: world.folder, path: $0, version: world.version())
    }
    snapshot.userInfo[.text(ContinuoOpenDocumentURLsKey)] = .array([.document(1), .document(0), .document(1)])
    return snapshot.openedBeside.reversed().map {
      Offer(
        id: OfferID(device: leader.id.device, activity: $0.id), deviceName: leader.deviceName, snapshot: $0,
        folderName: "notes", status: ArrivalStatus(.current))
    }
  }

  @Test mutating func s41b_aDeclinedOneIsReportedAsDeclined() {
    session.feed(.accept(offer(7).id, first))
    session.feed(.report(.deliver(first, delivery())))
    #expect(session.feed(.finished(first, .declined)) == [.send(.outcome(first, .declined))])
  }

  @Test mutating func s37a_s40a_aTryThatFailedIsToldAndReported() {
    session.feed(.accept(offer(7).id, first))
    session.feed(.report(.deliver(first, delivery())))
    #expect(
      session.feed(.failed(first, error())) == [
        .couldNotShow(first, type: "public.text-editing", error()),
        .send(.explain(first, error().description)), .send(.outcome(first, .failed)),
      ])
  }

  @Test mutating func s37a_aDeliveryOfWhatIsOverOrWasNeverBegunIsTurnedDown() {
    #expect(session.feed(.report(.deliver(second, delivery()))) == [.send(.outcome(second, .failed))])
    #expect(session.feed(.report(.fail(second, error()))) == [])
    #expect(session.feed(.report(.progress(second, ArrivalStatus(.behind)))) == [])
    #expect(session.feed(.finished(second, .handled)) == [])
    #expect(session.feed(.failed(second, error())) == [])
    session.feed(.accept(offer(7).id, first))
    session.feed(.report(.deliver(first, delivery())))
    session.feed(.finished(first, .opened))
    let ended = ConcludedContinuation(
      offer: offer(7).id, changedAt: delivery().activity.changedAt, outcome: .opened)
    // An agent that lost its memory begins and delivers again what was shown already.
    for again in [AgentReport.willContinue(first, offer: offer(7)), .deliver(first, delivery())] {
      #expect(session.feed(.report(again)) == [.send(.concluded(first, ended))])
    }
  }

  @Test mutating func s37b_whatThePersonCancelledMeanwhileIsNotBegunAgainByTheAgent() {
    session.feed(.accept(offer(7).id, first))
    session.feed(.disconnected)
    guard case .didFail(first, _, _) = session.feed(.cancel(first)).first else {
      Issue.record("cancelling ends it")
      return
    }
    session.feed(.connected)
    #expect(session.feed(.report(.willContinue(first, offer: offer(7)))) == [.send(.cancel(first))])
  }

  @Test mutating func s37b_anOutcomeOfADeliveryByTheAgentBeforeIsToldWhole() {
    session.feed(.accept(offer(7).id, first))
    session.feed(.report(.deliver(first, delivery())))
    session.feed(.disconnected)
    session.feed(.connected)
    let ended = ConcludedContinuation(
      offer: offer(7).id, changedAt: delivery().activity.changedAt, outcome: .handled)
    #expect(session.feed(.finished(first, .handled)) == [.send(.concluded(first, ended))])
  }

  @Test mutating func s41c_theAgentIsToldOnceWhyTheCurrentActivityIsNotOffered() {
    var lacking = session.snapshot(session.plan)
    lacking.flags = []
    let withheld = AgentRequest.withheld(
      OwnActivity(lacking, because: .notEligible))
    session.feed(.becameCurrent(session.plan))
    #expect(session.feed(.published(lacking, saved: nil)) == [.send(withheld)])
    #expect(session.feed(.published(lacking, saved: nil)) == [])
    session.feed(.disconnected)
    #expect(session.feed(.connected).contains(.send(withheld)))
    #expect(session.feed(.resigned(session.plan)) == [.send(.withdraw(session.plan))])
  }

  @Test mutating func s41c_whatOnlyTheShellSeesEndsTheOfferAndIsTold() {
    session.offer(session.plan)
    let large = OwnActivity(session.snapshot(session.plan), reason: "It is too large.")
    #expect(
      session.feed(.withheld(large)) == [.send(.withdraw(session.plan)), .send(.withheld(large))])
    #expect(session.feed(.withheld(large)) == [])
    let other = OwnActivity(session.snapshot(session.notes), reason: "It is too large.")
    #expect(session.feed(.withheld(other)) == [], "only the current one is of interest")
  }

  @Test mutating func waitingIsToldExtendedChosenAndCancelledOnlyWhileItLasts() {
    let behind = ArrivalStatus(.behind, reason: "An older version is here.")
    #expect(session.feed(.report(.progress(first, behind))) == [])
    session.feed(.accept(offer(7).id, first))
    #expect(session.feed(.report(.progress(first, behind))) == [.waiting(first, offer(7), behind)])
    #expect(session.feed(.extend(first, seconds: 30)) == [.send(.extend(first, seconds: 30))])
    #expect(session.feed(.choose(first, .keepWaiting)) == [.send(.choose(first, .keepWaiting))])
    let actions = session.feed(.cancel(first))
    #expect(actions.count == 2 && actions.first == .send(.cancel(first)))
    #expect(session.feed(.choose(first, .openHere)) == [])
    #expect(session.feed(.extend(first, seconds: 30)) == [])
    #expect(session.feed(.report(.progress(first, behind))) == [])
  }

  @Test mutating func agentsThatAreStartedAnewMakeNoWaitEndless() {
    let diverged = ArrivalStatus(.diverged, reason: "Both were edited.")
    session.feed(.accept(offer(7).id, first))
    #expect(session.machine.nextDeadline == nil, "an agent that lives ends the wait")
    session.feed(.disconnected, after: .seconds(90))
    session.feed(.connected, after: .seconds(1))
    session.feed(.report(.progress(first, diverged)))
    #expect(session.machine.nextDeadline == session.now + .seconds(79))
    let actions = session.feed(.tick, after: .seconds(79))
    guard case .didFail(first, _, let error) = actions.last, actions.first == .send(.cancel(first)) else {
      Issue.record("expected it to end, got \(actions)")
      return
    }
    #expect(error.code == .documentDiverged && error.cause == diverged.cause)
    #expect(session.machine.nextDeadline == nil)
  }

  @Test mutating func anAgentThatIsStartedAnewHasTimeForOneLookAndForWhatThePersonGave() {
    session.feed(.accept(offer(7).id, first))
    session.feed(.disconnected, after: .seconds(155))
    session.feed(.connected, after: .seconds(1))
    #expect(session.machine.nextDeadline == session.now + .seconds(30))
    session.feed(.extend(first, seconds: 60))
    #expect(session.machine.nextDeadline == session.now + .seconds(74))
    session.feed(.choose(first, .keepWaiting))
    #expect(session.machine.nextDeadline == session.now + .seconds(170))
    #expect(session.feed(.report(.deliver(first, delivery()))) == [.deliver(first, delivery())])
    #expect(session.machine.nextDeadline == nil)
  }

  @Test mutating func s23a_theSourceIsToldOfAContinuation() {
    let receipt = ContinuationReceipt(device: "laptop")
    #expect(
      session.feed(.report(.continued(session.plan, receipt))) == [.wasContinued(session.plan, receipt)])
  }

  private func offer(_ number: UInt8) -> Offer {
    Offer(
      id: OfferID(device: sampleIdentifier(1), activity: sampleIdentifier(number)), deviceName: "desktop",
      snapshot: SessionSample().snapshot(sampleIdentifier(number)), folderName: "notes",
      status: ArrivalStatus(.current))
  }

  private func delivery() -> Delivery {
    Delivery(
      activity: SessionSample().snapshot(sampleIdentifier(7)), path: [1], status: ArrivalStatus(.current),
      deviceName: "desktop")
  }

  private func error() -> ContinuityError {
    ContinuityError(.versionNeverArrived, description: "It never came.")
  }
}
