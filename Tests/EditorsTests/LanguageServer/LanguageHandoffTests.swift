// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import Glibc
import Testing
import TestSupport

@testable import fixtures

@Suite("Hand-offs by the Language Server Protocol", .waiting)
struct LanguageHandoffTests {
  private static let text = "one\naé😀漢\tz\nthree\n"
  /// Before `z`, in each unit.
  private static let columns: [(encoding: String, column: Int64)] = [
    ("utf-8", 11), ("utf-16", 6), ("utf-32", 5),
  ]

  @Test("A place goes over and back on the same character, whatever units the two editors count in")
  func places() throws {
    let circle = try ServedCircle()
    try circle.write("plan.md", Self.text)
    for (index, here) in Self.columns.enumerated() {
      let there = Self.columns[(index + 1) % Self.columns.count]
      let desktop = try circle.languageEditor(on: circle.desktop)
      let laptop = try circle.languageEditor(on: circle.laptop)
      try desktop.introduce("Here\(index)", [here.encoding])
      #expect(
        try laptop.introduce("There\(index)", [there.encoding])["capabilities"]?["positionEncoding"]
          == .text(there.encoding))
      try desktop.show("plan.md", holding: Self.text)
      try desktop.stand(in: "plan.md", 1, here.column)
      try laptop.choose("Continue", where: "plan.md from desktop")
      let shown = try laptop.news(of: "window/showDocument")
      #expect(shown["uri"] == laptop.uri("plan.md"))
      #expect(shown["takeFocus"] == true)
      let place: JSONValue = ["line": 1, "character": .int(there.column)]
      #expect(shown["selection"] == ["start": place, "end": place])
      try desktop.sentence(with: "plan.md was continued on laptop at ")
      for editor in [desktop, laptop] {
        #expect(try editor.ask("shutdown") == .null)
        try editor.tell("exit")
        #expect(try editor.exit() == 0)
      }
    }
  }

  @Test("What is not saved is marked; saved, it is handed over, and an editor that reads it late follows")
  func unsaved() throws {
    let circle = try ServedCircle()
    try circle.write("plan.md", Self.text)
    let (desktop, laptop) = (
      try circle.languageEditor(on: circle.desktop), try circle.languageEditor(on: circle.laptop)
    )
    try desktop.introduce()
    try laptop.introduce("Neovim", ["utf-8"])
    for editor in [laptop, desktop] { try editor.show("plan.md", holding: Self.text) }
    // At once: as it was read, it would be offered a moment later.
    try desktop.stand(in: "plan.md", 0, 0)
    try desktop.change("plan.md", to: "one and more\n" + Self.text.dropFirst(4))
    try laptop.sentence(with: "plan.md from desktop, with unsaved changes there")
    try Files.replace(
      circle.desktop.folder + "/plan.md", with: Array(("one and more\n" + Self.text.dropFirst(4)).utf8))
    try desktop.didSave("plan.md")
    try circle.carry()
    try laptop.sentence(with: "plan.md was changed on disk, and this editor shows what it was before")
    try laptop.run("continuo.resume")
    try laptop.news(of: "window/showDocument")
    laptop.forget()
    try laptop.change("plan.md", to: "one and more\n" + Self.text.dropFirst(4))
    let place: JSONValue = ["line": 0, "character": 12]
    #expect(try laptop.news(of: "window/showDocument")["selection"] == ["start": place, "end": place])
    try desktop.sentence(with: "was continued on laptop")
  }

  @Test("An editor with the protocol of editors goes on where one of language servers was, and back")
  func both() throws {
    let circle = try ServedCircle()
    try circle.write("plan.md", Self.text)
    let (desktop, laptop) = (
      try circle.languageEditor(on: circle.desktop), try circle.editor(on: circle.laptop)
    )
    try desktop.introduce()
    try laptop.begin("utf-8")
    try desktop.show("plan.md", holding: Self.text)
    try desktop.stand(in: "plan.md", 1, 6)
    let offer = try laptop.offer("plan.md") { $0["status"]?["arrival"] == "current" }
    try laptop.ask("continuation/accept", ["offer": offer["id"]])
    let restored = try laptop.news(of: "document/restore")
    #expect(restored["place"]?["position"] == ["line": 1, "character": 11])
    #expect(restored["certainty"] == "sure")
    laptop.update = ["place": ["position": ["line": 2, "character": 2]], "edited": false]
    try laptop.open("plan.md")
    try desktop.sentence(with: "was continued on laptop")
    try laptop.tell("document/didChange", ["uri": laptop.uri("plan.md"), "edited": false])
    try desktop.choose("Continue", where: "plan.md from laptop")
    #expect(
      try desktop.news(of: "window/showDocument")["selection"]?["end"] == ["line": 2, "character": 2])
  }

  @Test("What is unsaved here is not shown over, and both devices hear it")
  func refusal() throws {
    let circle = try ServedCircle()
    try circle.write("plan.md", "one\n")
    let (desktop, laptop) = (
      try circle.languageEditor(on: circle.desktop), try circle.languageEditor(on: circle.laptop)
    )
    try desktop.introduce()
    try laptop.introduce()
    try laptop.show("plan.md", holding: "one\n")
    try laptop.change("plan.md", to: "mine\n")
    try laptop.stand(in: "plan.md", 0, 1)
    try Files.replace(circle.desktop.folder + "/plan.md", with: Array("theirs\n".utf8))
    try desktop.show("plan.md", holding: "theirs\n")
    try desktop.stand(in: "plan.md", 0, 2)
    try circle.carry()
    try laptop.choose("Continue", where: "plan.md from desktop")
    try laptop.sentence(with: "plan.md has unsaved changes here, and the file is newer")
    #expect(laptop.news.allSatisfy { $0["method"] != "window/showDocument" })
  }

  @Test("An editor that is killed leaves its document offered, and nothing is said outside of folders")
  func killed() throws {
    let circle = try ServedCircle()
    try circle.write("plan.md", "one\n")
    let (desktop, laptop) = (
      try circle.languageEditor(on: circle.desktop), try circle.editor(on: circle.laptop)
    )
    try desktop.introduce()
    try laptop.begin()
    let outside = circle.desktop.root + "/outside.md"
    try Files.replace(outside, with: Array("x\n".utf8))
    try desktop.tell(
      "textDocument/didOpen",
      ["textDocument": ["uri": .text("file://" + outside), "languageId": "x", "version": 1, "text": "y\n"]])
    try desktop.run("continuo.status")
    try desktop.sentence(with: "outside.md lies in no synced folder.")
    try desktop.show("plan.md", holding: "one\n")
    try desktop.stand(in: "plan.md", 0, 1)
    try laptop.offer("plan.md") { $0["leftOpen"] == false }
    #expect(
      desktop.news.allSatisfy { $0["method"] != "window/showMessage" || "\($0)".contains("no synced folder") }
    )
    kill(desktop.process, SIGKILL)
    try laptop.offer("plan.md") { $0["leftOpen"] == true }
    let again = try circle.languageEditor(on: circle.desktop)
    try again.introduce()
    again.closeInput()
    #expect(try again.exit() == 0)
  }
}
