// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import ActivityWire
import Foundation
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// Real editors and agents that are killed while something is continued (semantics 37), and what the command
/// line says of it (41).
@Suite(.waiting, .timeLimit(.minutes(20))) struct KilledAppTests {
  private static func kill(_ screen: Screen) throws {
    let told = try screen.server.tmux("display-message", "-p", "-t", screen.name, "#{pane_pid}")
    let process = try #require(pid_t(told.filter(\.isNumber)))
    let end = try #require(ProcessEnd(process))
    Glibc.kill(process, SIGKILL)
    try end.wait(for: "the editor to end")
  }

  private static func editor(_ name: String, _ devices: TwoDevices) throws -> Screen {
    let laptop = devices.laptop.device
    let screen = try devices.terminals.open(
      name, [laptop.programs["continuo-edit"]], environment: laptop.environment)
    screen.flow = devices.flow()
    return screen
  }

  @Test func s37b_anAgentThatIsKilledWhileAnEditorWaitsIsAskedAgainAndTheEditorGetsOneAnswer() throws {
    let devices = try TwoDevices()
    let screen = try devices.waitingEditor()
    try devices.laptop.killAgent()
    _ = try devices.laptop.app.wait(for: "another agent") { $0.offers?.isEmpty == false ? () : nil }
    try devices.player.carrying().deliver("plan.md")
    try screen.wait(toShow: "alpha beta", "Ln 1, Col 6")
  }

  @Test func s37c_anEditorThatIsKilledWhileItWaitsGoesOnWhenItIsStartedAgain() throws {
    let devices = try TwoDevices()
    let first = try devices.waitingEditor()
    try Self.kill(first)
    let second = try Self.editor("again", devices)
    // Nobody asked this process: the agent remembers.
    try second.wait(toShow: "Waiting for plan.md")
    try devices.player.carrying().deliver("plan.md")
    try second.wait(toShow: "alpha beta", "Ln 1, Col 6")
    _ = try devices.laptop.app.wait(for: "the offer to be taken") { $0.offers?.isEmpty == true ? () : nil }
  }

  @Test func s37c_s41c_anEditorThatIsKilledWithTheDocumentInHandIsOfferedItAgain() throws {
    let devices = try TwoDevices()
    let points = try PausePoints(of: devices.laptop.device)
    let first = try devices.waitingEditor()
    try points.arm(12)
    try devices.player.carrying().deliver("plan.md")
    try points.wait(for: 12, flow: devices.flow()) { first.framed }
    try Self.kill(first)
    points.letGo()
    let second = try Self.editor("again", devices)
    try second.wait(toShow: "Continue plan.md")
    let told = try devices.laptop.device.continuo("offers", "--json")
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(told.utf8)) as? [[String: Any]])
    #expect(
      rows.map { $0["remark"] as? String }
        == ["Continuo Edit ended before it had shown it; continue it again."], "\(told)")
    try second.press("C-r")
    try second.wait(toShow: "alpha beta", "Ln 1, Col 6")
  }

  @Test func s41c_whatIsNotOfferedStandsInTheListOfOwnActivitiesWithTheReason() throws {
    let home = try Home()
    try home.addFolder()
    _ = try home.device.status()
    let connection = try #require(try WireConnection(socketPath: home.device.socket))
    connection.send(.request(.hello(AppManifest(appID: "org.example.notes", name: "Notes"))))
    var outside = ActivitySnapshot(
      id: try #require(ActivityID(hex: String(repeating: "0a", count: 16))), type: "org.example.reading",
      appID: "org.example.notes", changedAt: WallTime(milliseconds: wallNow()))
    outside.title = "Elsewhere"
    outside.userInfo[.text(NSUserActivityDocumentURLKey)] = .url("file:///tmp/elsewhere.md")
    connection.send(.request(.update(outside, saved: nil)))
    var large = outside
    large.id = try #require(ActivityID(hex: String(repeating: "0b", count: 16)))
    large.changedAt = WallTime(milliseconds: outside.changedAt.milliseconds - 1)
    connection.send(.request(.withheld(OwnActivity(large, reason: "Its userInfo is too large."))))
    let told = try Waiting.wait(
      for: "both activities", by: Deadline(seconds: 20), on: { [connection.descriptor] },
      lastState: { home.device.logEnd }
    ) { () -> String? in
      let told = try home.device.continuo("offers", "--own", "--json")
      return told.contains("too large") ? told : nil
    }
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(told.utf8)) as? [[String: Any]])
    #expect(rows.map { $0["isOffered"] as? Bool } == [false, false], "\(told)")
    let reasons = rows.compactMap { $0["reason"] as? String }
    #expect(reasons.first?.contains("in no synced folder") == true, "\(told)")
    #expect(try home.continuo("offers").outputText.isEmpty)
    let shown = try home.continuo("offers", "--own").outputText
    #expect(shown.contains("Elsewhere  org.example.reading  not offered"), "\(shown)")
    #expect(try home.continuo("offers", "--own", "--watch").exit == .code(64))
  }
}
