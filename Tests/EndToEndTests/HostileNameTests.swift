// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import ActivityWire
import Foundation
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// Names that steer terminals, through every command that prints one: rows are what they were meant to be.
@Suite(.waiting, .timeLimit(.minutes(20))) struct HostileNameTests {
  /// Those that show as something else, eight to a record.
  private func batches() throws -> [[[UInt8]]] {
    let names = try HostileNames.all().filter {
      DisplayText.shown($0).utf8.elementsEqual($0) == false && RelativePath(components: [$0]) != nil
    }
    return stride(from: 0, to: names.count, by: 8).map { Array(names[$0..<min($0 + 8, names.count)]) }
  }

  /// Offers documents of these names from the desktop, until the laptop sees them all.
  private func offer(_ names: [[UInt8]], on devices: TwoDevices) throws -> [ActivityID] {
    let offered = try OfferedDocuments(names, on: devices.desktop.device)
    let app = devices.laptop.app
    app.flow = devices.flow()
    _ = try app.wait(for: "\(names.count) offers") { app -> Void? in
      let found = app.offers.map { Set($0.map(\.id.activity)) } ?? []
      return found.isSuperset(of: offered.activities) ? () : nil
    }
    offered.withdraw()
    return offered.activities
  }

  @Test func offersOfHostileNamesAreOneRowEach() throws {
    let devices = try TwoDevices()
    let (desktop, laptop) = (devices.desktop.device, devices.laptop.device)
    let renamed = try devices.desktop.run("device", "rename", "desk\u{1b}[2J\u{202e}\ntop\u{200b}\u{e0061}")
    #expect(renamed.exit == .code(0), "\(renamed.state)")
    expectClean(renamed, rows: 1)
    for names in try batches() {
      let offered = try offer(names, on: devices)
      let plain = try devices.laptop.run("offers")
      expectClean(plain)
      let rows = plain.outputText.split(separator: "\n")
      let heads = rows.filter { !$0.hasPrefix("          ") }
      for id in offered {
        #expect(heads.filter { $0.hasPrefix(id.description.prefix(8)) }.count <= 1, "\(plain.state)")
      }
      let isRow = heads.allSatisfy {
        $0.prefix(8).allSatisfy(\.isHexDigit) && $0.dropFirst(8).hasPrefix("  ")
      }
      #expect(isRow, "\(plain.state)")
      let json = try devices.laptop.run("offers", "--json")
      let list = try #require(try expectCleanJSON(json) as? [[String: Any]])
      #expect(list.count >= heads.count - 8)
      for row in list {
        let path = try #require((row["url"] as? String).flatMap { FileURL.path(of: $0) })
        #expect(path.starts(with: Array(laptop.folder.utf8) + [UInt8(ascii: "/")]))
      }
      expectClean(try devices.laptop.run("status"))
      try expectCleanJSON(try devices.laptop.run("status", "--json"))
      expectClean(try devices.laptop.run("resume", "--print", "--timeout", "0"))
      expectClean(try devices.desktop.run("offers", "--own"))
      try expectCleanJSON(try devices.desktop.run("offers", "--own", "--json"))
    }
    expectClean(try devices.laptop.run("devices"), rows: 2)
    try expectCleanJSON(try devices.laptop.run("devices", "--json"))
    _ = desktop
  }

  @Test func offersAreListedAgainInCleanRows() throws {
    let devices = try TwoDevices()
    let plain = try devices.laptop.device.start("offers", "--watch")
    let json = try devices.laptop.device.start("offers", "--watch", "--json")
    try json.waitForOutput("an empty list") { $0 == "[]\n" }
    let names = try #require(try batches().first)
    _ = try offer(names, on: devices)
    try json.waitForOutput("offers") { $0.contains("public.text-editing") }
    try plain.waitForOutput("offers") { !$0.isEmpty }
    for child in [plain, json] {
      child.signal(.interrupt)
      try child.waitForExit()
      expectClean(child)
    }
    for row in json.outputText.split(separator: "\n") {
      let value = try JSONSerialization.jsonObject(with: Data(row.utf8))
      #expect(PrintedRows.texts(value).allSatisfy(DisplayText.isClean))
    }
  }

  @Test func whatChangesInAFolderIsToldInCleanRows() throws {
    let home = try Home()
    let plain = try home.device.start("watch", home.device.folder)
    let json = try home.device.start("watch", "--json", home.device.folder)
    try plain.waitForOutput("a watch") { $0.contains("watched.") }
    try json.waitForOutput("a watch") { $0.contains("watching") }
    let names = try batches().joined()
    for name in names {
      try home.device.make(name, holding: "")
    }
    let looks = { (text: String, of: String) in text.components(separatedBy: of).count - 1 }
    try plain.waitForOutput("every name") { looks($0, " is here, with 0 bytes.") >= names.count }
    try json.waitForOutput("every name") { looks($0, "\"look\":\"file\"") >= names.count }
    for child in [plain, json] {
      child.signal(.terminate)
      try child.waitForExit()
      expectClean(child)
    }
    let told = try json.outputText.split(separator: "\n").map { row in
      try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any]
    }
    let found = Set(
      told.filter { $0?["look"] != nil }.compactMap { ($0?["path"] as? [Any])?.last as? String })
    for name in names {
      guard let text = String(validating: name, as: UTF8.self) else { continue }
      #expect(found.contains(text), "a name is lost: \(text.debugDescription)")
    }
  }

  /// Where one side of `--option=value` is quoted alone.
  @Test func aMisspeltOptionIsQuotedInOneRow() throws {
    let home = try Home()
    for words in [["resume", "--print=a\u{1b}[1m\nrow"], ["offers", "--o\u{1b}[1m\nrow=b"]] {
      let child = try home.run(words)
      #expect(child.exit == .code(64), "\(child.state)")
      expectClean(child)
      let rows = child.errorText.split(separator: "\n")
      #expect(!rows.contains { $0.hasPrefix("row") } && rows.count == 3, "\(child.state)")
    }
  }

  @Test func sentencesThatQuoteWhatWasTypedAreOneRow() throws {
    let home = try Home()
    try home.addFolder()
    for bytes in try HostileNames.all() {
      guard let name = String(validating: bytes, as: UTF8.self), RelativePath(components: [bytes]) != nil
      else {
        continue
      }
      let path = home.device.folder + "/" + name
      for arguments in [["publish", path], ["wait", path]] {
        let child = try home.run(arguments)
        #expect(child.exit == .code(1), "\(child.state)")
        expectClean(child, rows: 0)
        #expect(child.errorText.split(separator: "\n").count == 1, "\(child.state)")
      }
    }
    let hostile = "row\n\u{1b}[2J\u{9b}2J\u{202e}\u{200b}"
    for arguments in [
      ["resume", hostile], ["revoke", hostile], ["folder", "remove", hostile], ["folder", "add", hostile],
      ["publish", "--\(hostile)"], [hostile], ["watch", hostile], ["apps", "check", hostile],
      ["join", "--words-file", hostile], ["folder", "add", home.device.folder, "--name", hostile],
    ] {
      expectClean(try home.run(arguments))
    }
    let other = home.device.root + "/other\n\u{1b}[2J"
    try Files.makeDirectory(other)
    expectClean(try home.run(["folder", "add", other]), rows: 1)
    expectClean(try home.run(["folder", "list"]), rows: 2)
    let folders = try #require(
      try expectCleanJSON(home.run(["folder", "list", "--json"])) as? [[String: Any]])
    let paths = folders.compactMap { ($0["url"] as? String).flatMap { FileURL.path(of: $0) } }
    #expect(paths.contains(Array(other.utf8)))
    expectClean(try home.run(["status"]))
    let log = Files.text(home.device.log) ?? ""
    #expect(log.split(separator: "\n").allSatisfy { DisplayText.isClean(String($0)) })
  }
}
