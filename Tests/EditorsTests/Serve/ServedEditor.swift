// SPDX-License-Identifier: MIT

import ActivityJSON
import EditorProtocol
import LinuxSystem

@testable import fixtures

/// In these tests the runner's, with what it printed.
typealias ChildProcess = fixtures.ChildProcess

/// An editor's end of a real `continuo serve --stdio`, or of `continuo lsp`. Answers what the server asks,
/// and notes all that is said.
final class ServedEditor {
  /// The answer to `activity/update`; nil answers nothing.
  var update: JSONValue? = [:]
  /// The answer to `document/restore`; nil answers nothing.
  var restored: JSONValue? = ["opened": true]
  /// The answer to `activity/continue`.
  var handled: JSONValue = ["handled": false]
  /// The answers to other requests of the server, by method; nil answers nothing.
  var others: [String: (JSONValue) throws -> JSONValue?] = [:]
  /// Before `activity/update` is answered.
  var beforeUpdate: () throws -> Void = {}
  /// What the server asked and told, in order, since `forget`.
  private(set) var news: [JSONValue] = []
  /// Every message, for the schema: an answer with the method that it answers.
  private(set) var traffic: [JSONValue] = []
  var process: Int32 { child.process }

  private let device: Device
  private let table: ServedTable
  private let child: LinuxSystem.ChildProcess
  private var input: Descriptor?
  private let output: Descriptor
  private var framing = MessageFraming()
  private var answers: [Int64: JSONValue] = [:]
  private var asked: [Int64: String] = [:]
  private var lastID: Int64 = 0
  private var hasEnded = false

  init(
    on device: Device, at table: ServedTable = ServedTable(), by command: [String] = ["serve", "--stdio"]
  ) throws {
    self.device = device
    self.table = table
    let (down, up) = (try Pipe.make(), try Pipe.make())
    let errors = try FilePath(device.root + "/serve.log").open([.writeOnly, .create, .append], mode: 0o600)
    var start = LinuxSystem.ChildProcess.Start(
      device.programs["continuo"], arguments: command, environment: device.environment)
    start.standard = [down.read.number, up.write.number, errors.number]
    start.hasOwnGroup = true
    child = try LinuxSystem.ChildProcess(start)
    withExtendedLifetime((down.read, up.write, errors)) {}
    (input, output) = (down.write, up.read)
    for end in [down.write, up.read] { end.setNonBlocking() }
    table.seats.append(ServedTable.Seat(editor: self))
  }

  deinit { child.kill() }

  /// What the server said on standard error.
  var complaints: String { Files.text(device.root + "/serve.log") ?? "" }

  // MARK: Talking

  /// Sends a request, and waits for what it is answered.
  @discardableResult
  func ask(_ method: String, _ params: JSONValue? = nil) throws -> JSONValue {
    let id = try send(method, params)
    return try wait("an answer to \(method)") { self.answers[id] }
  }

  /// Sends a request, and gives its ID.
  func send(_ method: String, _ params: JSONValue? = nil) throws -> Int64 {
    lastID += 1
    asked[lastID] = method
    try say(["jsonrpc": "2.0", "id": .int(lastID), "method": .text(method), "params": params])
    return lastID
  }

  func tell(_ method: String, _ params: JSONValue? = nil) throws {
    try say(["jsonrpc": "2.0", "method": .text(method), "params": params])
  }

  func say(_ message: JSONValue) throws {
    traffic.append(["message": message])
    try write(MessageFraming.frame(message.encoded))
  }

  /// Any bytes; waits while the server takes none.
  func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let input else { throw Failure("an input that is open") }
      do throws(Errno) {
        rest = rest.dropFirst(try input.write(Array(rest)))
        continue
      } catch {
        guard error == .wouldBlock else { throw Failure("a server that reads", lastSeen: error.text) }
      }
      try takeNews()
      Poll.wait(for: input.number, until: .writable, atMost: .milliseconds(100))
    }
  }

  /// How many of the bytes the server takes without being read.
  func writeUnread(_ bytes: [UInt8]) -> Int {
    var sent = 0
    while let input, sent < bytes.count, Poll.wait(for: input.number, until: .writable, atMost: .seconds(1)) {
      sent += (try? input.write(Array(bytes[sent...]))) ?? 0
    }
    return sent
  }

  /// As an editor that goes away.
  func closeInput() { input = nil }

  // MARK: Waiting

  /// The next news of that method, from the oldest that was not forgotten on.
  @discardableResult
  func news(
    of method: String, where condition: @escaping (JSONValue) -> Bool = { _ in true }
  ) throws -> JSONValue {
    try wait("\(method)") {
      self.news.first { $0["method"] == .text(method) && condition($0["params"] ?? .null) }?["params"]
    }
  }

  func forget() { news = [] }

  /// The answer to a request that `send` sent.
  func answer(to id: Int64) throws -> JSONValue { try wait("the answer to \(id)") { self.answers[id] } }

  /// The code with which the server ended.
  func exit() throws -> Int32 {
    try wait("the end of the server") {
      guard self.hasEnded else { return nil }
      return switch self.child.wait() {
      case .code(let code): code
      case .signal(let number): -number
      case .unknown: nil
      }
    }
  }

  func wait<Value>(_ expected: String, _ check: () throws -> Value?) throws -> Value {
    try Waiting.wait(
      for: "\(expected) in the editor on \(device.name)", by: Deadline(seconds: 60),
      on: { table.descriptors },
      lastState: {
        news.suffix(4).map { String(decoding: $0.encoded, as: UTF8.self) }.joined(separator: "\n")
      }
    ) {
      try table.takeNews()
      return try check()
    }
  }

  // MARK: Listening

  /// What to poll for news of the server; nil when it has ended.
  var descriptor: Int32? { hasEnded ? nil : output.number }

  /// Takes what the server said by now.
  func takeNews() throws {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while !hasEnded {
      guard let count = try? output.read(into: &chunk) else { return }
      if count > 0 { framing.append(chunk.prefix(count)) } else { hasEnded = true }
      while let content = try framing.next() { try take(JSONValue(decoding: content)) }
    }
  }

  private func take(_ message: JSONValue) throws {
    guard case .text(let method)? = message["method"] else {
      guard case .int(let id)? = message["id"] else { return news.append(message) }
      traffic.append(["message": message, "answers": asked[id].map { .text($0) }])
      answers[id] = message["result"] ?? message
      return
    }
    traffic.append(["message": message])
    news.append(message)
    guard let id = message["id"] else { return }
    switch method {
    case "activity/update":
      try beforeUpdate()
      try reply(id, method, update)
    case "document/restore": try reply(id, method, restored)
    case "activity/continue": try reply(id, method, handled)
    default:
      guard let answer = others[method] else { throw Failure("a method of the page", lastSeen: method) }
      try reply(id, method, answer(message["params"] ?? .null))
    }
  }

  private func reply(_ id: JSONValue, _ method: String, _ result: JSONValue?) throws {
    guard let result else { return }
    let message: JSONValue = ["jsonrpc": "2.0", "id": id, "result": result]
    traffic.append(["message": message, "answers": .text(method)])
    try write(MessageFraming.frame(message.encoded))
  }
}

extension ServedEditor {
  static let introduction: JSONValue = ["protocolVersion": 1, "app": ["id": "org.example.ed", "name": "Ed"]]

  /// Says `initialize`, in columns of this unit.
  @discardableResult
  func begin(
    _ encoding: String = "utf-32", app: String = "org.example.ed", types: [JSONValue]? = nil,
    continues: Bool = false, version: Int64 = 2
  ) throws -> JSONValue {
    try ask(
      "initialize",
      [
        "protocolVersion": .int(version), "app": ["id": .text(app), "name": "Ed"],
        "positionEncoding": .text(encoding),
        "activityTypes": types.map { .array($0) }, "capabilities": ["continueActivity": .bool(continues)],
      ])
  }

  /// A document of this device's folder.
  func uri(_ name: String) -> JSONValue { .text(FileURI(path: Array("\(folder)/\(name)".utf8)).text) }

  private var folder: String { device.folder }

  /// Opens a document, in front.
  @discardableResult
  func open(_ name: String) throws -> JSONValue {
    let answer = try ask("document/open", ["uri": uri(name)])
    try tell("document/becomeCurrent", ["uri": uri(name)])
    return answer
  }

  /// Waits until an offer of this name is here, as this condition wants it.
  @discardableResult
  func offer(_ title: String, where condition: @escaping (JSONValue) -> Bool = { _ in true }) throws
    -> JSONValue
  {
    try wait("an offer of \(title)") {
      let lists = self.news.filter { $0["method"] == "offers/didChange" }
      guard case .array(let offers)? = lists.last?["params"]?["offers"] else { return nil }
      return offers.first { $0["title"] == .text(title) && condition($0) }
    }
  }
}
