// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

@Suite("What a session asks the agent to keep") struct SessionKeepingTests {
  var session = SessionSample()
  let first: RequestID = sampleIdentifier(21)
  let second: RequestID = sampleIdentifier(22)
  let third: RequestID = sampleIdentifier(23)

  private func saved(_ identifier: String, line: Int64) -> ActivitySnapshot {
    var snapshot = session.snapshot(session.plan)
    snapshot.persistentIdentifier = identifier
    snapshot.userInfo = [.text("line"): .int(line)]
    return snapshot
  }

  @Test mutating func s11b_wishesAreSaidAgainInTheirOrderUntilTheyAreAnswered() {
    let (old, new) = (saved("a", line: 1), saved("a", line: 2))
    session.feed(.asks(first, .keep(old)))
    session.feed(.asks(second, .deleteSaved(nil)))
    session.feed(.asks(third, .keep(new)))
    let said: [SessionMachine.Action] = [
      .send(.deleteSaved(second, identifiers: nil)), .send(.save(third, new)),
    ]
    let hello = SessionMachine.Action.send(.hello(session.machine.manifest))
    #expect(session.feed(.connected) == [hello] + said + [.connectionChanged])
    #expect(session.feed(.report(.kept(second, nil))) == [.answered(second, .kept(nil))])
    #expect(session.feed(.report(.kept(second, nil))) == [], "one answer for one request")
    session.feed(.disconnected)
    #expect(session.feed(.connected).filter(said.contains) == [said[1]])
    #expect(session.feed(.report(.kept(third, nil))) == [.answered(third, .kept(nil))])
    session.feed(.disconnected)
    #expect(session.feed(.connected).filter(said.contains) == [])
  }

  @Test mutating func s11b_aDeletionWithoutAnAnswerFailsAfterHalfAMinute() {
    session.connect()
    session.feed(.asks(first, .keep(saved("a", line: 1))))
    #expect(session.machine.nextDeadline == nil)
    session.feed(.asks(second, .deleteSaved(["a"])))
    #expect(session.machine.nextDeadline == session.now + .seconds(30))
    #expect(session.feed(.tick, after: .milliseconds(29_999)) == [])
    guard case .answered(second, .kept(let error))? = session.feed(.tick, after: .milliseconds(1)).first
    else {
      Issue.record("the deletion was not answered")
      return
    }
    #expect(error?.code == .connectionUnavailable)
    #expect(session.feed(.report(.kept(second, nil))) == [])
  }

  @Test mutating func unansweredSavesAreBounded() {
    for number in 0..<100 {
      session.feed(.asks(sampleIdentifier(UInt8(100 + number)), .keep(saved("\(number)", line: 1))))
    }
    let said = session.feed(.connected).filter { if case .send(.save) = $0 { true } else { false } }
    #expect(said.count == 64)
  }
}
