// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import EditorProtocol

/// What editors say to both servers: the same in whatever pieces it comes, whole messages in return, no answer
/// that nobody asked for, and nothing after the end.
struct RPCTarget: FuzzTarget {
  static let name = "rpc"
  static let longest = 4096
  static let words =
    (ClientMethod.allCases.map(\.rawValue) + [
      "Content-Length: ", "\r\n\r\n", "content-length:2\n\n", "Content-Type: a", "\"jsonrpc\":\"2.0\"",
      "\"method\":", "\"params\":{", "\"id\":1", "\"id\":null", "\"result\":", "\"error\":{", "\"uri\":",
      "\"file:///a/b%20c\"", "\"edited\":true", "{\"$date\":1.5}", "{\"$map\":[[1,2]]}", "\"position\":{",
      "\"line\":1", "\"character\":", "1e400", "-0", "\\ud800", "\\u0000", "textDocument/didOpen",
      "textDocument/didChange", "textDocument/didSave", "\"textDocument\":{", "\"contentChanges\":[",
      "\"range\":{\"start\":", "workspace/executeCommand", "initialized", "capabilities",
    ]).map { Array($0.utf8) }

  func seeds() throws -> [[UInt8]] {
    let messages = [
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"name":"a","columns":"utf-16"}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"document/open","params":{"uri":"file:///a/b","edited":true}}"#,
      #"{"jsonrpc":"2.0","method":"document/didChange","params":{"uri":"file:///a","edited":true}}"#,
      #"{"jsonrpc":"2.0","id":"x","method":"activity/create","params":{"type":"a.b","title":"T","userInfo":{"a":{"$date":1}}}}"#,
      #"{"jsonrpc":"2.0","id":4,"result":{"outcome":"opened"}}"#,
      #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}"#,
      #"{"jsonrpc":"2.0","id":5,"method":"shutdown"}"#, #"{"jsonrpc":"2.0","method":"exit"}"#,
    ]
    let language = [
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":1,"capabilities":{"window":{"showDocument":{"support":true}},"general":{"positionEncodings":["utf-8"]}}}}"#,
      #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a","languageId":"t","version":1,"text":"one\ntwo"}}}"#,
      #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":1},"end":{"line":1,"character":1}},"text":"x"}]}}"#,
      #"{"jsonrpc":"2.0","method":"textDocument/didSave","params":{"textDocument":{"uri":"file:///a"}}}"#,
      #"{"jsonrpc":"2.0","id":7,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"file:///a"},"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"context":{"diagnostics":[]}}}"#,
    ]
    let all = [messages, language]
    return (0..<2).flatMap { server -> [[UInt8]] in
      let lines = all[server].joined(separator: "\n")
      let stream = all[server].flatMap { MessageFraming.frame(Array($0.utf8)) }
      return [
        [UInt8(server)] + Cuts.seed() + Array(lines.utf8),
        [UInt8(server)] + Cuts.seed([20, 1]) + Array(lines.utf8),
        [UInt8(server) + 2] + Cuts.seed([9, 0, 2]) + stream,
      ]
    }
  }

  /// Lines are framed before they are sent, so that inputs need not count.
  func check(_ input: [UInt8]) throws {
    var reader = InputReader(input)
    let form = reader.choice(of: 4)
    let cuts = reader.cuts()
    let stream =
      form < 2
      ? reader.rest.split(separator: UInt8(ascii: "\n")).flatMap { MessageFraming.frame(Array($0)) }
      : reader.rest
    let pieces = cuts.pieces(of: stream)
    try Self.checkFraming(stream, pieces)
    if form % 2 == 0 {
      try Self.checkConversation(RPCMachine(), stream, pieces)
    } else {
      try Self.checkConversation(LanguageServerMachine(version: "0"), stream, pieces)
    }
  }

  private static func checkFraming(_ stream: [UInt8], _ pieces: [[UInt8]]) throws {
    let whole = contents([stream])
    try expect(whole == contents(pieces), "a stream in pieces gives other messages than the whole")
    let again = whole.contents.flatMap { MessageFraming.frame($0) }
    try expect(contents([again]).contents == whole.contents, "messages are others when framed again")
  }

  private static func contents(_ pieces: [[UInt8]]) -> Contents {
    var framing = MessageFraming()
    var found = Contents()
    do throws(ContinuityError) {
      for piece in pieces {
        framing.append(piece)
        while let content = try framing.next() { found.contents.append(content) }
      }
    } catch {
      found.isBroken = true
    }
    return found
  }

  private struct Contents: Equatable {
    var contents: [[UInt8]] = []
    var isBroken = false
  }

  private static func checkConversation(
    _ fresh: some EditorConversation, _ stream: [UInt8], _ pieces: [[UInt8]]
  ) throws {
    let whole = conversation(fresh, [stream])
    let dripped = conversation(fresh, pieces)
    try expect(whole == dripped, "a conversation in pieces goes another way than the whole")
    var finished = false
    for action in whole {
      try expect(!finished, "something is done after the end")
      switch action {
      case .send(let bytes):
        let messages = contents([bytes])
        try expect(messages.contents.count == 1 && !messages.isBroken, "what is sent is no message")
        let json = try? JSONValue(decoding: messages.contents.first ?? [])
        try expect(json?["jsonrpc"] == .text("2.0"), "what is sent is no JSON-RPC")
      case .finish: finished = true
      default: break
      }
    }
  }

  /// The host answers each call when the editor pauses.
  private static func conversation(
    _ fresh: some EditorConversation, _ pieces: [[UInt8]]
  ) -> [ConversationAction] {
    var machine = fresh
    var actions: [ConversationAction] = []
    for piece in pieces { actions += machine.handle(.received(piece), at: Instant(nanoseconds: 0)) }
    return actions
  }
}
