// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import EditorProtocol

/// What editors say to both servers: the same in whatever pieces it comes, whole messages in return, and
/// nothing after the end.
struct RPCTarget: FuzzTarget {
  static let name = "rpc"
  /// A few messages: each is decoded as JSON, which takes most of the time.
  static let longest = 512
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
      #""id":1,"method":"initialize","params":{"name":"a","columns":"utf-16"}"#,
      #""id":2,"method":"document/open","params":{"uri":"file:///a/b","edited":true}"#,
      #""method":"document/didChange","params":{"uri":"file:///a","edited":true}"#,
      #""id":"x","method":"activity/create","params":{"type":"a.b","userInfo":{"a":{"$date":1}}}"#,
      #""id":4,"result":{"outcome":"opened"}"#, #""method":"$/cancelRequest","params":{"id":2}"#,
      #""id":5,"method":"shutdown""#, #""method":"exit""#,
    ]
    let document = #""textDocument":{"uri":"file:///a","version":2"#
    let range = #""range":{"start":{"line":0,"character":1},"end":{"line":1,"character":1}}"#
    let features = #"{"window":{"showDocument":{"support":true}},"general":{"positionEncodings":["utf-8"]}}"#
    let language = [
      #""id":1,"method":"initialize","params":{"processId":1,"capabilities":\#(features)}"#,
      #""method":"initialized","params":{}"#,
      #""method":"textDocument/didOpen","params":{\#(document),"languageId":"t","text":"one\ntwo"}}"#,
      #""method":"textDocument/didChange","params":{\#(document)},"contentChanges":[{\#(range),"text":""}]}"#,
      #""method":"textDocument/didSave","params":{\#(document)}}"#,
      #""id":7,"method":"textDocument/codeAction","params":{\#(document)},\#(range),"context":{}}"#,
    ]
    let all = [messages, language].map { $0.map { #"{"jsonrpc":"2.0",\#($0)}"# } }
    return [0, 1].flatMap { server -> [[UInt8]] in
      stride(from: 0, to: all[server].count, by: 2).flatMap { first -> [[UInt8]] in
        let some = all[server][first...].prefix(3)
        let lines = Array(some.joined(separator: "\n").utf8)
        let stream = some.flatMap { MessageFraming.frame(Array($0.utf8)) }
        let choice = [UInt8(server)]
        return [
          choice + [0] + Cuts.seed() + lines, choice + [0] + Cuts.seed([20, 1]) + lines,
          choice + [1] + Cuts.seed([9, 0, 2]) + stream, choice + [2] + Cuts.seed([1]) + stream,
        ]
      }
    }
  }

  /// Both servers, and what they are after the first call, which is the same each time.
  private let rpc = Server(RPCMachine())
  private let language = Server(LanguageServerMachine(version: "0"))

  private struct Server<Machine: EditorConversation> {
    let fresh: Machine
    private(set) var introduced: Machine

    init(_ machine: Machine) {
      (fresh, introduced) = (machine, machine)
      for action in RPCTarget.hear(.received(RPCTarget.introduction), &introduced) {
        _ = RPCTarget.answer(to: action, &introduced)
      }
    }
  }

  /// Lines are framed before they are sent, so that inputs need not count.
  func check(_ input: [UInt8]) throws {
    var reader = InputReader(input)
    let (server, form) = (reader.choice(of: 2), reader.choice(of: 3))
    let cuts = reader.cuts()
    let isStream = form > 0
    let stream = isStream ? reader.rest : Self.stream(reader.rest.split(separator: UInt8(ascii: "\n")))
    let pieces = cuts.pieces(of: stream)
    try Self.checkFraming(stream, pieces)
    let isIntroduced = form < 2
    // To hold the same conversation again, and to decode what is sent, costs as much as all else.
    let dripped = FuzzTargets.code(of: input) % Self.inputsForOneThorough == 0 ? pieces : nil
    if server == 0 {
      try Self.checkConversation(isIntroduced ? rpc.introduced : rpc.fresh, stream, dripped)
    } else {
      try Self.checkConversation(isIntroduced ? language.introduced : language.fresh, stream, dripped)
    }
  }

  private static let inputsForOneThorough: UInt64 = 8

  private static func stream(_ contents: [ArraySlice<UInt8>]) -> [UInt8] {
    contents.flatMap { MessageFraming.frame(Array($0)) }
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
    _ machine: some EditorConversation, _ stream: [UInt8], _ pieces: [[UInt8]]?
  ) throws {
    let whole = conversation(machine, [stream])
    if let pieces {
      let dripped = conversation(machine, pieces)
      try expect(whole == dripped, "a conversation in pieces goes another way than the whole")
    }
    var finished = false
    for action in whole {
      try expect(!finished, "something is done after the end")
      switch action {
      case .send(let bytes):
        let messages = contents([bytes])
        try expect(messages.contents.count == 1 && !messages.isBroken, "what is sent is no message")
        guard pieces != nil else { continue }
        let json = try? JSONValue(decoding: messages.contents.first ?? [])
        try expect(json?["jsonrpc"] == .text("2.0"), "what is sent is no JSON-RPC")
      case .finish: finished = true
      default: break
      }
    }
  }

  /// A host that answers each look at a file at once, and all calls at the end.
  private static func conversation(
    _ machine: some EditorConversation, _ pieces: [[UInt8]]
  ) -> [ConversationAction] {
    var machine = machine
    var actions: [ConversationAction] = []
    for piece in pieces { actions += hear(.received(piece), &machine) }
    return actions + actions.flatMap { answer(to: $0, &machine) }
  }

  private static let introduction = MessageFraming.frame(
    Array(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"name":"a","capabilities":{}}}"#.utf8))

  /// What is done for an event, files looked at.
  private static func hear(
    _ event: ConversationEvent, _ machine: inout some EditorConversation
  ) -> [ConversationAction] {
    var actions: [ConversationAction] = []
    var events = [event]
    while let event = events.popLast() {
      let news = machine.handle(event, at: Instant(nanoseconds: 0))
      actions += news
      for case .look(let number, let file, _) in news {
        let mark = FileMark(inode: UInt64(file.path.count), size: 7, modified: 1)
        events.append(.found(number, FileLook(mark: mark, bytes: Array("one\ntwo".utf8))))
      }
    }
    return actions
  }

  private static func answer(
    to action: ConversationAction, _ machine: inout some EditorConversation
  ) -> [ConversationAction] {
    guard case .call(let id?, _) = action else { return [] }
    return hear(.answer(id, .success([:])), &machine)
  }
}
