// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import AgentEngine
import LinuxSystem
import TestSupport
import Testing

@testable import Agent

/// The agent's end of `continuo-desktop serve`, with a program that fails as the real one does not.
@Suite(.waiting) struct DesktopSupervisorTests {
  private final class Heard {
    var events: [DesktopEvent] = []
    var answers: [Result<String, ContinuityError>] = []
  }

  private let scratch: Scratch
  private let loop: EventLoop
  private let heard = Heard()

  init() throws {
    scratch = try Scratch()
    loop = try EventLoop()
  }

  /// A service of a program that is this script.
  private func service(_ script: String) throws -> DesktopSupervisor {
    let program = scratch.path + "/program"
    try Scratch.write("#!/bin/sh\n" + script, to: program)
    try FilePath(program).setPermissions(0o700)
    return DesktopSupervisor(
      loop: loop, program: { program }, environment: { ["WORD": "from the agent"] },
      onEvent: { [heard] in heard.events.append($0) })
  }

  private func run(until what: String, _ condition: () -> Bool) throws {
    var isLate = false
    let limit = loop.schedule(at: .now + .seconds(20)) { isLate = true }
    defer { loop.cancel(limit) }
    while !condition() {
      try #require(!isLate, "\(what); heard \(heard.events)")
      loop.turn()
    }
  }

  /// A frame, as the shell prints it.
  private func frame(_ fields: String...) -> String {
    let length = fields.reduce(0) { $0 + $1.utf8.count + 1 }
    let words = fields.map { "'\($0)'" }.joined(separator: " ")
    return "printf '\(length)\\n'; printf '%s\\0' \(words)\n"
  }

  @Test func itRunsWhileItIsNeededAndSaysWhatAPersonDoes() throws {
    let service = try service(
      frame("server", "present", "actions") + frame("action", "3", "default")
        + frame("action", "3", "not-now")
        + frame("action", "3", "other") + frame("closed", "3", "dismissed") + frame("closed", "3", "expired")
        + "exec cat >'\(scratch.path)/orders'\n")
    #expect(heard.events.isEmpty)
    service.need(true)
    try run(until: "five events") { heard.events.count == 5 }
    let three = NotificationNumber(rawValue: 3)
    #expect(
      heard.events == [
        .server(isPresent: true), .pressed(three, .resume), .pressed(three, .notNow), .closed(three),
        .expired(three),
      ])
    service.send(["withdraw", "3"])
    service.stop()
    try run(until: "the order") {
      Scratch.bytes(at: scratch.path + "/orders") == DesktopFrame.bytes(of: ["withdraw", "3"])
    }
  }

  @Test func oneThatEndsIsStartedAgainAndToldOf() throws {
    let count = scratch.path + "/count"
    let service = try service("echo x >>'\(count)'\n" + frame("server", "present") + "exit 3\n")
    service.need(true)
    try run(until: "three runs") { heard.events.count >= 6 }
    #expect(
      Array(heard.events.prefix(4)) == [
        .server(isPresent: true), .server(isPresent: false), .server(isPresent: true),
        .server(isPresent: false),
      ])
    service.need(false)
    service.stop()
  }

  @Test func whatCannotBeReadEndsIt() throws {
    let service = try service("printf 'no frame at all, and no end of it'; exec sleep 60\n")
    service.need(true)
    try run(until: "its end") { heard.events == [.server(isPresent: false)] }
    service.stop()
  }

  @Test func aRequestIsAnsweredOrFailsWithTheProcess() throws {
    let service = try service(
      frame("done", "1", "") + frame("failed", "2", "No such app.") + "read -r line; exit 1\n")
    for _ in 0..<3 { service.ask([Array("start".utf8)]) { [heard] in heard.answers.append($0) } }
    try run(until: "three answers") { heard.answers.count == 3 }
    #expect(try heard.answers[0].get() == "")
    for answer in heard.answers.dropFirst() { #expect(throws: ContinuityError.self) { try answer.get() } }
    service.stop()
  }

  @Test func withoutTheProgramARequestSaysWhatToInstall() throws {
    let service = DesktopSupervisor(
      loop: loop, program: { nil }, environment: { [:] }, onEvent: { [heard] in heard.events.append($0) })
    service.ask([Array("start".utf8)]) { [heard] in heard.answers.append($0) }
    let error = #expect(throws: ContinuityError.self) { try heard.answers.first?.get() }
    #expect(error?.description.contains("continuo-desktop") == true)
  }
}
