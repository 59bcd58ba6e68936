// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// The agent as a process: when it starts, how many there are, who may talk to it.
@Suite(.waiting) struct AgentProcessTests {
  @Test func theFirstCommandStartsOneAgentAndTheNextFindsIt() throws {
    let home = try Home()
    #expect(try WireConnection(socketPath: home.device.socket) == nil)
    try home.device.continuo("status")
    let first = try home.device.status().process
    try home.device.continuo("folder", "list")
    #expect(try home.device.status().process == first)
  }

  @Test func manyFirstCommandsAtOnceStartOneAgent() throws {
    let home = try Home()
    let clients = try (0..<6).map { _ in try home.device.start("status") }
    for client in clients { #expect(try client.waitForExit() == .code(0), "\(client.state)") }
    let agent = try home.device.status().process
    #expect(try WireConnection(socketPath: home.device.socket)?.agentProcess == pid_t(agent))
  }

  @Test func aSecondAgentSaysThatOneRuns() throws {
    let home = try Home()
    try home.device.continuo("status")
    expectSentence(try home.continuo("agent"), saying: "agent", "run")
  }

  @Test func stoppingEndsTheAgentAndItsWatchProcess() throws {
    let home = try Home()
    try home.addFolder()
    let status = try home.device.status()
    let watch = status.watchProcess
    try home.device.continuo("agent", "stop")
    for process in [status.process, watch] where process > 0 { try home.waitForEnd(of: pid_t(process)) }
    #expect(try WireConnection(socketPath: home.device.socket) == nil)
  }

  @Test func theSocketIsForItsOwnerAlone() throws {
    let home = try Home()
    try home.device.continuo("status")
    #expect(mode(of: home.device.root + "/run/continuo") == 0o700)
    #expect(mode(of: home.device.socket) == 0o600)
    #expect(mode(of: home.device.root + "/state/continuo") == 0o700)
  }

  @Test func aSocketDirectoryOpenToOthersIsRefused() throws {
    let home = try Home()
    try Files.makeDirectory(home.device.root + "/run/continuo", mode: 0o755)
    chmod(home.device.root + "/run/continuo", 0o755)
    expectSentence(try home.continuo("status"), saying: "run/continuo")
  }

  @Test func withoutARuntimeDirectoryTheStateDirectoryServes() throws {
    let home = try Home()
    let child = try home.continuo("status", changing: ["XDG_RUNTIME_DIR": nil])
    #expect(child.exit == .code(0), "\(child.state)")
    let directory = home.device.root + "/state/continuo/run"
    #expect(mode(of: directory) == 0o700)
    let stop = try home.continuo("agent", "stop", changing: ["XDG_RUNTIME_DIR": nil])
    #expect(stop.exit == .code(0), "\(stop.state)")
  }

  private func mode(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }
}

extension Home {
  /// Waits until the process is gone.
  func waitForEnd(of process: pid_t) throws {
    guard let end = ProcessEnd(process) else { return }
    try end.wait(for: "process \(process) to end")
  }
}
