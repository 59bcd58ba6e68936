// SPDX-License-Identifier: MIT

public import ActivityExchange
public import ActivityModel
import ActivityWire
import LinuxSystem

/// An app's end of the agent's socket: one non-blocking descriptor, no thread, no timer of its own.
///
/// Not thread-safe: the owner calls every method, and gets every callback, on one thread. The owner polls
/// `descriptor` and calls `readable()` and, while `wantsToWrite`, `writable()`; while there is no connection
/// it calls `retry()` after `retryDelay`. What cannot be sent is dropped, and said again by the owner after
/// the next connection.
public final class AgentClient: ConnectingLink {
  /// Where the agent is, and whether to start it.
  public let places: AgentPlaces
  /// Whether frames travel: the socket is open and the agent's user was checked.
  public private(set) var isConnected = false
  /// The socket; -1 while there is no connection. Valid until `connectionDidChange(false, …)` returns.
  public private(set) var descriptor: Int32 = -1
  /// How long to wait before `retry()`; grows from 20 ms to 2 s. Starts anew only after a connection that
  /// lasted as long as the longest pause, to an agent that had spoken: one that ends each connection, because
  /// it cannot read what it is told, is tried no more often than one that is not there.
  public private(set) var retryDelay = Backoff.first
  /// Why there is no connection; nil while there is one.
  public private(set) var lastError: ContinuityError?
  /// Why no agent can be reached until a person has done something; nil while trying again may be enough.
  public private(set) var startFailure: ContinuityError?
  /// Whether the agent on this connection has come up: it has spoken.
  public var isGreeted: Bool { greetings > 0 }

  /// A report, and the descriptor beside it, which the callee owns and closes.
  public var didReceive: ((AgentReport, Int32?) -> Void)?
  /// Whether the app opens drafts, as each agent is told behind the hello.
  public var takesDrafts: Bool {
    get { lastAbility >= AppAbility.drafts.rawValue }
    set { lastAbility = newValue ? AppAbility.drafts.rawValue : AppAbility.drafts.rawValue - 1 }
  }
  /// The abilities of the app are those up to this one.
  private var lastAbility = AppAbility.drafts.rawValue
  /// An answer to `send(_:number:)`.
  public var didAnswer: ((UInt64, AgentAnswer) -> Void)?
  /// The descriptor beside an answer, which the callee owns and closes; told before the answer.
  public var didReceiveFile: ((UInt64, Int32) -> Void)?
  /// The connection came or went. Called before a lost `descriptor` is closed.
  public var connectionDidChange: ((Bool) -> Void)?
  /// `wantsToWrite` became true: the socket took no more for now.
  public var outputDidStall: (() -> Void)?

  private let launcher: AgentLauncher?
  private let now: () -> ContinuousClock.Instant
  private var connectedAt: ContinuousClock.Instant?
  private var input = FrameInput(limit: CBOR.Limits.message.bytes)
  private var output = FrameOutput()
  private var isFlushing = false
  /// An agent greets again after the hello where it takes `explain`, and once more where it takes
  /// `openStreams`; one of an earlier release would end the connection.
  private var greetings = 0

  enum Backoff {
    static let first = Duration.milliseconds(20)
    static let longest = Duration.seconds(2)
  }

  /// A client without a connection. `startsAgent` lets `connect()` start `continuo agent` when none answers:
  /// `program`, or the one that is found. `now` tells how long a connection lasted.
  public init(
    places: AgentPlaces, startsAgent: Bool = true, program: String? = nil,
    now: @escaping () -> ContinuousClock.Instant = { .now }
  ) {
    self.now = now
    self.places = places
    launcher = startsAgent ? AgentLauncher(places: places, program: program) : nil
  }

  deinit {
    BorrowedDescriptor(descriptor).close()
  }

  /// Whether frames wait for `writable()`.
  public var wantsToWrite: Bool { isConnected && !output.isEmpty }

  /// Connects, starting the agent when none answers. Without success `lastError` says why, and `retry()` is
  /// to be called after `retryDelay`: an agent that cannot start tells why by then.
  public func connect() {
    guard !isConnected else { return }
    do throws(ContinuityError) {
      let socket = try AgentSocket.connect(places)
      adopt(socket)
    } catch {
      lastError = error
      startFailure = error.subject == AgentSocket.refused ? error : nil
      if error.subject == AgentSocket.absent { launchAgent() }
    }
  }

  /// Tries again; the next pause is twice as long.
  public func retry() {
    guard !isConnected else { return }
    retryDelay = min(retryDelay * 2, Backoff.longest)
    connect()
  }

  /// Takes an already connected stream socket, which the client then owns: for tests and for hosts that
  /// connect by themselves.
  public func adopt(_ socket: Int32) {
    BorrowedDescriptor(socket).setNonBlocking()
    descriptor = socket
    isConnected = true
    lastError = nil
    connectedAt = now()
    input = FrameInput(limit: CBOR.Limits.message.bytes)
    output.removeAll()
    greetings = 0
    enqueue(.version(ClientMessage.currentVersion), descriptor: nil)
    if isConnected { connectionDidChange?(true) }
  }

  /// Closes the connection; nothing is withdrawn by that (semantics 18).
  public func disconnect() { lose(nil) }

  // MARK: Sending

  /// Sends `request`; a copy of `descriptor` travels beside its frame.
  public func send(_ request: AgentRequest, descriptor: Int32?) {
    if case .update = request { PausePoint.reach(4) }
    if case .explain = request, !agentTakes(.explanations) { return }
    if case .openStreams = request, !agentTakes(.streams) {
      return refuse(.request(request), Self.withoutStreams)
    }
    if case .cursorMoved = request, !agentTakes(.cursors) { return }
    enqueue(.request(request), descriptor: descriptor)
    // Said again, once for each: what this app takes.
    guard case .hello = request else { return }
    for _ in 1...lastAbility { enqueue(.version(ClientMessage.currentVersion), descriptor: nil) }
  }

  /// It says its version once before.
  private func agentTakes(_ ability: AgentAbility) -> Bool { greetings > ability.rawValue }

  /// Sends a command; `didAnswer` gets the answer under the same number.
  public func send(_ command: AgentCommand, number: UInt64) {
    enqueue(.command(number, command), descriptor: nil)
  }

  private func enqueue(_ message: ClientMessage, descriptor: Int32?) {
    guard isConnected else { return }
    let content = message.encoded
    guard content.count <= CBOR.Limits.message.bytes else {
      let error = ContinuityError(
        .userInfoTooLarge, subject: "message",
        description:
          "A message of \(content.count) bytes was not sent, for \(CBOR.Limits.message.bytes) are the most: "
          + "\(message.remedy)")
      lastError = error
      return refuse(message, error)
    }
    // Without a duplicate (descriptor table full) the frame still goes: the agent opens the file by itself.
    let beside = descriptor.flatMap { try? BorrowedDescriptor($0).duplicate(from: 0) }
    guard output.append(FrameBuffer.frame(content), beside: beside) else {
      return lose(
        AgentSocket.error("The agent takes no more messages; restart it with `continuo agent stop`."))
    }
    writable()
  }

  /// Whoever waits for an answer to a message that is too long gets it here; the agent hears why an activity
  /// is not offered.
  private func refuse(_ message: ClientMessage, _ error: ContinuityError) {
    switch message {
    case .command(let number, _): didAnswer?(number, .failed(error))
    case .request(.update(let snapshot, _)):
      enqueue(.request(.withheld(OwnActivity(snapshot, because: error.cause))), descriptor: nil)
    case .request(let request): if let refusal = request.refusal(error) { didReceive?(refusal, nil) }
    case .version: break
    }
  }

  /// Sends what waits, as far as the socket takes it.
  public func writable() {
    guard isConnected, !isFlushing else { return }
    isFlushing = true
    defer { isFlushing = false }
    switch output.write(to: descriptor) {
    case .done: return
    case .wouldBlock: outputDidStall?()
    case .failed(let reason): lose(AgentSocket.error("The agent went away (\(reason.text))."))
    }
  }

  /// Sends what waits, blocking for at most `limit`; for the end of a program. Whether all of it went out.
  @discardableResult
  public func flush(for limit: Duration) -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    writable()
    while wantsToWrite {
      let left = clock.now.duration(to: deadline)
      guard left > .zero else { return false }
      Poll.wait(for: descriptor, until: .writable, atMost: left)
      writable()
    }
    return isConnected
  }

  // MARK: Receiving

  /// Takes what the socket holds and calls back for each message, in order.
  public func readable() {
    while isConnected {
      switch input.read(from: descriptor) {
      case .frame(let content, let beside): receive(content, beside)
      case .wouldBlock: return
      case .ended: lose(AgentSocket.error("The agent ended the connection."))
      case .failed(let reason): lose(AgentSocket.error("The agent went away (\(reason.text))."))
      case .nonsense(let length):
        lose(
          ContinuityError(
            .invalidBytes, subject: "frame", description: "The agent sent a frame of \(length) bytes."))
      }
    }
  }

  private func receive(_ content: [UInt8], _ beside: Descriptor?) {
    do throws(ContinuityError) {
      switch try AgentMessage(decoding: content) {
      case .report(let report):
        guard let didReceive else { break }
        return didReceive(report, beside?.release())
      case .answer(let number, let answer):
        if let didReceiveFile, let file = beside?.release() { didReceiveFile(number, file) }
        didAnswer?(number, answer)
      case .version(let version):
        try check(version)
        greetings += 1
        startFailure = nil
        launcher?.arrived()
      }
    } catch {
      lose(error)
    }
  }

  private static let withoutStreams = ContinuityError(
    .connectionUnavailable, subject: "streams",
    description: "The running agent is of an earlier release, which has no streams; end it with "
      + "`continuo agent stop`.")

  private func check(_ version: UInt64) throws(ContinuityError) {
    guard version == ClientMessage.currentVersion else {
      throw ContinuityError(
        .agentUnavailable, subject: "protocol version",
        description: "The running agent speaks version \(version) of the protocol and this program version "
          + "\(ClientMessage.currentVersion); end it with `continuo agent stop`."
      )
    }
  }

  private func lose(_ error: ContinuityError?) {
    guard isConnected else { return }
    isConnected = false
    if isGreeted, let connectedAt, now() - connectedAt >= Backoff.longest { retryDelay = Backoff.first }
    greetings = 0
    lastError = error
    output.removeAll()
    input = FrameInput(limit: CBOR.Limits.message.bytes)
    UnixSocket.shutDown(BorrowedDescriptor(descriptor))
    connectionDidChange?(false)
    BorrowedDescriptor(descriptor).close()
    descriptor = -1
  }

  private func launchAgent() {
    do throws(ContinuityError) {
      try launcher?.launch()
      startFailure = launcher?.failure
    } catch {
      startFailure = error
    }
    lastError = startFailure ?? lastError
  }
}

extension ClientMessage {
  /// What a person or an author does about one that is too long.
  fileprivate var remedy: String {
    switch self {
    case .version: "update Continuo."
    case .command(_, .find): "look for fewer words."
    case .command: "give a shorter name."
    case .request(.hello): "declare fewer types in Info.plist."
    case .request(.deleteSaved): "name fewer identifiers at a time."
    case .request: "make the activity smaller."
    }
  }
}
