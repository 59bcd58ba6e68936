// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// An agent that cannot start: whoever needed it hears why, at once.
@Suite(.waiting) struct AgentStartTests {
  /// Any command says `words` and ends with 1, long before it would give up waiting.
  private func expectReason(
    _ home: Home, changing environment: [String: String?] = [:], within limit: Duration = .seconds(9),
    saying words: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let start = ContinuousClock.now
    let child = try home.continuo("status", changing: environment)
    let took = ContinuousClock.now - start
    #expect(child.exit == .code(1), "\(child.state)", sourceLocation: sourceLocation)
    for word in words {
      #expect(child.errorText.contains(word), "\(child.state)", sourceLocation: sourceLocation)
    }
    #expect(
      child.errorText.split(separator: "\n").count == 1, "\(child.state)", sourceLocation: sourceLocation)
    #expect(took < limit, "\(took)", sourceLocation: sourceLocation)
  }

  @Test func aStateDirectoryThatOthersMayEnter() throws {
    let home = try Home()
    let state = home.device.root + "/state/continuo"
    try Files.makeDirectory(state)
    chmod(state, 0o755)
    try expectReason(home, saying: "chmod 700 \(state)")
    chmod(state, 0o700)
    #expect(try home.continuo("status").exit == .code(0), "it starts as soon as that is mended")
  }

  @Test func aDamagedState() throws {
    let home = try Home()
    try home.device.continuo("status")
    try home.device.continuo("agent", "stop")
    let identity = home.device.root + "/state/continuo/identity"
    try Files.replace(identity, with: Array("junk".utf8))
    try expectReason(home, saying: identity, "damaged", "backup")
  }

  @Test func aStateDirectoryThatIsSynced() throws {
    let home = try Home()
    try Files.makeDirectory(home.device.root + "/state/continuo")
    chmod(home.device.root + "/state/continuo", 0o700)
    try Files.makeDirectory(home.device.root + "/state/continuo/.stfolder")
    try expectReason(home, saying: "state/continuo", "itself synced", "XDG_STATE_HOME")
  }

  @Test func aRuntimeDirectoryThatCannotBeMade() throws {
    let home = try Home()
    try Files.writeInPlace(home.device.root + "/file", [])
    try expectReason(
      home, changing: ["XDG_RUNTIME_DIR": home.device.root + "/file"], saying: home.device.root + "/file")
    try expectReason(home, changing: ["XDG_RUNTIME_DIR": "/proc/none"], saying: "/proc/none")
    try expectReason(home, changing: ["XDG_STATE_HOME": "/proc/none"], saying: "/proc/none")
  }

  @Test func aSocketDirectoryThatOthersMayEnter() throws {
    let home = try Home()
    let directory = home.device.root + "/run/continuo"
    try Files.makeDirectory(directory)
    chmod(directory, 0o755)
    try expectReason(home, saying: "chmod 700 \(directory)")
  }

  @Test func anAgentOfASessionWithAnotherRuntimeDirectory() throws {
    let home = try Home()
    try home.device.continuo("status")
    let other = home.device.root + "/other"
    try Files.makeDirectory(other)
    try expectReason(
      home, changing: ["XDG_RUNTIME_DIR": other], saying: "another session",
      "XDG_RUNTIME_DIR")
    #expect(try home.continuo("status").exit == .code(0), "the other one goes on")
  }

  @Test func aFullDisk() throws {
    let home = try Home()
    let state = home.device.root + "/state"
    let mounted = try ChildProcess(
      "/usr/bin/env", ["mount", "-t", "tmpfs", "-o", "size=4k,mode=700", "none", state],
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    guard try mounted.waitForExit() == .code(0) else { return print("mounting is refused here") }
    defer { umount2(state, Int32(MNT_DETACH)) }
    try shell(
      "mkdir -m 700 \"$1/continuo\"; cat /dev/zero > \"$1/full\" 2>/dev/null || true", state)
    try expectReason(home, saying: "disk is full")
    // No half key is left behind: with room, the first agent that starts makes the device.
    let identity = state + "/continuo/identity"
    #expect(!FilePath(identity).allows(), "an identity without its bytes")
    try shell("mount -o remount,size=4m \"$1\" && rm \"$1/full\"", state)
    try home.addFolder()
    let kept = try #require(Files.read(identity))
    // Keys that come later: no words of which the agent knows nothing, and no change of what it keeps.
    try shell("cat /dev/zero > \"$1/full\" 2>/dev/null || true", state)
    let pair = try home.continuo("pair")
    expectSentence(pair, saying: "disk is full")
    #expect(pair.outputText.isEmpty && Files.read(identity) == kept, "\(pair.state)")
    try shell("rm \"$1/full\"", state)
    #expect(try home.continuo("pair").exit == .code(0))
  }

  private func shell(_ script: String, _ path: String) throws {
    _ = try ChildProcess.run(
      "/bin/sh", ["-c", script, "sh", path], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
  }

  @Test func aSocketPathThatIsTooLongForAnAddressServes() throws {
    let home = try Home()
    let long = home.device.root + "/" + String(repeating: "r", count: 120)
    try Files.makeDirectory(long)
    let child = try home.continuo("status", changing: ["XDG_RUNTIME_DIR": long])
    #expect(child.exit == .code(0), "\(child.state)")
    let stop = try home.continuo("agent", "stop", changing: ["XDG_RUNTIME_DIR": long])
    #expect(stop.exit == .code(0), "\(stop.state)")
  }
}
