// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// `continuo setup` with settings that real engines wrote, with broken ones, and with a person on a terminal.
@Suite(.waiting, .timeLimit(.minutes(20))) struct SetupCommandTests {
  /// Lets Syncthing write its settings, with its folder at `folder`.
  private static func generate(on device: Device, folder: String) throws -> String {
    let home = device.root + "/config/syncthing"
    _ = try ChildProcess.run(
      "syncthing", ["generate", "--skip-port-probing", "--home=\(home)"], environment: device.environment,
      within: 60)
    let file = home + "/config.xml"
    let settings = try #require(Files.text(file))
    let path = try #require(settings.firstMatch(of: #/ path="([^"]*)"/#)).1
    try Files.replace(
      file, with: Array(settings.replacing("path=\"\(path)\"", with: "path=\"\(folder)\"").utf8))
    return file
  }

  private func setup(
    _ arguments: [String], on device: Device, changing: [String: String] = [:]
  ) throws -> ChildProcess {
    let child = try ChildProcess(
      device.programs["continuo"], ["setup"] + arguments,
      environment: device.environment.merging(changing) { $1 })
    try child.waitForExit(within: 60)
    return child
  }

  private func object(_ child: ChildProcess) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(child.outputBytes))
    return try #require(value as? [String: Any], "\(child.state)")
  }

  private func folders(_ child: ChildProcess) throws -> [[String: Any]] {
    try #require(try object(child)["folders"] as? [[String: Any]], "\(child.state)")
  }

  // MARK: What engines wrote

  @Test func whatSyncthingAndUnisonKeepIsFoundAndRegistered() throws {
    let home = try Home()
    let device = home.device
    _ = try Self.generate(on: device, folder: device.folder)
    try Files.replace(device.folder + "/.stignore", with: Array("// all but text\n.*\n".utf8))
    let profile = "root = \(device.root)/home/Plans\nroot = ssh://laptop//home/ada/Plans\n"
    try Files.replace(device.root + "/home/.unison/plans.prf", with: Array(profile.utf8))
    try Files.makeDirectory(device.root + "/home/Plans")

    let found = try setup(["--json"], on: device)
    #expect(found.exit == .code(0), "\(found.state)")
    let rows = try folders(found)
    #expect(rows.map { $0["engines"] as? [String] } == [["Syncthing"], ["Unison"]], "\(found.state)")
    #expect(rows.allSatisfy { $0["wouldAdd"] as? Bool == true && $0["isAdded"] as? Bool == false })
    #expect(rows[0]["url"] as? String == FileURL.text(of: Array(device.folder.utf8)))
    let warning = (rows[0]["warnings"] as? [String])?.first ?? ""
    #expect(warning.contains("leaves .continuo out") && warning.contains("!/.continuo"), "\(warning)")
    #expect((rows[1]["warnings"] as? [String])?.isEmpty == true)
    #expect(try device.continuo("folder", "list").isEmpty)

    let added = try folders(try setup(["--json", "--yes"], on: device))
    #expect(added.allSatisfy { $0["isAdded"] as? Bool == true })
    let again = try folders(try setup(["--json", "--yes"], on: device))
    #expect(again.allSatisfy { $0["state"] as? String == "registered" && $0["isAdded"] as? Bool == false })
    #expect(try device.continuo("folder", "list").split(separator: "\n").count == 2)
    #expect(Files.text(device.folder + "/.stignore") == "// all but text\n.*\n")
  }

  /// Unison carries a record exactly when nothing is said about its profile.
  @Test(
    arguments: [
      ("", true), ("ignore = Name *.tmp", true), ("ignore = Name .*", false), ("ignore = Name *.rec", false),
      ("ignore = Path .continuo", false), ("ignore = Name *", false), ("ignore = Name ?continuo", true),
      ("ignore = Name {.git,.continuo}", false), ("ignore = BelowPath .continuo", false),
      ("ignore = Name .*\nignorenot = BelowPath .continuo", true),
    ])
  func whatIsSaidOfAProfileIsWhatUnisonDoes(lines: String, isCarried: Bool) throws {
    let home = try Home()
    let below = home.device.root + "/home"
    let name = "d-abcdefghijklmnopqrstuvwx23.rec"
    try Files.replace("\(below)/One/.continuo/\(name)", with: Array("record".utf8))
    try Files.makeDirectory("\(below)/Two")
    let profile = "root = \(below)/One\nroot = \(below)/Two\n\(lines)\n"
    try Files.replace("\(below)/.unison/plans.prf", with: Array(profile.utf8))
    let unison = try ChildProcess(
      "unison", ["plans", "-batch", "-ui", "text"], environment: home.device.environment)
    try unison.waitForExit(within: 60)
    #expect(FilePath("\(below)/Two/.continuo/\(name)").allows() == isCarried, "\(unison.state)")
    let rows = try folders(try setup(["--json"], on: home.device))
    #expect(rows.count == 2 && (rows[0]["warnings"] as? [String])?.isEmpty == isCarried, "\(rows)")
  }

  /// Syncthing carries the records exactly when nothing is said about its patterns.
  @Test func whatIsSaidOfPatternsIsWhatSyncthingDoes() throws {
    let home = try Home()
    let device = home.device
    _ = try Self.generate(on: device, folder: device.folder)
    let syncthing = try Syncthing(on: device, watching: false)
    let names = ["d-abcdefghijklmnopqrstuvwx23.rec", "f-abcdefghijklmnopqrstuvwx23.id"]
    for name in names { try Files.replace("\(device.records)/\(name)", with: Array("record".utf8)) }
    try syncthing.start(with: [])
    let cases: [([String], Bool)] = [
      ([], true), (["*.tmp", "/Notes"], true), ([".*"], false), (["!/.continuo", ".*"], true), (["*"], false),
      ([".*", "!/.continuo"], false), (["/.continuo"], false), (["(?i).CONTINUO"], false),
      ([".CONTINUO"], true),
      (["*.rec"], false), (["/*.rec"], true), (["/**.rec"], false), ([".{git,continuo}"], false),
      ([".[a-d]*"], false), (["?continuo"], false), (["continuo"], true), ([".continuo/*.id"], false),
      (["!.continuo", "*"], true), (["**/.c?ntinuo/**"], false), (["// .*"], true),
      (["Notes/.continuo"], true),
    ]
    for (patterns, isCarried) in cases {
      try syncthing.ignore(patterns)
      try syncthing.beginScan(nil).finish()
      let carried = try names.allSatisfy { try syncthing.carries(".continuo/\($0)") }
      #expect(carried == isCarried, "Syncthing with \(patterns)")
      let warnings = try folders(try setup(["--json"], on: device)).first?["warnings"] as? [String]
      #expect(warnings?.isEmpty == isCarried, "setup of \(patterns): \(warnings ?? [])")
    }
  }

  // MARK: What is broken

  @Test func brokenSettingsAreSentences() throws {
    let home = try Home()
    let device = home.device
    let file = try Self.generate(on: device, folder: device.folder)
    let whole = try #require(Files.text(file))
    let utf16 = whole.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    let cut = Array(whole.utf8.prefix(300))
    for bytes in [cut, utf16, [], Array("<plist/>".utf8)] {
      try Files.replace(file, with: bytes)
      let child = try setup(["--json"], on: device)
      let problems = try #require(try object(child)["problems"] as? [String])
      #expect(child.exit == .code(0) && problems.count == 1, "\(child.state)")
      #expect(problems.allSatisfy { $0.contains("config.xml") && $0.hasSuffix(".") }, "\(problems)")
    }
    try FilePath(file).unlink()
    #expect(mkfifo(file, 0o600) == 0)
    let piped = try setup([], on: device)
    #expect(piped.exit == .code(0) && piped.errorText.contains("is no file"), "\(piped.state)")
    for home in ["relative", "/none\u{1B}[2J"] {
      let child = try setup(["--json"], on: device, changing: ["HOME": home])
      #expect(child.exit == .code(0) && !child.outputText.contains("\u{1B}"), "\(child.state)")
    }
  }

  @Test func theLANIsSwitchedOnByItsOptionAlone() throws {
    let home = try Home()
    func lan(_ arguments: String...) throws -> [String: Any] {
      try #require(try object(try setup(arguments, on: home.device))["lan"] as? [String: Any])
    }
    #expect(try lan("--json")["on"] as? Bool == false)
    #expect(try lan("--json", "--yes")["on"] as? Bool == false)
    #expect(try lan("--json", "--lan")["on"] as? Bool == true)
    #expect(try home.device.continuo("lan", "status").contains("LAN      on, port "))
  }

  @Test func aThousandFoldersAreListed() throws {
    let home = try Home()
    let file = try Self.generate(on: home.device, folder: home.device.folder)
    let whole = try #require(Files.text(file))
    let end = try #require(whole.range(of: "</folder>")).upperBound
    let start = try #require(whole.range(of: "<folder ")).lowerBound
    let one = String(whole[start..<end])
    let many = (0..<1000).map { one.replacing(home.device.folder, with: "/none/\($0)") }
    let text = whole.replacing(one, with: many.joined(separator: "\n"))
    try Files.replace(file, with: Array(text.utf8))
    let rows = try folders(try setup(["--json", "--yes"], on: home.device))
    #expect(rows.count == 1000 && rows.allSatisfy { $0["state"] as? String == "missing" })
  }

  @Test func whatCannotBeRegisteredFails() throws {
    let home = try Home()
    let child = try setup(["--add", home.device.root + "/none", home.device.folder], on: home.device)
    #expect(child.exit == .code(1), "\(child.state)")
    expectSentence(child, saying: "none cannot be registered")
    #expect(child.outputText.contains("registered now"), "\(child.state)")
    let json = try setup(["--json", "--add", home.device.root + "/none"], on: home.device)
    #expect(json.exit == .code(1) && json.errorText.isEmpty, "\(json.state)")
    #expect(try folders(json).first?["error"] is String)
  }

  // MARK: A person

  private static func words(on screen: Screen) throws -> String {
    try screen.wait(for: "twelve words") { screen in
      screen.rows.first { row in
        let words = row.split(separator: " ")
        return words.count == 12 && words.allSatisfy { $0.allSatisfy { $0.isLowercase && $0.isASCII } }
      }
    }
  }

  @Test func twoPeopleComeToTheirFirstHandOff() throws {
    let home = try Home()
    let (desktop, laptop) = (home.device, try home.sandbox.add("laptop"))
    let terminals = try TerminalServer(in: home.sandbox.directory)
    defer { terminals.stop() }
    let engine = PlayedEngine(home.sandbox.devices)
    _ = try Self.generate(on: desktop, folder: desktop.folder)
    let open = { (device: Device) in
      try terminals.open(
        device.name, [device.programs["continuo"], "setup"], environment: device.environment, columns: 110,
        rows: 60)
    }
    let first = try open(desktop)
    try first.wait(toShow: "1  \(desktop.folder)  Syncthing", "Which shall be used?")
    try first.type("7")
    try first.press("Enter")
    try first.wait(toShow: "Type numbers of the list")
    try first.press("Enter")
    try first.wait(toShow: "is registered.", "show twelve words already?")
    try first.press("Enter")
    let words = try Self.words(on: first)
    try first.wait(toShow: "Waiting for the other device … ")
    try engine.deliverRecords()

    let flow = try RecordFlow(engine, home.sandbox.devices)
    flow.isOn = true
    let second = try open(laptop)
    (first.flow, second.flow) = (flow, flow)
    try second.wait(toShow: "No sync engine", "Which folder does your sync engine keep?")
    try second.type(laptop.folder)
    try second.press("Enter")
    try second.wait(toShow: "show twelve words already?")
    try second.type("y")
    try second.press("Enter")
    try second.wait(toShow: "Words:")
    try second.type(words)
    try second.press("Enter")
    try second.wait(toShow: "Paired. Devices:", "only they can connect", "Switch that on here?", within: 90)
    try second.press("Enter")
    try second.wait(toShow: "`continuo lan on` switches it on later", "Now edit a document in Notes here")
    try first.wait(toShow: "Paired with ", "Switch that on here?", within: 90)
    try first.type("y")
    try first.press("Enter")
    try first.wait(toShow: "The LAN is on: ", "Waiting for its first offer … ", within: 90)
    #expect(Files.text(desktop.root + "/config/continuo/settings.toml") == "[lan]\nenabled = true\n")
    #expect(try laptop.continuo("lan", "status").contains("LAN      off"))
    #expect(!first.text.contains("Waiting for the other device"), "\(first.text)")

    try Files.replace(laptop.folder + "/plan.md", with: Array("alpha".utf8))
    let publishing = try laptop.start("publish", laptop.folder + "/plan.md")
    defer { publishing.signal(.kill) }
    try first.wait(toShow: "offers plan.md: `continuo resume ", within: 90)
    #expect(!first.text.contains("Waiting for its first offer"), "\(first.text)")
  }

  /// Nobody comes: the wait ends with its own exit code, and the words stay good.
  @Test func aDeviceThatDoesNotComeIsNotWaitedForForever() throws {
    let home = try Home()
    try home.addFolder()
    let terminals = try TerminalServer(in: home.sandbox.directory)
    defer { terminals.stop() }
    let program = home.sandbox.programs["continuo"]
    let screen = try terminals.open(
      "desktop", ["sh", "-c", "\(program) setup --timeout 1; echo ended with $?"],
      environment: home.device.environment, columns: 110, rows: 60)
    try screen.wait(toShow: "show twelve words already?")
    try screen.press("Enter")
    try screen.wait(toShow: "No device has answered in 1 s", "stay good for 24 hours", "ended with 2")
    #expect(try home.device.continuo("pair", "--cancel").contains("closed"))
  }

  @Test func theWordsAreAlsoShownAsACodeAndNeverAsAnArgument() throws {
    let home = try Home()
    try home.addFolder()
    // It notes its arguments, and draws what it was told.
    let script = "#!/bin/sh\necho \"$@\" > \"$HOME/arguments\"\necho \"code of $(cat)\"\n"
    try Files.replace(home.device.root + "/bin/qrencode", with: Array(script.utf8))
    #expect(chmod(home.device.root + "/bin/qrencode", 0o755) == 0)
    let terminals = try TerminalServer(in: home.sandbox.directory)
    defer { terminals.stop() }
    // The shell of a terminal has a search path of its own.
    let path = home.device.environment["PATH"] ?? ""
    let screen = try terminals.open(
      "desktop", ["env", "PATH=\(path)", home.sandbox.programs["continuo"], "setup"],
      environment: home.device.environment, columns: 130, rows: 60)
    try screen.wait(toShow: "show twelve words already?")
    try screen.press("Enter")
    let words = try Self.words(on: screen)
    try screen.wait(toShow: "code of \(words)")
    #expect(Files.text(home.device.root + "/home/arguments") == "-t UTF8 -m 2\n")
  }
}
