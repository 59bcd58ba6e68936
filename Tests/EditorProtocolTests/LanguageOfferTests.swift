// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import Testing

@testable import EditorProtocol

@Suite("Offers in an editor of the Language Server Protocol")
struct LanguageOfferTests {
  typealias Editor = PlayedLanguageEditor

  @Test("An offer is a question where that takes no keyboard, and comes when nobody types")
  func asked() {
    var editor = Editor("Zed")
    editor.write("one\n")
    editor.open("one\n")
    editor.change((0, 0), (0, 0), "x")
    editor.offer(Editor.offer())
    editor.wait(.seconds(1))
    #expect(editor.question == nil)
    editor.change((0, 0), (0, 0), "y")
    editor.wait(.seconds(1))
    #expect(editor.question == nil)
    editor.offer(Editor.offer(arrival: "behind", unsaved: true))
    editor.wait(.seconds(1))
    #expect(editor.question == "plan.md from laptop, with unsaved changes there")
    editor.offer(Editor.offer(arrival: "behind", changedAt: 2000))
    editor.wait(.seconds(9))
    #expect(editor.messages("window/showMessageRequest").count == 1)
    editor.reply("window/showMessageRequest", ["title": "Continue"])
    #expect(editor.calls.last == .accept("o1", withOpenDocuments: false))
  }

  @Test("An offer that is put away comes again after ten minutes, by the other device's clock")
  func putAway() {
    var editor = Editor("Zed")
    editor.offer(Editor.offer())
    editor.wait(.seconds(2))
    editor.reply("window/showMessageRequest", ["title": "Not now"])
    editor.offer(Editor.offer(changedAt: 600_999))
    editor.wait(.seconds(2))
    #expect(editor.messages("window/showMessageRequest").count == 1)
    editor.offer(Editor.offer(changedAt: 601_001))
    editor.wait(.seconds(2))
    #expect(editor.messages("window/showMessageRequest").count == 2)
    // It is gone before the person says anything.
    editor.offer()
    #expect(editor.messages("$/cancelRequest").count == 1)
    editor.reply("window/showMessageRequest", ["title": "Continue"])
    #expect(!editor.calls.contains(.accept("o1", withOpenDocuments: false)))
  }

  @Test("Where a question would take the keyboard, a sentence tells once how to continue")
  func told() {
    var editor = Editor("Neovim")
    editor.write("one\n")
    editor.open("one\n")
    editor.offer(Editor.offer(arrival: "behind"))
    editor.wait(.seconds(2))
    editor.offer(Editor.offer(arrival: "behind", changedAt: 5000))
    editor.wait(.seconds(2))
    #expect(editor.messages("window/showMessageRequest").isEmpty)
    #expect(editor.sentences.count == 1)
    #expect(editor.codeActions() == ["Continue plan.md from laptop", "Continuo: put away what is offered"])
    #expect(editor.codeActions(only: ["source.fixAll"]).isEmpty)
    editor.command("continuo.resume")
    #expect(editor.calls.last == .accept("o1", withOpenDocuments: false))
    var quiet = Editor("Zed", options: ["prompt": "none", "app": "org.example.zed"])
    quiet.offer(Editor.offer(arrival: "behind"))
    quiet.wait(.seconds(9))
    #expect(quiet.messages("window/showMessageRequest").isEmpty && quiet.sentences.isEmpty)
    guard case .initialize(let introduction)? = quiet.calls.first else { return #expect(Bool(false)) }
    #expect(introduction.manifest.appID == "org.example.zed")
  }

  @Test("An editor that knows no questions is told sentences instead")
  func unknown() {
    var editor = Editor("Ed")
    editor.offer(Editor.offer())
    editor.wait(.seconds(2))
    editor.reply("window/showMessageRequest", nil)
    editor.wait(.seconds(2))
    #expect(editor.sentences.count == 1)
  }

  @Test("An offer of the text that is worked on here brings nothing, and is none")
  func nothingNew() {
    var editor = Editor("Zed")
    editor.write("one\n")
    editor.open("one\n")
    editor.change((0, 0), (0, 0), "x")
    editor.offer(Editor.offer())
    editor.wait(.seconds(5))
    #expect(editor.question == nil)
  }

  @Test("Waiting is shown with its reason, and ends with the document")
  func waiting() {
    var editor = Editor("Zed")
    editor.write("one\n")
    editor.open("one\n")
    editor.offer(Editor.offer(arrival: "behind"))
    editor.command("continuo.resume", "o1")
    let subject: [(String, JSONValue?)] = [("request", .text(Editor.request)), ("offer", Editor.offer())]
    func params(_ status: JSONValue) -> JSONValue {
      var members = Dictionary(uniqueKeysWithValues: subject.map { ($0.0, $0.1 ?? .null) })
      members["status"] = status
      return .object(members)
    }
    editor.tell(.willContinue, params([:]))
    editor.tell(
      .progress, params(["arrival": "behind", "reason": "laptop is away.", "received": 1, "expected": 4]))
    #expect(editor.messages("$/progress").isEmpty)
    editor.reply("window/workDoneProgress/create", .null)
    #expect(editor.messages("$/progress").last?["value"]?["message"] == "laptop is away.")
    #expect(editor.messages("$/progress").last?["value"]?["percentage"] == 25)
    editor.tell(.progress, params(["arrival": "behind", "reason": "It is on its way."]))
    #expect(editor.messages("$/progress").last?["value"]?["kind"] == "report")
    editor.wait(.seconds(6))
    #expect(editor.question == "Waiting for plan.md from laptop: It is on its way.")
    editor.reply("window/showMessageRequest", ["title": "Keep waiting"])
    #expect(editor.calls.last == .choose(RequestID(hex: Editor.request)!, .keepWaiting))
    #expect(editor.codeActions().prefix(3) == ["Open what is here, for reading", "Keep waiting", "Give up"])
    editor.notify("window/workDoneProgress/cancel", ["token": .text(Editor.request)])
    #expect(editor.calls.last == .cancel(RequestID(hex: Editor.request)!))
    editor.tell(
      .didFail,
      ["request": .text(Editor.request), "code": "userCancelled", "message": "Cancelled.", "shown": false])
    #expect(editor.messages("$/progress").last?["value"]?["kind"] == "end")
    #expect(editor.sentences.isEmpty)
  }

  @Test("Versions that went apart are asked about at once, and an editor without progress is told")
  func diverged() {
    var editor = Editor("Zed", showsProgress: false)
    editor.tell(
      .progress,
      [
        "request": .text(Editor.request), "offer": Editor.offer(),
        "status": ["arrival": "diverged", "reason": "Both have changes."],
      ])
    editor.wait(.zero)
    #expect(editor.sentences == ["plan.md has diverged: Both have changes."])
    #expect(editor.question == "plan.md has diverged: Both have changes.")
    editor.reply("window/showMessageRequest", .null)
    #expect(editor.calls.count == 1)
    editor.command("continuo.openHere")
    #expect(editor.calls.last == .choose(RequestID(hex: Editor.request)!, .openHere))
  }

  @Test("What cannot be asked for is a sentence")
  func nothingThere() {
    var editor = Editor("Zed")
    for name in ["resume", "offers", "choose", "cancel", "jump", "compare", "keepMine", "status"] {
      editor.forget()
      editor.command("continuo." + name)
      editor.wait(.seconds(6))
      #expect(editor.sentences.count == 1, "\(name)")
    }
    editor.command("continuo.resume")
    editor.wait(.seconds(3))
    editor.offer(Editor.offer())
    #expect(editor.calls.last == .accept("o1", withOpenDocuments: false))
    editor.accepting = .failure(RPCError(-32803, message: "There is no such offer any more."))
    editor.offer(Editor.offer())
    editor.forget()
    editor.command("continuo.resume")
    #expect(editor.sentences == ["There is no such offer any more."])
  }

  @Test("Who else edits it is told when asked, with the time by the clock here")
  func others() {
    var editor = Editor("Zed")
    editor.write("one\n")
    editor.open("one\n")
    editor.command("continuo.status")
    #expect(
      editor.sentences.last?.contains("laptop is editing this since 01:00, with unsaved changes") == true)
    editor.tell(.wasContinued, ["uri": .text(Editor.uri), "device": "laptop", "at": 60_000, "givenUp": true])
    #expect(editor.sentences.last == "plan.md was continued on laptop at 01:01.")
    editor.tell(.connectionDidChange, ["connected": false, "message": "The agent is away."])
    editor.tell(.connectionDidChange, ["connected": false, "message": "The agent is away."])
    #expect(editor.sentences.filter { $0 == "The agent is away." }.count == 1)
  }
}
