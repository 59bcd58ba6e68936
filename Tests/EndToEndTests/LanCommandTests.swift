// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// `continuo lan` with real agents and network processes.
@Suite(.waiting, .timeLimit(.minutes(20))) struct LanCommandTests {
  private func object(_ child: fixtures.ChildProcess) throws -> [String: Any] {
    #expect(child.exit == .code(0), "\(child.state)")
    let value = try JSONSerialization.jsonObject(with: Data(child.outputBytes))
    return try #require(value as? [String: Any], "\(child.state)")
  }

  private func settings(_ home: Home) -> String {
    Files.text(home.device.root + "/config/continuo/settings.toml") ?? ""
  }

  private static func isListening(_ port: Int) throws -> Bool {
    guard let socket = try? TCPSocket.connecting(to: [127, 0, 0, 1], port: UInt16(port)) else { return false }
    var entries = [Poll.Entry(socket.number, for: .writable)]
    try #require(Poll.wait(for: &entries, atMost: .seconds(5)), "neither taken nor refused")
    return TCPSocket.failure(of: socket) == nil
  }

  // MARK: On and off

  @Test func nothingListensBeforeAPersonSaysSo() throws {
    let home = try Home()
    try home.addFolder()
    let status = try object(try home.continuo("lan", "status", "--json"))
    #expect(status["on"] as? Bool == false && status["port"] as? Int == 0 && status["process"] as? Int == 0)
    #expect(
      (status["addresses"] as? [String])?.isEmpty == true && (status["links"] as? [Any])?.isEmpty == true)
    #expect(try home.continuo("status").outputText.contains("LAN      off\n"))
    #expect(try home.continuo("lan").outputText.contains("LAN      off: `continuo lan on`"))
    #expect(settings(home).isEmpty)
  }

  @Test func onReturnsWhenItListensAndLastsLongerThanTheAgent() throws {
    let home = try Home()
    let on = try object(try home.continuo("lan", "on", "--json"))
    let port = try #require(on["port"] as? Int)
    #expect(on["on"] as? Bool == true && (on["process"] as? Int ?? 0) > 0 && port >= 1024)
    #expect(try Self.isListening(port))
    #expect(settings(home) == "[lan]\nenabled = true\n")
    // Again, and at another port.
    #expect(try object(try home.continuo("lan", "on", "--json"))["port"] as? Int == port)
    let other = try #require(TCPSocket.port(of: try TCPSocket.listener(port: 0)))
    let moved = try home.continuo("lan", "on", "--port", "\(other)")
    #expect(moved.outputText.contains("at TCP port \(other)."), "\(moved.state)")
    #expect(
      moved.errorText.contains("continuo pair") && moved.errorText.contains("firewall"), "\(moved.state)")
    #expect(try Self.isListening(Int(other)) && !Self.isListening(port))
    #expect(settings(home) == "[lan]\nenabled = true\nport = \(other)\n")
    try home.device.continuo("agent", "stop")
    #expect(try !Self.isListening(Int(other)))
    let back = try object(try home.continuo("lan", "status", "--json"))
    #expect(back["on"] as? Bool == true && back["port"] as? Int == Int(other), "\(back)")

    let row = try object(try home.continuo("status", "--json"))["lan"] as? [String: Any]
    #expect(row?["port"] as? Int == Int(other))
    let health = try home.continuo("doctor")
    #expect(health.outputText.contains("ok      LAN: It is on at TCP port \(other)"), "\(health.state)")

    let off = try home.continuo("lan", "off")
    #expect(off.exit == .code(0) && off.outputText.contains("is off"), "\(off.state)")
    #expect(try !Self.isListening(Int(other)))
    #expect(settings(home) == "[lan]\nport = \(other)\n")
  }

  @Test func offNeedsNoAgent() throws {
    let home = try Home()
    let off = try object(try home.continuo("lan", "off", "--json"))
    #expect(off["on"] as? Bool == false && !FilePath(home.device.socket).allows() && settings(home).isEmpty)
  }

  @Test func theSettingsDoTheSame() throws {
    let home = try Home()
    let port = try #require(TCPSocket.port(of: try TCPSocket.listener(port: 0)))
    try home.device.continuo("set", "lan.port", "\(port)")
    try home.device.continuo("set", "lan.enabled", "true")
    let status = try object(try home.continuo("lan", "status", "--json"))
    #expect(status["on"] as? Bool == true && status["port"] as? Int == Int(port))
    try home.device.continuo("set", "lan.enabled", "--unset")
    let deadline = Deadline(seconds: 10)
    while try Self.isListening(Int(port)) { try #require(!deadline.hasPassed, "it listens on") }
    let row = try #require(
      try JSONSerialization.jsonObject(with: Data(home.continuo("set", "--json").outputBytes))
        as? [[String: Any]]
    ).first { $0["key"] as? String == "lan.port" }
    #expect(row?["value"] as? Int == Int(port) && row?["default"] as? Int == 0)
  }

  // MARK: What is in the way

  @Test func whatIsInTheWayIsASentence() throws {
    let home = try Home()
    let taken = try TCPSocket.listener(port: 0)
    let port = try #require(TCPSocket.port(of: taken))
    expectSentence(try home.continuo("lan", "on", "--port", "\(port)"), saying: "\(port)", "--port")
    #expect(settings(home).isEmpty)
    for wrong in ["80", "1023", "65536", "-1", "port"] {
      let child = try home.continuo("lan", "on", "--port=\(wrong)")
      #expect(child.exit == .code(64), "\(child.state)")
    }
    expectSentence(
      try home.continuo("lan", "connect", "no-such-host.invalid"), saying: "is not found", "address")
    expectSentence(
      try home.continuo("lan", "connect", "224.0.0.1"), saying: "224.0.0.1", "device of the circle")
    expectSentence(try home.continuo("lan", "connect", "a b:1"), saying: "is no computer", "[fd00::20]:47000")
    expectSentence(try home.continuo("lan", "forget", "nobody"), saying: "nobody")
    #expect(try home.continuo("lan", "network", "eth0", "perhaps").exit == .code(64))
  }

  /// It is on, and what could not be written is told.
  @Test func settingsThatCannotBeChangedAreNotKeptQuiet() throws {
    let home = try Home()
    let file = home.device.root + "/config/continuo/settings.toml"
    try Files.replace(file, with: Array("this is no TOML\n".utf8))
    let child = try home.continuo("lan", "on")
    expectSentence(child, saying: "on until the agent ends", "settings.toml")
    #expect(Files.text(file) == "this is no TOML\n")
    #expect(try object(try home.continuo("lan", "status", "--json"))["on"] as? Bool == true)
    // What a person takes back is taken back.
    expectSentence(
      try home.continuo("lan", "off"), saying: "off until the agent is started again", "settings.toml")
    #expect(try object(try home.continuo("lan", "status", "--json"))["on"] as? Bool == false)
  }

  @Test func withoutTheProgramItSaysWhatToInstall() throws {
    let home = try Home()
    // Beside this one lie all programs but the one that is missing.
    let folder = home.device.root + "/bin"
    for program in ["continuo", "continuo-watch"] {
      let bytes = try #require(Files.read(home.sandbox.programs[program]))
      try Files.replace("\(folder)/\(program)", with: bytes)
      try FilePath("\(folder)/\(program)").setPermissions(0o755)
    }
    let environment = ["PATH": folder + ":/usr/bin:/bin"]
    let child = try fixtures.ChildProcess(
      folder + "/continuo", ["lan", "on"], environment: home.device.environment.merging(environment) { $1 })
    try child.waitForExit(within: 30)
    expectSentence(child, saying: "continuo-lan", "install")
    #expect(settings(home).isEmpty)
  }

  // MARK: Computers and networks by name

  @Test func computersAndNetworksAreNamed() throws {
    let home = try Home()
    let named = try home.continuo("lan", "connect", "10.1.2.3:47000")
    #expect(named.exit == .code(0) && named.errorText.contains("The LAN is off"), "\(named.state)")
    let off = try home.continuo("lan", "network", "wlan7", "off")
    #expect(
      off.outputText == "wlan7 is off.\n" && off.errorText.contains("no interface wlan7"), "\(off.state)")
    #expect(settings(home) == "[lan]\noff-networks = [\"wlan7\"]\n")
    let status = try object(try home.continuo("lan", "status", "--json"))
    let host = (status["hosts"] as? [[String: Any]])?.first
    #expect(host?["name"] as? String == "10.1.2.3" && host?["port"] as? Int == 47_000)
    #expect(status["offNetworks"] as? [String] == ["wlan7"])
    let text = try home.continuo("lan", "status").outputText
    #expect(
      text.contains("Network  wlan7  off\n") && text.contains("Host     10.1.2.3  port 47000"), "\(text)")
    try home.device.continuo("lan", "network", "wlan7", "on")
    try home.device.continuo("lan", "forget", "10.1.2.3")
    let after = try object(try home.continuo("lan", "status", "--json"))
    #expect((after["hosts"] as? [Any])?.isEmpty == true && (after["offNetworks"] as? [Any])?.isEmpty == true)
    #expect(settings(home) == "[lan]\n" || settings(home).isEmpty)
  }

  // MARK: Two devices

  private func states(_ device: Player.DeviceInPlay) throws -> [String: String] {
    let links = try object(try device.run("lan", "status", "--json"))["links"] as? [[String: Any]] ?? []
    return Dictionary(
      links.map { ($0["device"] as? String ?? "", $0["state"] as? String ?? "") }
    ) { first, _ in first }
  }

  @Test func twoDevicesLinkOnceTheirRecordsWereCarriedAndNeedNoFolderForOffersThen() throws {
    let devices = try TwoDevices()
    let (desktop, laptop) = (devices.desktop, devices.laptop)
    // A record says where its device is within two seconds after the one before.
    try devices.player.perform(.devicesAreLinked)
    #expect(try states(desktop) == ["laptop": "linked"] && states(laptop) == ["desktop": "linked"])
    #expect(try laptop.run("status").outputText.contains(": desktop linked\n"))
    // From now on nobody carries anything.
    try devices.write("plan.md", "alpha")
    let moment = WallTime(milliseconds: wallNow())
    try desktop.publish("plan.md", line: 1, column: 2)
    try laptop.app.see("plan.md", "missing", since: moment)
    #expect(try laptop.device.continuo("offers").contains("plan.md"))

    try desktop.device.continuo("revoke", "laptop")
    let end = Deadline(seconds: 2)
    while try states(laptop)["desktop"] == "linked" {
      try #require(!end.hasPassed, "a removed device is linked")
    }
    #expect(try states(desktop).isEmpty)
  }
}
