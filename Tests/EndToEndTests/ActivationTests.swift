// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// Agents that a service manager starts, and agents that are started at once.
@Suite(.waiting) struct ActivationTests {
  private let manager = "/usr/bin/systemd-socket-activate"

  /// A service manager that starts the agent with the first client of the socket.
  private func activation(_ home: Home, at socket: String) throws -> ChildProcess {
    let names = home.device.environment.keys.flatMap { ["-E", $0] }
    let listener = try ChildProcess(
      manager, ["-l", socket] + names + [home.device.programs["continuo"], "agent"],
      environment: home.device.environment)
    try Waiting.wait(
      for: "a socket", by: Deadline(seconds: 20), on: { listener.descriptors }, lastState: { listener.state }
    ) {
      listener.takeNews()
      return listener.errorText.contains("Listening") ? () : nil
    }
    return listener
  }

  @Test func theFirstClientOfAManagersSocketStartsTheAgent() throws {
    let home = try Home()
    try Files.makeDirectory(home.device.root + "/run/continuo")
    try FilePath(home.device.root + "/run/continuo").setPermissions(0o700)
    let listener = try activation(home, at: home.device.socket)
    // The listener becomes the agent: the same process answers.
    #expect(try home.device.status().process == UInt64(listener.process))
    let watch = try home.device.status().watchProcess
    // The manager's socket and the variables are no child's.
    if watch > 0 {
      let variables = Files.text("/proc/\(watch)/environ") ?? ""
      #expect(!variables.contains("LISTEN_"))
    }
    try home.device.continuo("agent", "stop")
    #expect(try listener.waitForExit() == .code(0))
    // The manager goes on listening there.
    #expect((try? FilePath(home.device.socket).status(followingLinks: false)) != nil)
  }

  @Test func aManagersSocketInAnotherPlaceIsRefusedWithBothPlaces() throws {
    let home = try Home()
    let elsewhere = home.device.root + "/run/elsewhere.sock"
    let listener = try activation(home, at: elsewhere)
    let knock = try UnixSocket.make()
    try UnixSocket.connect(knock, to: elsewhere)
    #expect(try listener.waitForExit() == .code(1))
    #expect(listener.errorText.contains(elsewhere) && listener.errorText.contains(home.device.socket))
    #expect(listener.errorText.contains("ListenStream"))
  }

  /// A bus that knows the file that `make install` puts there, for programs that lie elsewhere.
  private func bus(of home: Home) throws -> (process: ChildProcess, address: String) {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let described = try #require(Files.text(root + "/Sources/Packaging/org.continuo.Agent.service.in"))
    let services = home.device.root + "/data/dbus-1/services"
    FilePath(services).makeFolders(mode: 0o700)
    let placed = described.replacing("@PREFIX@/bin", with: home.device.programs.directory)
    try Files.replace(services + "/org.continuo.Agent.service", with: Array(placed.utf8))
    let address = "unix:path=" + home.device.root + "/run/bus"
    let bus = try ChildProcess(
      "dbus-daemon", ["--session", "--nofork", "--nopidfile", "--print-address", "--address=" + address],
      environment: home.device.environment)
    try bus.waitForOutput("the bus's address") { $0.contains("unix:path=") }
    return (bus, address)
  }

  /// Asks a bus; what `dbus-send` printed.
  private func ask(_ home: Home, _ address: String, _ words: String..., to name: String) throws
    -> ChildProcess
  {
    let child = try ChildProcess(
      "/usr/bin/dbus-send", ["--bus=" + address, "--print-reply", "--dest=" + name] + words,
      environment: home.device.environment)
    try child.waitForExit()
    return child
  }

  @Test func whoeverAsksTheBusForTheAgentHasOneStartedAndNoSecondOne() throws {
    let home = try Home()
    let bus = try bus(of: home)
    var agents: Set<UInt64> = []
    // At the second time one runs already; the third asks the name itself.
    for _ in 0..<2 {
      let started = try ask(
        home, bus.address, "/", "org.freedesktop.DBus.StartServiceByName", "string:org.continuo.Agent",
        "uint32:0", to: "org.freedesktop.DBus")
      #expect(started.exit == .code(0), "\(started.state)")
      agents.insert(try home.device.status().process)
    }
    let answered = try ask(
      home, bus.address, "/", "org.freedesktop.DBus.Peer.Ping", to: "org.continuo.Agent")
    #expect(answered.exit == .code(0), "\(answered.state)")
    agents.insert(try home.device.status().process)
    #expect(agents.count == 1)
    let variables = Files.text("/proc/\(agents.first ?? 0)/environ") ?? ""
    #expect(variables.contains("XDG_RUNTIME_DIR=") && !variables.contains("DBUS_STARTER"))
  }

  @Test func anAgentThatCannotStartIsToldToWhoeverAsksTheBus() throws {
    let home = try Home()
    let bus = try bus(of: home)
    let state = home.device.root + "/state/continuo"
    try Files.makeDirectory(state)
    try FilePath(state).setPermissions(0o755)
    let refused = try ask(
      home, bus.address, "/", "org.freedesktop.DBus.Peer.Ping", to: "org.continuo.Agent")
    #expect(refused.exit == .code(1) && refused.errorText.contains("exited"), "\(refused.state)")
  }

  @Test func ofTwoAgentsThatAreStartedAtOnceOneRunsHoweverOften() throws {
    let home = try Home()
    for round in 0..<100 {
      let agents = try (0..<2).map { _ in try home.device.start("agent") }
      let ended = try Waiting.wait(
        for: "one agent to give way in round \(round)", by: Deadline(seconds: 30),
        on: { agents.flatMap(\.descriptors) }, lastState: { agents.map(\.state).joined(separator: "\n") }
      ) { () -> ChildProcess? in
        for agent in agents { agent.takeNews() }
        return agents.first { $0.exit != nil }
      }
      #expect(ended.exit == .code(1) && ended.errorText.contains("already runs"))
      let other = try #require(agents.first { $0 !== ended })
      // It has the lock, and may not listen yet.
      try Waiting.wait(
        for: "the other agent in round \(round)", by: Deadline(seconds: 30), on: { other.descriptors },
        lastState: { other.state }
      ) { () -> Void? in
        other.takeNews()
        return other.errorText.contains("the agent runs as process") ? () : nil
      }
      #expect(try home.device.status().process == UInt64(other.process))
      try home.device.continuo("agent", "stop")
      #expect(try other.waitForExit() == .code(0))
    }
  }
}
