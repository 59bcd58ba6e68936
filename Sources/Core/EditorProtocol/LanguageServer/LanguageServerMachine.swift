// SPDX-License-Identifier: MIT

import ActivityJSON
public import ActivityModel

/// The server's side of the conversation with one editor that speaks the Language Server Protocol: hand-off
/// for editors that have a client for it and no plugin. It stands where a plugin would, so the host does for
/// it what it does for plugins.
///
/// That protocol tells of texts, and of no cursor: where the person is, is inferred from what is asked about
/// a place. Nothing can be saved: what is offered lies on disk, and is marked when the editor holds more.
public struct LanguageServerMachine: EditorConversation {
  /// Where the conversation stands.
  private enum Phase: Hashable {
    case new
    /// Under the editor's own ID.
    case initializing(RPCID)
    case ready
    case shuttingDown(RPCID)
    case over
  }

  private var phase = Phase.new
  private var framing = MessageFraming(leavingOutLonger: true)
  private var session: LanguageSession?
  private var toldLeftOut = 0
  private let version: String
  private let minutesEast: Int

  /// Under these the session hears `initialize` and `shutdown`; its other calls have numbers.
  private static let own = RPCID.text("language client")

  /// A conversation that has not begun. `version` is the server's, `minutesEast` how far the clock on the
  /// wall is ahead of UTC.
  public init(version: String, minutesEast: Int = 0) {
    (self.version, self.minutesEast) = (version, minutesEast)
  }

  /// When `tick` is wanted; nil while nothing waits.
  public var nextDeadline: Instant? { session?.nextDeadline }

  /// Takes one event; the actions are to be performed in order.
  public mutating func handle(_ event: ConversationEvent, at now: Instant) -> [ConversationAction] {
    switch event {
    case .received(let bytes): return receive(bytes, now)
    case .ended:
      guard phase != .over else { return [] }
      phase = .over
      return [.finish(code: 0)]
    case .answer(Self.own, let result): return answer(result, now)
    case .answer(let id, let result): return act(now) { $0.answered(id, result) }
    case .ask(let number, let method, let params):
      return act(now) { session in
        switch method {
        case .update: session.beginRound(number, params)
        case .restore: session.beginRestoring(number, params)
        default: session.answer(number, ["handled": false])
        }
      }
    case .tell(let method, let params): return act(now) { $0.hear(method, params) }
    case .found(let number, let file):
      // What the editor said behind that was not looked at before.
      return act(now) { $0.found(number, file) } + takeMessages(now)
    case .tick: return act(now) { $0.tick() }
    }
  }

  private mutating func act(
    _ now: Instant, _ body: (inout LanguageSession) -> Void
  ) -> [ConversationAction] {
    session?.act(at: now, body) ?? []
  }

  // MARK: What the editor says

  private mutating func receive(_ bytes: [UInt8], _ now: Instant) -> [ConversationAction] {
    framing.append(bytes)
    return takeMessages(now)
  }

  private mutating func takeMessages(_ now: Instant) -> [ConversationAction] {
    var actions: [ConversationAction] = []
    do throws(ContinuityError) {
      while phase != .over, session?.isLooking != true, let content = try framing.next() {
        actions += take(content, now)
      }
    } catch {
      phase = .over
      actions += [.complain(error.description), .finish(code: 1)]
    }
    if framing.leftOut > toldLeftOut {
      toldLeftOut = framing.leftOut
      actions += act(now) { session in
        session.hasUnseen = true
        session.tellOnce(
          "A text of more than \(MessageFraming.contentLimit >> 20) MB is not followed: it is handed over as "
            + "it was saved, with the place.")
      }
    }
    return actions
  }

  private mutating func take(_ content: [UInt8], _ now: Instant) -> [ConversationAction] {
    let json: JSONValue
    do throws(ContinuityError) {
      json = try JSONValue(decoding: content)
    } catch {
      return [Self.send(RPCMessage.failure(RPCError(RPCError.Code.parse, message: error.description)))]
    }
    do throws(RPCError) {
      return try take(RPCMessage(json), now)
    } catch {
      return [Self.send(RPCMessage.failure(error))]
    }
  }

  private mutating func take(_ message: RPCMessage, _ now: Instant) -> [ConversationAction] {
    switch message {
    case .request(let id, let method, let params): return request(id, method, params, now)
    case .notification(let method, let params): return notification(method, params, now)
    case .response(let id, let result):
      guard case .number(let number) = id else { return [] }
      return act(now) { $0.receive(number, result) }
    }
  }

  private mutating func request(
    _ id: RPCID, _ method: String, _ params: JSONValue?, _ now: Instant
  ) -> [ConversationAction] {
    do throws(RPCError) {
      switch phase {
      case .new:
        guard method == "initialize" else {
          throw RPCError(RPCError.Code.notInitialized, message: "Send initialize before \(method).")
        }
        let client = try LanguageClient(params)
        session = LanguageSession(client, minutesEast: minutesEast, at: now)
        phase = .initializing(id)
        return [.call(Self.own, .initialize(client.introduction))]
      case .initializing:
        throw RPCError(
          RPCError.Code.notInitialized, message: "Wait for the answer to initialize before \(method).")
      case .ready:
        if method == "shutdown" {
          phase = .shuttingDown(id)
          return [.call(Self.own, .shutdown)]
        }
        return try answer(id, method, params, now)
      case .shuttingDown, .over:
        throw RPCError(RPCError.Code.invalidRequest, message: "Only exit may follow shutdown.")
      }
    } catch {
      return [Self.send(.response(id, .failure(error)))]
    }
  }

  private mutating func answer(
    _ id: RPCID, _ method: String, _ params: JSONValue?, _ now: Instant
  ) throws(RPCError) -> [ConversationAction] {
    var result: Result<JSONValue?, RPCError> = .success(nil)
    let actions = act(now) { session in
      do throws(RPCError) {
        if method == "workspace/executeCommand" {
          try session.execute(params)
          result = .success(.null)
        } else {
          result = .success(try session.look(at: params, of: method))
        }
      } catch {
        result = .failure(error)
      }
    }
    guard let value = try result.get() else {
      throw RPCError(
        method == "initialize" ? RPCError.Code.invalidRequest : RPCError.Code.unknownMethod,
        message: method == "initialize"
          ? "initialize was sent before; it comes once." : "There is no method \(method) here.")
    }
    // The editor waits for this, and for nothing else.
    return [Self.send(.response(id, .success(value)))] + actions
  }

  private mutating func notification(
    _ method: String, _ params: JSONValue?, _ now: Instant
  ) -> [ConversationAction] {
    if method == "exit" {
      guard phase != .over else { return [] }
      let isGood = if case .shuttingDown = phase { true } else { false }
      phase = .over
      return [.finish(code: isGood ? 0 : 1)]
    }
    guard phase == .ready else { return [] }
    var complaint: RPCError?
    let actions = act(now) { session in
      session.begin()
      do throws(RPCError) { try session.take(method, params) } catch { complaint = error }
    }
    return actions + (complaint.map { [.complain("\($0.message) The notification was ignored.")] } ?? [])
  }

  // MARK: What the session answers

  /// To `initialize` or `shutdown`.
  private mutating func answer(_ result: Result<JSONValue, RPCError>, _ now: Instant) -> [ConversationAction]
  {
    switch (phase, result) {
    case (.initializing(let id), .success):
      phase = .ready
      let answer = session?.client.answer(serverVersion: version) ?? .null
      return [Self.send(.response(id, .success(answer)))]
    case (.initializing(let id), .failure(let error)):
      (phase, session) = (.new, nil)
      return [Self.send(.response(id, .failure(error)))]
    case (.shuttingDown(let id), _): return [Self.send(.response(id, .success(.null)))]
    default: return []
    }
  }

  private static func send(_ message: RPCMessage) -> ConversationAction { send(message.json) }

  private static func send(_ json: JSONValue) -> ConversationAction {
    .send(MessageFraming.frame(json.encoded))
  }
}
