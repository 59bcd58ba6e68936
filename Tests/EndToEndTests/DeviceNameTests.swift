// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// `continuo device rename`, and two devices of one name.
@Suite(.waiting, .timeLimit(.minutes(20))) struct DeviceNameTests {
  /// Waits until the laptop calls the desktop `name`.
  private func awaitName(_ name: String, on devices: TwoDevices) throws {
    let changes = try FolderEvents([devices.laptop.device.records])
    var seen = ""
    try changes.wait(for: name, lastState: { seen }) { () -> Void? in
      try devices.player.carrying().deliverRecords()
      seen = try devices.laptop.device.status().devices.joined(separator: ", ")
      return try devices.laptop.device.status().devices.contains(name) ? () : nil
    }
  }

  @Test func aRenamedDeviceIsSeenUnderItsNewName() throws {
    let devices = try TwoDevices()
    try devices.offer("plan.md", "alpha")
    let said = try devices.desktop.run("device", "rename", "Arbeit \u{1F5A5}")
    #expect(said.exit == .code(0) && said.outputText.contains("Arbeit \u{1F5A5}"), "\(said.state)")
    try awaitName("Arbeit \u{1F5A5}", on: devices)
    let offers = try devices.laptop.device.continuo("offers")
    #expect(offers.contains("  Arbeit \u{1F5A5}  "), "\(offers)")
    #expect(try devices.laptop.device.continuo("devices").contains("Arbeit \u{1F5A5}"))
    #expect(try devices.desktop.device.status().deviceName == "Arbeit \u{1F5A5}")
    for name in ["", "  ", "\n"] {
      expectSentence(try devices.desktop.run("device", "rename", name), saying: "name is empty")
    }
  }

  @Test func twoDevicesOfOneNameAreToldApart() throws {
    let devices = try TwoDevices()
    try devices.offer("plan.md", "alpha")
    let said = try devices.desktop.run("device", "rename", "laptop")
    #expect(said.outputText.contains("Another device is called so, too"), "\(said.state)")
    let rows = try JSONSerialization.jsonObject(
      with: Data(devices.laptop.device.continuo("devices", "--json").utf8))
    let ids = try #require(rows as? [[String: Any]]).compactMap { ($0["id"] as? String)?.prefix(4) }
    let shown = "laptop (\(ids[1]))"
    try awaitName(shown, on: devices)
    let (offers, status) = (
      try devices.laptop.device.continuo("offers"), try devices.laptop.device.continuo("status")
    )
    #expect(offers.contains("  \(shown)  "), "\(offers)")
    #expect(status.contains("Circle   laptop (\(ids[0])), \(shown)"), "\(status)")
    expectSentence(try devices.laptop.run("revoke", "laptop"), saying: "2 devices", "ID")
  }
}
