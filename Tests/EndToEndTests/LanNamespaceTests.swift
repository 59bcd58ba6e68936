// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// Two devices on networks of their own, as two computers with a cable between them: the kernel's own TCP,
/// and no loopback. Where that is refused, `LanCommandTests` has the same on loopback.
@Suite(.waiting, .serialized, .timeLimit(.minutes(20))) struct LanNamespaceTests {
  private func lan(_ device: Device) throws -> [String: Any] {
    let text = try device.continuo("lan", "status", "--json")
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// Saves a document on one device; the other one is told over a link, for nobody carries anything.
  private func handOver(_ name: String, from source: Device, to target: Device) throws {
    try Files.replace(source.folder + "/" + name, with: Array("alpha".utf8))
    let publishing = try source.start("publish", source.folder + "/" + name)
    defer { publishing.signal(.kill) }
    // A lost link is found out within 20 s, and an address is tried again after 30.
    let deadline = Deadline(seconds: 120)
    while try !target.continuo("offers").contains(name) {
      try #require(!deadline.hasPassed, "\(name) is not offered\n\(source.logEnd)\n\(target.logEnd)")
    }
  }

  @Test func linksComeBackAfterAddressesChangeCablesArePulledAndPeersStartAgain() throws {
    guard let cable = try NetworkCable() else {
      return Skipped.say("network namespaces are refused here: loopback alone was tried")
    }
    print("Network namespaces are used: \(cable.names)")
    let home = try Home()
    let (desktop, laptop) = (home.device, try home.sandbox.add("laptop"))
    for (index, device) in [desktop, laptop].enumerated() { try cable.startAgent(of: device, at: index) }
    let engine = PlayedEngine(home.sandbox.devices)
    try home.addFolder()
    try PairingSteps.pair(desktop, with: laptop) { _ in try engine.deliverRecords() }
    for device in [desktop, laptop] { try device.continuo("lan", "on") }
    try LinkSteps.waitForLinks(of: [desktop, laptop]) { try engine.deliverRecords() }
    #expect(try lan(desktop)["addresses"] as? [String] == ["10.77.0.1"])
    try handOver("first.md", from: desktop, to: laptop)

    // The other device starts again, and knows from its disk where this one is.
    try laptop.continuo("agent", "stop")
    try cable.startAgent(of: laptop, at: 1)
    try LinkSteps.waitForLinks(of: [desktop, laptop])
    try workAWhile(laptop, desktop)

    // Another address: nothing was carried that says so, but the device itself still knows the other one.
    try cable.change(0, "addr", "del", "10.77.0.1/24", "dev", "lan0")
    try cable.change(0, "addr", "add", "10.77.0.9/24", "dev", "lan0")
    try handOver("moved.md", from: laptop, to: desktop)
    try LinkSteps.waitForLinks(of: [desktop, laptop])
    try workAWhile(desktop, laptop)

    // No network, in words.
    try cable.change(0, "link", "set", "lan0", "down")
    let deadline = Deadline(seconds: 60)
    while try !desktop.continuo("lan", "status").contains("on no network") {
      try #require(!deadline.hasPassed, "the network that is down is not told")
    }
    try cable.change(0, "link", "set", "lan0", "up")
    try handOver("pulled.md", from: laptop, to: desktop)
    try LinkSteps.waitForLinks(of: [desktop, laptop])
  }

  /// Longer than two links may stand beside each other: until then a device takes a second link for the twin
  /// of the first, and not for its successor.
  private func workAWhile(_ source: Device, _ target: Device) throws {
    let end = Deadline(seconds: 11)
    var count = 0
    while !end.hasPassed {
      count += 1
      try handOver("\(source.name)-\(count).md", from: source, to: target)
    }
    print("\(count) documents were offered in 11 s over TCP between network namespaces")
  }
}
