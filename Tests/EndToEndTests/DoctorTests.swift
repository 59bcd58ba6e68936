// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// `continuo doctor` with a real agent, and without one.
@Suite(.waiting, .timeLimit(.minutes(20))) struct DoctorTests {
  private func rows(_ child: fixtures.ChildProcess) throws -> [String: [String: String]] {
    let list = try #require(
      try JSONSerialization.jsonObject(with: Data(child.outputBytes)) as? [[String: String]], "\(child.state)"
    )
    return Dictionary(list.map { ($0["name"] ?? "", $0) }) { first, _ in first }
  }

  @Test func aDeviceAloneIsLookedAt() throws {
    let home = try Home()
    try home.addFolder()
    let child = try home.continuo("doctor", "--json", changing: ["DBUS_SESSION_BUS_ADDRESS": nil])
    let rows = try rows(child)
    #expect(rows["agent"]?["level"] == "ok" && rows["permissions"]?["level"] == "ok", "\(child.state)")
    #expect(
      rows["devices"]?["level"] == "warning" && rows["folder Notes"]?["level"] == "ok", "\(child.state)")
    let isWrong = rows.values.contains { $0["level"] == "problem" }
    #expect(child.exit == .code(isWrong ? 1 : 0), "\(child.state)")
    let text = try home.continuo("doctor")
    #expect(text.outputText.contains("ok      permissions: "), "\(text.state)")
  }

  @Test func othersThatMayReadTheKeysAreAProblem() throws {
    let home = try Home()
    try home.addFolder()
    let places = try AgentPlaces(environment: home.device.environment)
    try FilePath(places.stateDirectory + "/identity").setPermissions(0o644)
    try Files.replace(home.device.folder + "/.stignore", with: Array(".*\n".utf8))
    let child = try home.continuo("doctor")
    #expect(child.exit == .code(1), "\(child.state)")
    #expect(child.outputText.contains("chmod 600"), "\(child.state)")
    #expect(child.outputText.contains("its .stignore has .*"), "\(child.state)")
  }

  @Test func anotherDeviceIsHeardAndASecondFolderIsNotCarried() throws {
    let devices = try TwoDevices()
    try devices.offer("plan.md", "alpha")
    let other = devices.player.sandbox.directory + "/other"
    try Files.makeDirectory(other)
    try devices.laptop.device.continuo("folder", "add", other, "--name", "Other")
    let child = try devices.laptop.run("doctor", "--json")
    let rows = try rows(child)
    #expect(rows["device desktop"]?["level"] == "ok", "\(child.state)")
    #expect(rows["clock of desktop"]?["level"] == "ok", "\(child.state)")
    #expect(rows["folder Notes"]?["finding"]?.contains("1 of 1 other devices") == true, "\(child.state)")
    #expect(rows["folder Other"]?["level"] == "warning", "\(child.state)")
  }

  @Test func withoutAnAgentTheRestIsLookedAtAllTheSame() throws {
    let home = try Home()
    let file = home.sandbox.directory + "/no-folder"
    try Files.replace(file, with: Array("a".utf8))
    let child = try home.continuo(
      "doctor", "--json", changing: ["XDG_STATE_HOME": file, "XDG_RUNTIME_DIR": nil])
    let rows = try rows(child)
    #expect(child.exit == .code(1) && rows["agent"]?["level"] == "problem", "\(child.state)")
    #expect(rows["inotify watches"] != nil, "\(child.state)")
  }
}
