// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

@Suite("What a session asks and tells of files") struct SessionFileTests {
  var session = SessionSample()
  let first: RequestID = sampleIdentifier(21)
  let second: RequestID = sampleIdentifier(22)
  private let name = Array("plan".utf8)

  private func names(_ action: SessionMachine.Action?) -> [String]? {
    if case .answered(_, .contentTypes(let names, _)) = action { names } else { nil }
  }

  @Test mutating func aTypeIsToldOnce() {
    session.connect()
    #expect(
      session.feed(.asks(first, .contentType(name: name, beginning: [1])))
        == [.send(.askContentType(first, name: name, beginning: [1]))])
    let told = AgentReport.contentType(first, ["text/x-csrc", "text/plain"], nil)
    #expect(
      session.feed(.report(told)) == [.answered(first, .contentTypes(["text/x-csrc", "text/plain"], nil))])
    #expect(session.feed(.report(told)) == [])
    #expect(session.machine.nextDeadline == nil)
  }

  @Test mutating func nobodyWaitsLongerThanTwoSecondsForAType() {
    session.connect()
    session.feed(.asks(first, .contentType(name: name, beginning: [])))
    session.feed(.tick, after: .seconds(1))
    session.feed(.asks(second, .contentType(name: name, beginning: [])))
    #expect(session.feed(.tick, after: .milliseconds(999)) == [])
    #expect(session.machine.nextDeadline == session.now + .milliseconds(1))
    let ended = session.feed(.tick, after: .milliseconds(1))
    #expect(ended.count == 1 && names(ended.first) == [])
    #expect(session.feed(.report(.contentType(first, ["text/plain"], nil))) == [])
    #expect(
      session.feed(.report(.contentType(second, ["text/plain"], nil)))
        == [.answered(second, .contentTypes(["text/plain"], nil))])
  }

  @Test mutating func withoutAnAgentATypeIsUnknownAtOnce() {
    #expect(names(session.feed(.asks(first, .contentType(name: name, beginning: []))).first) == [])
    session.connect()
    session.feed(.asks(second, .contentType(name: name, beginning: [])))
    #expect(session.feed(.disconnected).compactMap { names($0) } == [[]])
    #expect(session.feed(.tick, after: .seconds(3)).compactMap { names($0) } == [])
  }

  @Test mutating func whatWasUsedWithoutAnAgentIsToldToTheNextOne() {
    let files = (0..<18).map { Array("/notes/\($0)".utf8) }
    for path in files + [files[5]] { session.feed(.usedFile(path: path, program: [47])) }
    let told = session.feed(.connected).compactMap { action -> [UInt8]? in
      if case .send(.usedRecently(let path, _)) = action { path } else { nil }
    }
    #expect(told == Array(files[2..<5] + files[6...]) + [files[5]])
    session.feed(.disconnected)
    #expect(
      !session.feed(.connected).contains { if case .send(.usedRecently) = $0 { true } else { false } })
    #expect(
      session.feed(.usedFile(path: files[0], program: [47]))
        == [.send(.usedRecently(path: files[0], program: [47]))])
  }
}
