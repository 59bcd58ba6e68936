// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import EditorProtocol
import Glibc
import Testing
import TestSupport

@testable import fixtures

@Suite("Editors and agents that go away, and files that change", .waiting)
struct ServeFaultTests {
  @Test("An editor that is killed within a round leaves its offer open, and harms nobody else")
  func killedEditor() throws {
    let circle = try ServedCircle()
    try circle.write("plan.md", "one\n")
    try circle.write("list.md", "two\n")
    let desktop = try circle.editor(on: circle.desktop)
    let other = try circle.editor(on: circle.desktop)
    let laptop = try circle.editor(on: circle.laptop)
    try desktop.begin(app: "org.example.one")
    try other.begin(app: "org.example.two")
    try laptop.begin(app: "org.example.three")
    try desktop.open("plan.md")
    try laptop.offer("plan.md") { $0["leftOpen"] == false }
    desktop.update = nil
    try desktop.tell("document/didChange", ["uri": desktop.uri("plan.md"), "edited": true])
    desktop.forget()
    try desktop.news(of: "activity/update")
    kill(desktop.process, SIGKILL)
    try laptop.offer("plan.md") { $0["leftOpen"] == true }
    try other.open("list.md")
    try laptop.offer("list.md") { $0["leftOpen"] == false }
    let editors = try other.ask("document/otherEditors", ["uri": other.uri("list.md")])
    #expect(editors["editors"] == [])
    try laptop.ask("document/open", ["uri": laptop.uri("plan.md")])
    guard
      case .array(let left)? = try laptop.ask("document/otherEditors", ["uri": laptop.uri("plan.md")])[
        "editors"]
    else {
      Issue.record("no editors")
      return
    }
    #expect(left.map { $0["device"] } == ["desktop"])
    #expect(left.map { $0["leftOpen"] } == [true])
  }

  @Test("An agent that is killed is started again, and hears everything again without the editor")
  func killedAgent() throws {
    let circle = try ServedCircle()
    try circle.write("plan.md", "one\ntwo\n")
    let desktop = try circle.editor(on: circle.desktop)
    let laptop = try circle.editor(on: circle.laptop)
    try desktop.begin()
    try laptop.begin()
    try desktop.open("plan.md")
    try laptop.offer("plan.md")
    desktop.forget()
    circle.desktop.killAgent()
    let lost = try desktop.news(of: "connection/didChange") { $0["connected"] == false }
    #expect(lost["message"]?.kind == "a string")
    try desktop.news(of: "connection/didChange") { $0["connected"] == true }
    desktop.update = ["place": ["position": ["line": 1, "character": 2]]]
    try desktop.tell("document/didChange", ["uri": desktop.uri("plan.md"), "edited": false])
    try desktop.news(of: "activity/update")
    laptop.forget()
    let offer = try laptop.offer("plan.md") { $0["leftOpen"] == false }
    try laptop.ask("continuation/accept", ["offer": offer["id"]])
    let restore = try laptop.news(of: "document/restore")
    #expect(restore["place"]?["position"] == ["line": 1, "character": 2])
    try TrafficSchema.check(desktop, laptop, on: circle.desktop)
  }

  @Test(
    "A file that is deleted or replaced while it is offered is awaited, and opened read-only by choice alone")
  func changedFiles() throws {
    let circle = try ServedCircle()
    try circle.write("plan.md", "one\n")
    let desktop = try circle.editor(on: circle.desktop)
    let laptop = try circle.editor(on: circle.laptop)
    try desktop.begin()
    try laptop.begin()
    try desktop.open("plan.md")
    try laptop.offer("plan.md") { $0["status"]?["arrival"] == "current" }
    try Files.remove(circle.laptop.folder + "/plan.md")
    let missing = try laptop.offer("plan.md") { $0["status"]?["arrival"] == "missing" }
    let request = try laptop.ask("continuation/accept", ["offer": missing["id"]])["request"]
    let progress = try laptop.news(of: "continuation/progress")
    #expect(progress["status"]?["reason"]?.kind == "a string")
    try laptop.ask("continuation/extend", ["request": request, "seconds": 60])
    try laptop.ask("continuation/cancel", ["request": request])
    let failed = try laptop.news(of: "continuation/didFail")
    #expect(failed["code"] == "userCancelled")
    #expect(failed["shown"] == false)
    laptop.forget()
    try Files.replace(circle.laptop.folder + "/plan.md", with: Array("other\n".utf8))
    try laptop.offer("plan.md") { $0["status"]?["arrival"] == "ahead" }
    try Files.replace(circle.desktop.folder + "/plan.md", with: Array("later\n".utf8))
    try desktop.tell("document/didSave", ["uri": desktop.uri("plan.md")])
    let diverged = try laptop.offer("plan.md") { $0["status"]?["arrival"] == "diverged" }
    let second = try laptop.ask("continuation/accept", ["offer": diverged["id"]])["request"]
    try laptop.news(of: "continuation/progress") { $0["status"]?["arrival"] == "diverged" }
    try laptop.ask("continuation/choose", ["request": second, "choice": "openHere"])
    let restore = try laptop.news(of: "document/restore")
    #expect(restore["readOnly"] == true)
    #expect(restore["status"]?["arrival"] == "diverged")
    #expect(try laptop.ask("continuation/accept", ["offer": "none"])["error"]?["code"] == -32803)
    try TrafficSchema.check(desktop, laptop, on: circle.desktop)
  }

  @Test("Of two editors with one file each hears of the other's writing, and of none of its own")
  func twoEditors() throws {
    let circle = try ServedCircle()
    try circle.write("plan.md", "one\n")
    let one = try circle.editor(on: circle.desktop)
    let two = try circle.editor(on: circle.desktop)
    for (editor, app) in [(one, "org.example.one"), (two, "org.example.two")] {
      try editor.begin(app: app)
      try editor.open("plan.md")
    }
    try Files.replace(circle.desktop.folder + "/plan.md", with: Array("two\n".utf8))
    try one.tell("document/didSave", ["uri": one.uri("plan.md")])
    let change = try two.news(of: "document/changedOnDisk")
    #expect(change == ["uri": two.uri("plan.md"), "change": "changed"])
    try two.open("plan.md")
    try Files.move(circle.desktop.folder + "/plan.md", to: circle.desktop.folder + "/draft.md")
    let move = try two.news(of: "document/changedOnDisk") { $0["change"] == "moved" }
    #expect(move["newUri"] == two.uri("draft.md"))
    try two.tell("document/didMove", ["uri": two.uri("plan.md"), "newUri": two.uri("draft.md")])
    #expect(try two.news(of: "document/standingDidChange")["uri"] == two.uri("draft.md"))
    #expect(try two.open("draft.md")["synced"] == true)
    try one.news(of: "document/changedOnDisk") { $0["change"] == "moved" }
    #expect(!one.news.contains { $0["params"]?["change"] == "changed" }, "Its own save is no news.")
    try Files.remove(circle.desktop.folder + "/draft.md")
    try two.news(of: "document/changedOnDisk") { $0["change"] == "deleted" }
  }

  @Test("A signal asks for the last state, and offers it before the server ends")
  func signals() throws {
    let circle = try ServedCircle()
    try circle.write("plan.md", "one\ntwo\n")
    let desktop = try circle.editor(on: circle.desktop)
    let laptop = try circle.editor(on: circle.laptop)
    try desktop.begin()
    try laptop.begin()
    try desktop.open("plan.md")
    try laptop.offer("plan.md")
    desktop.update = ["place": ["position": ["line": 1, "character": 1]], "title": "The last state"]
    try desktop.tell("document/didChange", ["uri": desktop.uri("plan.md"), "edited": false])
    try desktop.ask("offers/list")
    kill(desktop.process, SIGTERM)
    #expect(try desktop.exit() == 0)
    try laptop.offer("The last state") { $0["leftOpen"] == true }
  }
}
