// SPDX-License-Identifier: MIT

import ActivityJSON
public import ActivityModel

/// The server's side of the conversation with one editor, decided without descriptors: what is a message,
/// when it may come, and exactly one answer to each request. The host performs the actions in order.
public struct RPCMachine: EditorConversation {
  /// How long an editor may take to answer.
  public static let patience = Duration.seconds(60)

  /// Where the conversation stands.
  public enum Phase: Hashable, Sendable {
    /// Nothing was said yet.
    case new
    /// `initialize` waits for its answer.
    case initializing(RPCID)
    /// All methods are taken.
    case ready
    /// `shutdown` was said: only `exit` is taken.
    case shuttingDown
    /// Nothing is taken any more.
    case over
  }

  /// Where the conversation stands.
  public private(set) var phase = Phase.new
  private var framing = MessageFraming()
  /// Requests of the editor that wait for their answer.
  private var unanswered: Set<RPCID> = []
  /// Questions to the editor, and until when they wait.
  private var questions: [Int64: Instant] = [:]

  /// A conversation that has not begun.
  public init() {}

  /// When `tick` is wanted; nil while no question waits.
  public var nextDeadline: Instant? { questions.values.min() }

  /// Takes one event; the actions are to be performed in order.
  public mutating func handle(_ event: ConversationEvent, at now: Instant) -> [ConversationAction] {
    switch event {
    case .received(let bytes): return receive(bytes)
    case .ended:
      guard phase != .over else { return [] }
      phase = .over
      return [.finish(code: 0)]
    case .answer(let id, let result): return answer(id, result)
    case .ask(let number, let method, let params):
      guard phase == .ready || phase == .shuttingDown else { return [] }
      questions[number] = now + Self.patience
      return [send(.request(.number(number), method: method.rawValue, params))]
    case .tell(let method, let params):
      guard phase == .ready else { return [] }
      return [send(.notification(method: method.rawValue, params))]
    case .tick:
      let late = questions.filter { $0.value <= now }.keys.sorted()
      for number in late { questions[number] = nil }
      return late.map { .answered($0, .failure(Self.late)) }
    case .found: return []
    }
  }

  private static let late = RPCError(
    RPCError.Code.requestFailed,
    message: "The editor did not answer within \(patience.components.seconds) seconds.",
    data: ["code": .text(ContinuityError.Code.remoteTimedOut.name), "subject": ""])

  // MARK: What the editor says

  private mutating func receive(_ bytes: [UInt8]) -> [ConversationAction] {
    framing.append(bytes)
    var actions: [ConversationAction] = []
    do throws(ContinuityError) {
      while phase != .over, let content = try framing.next() { actions += handle(content) }
    } catch {
      phase = .over
      actions += [.complain(error.description), .finish(code: 1)]
    }
    return actions
  }

  private mutating func handle(_ content: [UInt8]) -> [ConversationAction] {
    let json: JSONValue
    do throws(ContinuityError) {
      json = try JSONValue(decoding: content)
    } catch {
      return [Self.send(RPCMessage.failure(RPCError(RPCError.Code.parse, message: error.description)))]
    }
    do throws(RPCError) {
      switch try RPCMessage(json) {
      case .request(let id, let method, let params): return request(id, method, params)
      case .notification(let method, let params): return notification(method, params)
      case .response(let id, let result): return response(id, result)
      }
    } catch {
      return [Self.send(RPCMessage.failure(error))]
    }
  }

  private mutating func request(_ id: RPCID, _ name: String, _ params: JSONValue?) -> [ConversationAction] {
    do throws(RPCError) {
      guard !unanswered.contains(id) else {
        throw RPCError(RPCError.Code.invalidRequest, message: "A request with this ID waits for its answer.")
      }
      let method = ClientMethod(rawValue: name)
      try check(method, name)
      guard let method, !method.isNotification else {
        throw RPCError(
          RPCError.Code.unknownMethod,
          message: method == nil
            ? "There is no method \(name)." : "\(name) is a notification: send it without an ID.")
      }
      let call = try ClientCall(method, params)
      if method == .initialize { phase = .initializing(id) }
      if method == .shutdown { phase = .shuttingDown }
      unanswered.insert(id)
      return [.call(id, call)]
    } catch {
      return [send(.response(id, .failure(error)))]
    }
  }

  /// Whether a request may come now.
  private func check(_ method: ClientMethod?, _ name: String) throws(RPCError) {
    switch phase {
    case .new:
      guard method != .initialize else { return }
      throw RPCError(RPCError.Code.notInitialized, message: "Send initialize before \(name).")
    case .initializing:
      throw RPCError(
        RPCError.Code.notInitialized, message: "Wait for the answer to initialize before \(name).")
    case .ready:
      guard method == .initialize else { return }
      throw RPCError(RPCError.Code.invalidRequest, message: "initialize was sent before; it comes once.")
    case .shuttingDown, .over:
      throw RPCError(RPCError.Code.invalidRequest, message: "Only exit may follow shutdown.")
    }
  }

  private mutating func notification(_ name: String, _ params: JSONValue?) -> [ConversationAction] {
    guard let method = ClientMethod(rawValue: name), method.isNotification else {
      // As the Language Server Protocol has it: what begins so may be ignored.
      return name.hasPrefix("$/") ? [] : [.complain("There is no notification \(name); it was ignored.")]
    }
    if method == .exit {
      let code: Int32 = phase == .shuttingDown ? 0 : 1
      phase = .over
      return [.finish(code: code)]
    }
    // The last round may save, and says so before its answer.
    guard phase == .ready || phase == .shuttingDown && method == .didSave else {
      return phase == .shuttingDown ? [] : [.complain("\(name) came before initialize; it was ignored.")]
    }
    do throws(RPCError) {
      let call = try ClientCall(method, params)
      if case .cancelRequest(let id) = call { return withdraw(id) }
      return [.call(nil, call)]
    } catch {
      return [.complain("\(error.message) The notification was ignored.")]
    }
  }

  private mutating func response(_ id: RPCID, _ result: Result<JSONValue, RPCError>) -> [ConversationAction] {
    guard case .number(let number) = id, questions.removeValue(forKey: number) != nil else { return [] }
    return [.answered(number, result)]
  }

  private mutating func withdraw(_ id: RPCID) -> [ConversationAction] {
    guard unanswered.remove(id) != nil else { return [] }
    return [
      .call(nil, .cancelRequest(id)),
      send(.response(id, .failure(RPCError(RPCError.Code.cancelled, message: "The request was cancelled.")))),
    ]
  }

  // MARK: What the host says

  private mutating func answer(_ id: RPCID, _ result: Result<JSONValue, RPCError>) -> [ConversationAction] {
    guard unanswered.remove(id) != nil else { return [] }
    if phase == .initializing(id) {
      if case .success = result { phase = .ready } else { phase = .new }
    }
    return [send(.response(id, result))]
  }

  private func send(_ message: RPCMessage) -> ConversationAction { Self.send(message.json) }

  private static func send(_ json: JSONValue) -> ConversationAction {
    .send(MessageFraming.frame(json.encoded))
  }
}
