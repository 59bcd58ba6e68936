// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import Testing

@testable import EditorProtocol

@Suite("The conversation with an editor")
struct RPCMachineTests {
  @Test("Before initialize every other request is refused, and notifications are ignored with a word")
  func beforeInitialize() throws {
    var editor = PlayedEditor()
    #expect(editor.request("offers/list") == .refused(-32002))
    #expect(editor.request("nonsense") == .refused(-32002))
    #expect(editor.request("initialize", [:]) == .refused(-32602))
    #expect(editor.machine.phase == .new)
    editor.notify("document/didSave", ["uri": "file:///a"])
    #expect(editor.complaints.count == 1)
    #expect(editor.calls.isEmpty)
    editor.initialize()
    #expect(editor.request("initialize", PlayedEditor.introduction) == .refused(-32600))
  }

  @Test("While initialize waits for its answer nothing else is taken, and one that failed may come again")
  func initializing() {
    var editor = PlayedEditor()
    #expect(editor.request("initialize", PlayedEditor.introduction) == .called)
    #expect(editor.request("offers/list") == .refused(-32002))
    editor.answer(.number(1), .failure(RPCError(-32803, message: "No descriptor.")))
    #expect(editor.machine.phase == .new)
    editor.initialize()
    #expect(editor.machine.phase == .ready)
  }

  @Test("After shutdown only exit is taken, and the codes tell whether it was said")
  func shutdown() {
    var editor = PlayedEditor.ready
    #expect(editor.request("shutdown", nil) == .called)
    #expect(editor.calls == [.shutdown])
    #expect(editor.request("offers/list") == .refused(-32600))
    editor.notify("document/didChange", ["uri": "file:///a", "edited": true])
    #expect(editor.calls == [.shutdown])
    // The last round may save.
    editor.notify("document/didSave", ["uri": "file:///a"])
    #expect(editor.calls.count == 2)
    editor.notify("exit")
    #expect(editor.codes == [0])
    var hasty = PlayedEditor.ready
    hasty.notify("exit")
    #expect(hasty.codes == [1])
    var gone = PlayedEditor.ready
    gone.perform(gone.machine.handle(.ended, at: gone.now))
    gone.perform(gone.machine.handle(.ended, at: gone.now))
    #expect(gone.codes == [0])
  }

  @Test("What is no JSON, no message, or a batch is answered under ID null")
  func nonsense() {
    var editor = PlayedEditor.ready
    for (text, code) in [
      ("{", -32700), ("\u{0}", -32700), ("1", -32600), ("[]", -32600), ("{}", -32600),
      (#"[{"jsonrpc":"2.0","id":1,"method":"offers/list"}]"#, -32600), (#"{"jsonrpc":"1.0","id":1}"#, -32600),
      (#"{"jsonrpc":"2.0","method":3}"#, -32600), (#"{"jsonrpc":"2.0","id":{},"method":"a"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":null,"method":"a"}"#, -32600), (#"{"jsonrpc":"2.0"}"#, -32600),
    ] as [(String, Int64)] {
      #expect(editor.say(text) == .refused(code), "\(text)")
      #expect(editor.sent.last?["id"] == .null)
    }
    #expect(editor.codes.isEmpty)
    #expect(editor.request("offers/list") == .called)
  }

  @Test("IDs are numbers or strings, are given back as they came, and are free again after the answer")
  func identifiers() {
    var editor = PlayedEditor.ready
    #expect(editor.say(#"{"jsonrpc":"2.0","id":"a","method":"offers/list"}"#) == .called)
    #expect(editor.say(#"{"jsonrpc":"2.0","id":"a","method":"offers/list"}"#) == .refused(-32600))
    editor.answer(.text("a"), .success(["offers": []]))
    #expect(editor.sent.last == ["jsonrpc": "2.0", "id": "a", "result": ["offers": []]])
    let count = editor.sent.count
    editor.answer(.text("a"), .success(nil))
    #expect(editor.sent.count == count, "One request has one answer.")
    #expect(editor.say(#"{"jsonrpc":"2.0","id":"a","method":"offers/list"}"#) == .called)
  }

  @Test("A method that is not there, and a notification with an ID, are unknown")
  func unknown() {
    var editor = PlayedEditor.ready
    #expect(editor.request("document/fly") == .refused(-32601))
    #expect(editor.request("document/didSave", ["uri": "file:///a"]) == .refused(-32601))
    editor.notify("$/setTrace", ["value": "off"])
    #expect(editor.complaints.isEmpty)
    editor.notify("document/open", ["uri": "file:///a"])
    #expect(editor.complaints.count == 1)
  }

  @Test("A request that was withdrawn is answered at once, and only once")
  func cancelled() {
    var editor = PlayedEditor.ready
    #expect(editor.request("document/open", ["uri": "file:///a"]) == .called)
    let id = editor.lastID
    editor.notify("$/cancelRequest", ["id": .int(id)])
    #expect(editor.sent.last?["error"]?["code"] == .int(-32800))
    // What would come of it would be for nobody.
    #expect(editor.calls.last == .cancelRequest(.number(id)))
    let count = editor.sent.count
    editor.answer(.number(id), .success(nil))
    editor.notify("$/cancelRequest", ["id": .int(id)])
    #expect(editor.sent.count == count)
  }

  @Test("Questions are answered once, by the editor or by time")
  func questions() {
    var editor = PlayedEditor.ready
    for number: Int64 in 1...3 { editor.ask(number) }
    #expect(editor.sent.last?["method"] == "activity/update")
    editor.say(#"{"jsonrpc":"2.0","id":2,"result":{"edited":true}}"#)
    editor.say(#"{"jsonrpc":"2.0","id":2,"result":{"edited":true}}"#)
    editor.say(#"{"jsonrpc":"2.0","id":99,"result":{}}"#)
    editor.say(#"{"jsonrpc":"2.0","id":"3","result":{}}"#)
    editor.say(#"{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"Oh."}}"#)
    #expect(
      editor.answered == [2: .success(["edited": true]), 3: .failure(RPCError(-32603, message: "Oh."))])
    #expect(editor.machine.nextDeadline == editor.now + RPCMachine.patience)
    editor.now = editor.now + RPCMachine.patience
    editor.perform(editor.machine.handle(.tick, at: editor.now))
    guard case .failure(let late)? = editor.answered[1] else {
      Issue.record("no answer")
      return
    }
    #expect(late.data?["code"] == "remoteTimedOut")
    #expect(editor.machine.nextDeadline == nil)
  }

  @Test("An error about a message that nobody could read is not answered")
  func errorsAboutNothing() {
    var editor = PlayedEditor.ready
    let count = editor.sent.count
    editor.say(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"What?"}}"#)
    #expect(editor.sent.count == count)
  }

  @Test("Nothing is told before initialize is answered, nor after shutdown")
  func telling() {
    var editor = PlayedEditor()
    editor.tell()
    #expect(editor.sent.isEmpty)
    editor.initialize()
    editor.tell()
    #expect(editor.sent.last?["method"] == "offers/didChange")
    _ = editor.request("shutdown", nil)
    let count = editor.sent.count
    editor.tell()
    #expect(editor.sent.count == count)
  }

  @Test("Input that is not framed ends the conversation with a sentence")
  func unframed() {
    var editor = PlayedEditor.ready
    editor.perform(editor.machine.handle(.received(Array("GET / HTTP/1.1\r\n\r\n".utf8)), at: editor.now))
    #expect(editor.codes == [1])
    #expect(editor.complaints.count == 1)
    #expect(editor.request("offers/list") == .nothing)
  }
}
