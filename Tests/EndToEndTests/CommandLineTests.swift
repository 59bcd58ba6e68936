// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// What docs/users/command-line.md promises to scripts: exit codes, and JSON.
@Suite(.waiting, .timeLimit(.minutes(20))) struct CommandLineTests {
  // MARK: The page

  /// A command of one word or two, as the program tells it of itself.
  struct Command: Hashable {
    var words: [String]
    /// Exit codes and their meanings.
    var ends: [[String]]
    var hasJSON: Bool
  }

  /// All commands that do something, and the program itself.
  static func commands() throws -> [Command] {
    let dump = try ChildProcess.run(
      try Home().sandbox.programs["continuo"], ["--experimental-dump-help"], environment: [:])
    let page = try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any]
    return commands(try #require(page?["command"] as? [String: Any]), above: [])
  }

  private static func commands(_ page: [String: Any], above: [String]) -> [Command] {
    let words = above + [page["commandName"] as? String ?? ""]
    let below = (page["subcommands"] as? [[String: Any]] ?? []).filter {
      $0["commandName"] as? String != "help"
    }
    if above.isEmpty || below.isEmpty {
      let last = (page["discussion"] as? String ?? "").split(separator: "\n").last ?? ""
      let told = last.hasPrefix("Exit codes: ") ? last.dropFirst("Exit codes: ".count).dropLast() : ""
      let ends = told.split(separator: "; ").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
      let arguments = page["arguments"] as? [[String: Any]] ?? []
      let names = arguments.flatMap { $0["names"] as? [[String: Any]] ?? [] }.compactMap {
        $0["name"] as? String
      }
      let own = Command(words: words, ends: ends, hasJSON: names.contains("json"))
      if !above.isEmpty { return [own] }
      return [own] + below.flatMap { commands($0, above: words) }
    }
    return below.flatMap { commands($0, above: words) }
  }

  /// Rows of the page's tables, cell by cell.
  private static func rows() throws -> [[String]] {
    let page = try #require(Files.text(FilePath(#filePath).above(3) + "/docs/users/command-line.md"))
    return page.split(separator: "\n").filter { $0.hasPrefix("|") && !$0.hasPrefix("| ---") }.map { row in
      row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test func thePageHasEachCommandWithItsExitCodes() throws {
    let commands = try Self.commands()
    let rows = try Self.rows()
    let listed = rows.filter { $0[0].hasPrefix("`continuo ") }
    let told = commands.filter { $0.words.count > 1 }
    let wanted = Set(told.map { "`\($0.words.joined(separator: " "))` \($0.ends.compactMap(\.first))" })
    let found = Set(listed.map { "\($0[0]) \($0[1].split(separator: " ").map(String.init))" })
    #expect(wanted == found, "help and page differ in \(wanted.symmetricDifference(found).sorted())")
    for row in listed {
      let command = told.first { "`\($0.words.joined(separator: " "))`" == row[0] }
      #expect(command?.hasJSON == !row[2].isEmpty, "--json of \(row[0])")
    }
  }

  @Test func thePageExplainsTheCodesAsTheHelpDoes() throws {
    let help = try #require(try Self.commands().first { $0.words == ["continuo"] })
    let codes = try Self.rows().filter { Int($0[0]) != nil }
    #expect(codes == help.ends)
  }

  @Test func eachCommandSaysWhenItIsMisspelt() throws {
    let home = try Home()
    for command in try Self.commands() {
      let child = try ChildProcess(
        home.sandbox.programs["continuo"], command.words.dropFirst() + ["--nonsense"],
        environment: home.device.environment)
      #expect(try child.waitForExit(within: 30) == .code(64), "\(command.words): \(child.state)")
      #expect(command.ends.last?.first == "64", "\(command.words)")
    }
  }

  // MARK: JSON

  private func object(_ child: ChildProcess) throws -> [String: Any] {
    #expect(child.exit == .code(0) && child.errorText.isEmpty, "\(child.state)")
    let object = try JSONSerialization.jsonObject(with: Data(child.outputBytes))
    return try #require(object as? [String: Any], "\(child.state)")
  }

  @Test func aFolderIsAddedAndRemovedForPrograms() throws {
    let home = try Home()
    try Files.makeDirectory(home.device.root + "/Other")
    for _ in 0..<2 {
      let added = try object(try home.continuo("folder", "add", "--json", home.device.root + "/Other"))
      let folder = try #require(added["folder"] as? [String: Any])
      #expect(folder["name"] as? String == "Other" && folder["isPresent"] as? Bool == true)
      #expect((added["message"] as? String)?.contains("registered") == true)
      #expect(folder["url"] as? String == FileURL.text(of: Array((home.device.root + "/Other").utf8)))
    }
    let listed = try home.continuo("folder", "list", "--json")
    let rows = try JSONSerialization.jsonObject(with: Data(listed.outputBytes)) as? [[String: Any]]
    #expect(rows?.count == 1)
    let removed = try object(try home.continuo("folder", "remove", "--json", "Other"))
    #expect((removed["folder"] as? [String: Any])?["name"] as? String == "Other")
    let again = try home.continuo("folder", "remove", "--json", "Other")
    #expect(again.exit == .code(1) && again.outputText.isEmpty, "\(again.state)")
    expectSentence(again, saying: "Other")
  }

  @Test func devicesArePairedNamedAndRevokedForPrograms() throws {
    let devices = try TwoDevices()
    let (desktop, laptop) = (devices.desktop, devices.laptop)
    let renamed = try object(try desktop.run("device", "rename", "--json", "Büro $(touch x)"))
    #expect(((renamed["devices"] as? [[String: Any]])?[0])?["name"] as? String == "Büro $(touch x)")
    let invited = try object(try desktop.run("pair", "--json"))
    #expect((invited["words"] as? [String])?.count == 12)
    #expect(try object(try desktop.run("pair", "--cancel", "--json"))["words"] == nil)
    let revoked = try object(try desktop.run("revoke", "--json", "laptop"))
    let rows = try #require(revoked["devices"] as? [[String: Any]])
    #expect(rows.count == 2 && rows[1]["removedBy"] as? String == "Büro $(touch x)")
    let reset = try object(try laptop.run("reset", "--yes", "--json"))
    #expect((reset["devices"] as? [[String: Any]])?.count == 1)
    #expect(try laptop.run("reset", "--json").exit == .code(64))
  }

  @Test func joiningTellsProgramsWhoInvited() throws {
    let sandbox = try Sandbox()
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    let device = try sandbox.add("desktop")
    try device.continuo("folder", "add", device.folder)
    let child = try ChildProcess(
      sandbox.programs["continuo"], ["join", "--json", "--words-file", "-"], environment: device.environment,
      input: "one two three\n")
    #expect(try child.waitForExit(within: 30) == .code(1), "\(child.state)")
    #expect(child.outputText.isEmpty, "\(child.state)")
  }

  @Test func theAgentIsStoppedForPrograms() throws {
    let home = try Home()
    try home.addFolder()
    #expect(try object(try home.continuo("agent", "stop", "--json"))["wasRunning"] as? Bool == true)
    let again = try object(try home.continuo("agent", "stop", "--json"))
    #expect(again["wasRunning"] as? Bool == false && again["message"] as? String == "No agent runs.")
  }

  @Test func aPublishedDocumentHasTheIDOfTheList() throws {
    let devices = try TwoDevices()
    try devices.write("plan.md", "alpha")
    let device = devices.desktop.device
    let publishing = try device.start("publish", "--json", device.folder + "/plan.md")
    try publishing.waitForOutput("the activity") { $0.hasSuffix("\n") }
    let told = try JSONSerialization.jsonObject(with: Data(publishing.outputBytes)) as? [String: Any]
    let own = try JSONSerialization.jsonObject(with: Data(device.continuo("offers", "--own", "--json").utf8))
    #expect((own as? [[String: Any]])?.first?["id"] as? String == told?["id"] as? String)
    #expect(told?["url"] as? String == FileURL.text(of: Array((device.folder + "/plan.md").utf8)))
    publishing.signal(.interrupt)
    #expect(try publishing.waitForExit() == .code(0), "\(publishing.state)")
  }

  @Test func whatNothingTakesIsToldToPrograms() throws {
    let devices = try TwoDevices()
    try devices.offer("plan.md", "alpha")
    let child = try devices.laptop.run("resume", "--json")
    let told = try JSONSerialization.jsonObject(with: Data(child.outputBytes)) as? [String: Any]
    let offer = try #require(told?["offer"] as? [String: Any], "\(child.state)")
    #expect(offer["path"] as? String == "plan.md" && told?["message"] is String)
    #expect([.code(0), .code(3)].contains(child.exit), "\(child.state)")
  }

  @Test func aSettingThatWasChangedIsPrinted() throws {
    let home = try Home()
    let folder = try Scratch("set")
    let set = { (words: [String]) in
      let child = try ChildProcess(
        home.sandbox.programs["continuo"], words,
        environment: home.device.environment.merging(["XDG_CONFIG_HOME": folder.path]) { $1 })
      try child.waitForExit(within: 30)
      return try object(child)
    }
    let setting = try set(["set", "--json", "notifications.enabled", "false"])
    #expect(setting["key"] as? String == "notifications.enabled" && setting["value"] as? Bool == false)
    let preferred = try set(["apps", "prefer", "--json", "org.example.a", "org.example.App"])
    #expect(preferred as? [String: String] == ["type": "org.example.a", "app": "org.example.App"])
    #expect(try set(["apps", "prefer", "--json", "org.example.a", "--unset"])["app"] == nil)
  }
}

extension FilePath {
  /// The path of what lies so many folders above.
  fileprivate func above(_ levels: Int) -> String {
    "/" + String(decoding: bytes, as: UTF8.self).split(separator: "/").dropLast(levels).joined(separator: "/")
  }
}
