// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

@Suite("An activity that another device goes on with")
struct SessionBatonTests {
  var session = SessionSample()
  let receipt = ContinuationReceipt(
    device: "laptop", at: WallTime(milliseconds: 1_700_000_100_000),
    changedAt: WallTime(milliseconds: 1_700_000_000_000))

  init() { session.offer(session.plan) }

  private var plan: ActivityID { session.plan }
  private var given: [SessionMachine.Action] {
    [
      .send(.withdraw(plan)),
      .send(
        .withheld(OwnActivity(session.snapshot(plan), because: .continued(device: "laptop", at: nil)))),
      .wasContinued(plan, receipt),
    ]
  }

  @Test mutating func s23c_itIsNoLongerOfferedAndNothingOfItIsSaved() {
    #expect(session.feed(.report(.continued(plan, receipt)), after: .seconds(1)) == given)
    #expect(session.machine.givenUp == [plan: receipt] && session.machine.current == plan)
    #expect(session.machine.nextDeadline == nil)
    session.feed(.followedFile(plan))
    session.feed(.savesLater(plan, at: session.now + .seconds(2)))
    session.feed(.beginsRound(plan))
    #expect(session.feed(.tick, after: .seconds(10)) == [])
    #expect(session.feed(.published(session.snapshot(plan), saved: nil)) == [])
    #expect(session.feed(.withheld(OwnActivity(session.snapshot(plan), because: .untyped))) == [])
  }

  @Test mutating func s23c_theNextAgentHearsThatItIsGivenUp() {
    session.feed(.report(.continued(plan, receipt)))
    session.feed(.disconnected)
    let said = session.feed(.connected)
    #expect(said.contains(given[1]))
    #expect(!said.contains { if case .send(.update) = $0 { true } else { false } })
  }

  @Test mutating func s23c_aSaveThatWaitsIsNotMade() {
    session.feed(.savesLater(plan, at: session.now + .seconds(5)))
    session.feed(.report(.continued(plan, receipt)))
    #expect(session.feed(.tick, after: .seconds(5)) == [])
  }

  @Test mutating func s23d_theNextChangeTakesItBack() {
    session.feed(.report(.continued(plan, receipt)))
    #expect(session.feed(.needsSave(plan)) == [.tookBack(plan)])
    #expect(session.machine.givenUp.isEmpty)
    #expect(session.feed(.needsSave(plan)) == [])
    #expect(session.feed(.tick, after: .milliseconds(300)) == [.publish(plan)])
    #expect(
      session.feed(.published(session.snapshot(plan), saved: nil)) == [
        .send(.update(session.snapshot(plan), saved: nil))
      ])
  }

  @Test mutating func s23d_soDoSavingItAndComingBackToIt() {
    session.feed(.report(.continued(plan, receipt)))
    #expect(session.feed(.saved(plan)) == [.tookBack(plan)])
    session.feed(.tick)
    session.feed(.published(session.snapshot(plan), saved: nil))
    session.feed(.report(.continued(plan, receipt)))
    session.feed(.becameCurrent(session.notes))
    #expect(session.feed(.becameCurrent(plan)).contains(.tookBack(plan)))
    #expect(session.feed(.tick) == [.publish(plan)])
  }

  @Test mutating func s23e_whatThePersonDidSinceStaysTheirs() {
    session.feed(.needsSave(plan))
    #expect(session.feed(.report(.continued(plan, receipt))) == [.wasContinued(plan, receipt)])
    #expect(session.feed(.tick, after: .seconds(1)) == [.publish(plan)])
    #expect(session.feed(.report(.continued(plan, receipt))) == [.wasContinued(plan, receipt)])
    var newer = session.snapshot(plan)
    newer.changedAt = newer.changedAt.adding(seconds: 1)
    session.feed(.published(newer, saved: nil))
    #expect(session.feed(.report(.continued(plan, receipt))) == [.wasContinued(plan, receipt)])
    #expect(session.machine.givenUp.isEmpty)
  }

  @Test mutating func s23e_aVersionThatCameBeforeTheReceiptIsNotThePersons() {
    session.feed(.followedFile(plan))
    #expect(session.feed(.tick, after: .seconds(1)) == [.publish(plan)])
    var followed = session.snapshot(plan)
    followed.changedAt = followed.changedAt.adding(seconds: 1)
    session.feed(.published(followed, saved: nil))
    session.feed(.report(.continued(plan, receipt)))
    #expect(session.machine.givenUp == [plan: receipt])
  }

  @Test mutating func s23e_anEarlierReleaseDoesNotSayWhichStateItWas() {
    let old = ContinuationReceipt(device: "laptop", at: receipt.at)
    #expect(session.feed(.report(.continued(plan, old))) == [.wasContinued(plan, old)])
    #expect(
      session.feed(.report(.continued(session.notes, receipt))) == [.wasContinued(session.notes, receipt)])
  }

  @Test mutating func s16a_whatEndedIsNobodysAnyMore() {
    session.feed(.report(.continued(plan, receipt)))
    #expect(session.feed(.invalidated(plan)) == [.send(.withdraw(plan))])
    #expect(session.machine.givenUp.isEmpty)
  }
}
