// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// Private in the small: what is the agent's is its user's alone.
@Suite(.waiting, .timeLimit(.minutes(20))) struct PrivacyTests {
  /// Every file and folder below `directory`, itself included, with its kind and mode.
  private func entries(below directory: String) -> [(path: String, kind: mode_t, mode: mode_t)] {
    var status = stat()
    guard lstat(directory, &status) == 0 else { return [] }
    let own = (path: directory, kind: status.st_mode & S_IFMT, mode: status.st_mode & 0o7777)
    guard own.kind == S_IFDIR else { return [own] }
    let names = (try? FilePath(directory).names()) ?? []
    return [own] + names.flatMap { entries(below: directory + "/" + String(decoding: $0, as: UTF8.self)) }
  }

  @Test func allThatAUsedAgentLeavesIsItsUsersAlone() throws {
    let before = umask(0)
    defer { umask(before) }
    let devices = try TwoDevices()
    try devices.offer("plan.md", "alpha")
    let moment = WallTime(milliseconds: 0)
    try devices.laptop.app.resume("plan.md", since: moment)
    let file = devices.player.sandbox.directory + "/device.continuo"
    _ = try devices.desktop.run("pair")
    var seen: Set<String> = []
    func check(_ device: Device) {
      for place in ["/state/continuo", "/run/continuo"] {
        let found = entries(below: device.root + place)
        #expect(!found.isEmpty, "\(place) is not there")
        for entry in found {
          let wanted: mode_t = entry.kind == S_IFDIR ? 0o700 : 0o600
          #expect(entry.mode == wanted, "\(entry.path) has mode \(String(entry.mode, radix: 8))")
          seen.insert(Files.name(of: entry.path))
        }
      }
    }
    for each in [devices.desktop, devices.laptop] { check(each.device) }
    try devices.desktop.stopPublishing("plan.md")
    #expect(try devices.desktop.run("move-out", file, "--yes").exit == .code(0))
    check(devices.desktop.device)
    #expect(entries(below: file).map(\.mode) == [0o600])
    for name in ["identity", "state", "own-state", "history.sqlite", "agent.log", "agent.lock", "agent.sock"]
    {
      #expect(seen.contains(name), "\(name) was looked at: \(seen.sorted())")
    }
  }

  /// The kernel gives what /proc tells of a process that refuses to be dumped to root, whoever's it is; and
  /// ptrace(2) asks the same flag.
  @Test func nobodyMayLookIntoTheAgentNorDumpIt() throws {
    let home = try Home()
    let user: uid_t = getuid() == 0 ? 65534 : getuid()
    var command = [home.sandbox.programs["continuo"], "agent"]
    if getuid() == 0 {
      command = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + command
      try #require(chmod(home.sandbox.directory, 0o711) == 0)
      for entry in entries(below: home.device.root) { try #require(lchown(entry.path, 65534, 65534) == 0) }
    }
    let agent = try ChildProcess(
      command[0], Array(command.dropFirst()), environment: home.device.environment)
    defer { agent.signal(.kill) }
    try Waiting.wait(
      for: "the agent to run", by: Deadline(seconds: 30), on: { agent.descriptors },
      lastState: { agent.state }
    ) { () -> Void? in
      agent.takeNews()
      return agent.errorText.contains("the agent runs as process") ? () : nil
    }
    var status = stat()
    try #require(stat("/proc/\(agent.process)/status", &status) == 0)
    let told = Files.text("/proc/\(agent.process)/status") ?? ""
    #expect(told.contains("Uid:\t\(user)\t"), "it runs as that user")
    for file in ["mem", "environ", "maps", "fd"] {
      try #require(lstat("/proc/\(agent.process)/\(file)", &status) == 0)
      #expect(status.st_uid == 0, "\(file) is user \(status.st_uid)'s")
    }
    // Of another program of the same user they are that user's.
    let other = try ChildProcess(
      command[0] == "/usr/bin/setpriv" ? command[0] : "/bin/sleep",
      command[0] == "/usr/bin/setpriv" ? Array(command[1...3]) + ["/bin/sleep", "600"] : ["600"],
      environment: home.device.environment)
    defer { other.signal(.kill) }
    try Waiting.wait(
      for: "the other program", by: Deadline(seconds: 10), on: { other.descriptors },
      lastState: { other.state }
    ) { () -> Void? in
      lstat("/proc/\(other.process)/mem", &status) == 0 && status.st_uid == user ? () : nil
    }
  }
}
