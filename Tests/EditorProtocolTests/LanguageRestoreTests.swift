// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import Testing

@testable import EditorProtocol

@Suite("Restoring in an editor of the Language Server Protocol")
struct LanguageRestoreTests {
  typealias Editor = PlayedLanguageEditor

  @Test("A document is shown at its place, with what was selected, and is then the person's place")
  func shown() {
    var editor = Editor("Zed", encodings: ["utf-8"])
    editor.write("a漢\n")
    let number = editor.restore(0, 2, selection: (0, 1))
    #expect(
      editor.messages("window/showDocument").last
        == [
          "uri": .text(Editor.uri), "external": false, "takeFocus": true,
          "selection": ["start": ["line": 0, "character": 1], "end": ["line": 0, "character": 4]],
        ])
    editor.open("a漢\n")
    editor.reply("window/showDocument", ["success": true])
    #expect(editor.answered[number] == ["opened": true])
    let refused = editor.restore(0, 0)
    editor.reply("window/showDocument", ["success": false])
    #expect(editor.answered[refused]?["opened"] == false)
    let silent = editor.restore(0, 0)
    editor.wait(.seconds(11))
    #expect(editor.answered[silent]?["opened"] == false)
  }

  @Test("An editor that cannot be told to open a document tells where it is")
  func old() {
    var editor = Editor("Old", showsDocuments: false)
    editor.write("one\ntwo\n")
    let number = editor.restore(1, 2)
    let sentence =
      "This editor cannot be told to open a document: open /notes/plan.md at line 2, column 3, "
      + "where laptop left it."
    #expect(editor.sentences == [sentence])
    #expect(editor.answered[number] == ["opened": false, "message": .text(sentence)])
    editor.forget()
    editor.command("continuo.jump")
    #expect(editor.sentences == ["laptop was in /notes/plan.md at line 2, column 3."])
  }

  @Test("What is unsaved here stays, and the document is not shown over it")
  func unsaved() {
    var editor = Editor("Zed")
    editor.write("one\n")
    editor.open("one\n")
    editor.change((0, 0), (0, 0), "mine ")
    editor.write("theirs\n")
    let number = editor.restore(0, 3)
    #expect(editor.answered[number]?["opened"] == false)
    #expect(editor.messages("window/showDocument").isEmpty)
    #expect(editor.sentences.last?.contains("unsaved changes here") == true)
    // The same bytes are no loss.
    editor.write("mine one\n")
    editor.restore(0, 3)
    #expect(editor.messages("window/showDocument").count == 1)
  }

  @Test("An editor that reads the file a moment later is sent to the place again, unless the person moved")
  func readLater() {
    var editor = Editor("Zed")
    editor.write("one\n")
    editor.open("one\n")
    editor.highlight(0, 0)
    editor.write("one\ntwo\n")
    editor.tell(.changedOnDisk, ["uri": .text(Editor.uri), "change": "changed"])
    editor.restore(1, 2)
    editor.reply("window/showDocument", ["success": true])
    editor.forget()
    editor.changeAll("one\ntwo\n")
    #expect(
      editor.messages("window/showDocument").last?["selection"]?["start"] == ["line": 1, "character": 2])
    // It was not the person who changed it.
    #expect(
      editor.calls == [.open(FileURI(Editor.uri)!, isEdited: false), .otherEditors(FileURI(Editor.uri)!)])
    editor.wait(.seconds(9))
    #expect(editor.sentences.isEmpty)
    editor.highlight(1, 2)
    #expect(editor.round()?["place"]?["position"] == ["line": 1, "character": 2])
    // Once more, and the place is none in the text that is shown yet: the editor says where it went instead.
    editor.write("one\ntwo, longer\n")
    editor.restore(1, 8)
    editor.wait(.milliseconds(100))
    editor.highlight(1, 2)
    editor.forget()
    editor.changeAll("one\ntwo, longer\n")
    #expect(
      editor.messages("window/showDocument").last?["selection"]?["start"] == ["line": 1, "character": 8])
    editor.wait(.seconds(9))
    // Once more, with a person who moves before the file is read.
    editor.write("one\ntwo\nthree\n")
    editor.restore(2, 0)
    editor.wait(.seconds(2))
    editor.highlight(0, 1)
    editor.forget()
    editor.changeAll("one\ntwo\nthree\n")
    #expect(editor.messages("window/showDocument").isEmpty)
  }

  @Test("An editor that does not read a changed file by itself is told how")
  func stale() {
    var editor = Editor("helix", showsDocuments: false)
    editor.write("one\n")
    editor.open("one\n")
    editor.write("two\n")
    editor.tell(.changedOnDisk, ["uri": .text(Editor.uri), "change": "changed"])
    #expect(editor.sentences.isEmpty)
    editor.wait(.seconds(3))
    #expect(editor.sentences.last?.contains(":reload") == true)
    #expect(editor.round()?["edited"] == false)
  }

  @Test("A cursor that was used since stays, and the place is there for who asks")
  func used() {
    var editor = Editor("Zed")
    editor.write("one\ntwo\n")
    editor.open("one\ntwo\n")
    editor.highlight(0, 0)
    editor.offer(Editor.offer(arrival: "behind"))
    editor.command("continuo.resume")
    editor.tell(.willContinue, ["request": .text(Editor.request), "offer": Editor.offer()])
    editor.wait(.seconds(2))
    editor.highlight(0, 2)
    editor.restore(1, 1)
    #expect(editor.messages("window/showDocument").last?["selection"] == nil)
    #expect(editor.sentences.last?.contains("your cursor stays") == true)
    #expect(editor.codeActions((0, 2), (0, 2)).contains("Go where laptop was (line 2)"))
    editor.command("continuo.jump")
    #expect(
      editor.messages("window/showDocument").last?["selection"]?["end"] == ["line": 1, "character": 1])
  }

  @Test("A file that was deleted or moved is told of, and its text stays")
  func gone() {
    var editor = Editor("Zed")
    editor.write("one\n")
    editor.open("one\n")
    editor.remove()
    editor.tell(.changedOnDisk, ["uri": .text(Editor.uri), "change": "deleted"])
    #expect(editor.sentences.last?.contains("was deleted") == true)
    #expect(editor.round()?["edited"] == false)
    editor.tell(
      .changedOnDisk, ["uri": .text(Editor.uri), "change": "moved", "newUri": "file:///notes/new.md"])
    #expect(editor.question?.contains("/notes/new.md") == true)
    editor.reply("window/showMessageRequest", ["title": "Open"])
    #expect(editor.messages("window/showDocument").last?["uri"] == "file:///notes/new.md")
  }

  @Test("Versions in conflict are both shown, and one is kept once nothing is unsaved")
  func conflict() {
    var editor = Editor("Zed")
    editor.write("one\n")
    editor.open("one\n")
    let news: JSONValue = [
      "uri": .text(Editor.uri), "change": "conflict", "copies": ["file:///notes/copy.md"],
    ]
    editor.tell(.changedOnDisk, news)
    editor.reply("window/showMessageRequest", ["title": "Show the copy"])
    #expect(editor.messages("window/showDocument").last?["uri"] == "file:///notes/copy.md")
    editor.change((0, 0), (0, 0), "x")
    editor.command("continuo.keepMine")
    #expect(editor.sentences.last == "plan.md has unsaved changes: save them first.")
    editor.write("xone\n")
    editor.save()
    editor.command("continuo.keepCopy")
    let kept = ClientCall.resolve(FileURI(Editor.uri)!, keep: FileURI("file:///notes/copy.md")!)
    #expect(editor.calls.last == kept)
    #expect(editor.sentences.last == "copy.md is in /notes/aside.md now.")
    editor.tell(.changedOnDisk, news)
    editor.command("continuo.keepMine")
    #expect(editor.calls.last == .resolve(FileURI(Editor.uri)!, keep: FileURI(Editor.uri)!))
  }

  @Test("What stays unsaved for a while is told once to be not handed over")
  func unsavedIsTold() {
    var editor = Editor("Zed")
    for folder in ["notes", "elsewhere"] {
      editor.write("one\n", to: "/\(folder)/plan.md")
      editor.open("one\n", uri: "file:///\(folder)/plan.md")
      editor.change((0, 0), (0, 0), "x", uri: "file:///\(folder)/plan.md")
      editor.wait(.seconds(20))
      editor.change((0, 0), (0, 0), "x", uri: "file:///\(folder)/plan.md")
      editor.wait(.seconds(11))
      #expect(editor.sentences.count == 1)
      editor.change((0, 0), (0, 0), "x", uri: "file:///\(folder)/plan.md")
      editor.wait(.seconds(60))
      #expect(editor.sentences.count == 1)
    }
  }
}
