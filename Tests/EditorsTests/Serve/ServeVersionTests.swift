// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import EditorProtocol
import TestSupport
import Testing

@testable import fixtures

@Suite("Versions in conflict, for editors", .waiting)
struct ServeVersionTests {
  private static let copy = "plan.sync-conflict-20261122-040000-ABCDEFG.md"

  private func text(_ circle: ServedCircle, _ name: String) -> String? {
    Scratch.bytes(at: "\(circle.desktop.folder)/\(name)").map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("The versions are listed, one is kept, the other is put aside, and the editor hears of new bytes")
  func listingAndKeeping() throws {
    let circle = try ServedCircle()
    try circle.write("plan.md", "mine\n")
    let editor = try circle.editor(on: circle.desktop)
    try editor.begin()
    try editor.open("plan.md")
    #expect(try editor.ask("document/versions", ["uri": editor.uri("plan.md")])["versions"] == [])
    try Scratch.write("theirs\n", to: "\(circle.desktop.folder)/\(Self.copy)")
    let listed = try editor.ask("document/versions", ["uri": editor.uri("plan.md")])
    guard case .array(let versions)? = listed["versions"] else {
      Issue.record("\(listed)")
      return
    }
    #expect(versions.map { $0["uri"] } == [editor.uri("plan.md"), editor.uri(Self.copy)])
    #expect(versions.map { $0["document"] } == [true, false])
    #expect(versions.last?["device"] == "ABCDEFG" && versions.last?["putAside"] == "2026-11-22 04:00:00")
    editor.forget()
    let kept = try editor.ask(
      "document/resolve", ["uri": editor.uri("plan.md"), "keep": editor.uri(Self.copy)])
    guard case .array(let aside)? = kept["aside"], case .text(let uri)? = aside.first?["uri"] else {
      Issue.record("\(kept)")
      return
    }
    #expect(aside.count == 1 && aside.first?["from"] == editor.uri("plan.md"))
    #expect(text(circle, "plan.md") == "theirs\n")
    let path = try #require(FileURL.path(of: uri))
    #expect(Scratch.bytes(at: String(decoding: path, as: UTF8.self)) == Array("mine\n".utf8))
    try editor.news(of: "document/changedOnDisk")
  }

  @Test("What changed since it was listed, or was not listed, is not kept")
  func refusals() throws {
    let circle = try ServedCircle()
    try circle.write("plan.md", "mine\n")
    let editor = try circle.editor(on: circle.desktop)
    try editor.begin()
    try editor.open("plan.md")
    let keep: JSONValue = ["uri": editor.uri("plan.md"), "keep": editor.uri(Self.copy)]
    try Scratch.write("theirs\n", to: "\(circle.desktop.folder)/\(Self.copy)")
    #expect(try editor.ask("document/resolve", keep)["error"]?["data"]?["code"] == "invalidRequest")
    try editor.ask("document/versions", ["uri": editor.uri("plan.md")])
    try Scratch.write("newer\n", to: "\(circle.desktop.folder)/\(Self.copy)")
    #expect(try editor.ask("document/resolve", keep)["error"]?["data"]?["code"] == "documentDiverged")
    #expect(text(circle, "plan.md") == "mine\n" && text(circle, Self.copy) == "newer\n")
  }
}
