// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import AgentEngine
import LinuxSystem
import LocalNetwork

/// Keeps one `continuo-lan` running, hands it the sockets that it speaks through, and tells what it reports.
/// It runs from the first order on, until `stop()`. Loop thread only.
///
/// Its death ends every link, and with it goes what it knew of used identities: whoever recorded one could
/// say it again. So it answers nobody until it is told new keys, of new periods.
final class NetworkProcess: LocalNetworking {
  private struct Child {
    let process: ChildProcess
    let socket: Descriptor
    var input = FrameInput(limit: CBOR.Limits.link.bytes)
    var output = FrameOutput(byteLimit: NetworkProcess.backlogLimit, frameLimit: .max)
    var hasGreeted = false
  }

  /// Told what the process reports, one after the other.
  var onReport: (LinkReport) -> Void = { _ in }
  /// Told that the process has ended: there is no link any more, and keys are to be said anew.
  var onEnd: () -> Void = {}
  /// Told this computer's own addresses when they are followed from then on, and whenever they have changed.
  var onAddresses: ([OwnAddress]) -> Void = { _ in }
  /// Told right after this computer has slept, as long as addresses are followed.
  var onResume: () -> Void = {}
  /// Told when one of the two that follow has become another one.
  var onStateChange: () -> Void = {}
  /// What keeps it from running, if anything does.
  private(set) var problem: String? {
    didSet { if problem != oldValue { onStateChange() } }
  }
  /// Whether the kernel keeps every path from the process; nil while that is not known.
  private(set) var isWithoutPaths: Bool? {
    didSet { if isWithoutPaths != oldValue { onStateChange() } }
  }

  private let loop: EventLoop
  private let program: () -> String?
  private let changes: [String: String?]
  private let addresses: OwnAddresses
  private let awakening: Awakening
  private var child: Child?
  private var isNeeded = false
  private var listener: Descriptor?
  /// Keys that were said since the process ended last.
  private var keys: LinkOrder?
  private var pace = RestartPace()
  private var restart: TimerNumber?

  /// More than this waiting for a process that does not read ends it.
  private static let backlogLimit = 64 << 20

  /// `changes` are variables that differ from this process's own.
  init(
    loop: EventLoop, program: @escaping () -> String? = { InstalledProgram.path(of: "continuo-lan") },
    changing changes: [String: String?] = [:]
  ) {
    (self.loop, self.program, self.changes) = (loop, program, changes)
    addresses = OwnAddresses(loop: loop)
    awakening = Awakening(loop: loop)
    addresses.onChange = { [weak self] in self?.onAddresses($0) }
    awakening.onResume = { [weak self] in self?.onResume() }
  }

  /// The process; zero while there is none.
  var process: UInt64 { child.map { UInt64($0.process.process) } ?? 0 }

  /// Whether the kernel has taken every order.
  var hasSaidAll: Bool { child?.output.isEmpty ?? true }

  /// Gives an order, other than to dial or to listen. One for a link is lost with the process that had the
  /// link.
  func send(_ order: LinkOrder) {
    if case .receive = order {
      keys = order
      if child == nil { return need() }
    }
    send(order, beside: nil)
  }

  /// See `LocalNetworking`.
  func send(_ order: LinkOrder, with file: any OpenFile) { send(order, beside: file.passed) }

  /// Connects to another device. `number` is one that was not used before.
  func dial(_ number: LinkNumber, to address: NetworkAddress, identity: [UInt8], key: [UInt8]) {
    need()
    let order = LinkOrder.dial(number, identity: identity, key: key)
    guard child != nil, let socket = try? TCPSocket.connecting(to: address.bytes, port: address.port) else {
      // As if it had been tried: not before whoever asks has gone on.
      loop.schedule(at: .now) { [weak self] in self?.onReport(.closed(number, .unreachable)) }
      return
    }
    send(order, beside: socket)
  }

  /// Lets others connect, from any address, at `port` or any free one for 0; which port that is. Also after
  /// the process was started again. Throws `agentUnavailable` where nobody can listen there.
  func listen(port: UInt16) throws(ContinuityError) -> UInt16 {
    // The former one may have that port.
    if let listener, port == 0 || TCPSocket.port(of: listener) == port {
      return TCPSocket.port(of: listener) ?? port
    }
    do throws(Errno) { listener = try TCPSocket.listener(port: port) } catch {
      throw ContinuityError(
        .agentUnavailable, subject: "port",
        description: "Nobody can connect at port \(port) (\(error.text)): say another one with --port.")
    }
    need()
    send(.listen, beside: listener)
    return listener.flatMap(TCPSocket.port) ?? port
  }

  /// Tells this computer's own addresses, and whenever they change, until `stop()`. Throws
  /// `agentUnavailable`.
  func followAddresses() throws(ContinuityError) {
    try addresses.start()
    awakening.start()
    onAddresses(addresses.current)
  }

  /// Ends the process, every link, and listening.
  func stop() {
    addresses.stop()
    awakening.stop()
    isNeeded = false
    loop.cancel(restart)
    restart = nil
    (listener, keys, problem) = (nil, nil, nil)
    // It has the socket, too: nobody listens when this returns.
    child?.process.kill()
    forgetChild()
  }

  // MARK: The process

  private func need() {
    isNeeded = true
    if child == nil, restart == nil { start() }
  }

  private func start() {
    restart = nil
    guard isNeeded else { return }
    pace.started(at: .now)
    do throws(ContinuityError) { try startChild() } catch {
      problem = error.description
      AgentLog.record("the network process cannot be started: code \(error.code)")
      return scheduleRestart()
    }
    if listener != nil { send(.listen, beside: listener) }
    if let keys { send(keys, beside: nil) }
  }

  private func startChild() throws(ContinuityError) {
    guard let program = program() else {
      throw .missingProgram("continuo-lan", meanwhile: "other devices hear through folders alone")
    }
    do throws(Errno) {
      let (own, others) = try UnixSocket.pair()
      var start = ChildProcess.Start(program)
      start.changes = changes
      start.standard = [others.number, nil, nil]
      child = Child(process: try ChildProcess(start), socket: own)
      loop.watch(own.number) { [weak self] readiness in
        if readiness.contains(.writable) { self?.flush() }
        if !readiness.isDisjoint(with: [.readable, .hungUp]) { self?.receive() }
      }
    } catch {
      throw .unstartableProgram(program, error)
    }
  }

  private func receive() {
    while let socket = child?.socket, let result = child?.input.read(from: socket.number) {
      switch result {
      case .wouldBlock: return
      case .ended, .failed, .nonsense: return lost()
      case .frame(let content, _):
        do throws(ContinuityError) { try take(content) } catch {
          AgentLog.record("the network process said what cannot be read: \(error)")
          return lost()
        }
      }
    }
  }

  private func take(_ content: [UInt8]) throws(ContinuityError) {
    if child?.hasGreeted == true { return onReport(try LinkReport(decoding: content)) }
    isWithoutPaths = try LinkGreeting(decoding: content).isWithoutPaths
    child?.hasGreeted = true
    problem = nil
  }

  private func lost() {
    guard let former = child else { return }
    let (process, exit) = (former.process.process, former.process.kill())
    AgentLog.record("the network process \(process) ended (\(exit)); it is started again")
    forgetChild()
    keys = nil
    scheduleRestart()
    if pace.failures >= 3 {
      problem = "continuo-lan keeps ending (\(exit)): the agent's log has what it says."
    }
    onEnd()
  }

  private func forgetChild() {
    guard let child else { return }
    loop.forget(child.socket.number)
    self.child = nil
    isWithoutPaths = nil
  }

  private func scheduleRestart() {
    guard isNeeded else { return }
    restart = loop.schedule(at: .now + pace.delay(endingAt: .now)) { [weak self] in self?.start() }
  }

  /// Gives an order with the file, or the socket, that it is about.
  func send(_ order: LinkOrder, beside descriptor: Descriptor?) {
    guard child != nil, let content = order.encoded else { return }
    guard child?.output.append(FrameBuffer.frame(content), beside: descriptor) == true else { return lost() }
    flush()
  }

  private func flush() {
    guard let socket = child?.socket, let result = child?.output.write(to: socket.number) else { return }
    switch result {
    case .done: loop.setInterest(.readable, of: socket.number)
    case .wouldBlock: loop.setInterest([.readable, .writable], of: socket.number)
    // Its last words come first, and the end behind them.
    case .failed: loop.setInterest(.readable, of: socket.number)
    }
  }
}
