// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel

@testable import EditorProtocol

/// An editor's end of a conversation with the machine, in memory.
struct PlayedEditor {
  var machine = RPCMachine()
  var now = Instant(nanoseconds: 1)
  /// What the machine let do.
  private(set) var sent: [JSONValue] = []
  private(set) var calls: [ClientCall] = []
  private(set) var complaints: [String] = []
  private(set) var codes: [Int32] = []
  private(set) var answered: [Int64: Result<JSONValue, RPCError>] = [:]
  private(set) var lastID: Int64 = 0

  static let introduction: JSONValue = ["protocolVersion": 1, "app": ["id": "org.example.ed", "name": "Ed"]]

  /// What became of a message.
  enum Fate: Hashable {
    case called
    case refused(Int64)
    case nothing
  }

  /// One that said `initialize` and was answered.
  static var ready: PlayedEditor {
    var editor = PlayedEditor()
    editor.initialize()
    return editor
  }

  mutating func initialize() {
    _ = request("initialize", Self.introduction)
    answer(.number(lastID), .success(["protocolVersion": 1]))
    calls = []
    sent = []
  }

  @discardableResult
  mutating func request(_ method: String, _ params: JSONValue? = [:]) -> Fate {
    lastID += 1
    return say(["jsonrpc": "2.0", "id": .int(lastID), "method": .text(method), "params": params])
  }

  mutating func notify(_ method: String, _ params: JSONValue? = nil) {
    say(["jsonrpc": "2.0", "method": .text(method), "params": params])
  }

  @discardableResult
  mutating func say(_ message: JSONValue) -> Fate { say(String(decoding: message.encoded, as: UTF8.self)) }

  @discardableResult
  mutating func say(_ text: String) -> Fate {
    let (callsBefore, sentBefore) = (calls.count, sent.count)
    perform(machine.handle(.received(MessageFraming.frame(Array(text.utf8))), at: now))
    if sent.count > sentBefore, case .int(let code)? = sent.last?["error"]?["code"] { return .refused(code) }
    return calls.count > callsBefore ? .called : .nothing
  }

  mutating func answer(_ id: RPCID, _ result: Result<JSONValue, RPCError>) {
    perform(machine.handle(.answer(id, result), at: now))
  }

  mutating func ask(_ number: Int64) {
    perform(machine.handle(.ask(number, .update, ["uri": "file:///a"]), at: now))
  }

  mutating func tell() { perform(machine.handle(.tell(.offersDidChange, ["offers": []]), at: now)) }

  mutating func perform(_ actions: [ConversationAction]) {
    for action in actions {
      switch action {
      case .send(let frame):
        var framing = MessageFraming()
        framing.append(frame)
        guard let content = try? framing.next(), let message = try? JSONValue(decoding: content) else {
          continue
        }
        sent.append(message)
      case .call(_, let call): calls.append(call)
      case .answered(let number, let result): answered[number] = result
      case .complain(let sentence): complaints.append(sentence)
      case .finish(let code): codes.append(code)
      case .look: break
      }
    }
  }
}
