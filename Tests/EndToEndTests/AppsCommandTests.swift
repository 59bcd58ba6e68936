// SPDX-License-Identifier: MIT

import LinuxSystem
import Foundation
import TestSupport
import Testing

@testable import fixtures

/// `continuo apps` with real files; no agent is asked.
@Suite(.waiting) struct AppsCommandTests {
  private static let root = URL(filePath: #filePath + "/../../..").standardized.path
  private static let trails = root + "/Tests/DocumentsTests/Trails/Trails.Info.plist"

  private func run(_ arguments: String..., on home: Home) throws -> ChildProcess {
    let child = try ChildProcess(
      home.sandbox.programs["continuo"], ["apps"] + arguments, environment: home.device.environment)
    try child.waitForExit()
    return child
  }

  @Test func checkPrintsWhatItUnderstood() throws {
    let child = try run("check", Self.trails, on: Home())
    #expect(child.exit == .code(0), "\(child.state)")
    let told = child.outputText
    for line in [
      "Identifier      org.example.trails", "Name            Trails",
      "Team            4f1d2c3b4a5968778695a4b3c2d1e0ff00112233445566778899aabbccddeeff",
      "Activity types  org.example.trails.looking-at-map", "                org.example.trails.searching",
      "Document type   Role    Files                   Class          Activity type",
      "Route           Editor  .route                  RouteDocument  org.example.trails.planning",
      "Recorded Track  Viewer  .track                  RouteDocument  org.example.trails.planning",
      "Diary           Editor  .diary .txt text/plain  DiaryDocument  org.example.trails.writing",
    ] {
      #expect(told.split(separator: "\n").contains { $0 == line }, "\(line) is not in\n\(told)")
    }
    #expect(!told.contains("Warning"))
  }

  @Test func checkPrintsJSON() throws {
    let child = try run("check", "--json", Self.trails, on: Home())
    #expect(child.exit == .code(0), "\(child.state)")
    let object = try JSONSerialization.jsonObject(with: Data(child.outputText.utf8))
    let told = try #require(object as? [String: Any])
    #expect(told["identifier"] as? String == "org.example.trails")
    #expect((told["team"] as? String)?.count == 64)
    let types = try #require(told["documentTypes"] as? [[String: Any]])
    #expect(
      types.map { $0["documentClass"] as? String } == ["RouteDocument", "RouteDocument", "DiaryDocument"])
    #expect((told["warnings"] as? [Any])?.isEmpty == true)
  }

  @Test func aFaultIsASentenceWithFileLineKeyAndValue() throws {
    let home = try Home()
    let file = home.device.root + "/Info.plist"
    let broken = try #require(Files.text(Self.trails)).replacing("<string>Viewer<", with: "<string>Boss<")
    try Files.replace(file, with: Array(broken.utf8))
    let child = try run("check", file, on: home)
    #expect(child.exit == .code(1) && child.outputText.isEmpty, "\(child.state)")
    expectSentence(
      child, saying: file, "line 36", "CFBundleDocumentTypes[1].CFBundleTypeRole", "\"Boss\"",
      "Editor, Viewer")
    #expect(try run("check", "--json", file, on: home).exit == .code(1))
  }

  @Test(arguments: ["none.plist", ".", "large", "binary"])
  func whatCannotBeReadEndsWithASentence(name: String) throws {
    let home = try Home()
    let file = home.device.root + "/" + name
    if name == "large" { try Files.replace(file, with: [UInt8](repeating: 0x20, count: 3_000_000)) }
    if name == "binary" { try Files.replace(file, with: Array("bplist00".utf8) + [0xa1, 0x00, 0x08]) }
    let child = try run("check", file, on: home)
    #expect(child.exit == .code(1), "\(child.state)")
    expectSentence(child, saying: file, name == "large" ? "3000000" : name == "binary" ? "plutil" : file)
  }

  @Test func warningsNameTheirLineAndAreNoFailure() throws {
    let home = try Home()
    let file = home.device.root + "/Info.plist"
    let twice = try #require(Files.text(Self.trails)).replacing("<string>txt<", with: "<string>ROUTE<")
    try Files.replace(file, with: Array(twice.utf8))
    let child = try run("check", file, on: home)
    #expect(child.exit == .code(0), "\(child.state)")
    #expect(child.outputText.contains("Warning: line 54, CFBundleDocumentTypes[2]"), "\(child.outputText)")
  }

  @Test func listTellsWhatIsInstalledAndWhatOfItIsBroken() throws {
    let home = try Home()
    #expect(try run(on: home).exit == .code(0))
    let apps = home.device.root + "/data/continuo/apps/"
    let trails = try #require(Files.text(Self.trails))
    try Files.replace(apps + "org.example.trails/Info.plist", with: Array(trails.utf8))
    let sound = try run("list", on: home)
    #expect(sound.exit == .code(0), "\(sound.state)")
    #expect(sound.outputText == "org.example.trails  Trails  \(apps)org.example.trails/Info.plist\n")
    try Files.replace(apps + "org.example.other/Info.plist", with: Array(trails.utf8))
    let broken = try run("list", "--json", on: home)
    #expect(broken.exit == .code(1), "\(broken.state)")
    expectSentence(broken, saying: "org.example.other/Info.plist is of org.example.trails")
    let rows = try JSONSerialization.jsonObject(with: Data(broken.outputText.utf8)) as? [[String: Any]]
    #expect(rows?.map { $0["identifier"] as? String } == ["org.example.trails"])
  }
}
