// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// The log is bounded, whoever makes the agent write to it.
@Suite struct AgentLogTests {
  @Test func whatIsSaidAgainAndAgainIsCounted() {
    var pacing = LogPacing()
    var now = Instant(nanoseconds: 0)
    var written: [String] = []
    for number in 0..<100_000 {
      written += pacing.lines(
        for: "\(number) files in a record folder are no records of this circle", at: now)
      now = now + .milliseconds(1)
    }
    #expect(written.count == LogPacing.burst)
    let other = pacing.lines(for: "device ab joined the circle", at: now)
    #expect(other == ["device ab joined the circle"])
    now = now + LogPacing.window
    let again = pacing.lines(for: "7 files in a record folder are no records of this circle", at: now)
    #expect(
      again == [
        "99992 more lines like the next one were left out",
        "7 files in a record folder are no records of this circle",
      ])
  }

  @Test func manyKindsAreForgottenAndNotKeptWithoutEnd() {
    var pacing = LogPacing()
    for letter in 0..<1000 {
      let name = String(repeating: "x", count: letter)
      #expect(pacing.lines(for: name, at: Instant(nanoseconds: UInt64(letter))) == [name])
    }
  }

  @Test func aLongLogFileIsMovedBesideItselfAndGoesOnEmpty() throws {
    let scratch = try Scratch("log")
    let path = scratch.path + "/agent.log"
    try Scratch.write([UInt8](repeating: 97, count: 3 * AgentLog.limit) + Array("last\n".utf8), to: path)
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    lseek(descriptor, 0, SEEK_END)
    defer { close(descriptor) }
    AgentLog.rotate(BorrowedDescriptor(descriptor))
    #expect(Scratch.bytes(at: path)?.isEmpty == true)
    let kept = try #require(Scratch.bytes(at: path + ".1"))
    #expect(kept.count == AgentLog.limit && kept.suffix(5).elementsEqual("last\n".utf8))
    #expect(write(descriptor, "next\n", 5) == 5)
    #expect(Scratch.bytes(at: path) == Array("next\n".utf8))
    AgentLog.rotate(BorrowedDescriptor(descriptor))
    #expect(Scratch.bytes(at: path) == Array("next\n".utf8), "a short one stays")
  }

  @Test func anotherFileThatTheAgentWritesToIsLeftAlone() throws {
    let scratch = try Scratch("log")
    let path = scratch.path + "/mine.txt"
    try Scratch.write([UInt8](repeating: 97, count: 2 * AgentLog.limit), to: path)
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    AgentLog.rotate(BorrowedDescriptor(descriptor))
    #expect(Scratch.bytes(at: path)?.count == 2 * AgentLog.limit)
  }
}
