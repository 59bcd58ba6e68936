// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

@Suite("A session's current activity and its save rounds")
struct SessionSavingTests {
  var session = SessionSample()

  @Test mutating func s13a_aNewActivityIsNotOfferedBeforeItBecomesCurrent() {
    session.connect()
    session.feed(.needsSave(session.plan))
    #expect(session.feed(.tick, after: .seconds(5)) == [])
    #expect(session.feed(.published(session.snapshot(session.plan), saved: nil)) == [])
  }

  @Test mutating func s14a_anotherCurrentActivityEndsTheOfferOfTheFirst() {
    session.offer(session.plan)
    #expect(session.feed(.becameCurrent(session.notes)) == [.send(.withdraw(session.plan))])
    #expect(session.machine.current == session.notes)
    #expect(session.feed(.tick) == [.publish(session.notes)])
  }

  @Test mutating func s15a_s15b_resigningActsOnlyOnTheCurrentOne() {
    session.offer(session.plan)
    #expect(session.feed(.resigned(session.notes)) == [])
    #expect(session.feed(.resigned(session.plan)) == [.send(.withdraw(session.plan))])
    #expect(session.machine.current == nil)
    session.offer(session.plan)
    #expect(session.machine.current == session.plan)
  }

  @Test mutating func s16a_s16b_anInvalidatedActivityNeverBecomesCurrentAgain() {
    session.offer(session.plan)
    #expect(session.feed(.invalidated(session.plan)) == [.send(.withdraw(session.plan))])
    #expect(session.feed(.becameCurrent(session.plan)) == [])
    #expect(session.machine.current == nil)
    #expect(session.feed(.invalidated(session.plan)) == [])
  }

  @Test mutating func s17a_whatLacksSomethingIsNotOfferedAndAnEarlierOfferEnds() {
    session.offer(session.plan)
    var lacking = session.snapshot(session.plan)
    lacking.requiredUserInfoKeys = ["line"]
    #expect(
      session.feed(.published(lacking, saved: nil)) == [
        .send(.withdraw(session.plan)),
        .send(
          .withheld(
            OwnActivity(lacking, because: .requiredKeyMissing("line")))),
      ])
    #expect(session.feed(.published(lacking, saved: nil)) == [])
    lacking.userInfo[.text("line")] = .int(3)
    #expect(
      session.feed(.published(lacking, saved: nil)) == [
        .send(.update(lacking, saved: nil))
      ])
  }

  @Test func s17a_eligibleTypedAndUnexpiredIsWhatTheStateMustBe() {
    let whole = session.snapshot(session.plan)
    #expect(whole.isOfferable)
    var other = whole
    other.flags = []
    #expect(!other.isOfferable)
    other = whole
    other.type = ""
    #expect(!other.isOfferable)
    other = whole
    other.expiresAt = other.changedAt
    #expect(!other.isOfferable)
  }

  @Test mutating func s19b_aRoundComesAQuietMomentAfterTheLastTouch() {
    session.offer(session.plan)
    session.feed(.needsSave(session.plan))
    #expect(session.feed(.needsSave(session.plan), after: .milliseconds(200)) == [])
    #expect(session.feed(.tick, after: .milliseconds(299)) == [])
    #expect(session.feed(.tick, after: .milliseconds(1)) == [.publish(session.plan)])
    #expect(session.machine.nextDeadline == nil)
    #expect(session.feed(.tick, after: .seconds(9)) == [])
  }

  @Test mutating func s19b_aBusyKeyboardDelaysARoundAtMostTwoSeconds() {
    session.offer(session.plan)
    let start = session.now
    var rounds: [Duration] = []
    for _ in 0..<50 {
      session.feed(.needsSave(session.plan))
      if session.feed(.tick, after: .milliseconds(100)) != [] { rounds.append(session.now - start) }
    }
    #expect(rounds == [.seconds(2), .seconds(4)])
  }

  @Test mutating func s25d_aDocumentThatCannotSaveYetGetsAnotherRound() {
    session.offer(session.plan)
    let later = session.now + .seconds(2)
    session.feed(.savesLater(session.plan, at: later))
    #expect(session.machine.nextDeadline == later)
    #expect(session.feed(.tick, after: .seconds(2)) == [.publish(session.plan)])
  }

  @Test mutating func aReconnectSaysEverythingAgain() {
    session.feed(.opened(path: [1]))
    session.feed(.opened(path: [2]))
    session.feed(.closed(path: [1]))
    session.offer(session.plan)
    #expect(session.feed(.disconnected) == [.connectionChanged])
    #expect(session.feed(.opened(path: [3])) == [])
    #expect(
      session.feed(.connected) == [
        .send(.hello(session.machine.manifest)), .send(.opened(path: [2])), .send(.opened(path: [3])),
        .send(.update(session.snapshot(session.plan), saved: nil)), .connectionChanged,
      ])
  }

  @Test mutating func anAgentHearsOfNoMarkOfWhatWasOpenedBeforeItCame() {
    let paths: [[UInt8]] = [Array("/notes/plan.md".utf8), Array("/notes/list.md".utf8)]
    let mark = FileMark(inode: 1, size: 1, modified: 1)
    func told(_ actions: [SessionMachine.Action]) -> [FileMark?] {
      actions.compactMap { if case .send(.opened(_, let file)) = $0 { file } else { nil } }
    }
    #expect(session.feed(.opened(path: paths[0], file: mark)).isEmpty)
    #expect(told(session.feed(.connected)) == [.ofNoFile])
    // A new document: its file comes with the first save, and may be written over before the next one looks.
    #expect(told(session.feed(.opened(path: paths[1], file: .ofNoFile))) == [.ofNoFile])
    var snapshot = session.snapshot(session.plan)
    snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url(FileURL.text(of: paths[1]))
    session.feed(.published(snapshot, saved: mark))
    session.feed(.disconnected)
    #expect(told(session.feed(.connected)) == [.ofNoFile, .ofNoFile])
    // `continuo publish` shows no bytes of its own, and is told of none that lay there before.
    session.feed(.opened(path: [7]))
    session.feed(.disconnected)
    #expect(told(session.feed(.connected)) == [.ofNoFile, .ofNoFile, nil])
  }

  @Test mutating func aReconnectSaysAgainHowContinuationsEnded() {
    let (request, offer) = (
      sampleIdentifier(7) as RequestID, OfferID(device: sampleIdentifier(8), activity: sampleIdentifier(9))
    )
    session.connect()
    session.feed(.accept(offer, request))
    let delivery = Delivery(
      activity: session.snapshot(session.plan), path: nil, status: ArrivalStatus(.current), deviceName: "desk"
    )
    session.feed(.report(.deliver(request, delivery)))
    #expect(session.feed(.finished(request, .opened)) == [.send(.outcome(request, .opened))])
    let ended = ConcludedContinuation(
      offer: offer, changedAt: delivery.activity.changedAt, outcome: .opened)
    for _ in 0..<2 {
      session.feed(.disconnected)
      #expect(session.feed(.connected).contains(.send(.concluded(request, ended))))
    }
  }

  @Test mutating func whatEndedWhileTheAgentWasAwayIsNotSaidAgain() {
    session.offer(session.plan)
    session.feed(.disconnected)
    session.feed(.resigned(session.plan))
    #expect(session.feed(.connected) == [.send(.hello(session.machine.manifest)), .connectionChanged])
  }
}

/// A machine with a clock that a test advances.
struct SessionSample {
  var machine = SessionMachine(manifest: AppManifest(appID: "org.example.editor", name: "editor"))
  var now = Instant(nanoseconds: 1_000_000_000)
  let plan = sampleActivity(1)
  let notes = sampleActivity(2)

  @discardableResult
  mutating func feed(_ event: SessionMachine.Event, after pause: Duration = .zero) -> [SessionMachine.Action]
  {
    now = now + pause
    return machine.handle(event, at: now)
  }

  mutating func connect() { feed(.connected) }

  mutating func offer(_ activity: ActivityID) {
    if !machine.isConnected { connect() }
    feed(.becameCurrent(activity))
    feed(.tick)
    feed(.published(snapshot(activity), saved: nil))
  }

  func snapshot(_ activity: ActivityID) -> ActivitySnapshot {
    ActivitySnapshot(
      id: activity, type: "public.text-editing", appID: "org.example.editor",
      changedAt: WallTime(milliseconds: 1_700_000_000_000))
  }
}

private func sampleActivity(_ number: UInt8) -> ActivityID {
  sampleIdentifier(number)
}

func sampleIdentifier<Kind>(_ number: UInt8) -> Identifier<Kind> {
  guard let id = Identifier<Kind>(bytes: [UInt8](repeating: number, count: 16)) else {
    preconditionFailure("sixteen bytes make an ID")
  }
  return id
}
