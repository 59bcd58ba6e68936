// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import AgentEngine
import LinuxSystem

/// The agent's end of one client's socket: frames in, frames out, descriptors beside them. Loop thread
/// only.
final class ClientConnection: ClientChannel {
  let number: UInt64
  private let loop: EventLoop
  private let socket: Descriptor
  /// Nil where it cannot be told.
  private let peer: PeerProcess?
  private var incoming = FrameBuffer()
  private var descriptors: [Descriptor] = []
  /// Whatever is to be said is taken, and what the socket leaves of it is measured.
  private var outgoing = FrameOutput(byteLimit: .max, frameLimit: .max)
  private var onMessage: (ClientConnection, ClientMessage, Descriptor?) -> Void = { _, _, _ in }
  private var onEnd: (ClientConnection) -> Void = { _ in }
  private var isOpen = true
  /// The client has closed its end: nothing is sent, but what it said before is still taken in.
  private var isDeaf = false

  /// More than this waiting for a client that does not read ends its connection.
  private static let backlogLimit = 4 << 20
  /// A descriptor belongs to one `update`; more than this beside other messages is a mistake or a flood.
  private static let descriptorLimit = 16

  init(number: UInt64, socket: Descriptor, loop: EventLoop) {
    self.number = number
    self.socket = socket
    self.loop = loop
    peer = PeerProcess(of: socket)
  }

  /// The client's process; nil when that cannot be told.
  var process: Int32? { peer?.number }

  var isBehind: Bool { !outgoing.isEmpty }

  var program: ClientProgram? { peer.flatMap(ClientProgram.init(of:)) }

  /// `onMessage` gets each message and the descriptor that came with it.
  func start(
    onMessage: @escaping (ClientConnection, ClientMessage, Descriptor?) -> Void,
    onEnd: @escaping (ClientConnection) -> Void
  ) {
    self.onMessage = onMessage
    self.onEnd = onEnd
    loop.watch(socket.number) { [weak self] readiness in self?.handle(readiness) }
    send(.version(ClientMessage.currentVersion))
  }

  /// Sends a message, and another descriptor of `file` beside it.
  func send(_ message: AgentMessage, file: (any OpenFile)?) -> ClientSending {
    var copy: Descriptor?
    if let descriptor = file?.passed {
      copy = try? descriptor.duplicate()
      if copy == nil { return .outOfFiles }
    }
    return send(message, beside: copy) ? .sent : .tooLong
  }

  /// A list that is longer than a frame may be is cut and says so. False, and nothing is sent, when the
  /// message is longer and nothing of it may be left out.
  private func send(_ message: AgentMessage, beside descriptor: Descriptor?) -> Bool {
    let content = message.frameContent
    guard isOpen, !isDeaf, let content else {
      if content == nil { AgentLog.record("a message for client \(number) is too long and was not sent") }
      return content != nil
    }
    _ = outgoing.append(FrameBuffer.frame(content), beside: descriptor)
    flush()
    return true
  }

  func disconnect() {
    guard isOpen else { return }
    isOpen = false
    loop.forget(socket.number)
    socket.close()
    descriptors = []
    outgoing.removeAll()
    onEnd(self)
  }

  private func handle(_ readiness: Readiness) {
    if readiness.contains(.writable) { flush() }
    if isOpen, !readiness.isDisjoint(with: [.readable, .hungUp]) { receive() }
  }

  private func receive() {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let received: (count: Int, beside: Descriptor?)
    do throws(Errno) { received = try UnixSocket.receive(into: &chunk, from: socket.number) } catch {
      return error == .wouldBlock ? () : disconnect()
    }
    if let descriptor = received.beside { descriptors.append(descriptor) }
    guard received.count > 0, descriptors.count <= Self.descriptorLimit else { return disconnect() }
    incoming.append(chunk.prefix(received.count))
    do throws(ContinuityError) {
      while isOpen, let frame = try incoming.next() { try receive(ClientMessage(decoding: frame)) }
    } catch {
      AgentLog.record("client \(number) sent what cannot be read: \(error)")
      disconnect()
    }
  }

  private func receive(_ message: ClientMessage) throws(ContinuityError) {
    var descriptor: Descriptor?
    if case .request(.update(_, saved: .some)) = message {
      guard !descriptors.isEmpty else {
        throw ContinuityError(
          .invalidBytes, subject: "descriptor", description: "The announced descriptor did not come.")
      }
      descriptor = descriptors.removeFirst()
    }
    onMessage(self, message, descriptor)
  }

  /// A client that saves, says so and exits has often gone by the time something is sent to it; its last
  /// words wait in the socket, and the end comes behind them.
  private func cannotSend(_ reason: Errno) {
    guard reason == .brokenPipe || reason == .connectionReset else { return disconnect() }
    isDeaf = true
    outgoing.removeAll()
    loop.setInterest(.readable, of: socket.number)
  }

  private func flush() {
    guard isOpen else { return }
    if case .failed(let reason) = outgoing.write(to: socket.number) { return cannotSend(reason) }
    if outgoing.byteCount > Self.backlogLimit {
      AgentLog.record("client \(number) does not read; its connection is closed")
      return disconnect()
    }
    loop.setInterest(outgoing.isEmpty ? .readable : [.readable, .writable], of: socket.number)
  }
}
