// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel

@testable import EditorProtocol

/// An editor that speaks the Language Server Protocol, files, and a session that does as it is told.
struct PlayedLanguageEditor {
  private(set) var machine = LanguageServerMachine(version: "1", minutesEast: 60)
  var now = Instant(nanoseconds: 1)
  /// What lies on disk, and how often it was written.
  private var files: [String: (bytes: [UInt8], written: Int64)] = [:]
  /// What the machine said to the editor.
  private(set) var sent: [JSONValue] = []
  private(set) var calls: [ClientCall] = []
  private(set) var complaints: [String] = []
  private(set) var codes: [Int32] = []
  /// What the session's questions were answered with.
  private(set) var answered: [Int64: JSONValue] = [:]
  /// What calls are answered with.
  var accepting: Result<JSONValue, RPCError> = .success(["request": .text(Self.request)])
  private var writes: Int64 = 0
  private var lastID: Int64 = 0
  private var lastQuestion: Int64 = 0
  private var versions: [String: Int64] = [:]

  static let request = String(repeating: "ab", count: 16)
  static let uri = "file:///notes/plan.md"

  /// One that was let in.
  init(
    _ name: String = "Zed", encodings: [String]? = ["utf-16"], showsDocuments: Bool = true,
    showsProgress: Bool = true, options: JSONValue? = nil
  ) {
    request(
      "initialize",
      [
        "processId": 1, "rootUri": nil, "clientInfo": ["name": .text(name)], "initializationOptions": options,
        "workspaceFolders": [["uri": "file:///notes", "name": "a"], ["uri": "file:///more", "name": "b"]],
        "capabilities": [
          "general": ["positionEncodings": encodings.map { .array($0.map { .text($0) }) }],
          "window": [
            "showDocument": ["support": .bool(showsDocuments)], "workDoneProgress": .bool(showsProgress),
          ],
        ],
      ])
    notify("initialized", [:])
  }

  /// One that has said nothing.
  static var silent: Self {
    var editor = Self()
    editor.machine = LanguageServerMachine(version: "1")
    (editor.sent, editor.calls) = ([], [])
    return editor
  }

  // MARK: What the editor says

  @discardableResult
  mutating func request(_ method: String, _ params: JSONValue? = nil) -> JSONValue? {
    lastID += 1
    let id = lastID
    say(["jsonrpc": "2.0", "id": .int(id), "method": .text(method), "params": params])
    return answer(to: id)
  }

  /// What a request of this ID was answered with.
  func answer(to id: Int64) -> JSONValue? {
    sent.first { $0["id"] == .int(id) && $0["method"] == nil }.map { $0["result"] ?? $0["error"] ?? .null }
  }

  mutating func notify(_ method: String, _ params: JSONValue? = nil) {
    say(["jsonrpc": "2.0", "method": .text(method), "params": params])
  }

  mutating func say(_ messages: JSONValue...) {
    receive(messages.flatMap { MessageFraming.frame($0.encoded) })
  }

  mutating func receive(_ bytes: [UInt8]) { perform(machine.handle(.received(bytes), at: now)) }

  mutating func end() { perform(machine.handle(.ended, at: now)) }

  mutating func open(_ text: String, uri: String = Self.uri) { say(Self.opening(text, uri: uri)) }

  static func opening(_ text: String, uri: String = Self.uri) -> JSONValue {
    [
      "jsonrpc": "2.0", "method": "textDocument/didOpen",
      "params": [
        "textDocument": ["uri": .text(uri), "languageId": "markdown", "version": 1, "text": .text(text)]
      ],
    ]
  }

  /// Replaces what lies between two places, each a line and a character.
  mutating func change(_ start: (Int64, Int64), _ end: (Int64, Int64), _ text: String, uri: String = Self.uri)
  {
    func place(_ of: (Int64, Int64)) -> JSONValue { ["line": .int(of.0), "character": .int(of.1)] }
    notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .text(uri), "version": 2],
        "contentChanges": [["range": ["start": place(start), "end": place(end)], "text": .text(text)]],
      ])
  }

  mutating func changeAll(_ text: String, uri: String = Self.uri) {
    notify(
      "textDocument/didChange",
      ["textDocument": ["uri": .text(uri), "version": 3], "contentChanges": [["text": .text(text)]]])
  }

  mutating func save(uri: String = Self.uri) {
    notify("textDocument/didSave", ["textDocument": ["uri": .text(uri)]])
  }

  mutating func close(uri: String = Self.uri) {
    notify("textDocument/didClose", ["textDocument": ["uri": .text(uri)]])
  }

  @discardableResult
  mutating func highlight(_ line: Int64, _ character: Int64, uri: String = Self.uri) -> JSONValue? {
    request(
      "textDocument/documentHighlight",
      ["textDocument": ["uri": .text(uri)], "position": ["line": .int(line), "character": .int(character)]])
  }

  @discardableResult
  mutating func codeActions(
    _ start: (Int64, Int64) = (0, 0), _ end: (Int64, Int64) = (0, 0), only: [JSONValue]? = nil,
    uri: String = Self.uri
  ) -> [String] {
    func place(_ of: (Int64, Int64)) -> JSONValue { ["line": .int(of.0), "character": .int(of.1)] }
    let found = request(
      "textDocument/codeAction",
      [
        "textDocument": ["uri": .text(uri)], "range": ["start": place(start), "end": place(end)],
        "context": ["diagnostics": [], "only": only.map { .array($0) }],
      ])
    guard case .array(let actions)? = found else { return [] }
    return actions.compactMap { if case .text(let title)? = $0["title"] { title } else { nil } }
  }

  @discardableResult
  mutating func command(_ name: String, _ arguments: JSONValue...) -> JSONValue? {
    request("workspace/executeCommand", ["command": .text(name), "arguments": .array(arguments)])
  }

  /// Answers the last question of this method; false where there was none.
  @discardableResult
  mutating func reply(_ method: String, _ result: JSONValue?) -> Bool {
    guard let question = sent.last(where: { $0["method"] == .text(method) && $0["id"] != nil }) else {
      return false
    }
    say(
      [
        "jsonrpc": "2.0", "id": question["id"], "result": result,
        "error": result == nil ? ["code": -32601, "message": "no such method"] : nil,
      ])
    return true
  }

  /// What the machine said by a method, without what was forgotten.
  func messages(_ method: String) -> [JSONValue] {
    sent.filter { $0["method"] == .text(method) }.map { $0["params"] ?? .null }
  }

  /// The sentences that the person was told.
  var sentences: [String] {
    messages("window/showMessage").compactMap {
      if case .text(let text)? = $0["message"] { text } else { nil }
    }
  }

  /// The last question with buttons.
  var question: String? {
    guard case .text(let text)? = messages("window/showMessageRequest").last?["message"] else { return nil }
    return text
  }

  mutating func forget() { (sent, calls) = ([], []) }

  // MARK: What the session says

  /// An offer of a laptop, as the session tells it.
  static func offer(
    _ id: String = "o1", title: String = "plan.md", arrival: String = "current", changedAt: Int64 = 1000,
    unsaved: Bool = false
  ) -> JSONValue {
    [
      "id": .text(id), "device": "laptop", "type": "public.text-editing", "app": "x", "title": .text(title),
      "changedAt": .int(changedAt), "unsavedChanges": .bool(unsaved), "leftOpen": false, "uri": .text(uri),
      "status": ["arrival": .text(arrival)],
    ]
  }

  mutating func tell(_ method: ServerMethod, _ params: JSONValue) {
    perform(machine.handle(.tell(method, params), at: now))
  }

  mutating func offer(_ offers: JSONValue...) { tell(.offersDidChange, ["offers": .array(offers)]) }

  /// A round; what it was answered with.
  mutating func round(uri: String = Self.uri) -> JSONValue? {
    lastQuestion += 1
    perform(machine.handle(.ask(lastQuestion, .update, ["uri": .text(uri)]), at: now))
    return answered[lastQuestion]
  }

  /// `document/restore` at a place in scalars; its number.
  @discardableResult
  mutating func restore(_ line: Int64, _ character: Int64, selection: (Int64, Int64)? = nil) -> Int64 {
    lastQuestion += 1
    perform(
      machine.handle(
        .ask(
          lastQuestion, .restore,
          [
            "request": .text(Self.request), "offer": Self.offer(), "uri": .text(Self.uri),
            "certainty": "sure",
            "place": [
              "position": ["line": .int(line), "character": .int(character)],
              "selection": selection.map { ["line": .int($0.0), "character": .int($0.1)] },
            ],
            "readOnly": false, "status": ["arrival": "current"],
          ]), at: now))
    return lastQuestion
  }

  /// Time goes by; what is due happens.
  mutating func wait(_ duration: Duration) {
    let end = now + duration
    while let next = machine.nextDeadline, next <= end {
      now = max(now, next)
      perform(machine.handle(.tick, at: now))
    }
    now = end
  }

  // MARK: Files

  mutating func write(_ text: String, to path: String = "/notes/plan.md") {
    write(Array(text.utf8), to: path)
  }

  mutating func write(_ bytes: [UInt8], to path: String = "/notes/plan.md") {
    writes += 1
    files[path] = (bytes, writes)
  }

  mutating func remove(_ path: String = "/notes/plan.md") { files[path] = nil }

  // MARK: Performing

  private mutating func perform(_ actions: [ConversationAction]) {
    for action in actions {
      switch action {
      case .send(let frame):
        var framing = MessageFraming()
        framing.append(frame)
        guard let content = try? framing.next(), let message = try? JSONValue(decoding: content) else {
          continue
        }
        sent.append(message)
      case .call(let id, let call):
        calls.append(call)
        guard let id else { continue }
        perform(machine.handle(.answer(id, result(of: call)), at: now))
      case .answered(let number, let result): answered[number] = try? result.get()
      case .look(let number, let uri, let known):
        perform(machine.handle(.found(number, look(at: uri, known)), at: now))
      case .complain(let sentence): complaints.append(sentence)
      case .finish(let code): codes.append(code)
      }
    }
  }

  private func look(at uri: FileURI, _ known: FileMark?) -> FileLook? {
    guard let file = files[String(decoding: uri.path, as: UTF8.self)] else { return nil }
    let mark = FileMark(inode: 1, size: UInt64(file.bytes.count), modified: file.written)
    return FileLook(mark: mark, bytes: mark == known ? nil : file.bytes)
  }

  private func result(of call: ClientCall) -> Result<JSONValue, RPCError> {
    switch call {
    case .open(let uri, _):
      let isIn = uri.path.starts(with: Array("/notes/".utf8))
      return .success(["uri": .text(uri.text), "synced": .bool(isIn), "folder": isIn ? "Notes" : nil])
    case .accept: return accepting
    case .otherEditors:
      return .success([
        "editors": [["device": "laptop", "since": 0, "unsavedChanges": true, "leftOpen": false]]
      ])
    case .versions(let uri):
      return .success([
        "versions": [
          ["uri": .text(uri.text), "document": true], ["uri": "file:///notes/copy.md", "document": false],
        ]
      ])
    case .resolve:
      return .success(["aside": [["from": "file:///notes/copy.md", "uri": "file:///notes/aside.md"]]])
    default: return .success(.null)
    }
  }
}
