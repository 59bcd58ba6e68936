// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// `continuo why` with real programs: what it is asked, and what it answers.
@Suite(.waiting, .timeLimit(.minutes(20))) struct WhyTests {
  private func expect(
    _ child: fixtures.ChildProcess, saying words: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(child.exit == .code(0), "\(child.state)", sourceLocation: sourceLocation)
    for word in words {
      #expect(child.outputText.contains(word), "\(child.state)", sourceLocation: sourceLocation)
    }
  }

  @Test func aFileSaysHowItStandsWhereverItLies() throws {
    let home = try Home()
    try home.addFolder()
    let folder = home.device.folder
    try Files.replace(folder + "/plan.md", with: Array("a".utf8))
    expect(try home.continuo("why", folder + "/plan.md"), saying: "No app here has plan.md open")
    let outside = home.sandbox.directory + "/outside.md"
    try Files.replace(outside, with: Array("a".utf8))
    expect(try home.continuo("why", outside), saying: "is in no synced folder")
    expect(try home.continuo("why", folder + "/none.md"), saying: "none.md is not there")
    expect(try home.continuo("why", "/no/such/folder/at/all.md"), saying: "is in no synced folder")
    let inner = folder + "/inner"
    try Files.makeDirectory(inner)
    try home.device.continuo("folder", "add", inner, "--name", "Inner")
    try Files.replace(inner + "/deep.md", with: Array("a".utf8))
    expect(
      try home.continuo("why", inner + "/deep.md"),
      saying: "deep.md lies in folder Inner, and that in folder Notes")
    expect(try home.continuo("why", folder + "/.continuo/x"), saying: "belongs to the sync engine or to")
  }

  @Test func whatIsNotThereIsASentenceAndAnExitCode() throws {
    let home = try Home()
    expectSentence(try home.continuo("why", "ffffffff"), saying: "no longer offered", "continuo offers")
    expectSentence(try home.continuo("why", "org.example.nowhere"), saying: "org.example.nowhere")
    let nothing = try home.continuo("why")
    #expect(nothing.exit == .code(0) && nothing.outputText.isEmpty, "\(nothing.state)")
  }

  @Test func aHostileNameMakesOneRow() throws {
    let home = try Home()
    try home.addFolder()
    let name = "a\u{1b}[31m\nplan\u{202e}.md"
    try Files.replace(home.device.folder + "/" + name, with: Array("a".utf8))
    for arguments in [[home.device.folder + "/" + name], [home.device.folder + "/" + name, "--json"]] {
      let child = try ChildProcess(
        home.sandbox.programs["continuo"], ["why"] + arguments, environment: home.device.environment)
      try child.waitForExit(within: 30)
      expect(child, saying: "open")
      for row in child.outputText.split(separator: "\n") { #expect(DisplayText.isClean(String(row))) }
    }
  }

  @Test func anOfferSaysSinceWhenItIsOnItsWayAndHowMuchHasCome() throws {
    let devices = try TwoDevices()
    try Files.replace(
      devices.desktop.device.folder + "/plan.iso", with: Files.madeUpBytes(5_000_000, seed: 7))
    let now = WallTime(milliseconds: wallNow())
    try devices.desktop.publish("plan.iso", line: 1, column: 1)
    expect(
      try Self.why(devices.desktop.device, devices.desktop.device.folder + "/plan.iso"),
      saying: "plan.iso", "  offered", "It is offered")
    try devices.player.carrying().deliverRecords()
    try devices.laptop.app.see("plan.iso", "missing", since: now)
    let laptop = devices.laptop.device
    // As rsync calls what it has not brought yet.
    try Files.replace(laptop.folder + "/.plan.iso.aB3dE9", with: Files.madeUpBytes(3_140_000, seed: 7))
    let path = laptop.folder + "/plan.iso"
    let said = try Self.why(laptop, path)
    expect(said, saying: "3.1 MB of 5.0 MB are here. It has stood so since ", "cannot be continued here now")
    let json = try Self.why(laptop, path, "--json")
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [String: Any])
    let rows = try #require(answer["rows"] as? [[String: Any]])
    let reasons = try #require(rows.first?["reasons"] as? [[String: String]])
    #expect(reasons.first?["reason"] == "missing" && rows.first?["since"] is String, "\(json.state)")
    let id = try #require(rows.first?["id"] as? String)
    expect(try Self.why(laptop, String(id.prefix(8))), saying: "plan.iso", "3.1 MB of 5.0 MB")
    try devices.player.carrying().deliverEverything()
    try devices.laptop.app.see("plan.iso", "current", since: now)
    expect(try Self.why(laptop), saying: "can continue it here", "can be continued here")
    // The offer goes, and its ID is nothing any more.
    try devices.desktop.stopPublishing("plan.iso")
    _ = devices.flow()
    try devices.laptop.app.seeNothing()
    expectSentence(try Self.why(laptop, String(id.prefix(8))), saying: "no longer offered")
  }

  @Test func whoIsNotHeardHasARow() throws {
    let devices = try TwoDevices()
    try devices.offer("plan.md", "alpha")
    let laptop = devices.laptop.device
    expect(try Self.why(laptop), saying: "desktop", "plan.md", "can be continued here")
    let records = laptop.folder + "/.continuo"
    let names = try FilePath(records).names().map { String(decoding: $0, as: UTF8.self) }
    // Whose record is altered is no matter.
    let name = try #require(names.first { $0.hasPrefix("d-") })
    let bytes = try #require(Files.read(records + "/" + name))
    try Files.replace(records + "/d-newer.rec", with: bytes.prefix(8) + [9] + bytes.dropFirst(9))
    try Files.replace(records + "/d-altered.rec", with: bytes.dropLast() + [(bytes.last ?? 0) ^ 1])
    let said = try Self.why(laptop)
    expect(said, saying: "runs a newer Continuo", "A record in folder Notes is not by your devices")
    expect(said, saying: "can be continued here")
    let other = devices.player.sandbox.directory + "/other"
    try Files.makeDirectory(other)
    try laptop.continuo("folder", "add", other, "--name", "Other")
    expect(try Self.why(laptop), saying: "No record of another device has come through folder Other")
    try laptop.continuo("revoke", "desktop")
    expect(try Self.why(laptop), saying: "desktop was removed from your devices: it is not continued.")
  }

  private static func why(_ device: Device, _ arguments: String...) throws -> fixtures.ChildProcess {
    let child = try ChildProcess(
      device.programs["continuo"], ["why"] + arguments, environment: device.environment)
    try child.waitForExit(within: 30)
    return child
  }
}
