// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import Testing

@testable import EditorProtocol

@Suite("An editor of the Language Server Protocol")
struct LanguageServerTests {
  typealias Editor = PlayedLanguageEditor

  @Test("Nothing is taken before initialize, and nothing but exit after shutdown")
  func order() {
    var editor = Editor.silent
    #expect(editor.request("textDocument/hover", [:])?["code"] == -32002)
    editor.open("x")
    editor.notify("workspace/didChangeConfiguration", [:])
    #expect(editor.calls.isEmpty)
    #expect(
      editor.request("initialize", ["capabilities": [:]])?["capabilities"]?["positionEncoding"] == "utf-16")
    #expect(editor.request("initialize", [:])?["code"] == -32600)
    #expect(editor.request("textDocument/definition", ["textDocument": ["uri": "file:///a"]]) != nil)
    #expect(editor.request("workspace/symbol", [:])?["code"] == -32601)
    #expect(editor.request("shutdown") == .null)
    #expect(editor.calls.last == .shutdown)
    #expect(editor.request("textDocument/hover", [:])?["code"] == -32600)
    editor.notify("exit")
    #expect(editor.codes == [0])
    var hasty = Editor()
    hasty.notify("exit")
    #expect(hasty.codes == [1])
    var gone = Editor()
    gone.end()
    gone.end()
    #expect(gone.codes == [0])
  }

  @Test("The editor's first unit that is known counts, and UTF-16 where it names none")
  func encodings() {
    for (offered, agreed) in [
      (["utf-8", "utf-16"], "utf-8"), (["utf-7", "utf-32"], "utf-32"), ([], "utf-16"), (nil, "utf-16"),
    ] as [([String]?, JSONValue)] {
      let editor = Editor(encodings: offered)
      #expect(editor.answer(to: 1)?["capabilities"]?["positionEncoding"] == agreed)
    }
  }

  @Test(
    "Each unit's place is the same scalar, in the text that the editor holds",
    arguments: [
      ("utf-8", 11), ("utf-16", 6), ("utf-32", 5),
    ] as [(String, Int64)])
  func places(_ encoding: String, _ column: Int64) {
    var editor = Editor(encodings: [encoding])
    editor.write("one\naé😀漢\tz\nthree\n")
    editor.open("one\naé😀漢\tz\nthree\n")
    #expect(editor.highlight(1, column) == .null)
    #expect(editor.round()?["place"]?["position"] == ["line": 1, "character": 5])
    #expect(editor.round()?["edited"] == false)
    editor.restore(1, 4)
    let range = editor.messages("window/showDocument").last?["selection"]
    let before: [String: Int64] = ["utf-8": 10, "utf-16": 5, "utf-32": 4]
    #expect(range?["start"] == ["line": 1, "character": before[encoding].map { .int($0) }])
  }

  @Test("What is typed is a place, and so is what a question is about; a selection has two ends")
  func inference() {
    var editor = Editor("Helix", encodings: ["utf-8"])
    editor.write("one\ntwo\n")
    editor.open("one\ntwo\n")
    #expect(editor.round()?["place"] == nil)
    editor.change((1, 3), (1, 3), "!\nx")
    #expect(editor.round()?["place"]?["position"] == ["line": 2, "character": 1])
    #expect(editor.round()?["edited"] == true)
    #expect(editor.calls.contains(.didChange(FileURI(Editor.uri)!, isEdited: true, byPerson: true)))
    // Helix has a character under its cursor.
    editor.codeActions((0, 1), (0, 2))
    #expect(editor.round()?["place"] == ["position": ["line": 0, "character": 1]])
    editor.codeActions((0, 1), (1, 2))
    #expect(
      editor.round()?["place"]
        == ["position": ["line": 1, "character": 2], "selection": ["line": 0, "character": 1]])
    editor.request(
      "textDocument/hover",
      ["textDocument": ["uri": .text(Editor.uri)], "position": ["line": 0, "character": 2]])
    #expect(editor.round()?["place"] == ["position": ["line": 0, "character": 2]])
    editor.request(
      "textDocument/selectionRange",
      ["textDocument": ["uri": .text(Editor.uri)], "positions": [["line": 1, "character": 0]]])
    #expect(editor.round()?["place"] == ["position": ["line": 1, "character": 0]])
    // A mouse is nobody's place.
    var window = Editor("Zed")
    window.write("one\n")
    window.open("one\n")
    window.request(
      "textDocument/hover",
      ["textDocument": ["uri": .text(Editor.uri)], "position": ["line": 0, "character": 2]])
    #expect(window.round()?["place"] == nil)
    // The whole text is compared with what it was.
    window.changeAll("one two\n")
    #expect(window.round()?["place"] == ["position": ["line": 0, "character": 7]])
  }

  @Test("A text is the file's whatever its line ends, its mark and its encoding, until the person types")
  func same() {
    let latin: [UInt8] = [0xE9, 10]
    for (file, text) in [
      (Array("a\nb\n".utf8), "a\r\nb\r\n"), ([0xEF, 0xBB, 0xBF] + Array("a\r\n".utf8), "a\n"),
      (Array("a".utf8), "a\n"), (latin, "é\n"), ([], ""), ([0xFF, 0xFE, 0x61, 0, 10, 0], "a\n"),
    ] as [([UInt8], String)] {
      var editor = Editor(encodings: ["utf-8"])
      editor.write(file)
      editor.open(text)
      #expect(editor.round()?["edited"] == false, "\(text)")
      editor.change((0, 0), (0, 0), "x")
      #expect(editor.round()?["edited"] == true, "\(text)")
      editor.change((0, 0), (0, 1), "")
      #expect(editor.round()?["edited"] == false, "\(text)")
    }
    var editor = Editor()
    editor.write("a\n")
    editor.open("what was not saved before\n")
    #expect(editor.calls.contains(.open(FileURI(Editor.uri)!, isEdited: true)))
    #expect(editor.round()?["edited"] == true)
    editor.write("what was not saved before\n")
    editor.save()
    #expect(editor.round()?["edited"] == false)
  }

  @Test("A message that follows in the same piece changes nothing of what was looked at before")
  func together() {
    var editor = Editor()
    editor.write("one\n")
    editor.open("one\n")
    editor.change((0, 0), (0, 0), "x")
    editor.write("xone\n")
    editor.say(
      [
        "jsonrpc": "2.0", "method": "textDocument/didSave",
        "params": ["textDocument": ["uri": .text(Editor.uri)]],
      ],
      [
        "jsonrpc": "2.0", "method": "textDocument/didChange",
        "params": [
          "textDocument": ["uri": .text(Editor.uri), "version": 3],
          "contentChanges": [["text": "xone two\n"]],
        ],
      ])
    #expect(editor.round()?["edited"] == true)
  }

  @Test("A file is said when it is there, closed a moment after, and opened again is read again")
  func files() {
    var editor = Editor()
    editor.open("new\n")
    #expect(editor.calls.allSatisfy { if case .open = $0 { false } else { true } })
    editor.write("new\n")
    editor.save()
    #expect(editor.calls.contains(.open(FileURI(Editor.uri)!, isEdited: false)))
    editor.forget()
    editor.close()
    editor.open("new\n")
    editor.wait(.seconds(5))
    #expect(editor.calls.contains(.open(FileURI(Editor.uri)!, isEdited: false)))
    #expect(!editor.calls.contains(.close(FileURI(Editor.uri)!)))
    editor.close()
    editor.wait(.seconds(1))
    #expect(editor.calls.last == .close(FileURI(Editor.uri)!))
    // An editor that quits withdraws nothing.
    editor.open("new\n")
    editor.close()
    editor.request("shutdown")
    #expect(editor.calls.last == .shutdown)
  }

  @Test("Names of any bytes are found again, and what is no file is let alone")
  func names() {
    var editor = Editor()
    let uri = "file:///notes/%00%0A%1B%5B.md"
    editor.open("x", uri: "untitled:Untitled-1")
    editor.open("x", uri: "file://elsewhere/a.md")
    editor.open("x", uri: uri)
    #expect(editor.highlight(0, 0, uri: "untitled:Untitled-1") == .null)
    #expect(editor.calls == [.initialize(LanguageClient().introduction)] || editor.calls.count == 1)
    editor.write("x", to: "/notes/a b\u{1B}[31m.md")
    editor.open("x", uri: "file:///notes/a%20b%1b%5B31m.md")
    editor.highlight(0, 1, uri: "file:///notes/a%20b%1B[31m.md")
    #expect(editor.round(uri: "file:///notes/a%20b%1b%5B31m.md")?["place"] != nil)
    editor.tell(
      .withheld, ["uri": "file:///notes/a%20b%1b%5B31m.md", "reason": "It is <b>large</b>."])
    #expect(editor.sentences.last?.contains("\u{1B}") == false)
    editor.offer(Editor.offer(title: "[x](http://e)\u{202E}\n<b>"))
    editor.wait(.seconds(2))
    #expect(editor.question?.contains { "<>[]\n\u{202E}".contains($0) } == false)
  }

  @Test("A text that is too large is left out, and its document handed over all the same")
  func large() {
    var editor = Editor()
    editor.write("one\ntwo\n")
    let text = String(repeating: "x", count: MessageFraming.contentLimit)
    editor.open(text)
    #expect(editor.codes.isEmpty)
    #expect(editor.sentences.count == 1)
    editor.highlight(1, 2)
    #expect(editor.round()?["place"]?["position"] == ["line": 1, "character": 2])
    #expect(editor.round()?["edited"] == false)
    editor.change((0, 0), (0, 0), "x")
    #expect(editor.round()?["edited"] == true)
    editor.save()
    #expect(editor.round()?["edited"] == false)
  }

  @Test("Nonsense is answered, or ignored with a word, and ends nothing")
  func nonsense() {
    var editor = Editor()
    editor.receive(MessageFraming.frame(Array("{".utf8)))
    #expect(editor.sent.last?["error"]?["code"] == -32700)
    editor.say([1, 2])
    #expect(editor.sent.last?["error"]?["code"] == -32600)
    editor.notify("textDocument/didOpen", ["textDocument": ["uri": "file:///notes/plan.md"]])
    #expect(editor.complaints.count == 1)
    editor.notify("textDocument/didChange", ["textDocument": 1])
    #expect(editor.complaints.count == 2)
    #expect(editor.request("textDocument/codeAction", ["textDocument": ["uri": "file:///x"]]) == .null)
    #expect(editor.command("continuo.nothing")?["code"] == -32602)
    editor.say(["jsonrpc": "2.0", "id": 99, "result": nil])
    // What lies outside of the text makes it unknown, until the whole is said.
    editor.write("one\n")
    editor.open("one\n")
    editor.change((7, 0), (9, 0), "x")
    #expect(editor.round()?["edited"] == true)
    editor.write("one\nx")
    #expect(editor.round()?["edited"] == true)
    editor.write("one\n")
    editor.changeAll("one\n")
    #expect(editor.round()?["edited"] == false)
    #expect(editor.codes.isEmpty)
    editor.receive(Array("What: ever\r\n\r\n".utf8))
    #expect(editor.codes == [1])
  }

  @Test("A hundred documents are open, and the one in use is the current one")
  func hundred() {
    var editor = Editor()
    for index in 0..<100 {
      editor.write("\(index)\n", to: "/notes/\(index).md")
      editor.open("\(index)\n", uri: "file:///notes/\(index).md")
    }
    editor.forget()
    editor.highlight(0, 1, uri: "file:///notes/7.md")
    #expect(editor.calls.last == .becomeCurrent(.document(FileURI("file:///notes/7.md")!)))
    editor.highlight(0, 0, uri: "file:///notes/7.md")
    #expect(editor.calls.count == 3)
    // What was opened before comes not to front later.
    editor.wait(.seconds(1))
    #expect(editor.calls.count == 3)
  }
}
