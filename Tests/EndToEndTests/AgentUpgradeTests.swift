// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// Editors that wait while something happens to the agent beside a crash: a new release takes its place, or
/// the computer sleeps.
@Suite(.waiting, .timeLimit(.minutes(20))) struct AgentUpgradeTests {
  private let devices: TwoDevices
  private var laptop: Device { devices.laptop.device }
  private static let names = [
    "continuo", "continuo-watch", "continuo-lan", "continuo-desktop", "continuo-edit",
  ]

  init() throws { devices = try TwoDevices() }

  /// Where the laptop's programs are installed for this test.
  private var installed: String { devices.player.sandbox.directory + "/installed" }

  /// As `make install` does: each is whole beside its place, and renamed over it.
  private func install() throws {
    try Files.makeDirectory(installed)
    for name in Self.names {
      _ = try ChildProcess.run(
        "/bin/sh",
        ["-c", "cp \"$1\" \"$2.new\" && mv -f \"$2.new\" \"$2\"", "sh", laptop.programs[name]]
          + [installed + "/" + name], environment: ["PATH": "/usr/bin:/bin"])
    }
  }

  /// The program that a process runs, as the kernel tells it; one whose file was replaced is `(deleted)`.
  private func program(of process: Int32) throws -> String {
    let told = try ChildProcess.run(
      "/bin/readlink", ["/proc/\(process)/exe"], environment: ["PATH": "/usr/bin:/bin"])
    return String(told.dropLast())
  }

  @Test(arguments: [true, false])
  func s37b_anEditorThatWaitsGetsItsDocumentFromTheAgentOfANewRelease(_ isAsked: Bool) throws {
    try install()
    try laptop.continuo("agent", "stop")
    _ = try ChildProcess.run(
      installed + "/continuo", ["status"], environment: laptop.environment)
    let former = Int32(try laptop.status().process)
    let screen = try devices.waitingEditor(installed + "/continuo-edit") { $0.disconnect() }
    try install()
    #expect(try program(of: former).hasSuffix("/continuo (deleted)"))
    // Its watch process ends meanwhile: the new one stands beside the old agent.
    try devices.laptop.killWatchProcess()

    let end = try #require(ProcessEnd(former))
    if isAsked {
      _ = try ChildProcess.run(installed + "/continuo", ["agent", "stop"], environment: laptop.environment)
    } else {
      Signal.terminate.send(to: former)
    }
    try end.wait(for: "the former agent to end")
    try screen.wait(for: "another agent") { _ in (try? laptop.status()).map { _ in () } }
    let agent = Int32(try laptop.status().process)
    #expect(try agent != former && program(of: agent) == installed + "/continuo")
    try devices.player.carrying().deliver("plan.md")
    try screen.wait(toShow: "alpha beta", "Ln 1, Col 6")
  }

  /// A computer that sleeps stops all its processes, and what they waited for happens without them. Here the
  /// agent sleeps until a command has given it up.
  @Test func anAgentThatSleptFindsWhatCameMeanwhile() throws {
    let screen = try devices.waitingEditor { $0.disconnect() }
    let agent = Int32(try laptop.status().process)
    let all = [agent] + Descendants.all(of: agent)
    for process in all { Signal.stop.send(to: process) }
    defer { for process in all { Signal.resume.send(to: process) } }
    try devices.player.carrying().deliver("plan.md")
    let child = try ChildProcess(
      laptop.programs["continuo"], ["status"], environment: laptop.environment)
    let exit = try child.waitForExit(within: 60)
    #expect(exit != .code(0) && child.errorText.contains("answer"), "\(child.state)")
    for process in all { Signal.resume.send(to: process) }
    try screen.wait(toShow: "alpha beta", "Ln 1, Col 6")
    #expect(Int32(try laptop.status().process) == agent, "nobody started another one meanwhile")
  }
}
