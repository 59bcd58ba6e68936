// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// The agent and the graphical sessions of a person: where it finds them, and how it ends.
@Suite(.waiting, .timeLimit(.minutes(20))) struct AgentSessionTests {
  private let devices: TwoDevices
  private var laptop: Device { devices.laptop.device }

  init() throws { devices = try TwoDevices() }

  /// An app that takes texts: started, it writes down its environment and ends.
  private func installNote() throws {
    let folder = laptop.root + "/data/continuo/apps/org.example.note"
    FilePath(folder).makeFolders(mode: 0o700)
    try Files.replace(
      folder + "/Info.plist",
      with: Array(
        """
        <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>org.example.note</string>
        <key>CFBundleName</key><string>Note</string>
        <key>NSUserActivityTypes</key><array><string>public.text-editing</string></array>
        <key>ContinuoExecutable</key><array><string>/bin/sh</string><string>-c</string>
        <string>env >"$0.new"; mv "$0.new" "$0"</string><string>\(noted)</string></array>
        </dict></plist>

        """.utf8))
  }

  private var noted: String { laptop.root + "/pauses/environment" }

  /// The environment of the app once it was started; forgotten then.
  private func startedEnvironment() throws -> [String: String] {
    let changes = try FolderEvents([Files.parent(of: noted)])
    let text = try changes.wait(for: "an app to be started", lastState: { laptop.logEnd }) {
      Files.text(noted)
    }
    try Files.remove(noted)
    let pairs = text.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1) }
    return Dictionary(
      pairs.compactMap { $0.count == 2 ? (String($0[0]), String($0[1])) : nil }, uniquingKeysWith: { $1 })
  }

  /// A client that stays: it belongs to the session that these variables tell of.
  private func client(_ variables: [String: String]) throws -> ChildProcess {
    let child = try ChildProcess(
      laptop.programs["continuo"], ["offers", "--watch", "--json"],
      environment: laptop.environment.merging(variables) { _, own in own })
    try child.waitForOutput("its first list") { $0.contains("\n") }
    return child
  }

  private func offer() throws {
    try devices.write("plan.md", "alpha")
    try devices.desktop.publish("plan.md", line: 1, column: 1)
    try devices.player.carrying().deliverEverything()
  }

  private func agentProcess() throws -> Int32 { Int32(try laptop.status().process) }

  @Test func anAgentThatWasStartedWithNothingStartsAppsOnTheDisplayOfItsClientAndSpeaksItsLanguage() throws {
    try installNote()
    try laptop.continuo("agent", "stop")
    // What is in the XDG directories of this device lies where it looks without those variables.
    FilePath(laptop.root + "/home/.local").makeFolders(mode: 0o700)
    for (name, target) in [("state", "state"), ("share", "data")] {
      _ = try ChildProcess.run(
        "/bin/ln", ["-s", "../../" + target, laptop.root + "/home/.local/" + name],
        environment: ["PATH": "/usr/bin:/bin"])
    }
    let bare = ["HOME", "PATH", "XDG_RUNTIME_DIR"].map { ($0, laptop.environment[$0] ?? "") }
    let agent = try ChildProcess(
      laptop.programs["continuo"], ["agent"], environment: Dictionary(uniqueKeysWithValues: bare))
    try devices.laptop.waitForAgent(agent)

    let session = try DesktopSession(on: laptop, nil, bus: "session", flow: devices.flow())
    let client = try client([
      DesktopSession.variable: session.address, "DISPLAY": ":77", "WAYLAND_DISPLAY": "wayland-77",
      "LANG": "de_DE.UTF-8",
    ])
    try offer()
    try session.wait(toTell: "plan.md von desktop fortsetzen")
    try session.press("Fortsetzen")
    let environment = try startedEnvironment()
    #expect(environment["DISPLAY"] == ":77" && environment["WAYLAND_DISPLAY"] == "wayland-77")
    #expect(environment[DesktopSession.variable] == session.address)
    #expect(environment["LANG"] == nil, "the rest is the agent's")
    client.signal(.interrupt)
  }

  @Test func ofTwoSessionsOfAPersonTheNewestIsToldUntilItEnds() throws {
    try installNote()
    let first = try DesktopSession(on: laptop, nil, bus: "first", flow: devices.flow())
    let second = try DesktopSession(on: laptop, nil, bus: "second", flow: devices.flow())
    let older = try client([
      DesktopSession.variable: first.address, "DISPLAY": ":1", "WAYLAND_DISPLAY": "wayland-1",
    ])
    try offer()
    try first.wait(toTell: "Continue plan.md from desktop")

    let newest = try client([DesktopSession.variable: second.address, "DISPLAY": ":2"])
    try second.wait(toTell: "Continue plan.md from desktop")
    try first.waitToTellNothing()
    newest.signal(.interrupt)
    try newest.waitForExit()
    try first.wait(toTell: "Continue plan.md from desktop")
    try second.waitToTellNothing()

    // A session of X11 after one of Wayland: what the older one knows is no part of it.
    let again = try client([DesktopSession.variable: second.address, "DISPLAY": ":2"])
    try second.wait(toTell: "Continue plan.md from desktop")
    try second.press("Continue")
    let environment = try startedEnvironment()
    #expect(environment["DISPLAY"] == ":2" && environment["WAYLAND_DISPLAY"] == nil)
    #expect(environment[DesktopSession.variable] == second.address)
    withExtendedLifetime((older, again)) {}
  }

  @Test func itEndsWithItsNotificationItsChildrenAndItsSocket() throws {
    let session = try DesktopSession(on: laptop, nil, flow: devices.flow())
    try installNote()
    // The agent knows this bus by its place, from its start on.
    try laptop.continuo("agent", "stop")
    try laptop.continuo("status")
    try offer()
    try session.wait(toTell: "Continue plan.md from desktop")
    let agent = try agentProcess()
    let below = Descendants.all(of: agent)
    let names = below.map { (Files.text("/proc/\($0)/comm") ?? "").filter { $0 != "\n" } }
    #expect(Set(names) == ["continuo-watch", "continuo-deskto"], "\(names)")
    let ends = ([agent] + below).compactMap { ProcessEnd($0) }
    #expect(ends.count == 3)
    Signal.terminate.send(to: agent)
    for end in ends { try end.wait(for: "the agent and its children to end") }
    try session.waitToTellNothing()
    #expect(Files.list(laptop.root + "/run/continuo").allSatisfy { !$0.hasSuffix(".sock") })
    #expect(laptop.logEnd.contains("ends") || laptop.logEnd.contains("stop"), "\(laptop.logEnd)")
  }
}

extension Player.DeviceInPlay {
  /// Waits until this agent answers.
  func waitForAgent(_ agent: ChildProcess) throws {
    try Waiting.wait(
      for: "an agent", by: Deadline(seconds: 20), on: { agent.descriptors }, lastState: { agent.state }
    ) {
      agent.takeNews()
      return agent.errorText.contains("runs") || (try? device.status()) != nil ? () : nil
    }
  }
}
