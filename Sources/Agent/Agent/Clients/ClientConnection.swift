// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import AgentEngine
import CLinux
import FolderAccess
import Glibc
import LinuxSystem

/// The agent's end of one client's socket: frames in, frames out, descriptors beside them. Loop thread
/// only.
final class ClientConnection: ClientChannel {
  let number: UInt64
  private let loop: EventLoop
  private let socket: Int32
  private var incoming = FrameBuffer()
  private var descriptors: [Int32] = []
  private var outgoing: [Outgoing] = []
  private var onMessage: (ClientConnection, ClientMessage, Int32?) -> Void = { _, _, _ in }
  private var onEnd: (ClientConnection) -> Void = { _ in }
  private var isOpen = true
  /// The client has closed its end: nothing is sent, but what it said before is still taken in.
  private var isDeaf = false

  private struct Outgoing {
    var bytes: [UInt8]
    var sent = 0
    var descriptor: Int32?
  }

  /// More than this waiting for a client that does not read ends its connection.
  private static let backlogLimit = 4 << 20
  /// A descriptor belongs to one `update`; more than this beside other messages is a mistake or a flood.
  private static let descriptorLimit = 16

  init(number: UInt64, socket: Int32, loop: EventLoop) {
    self.number = number
    self.socket = socket
    self.loop = loop
  }

  /// The client's process; nil when that cannot be told.
  var process: Int32? { UnixSocket.peerProcess(of: BorrowedDescriptor(socket)) }

  /// `onMessage` gets each message and takes over the descriptor that came with it.
  func start(
    onMessage: @escaping (ClientConnection, ClientMessage, Int32?) -> Void,
    onEnd: @escaping (ClientConnection) -> Void
  ) {
    self.onMessage = onMessage
    self.onEnd = onEnd
    loop.watch(socket) { [weak self] readiness in self?.handle(readiness) }
    send(.version(ClientMessage.currentVersion))
  }

  /// Sends a message, and another descriptor of `file` beside it.
  func send(_ message: AgentMessage, file: (any OpenFile)?) -> ClientSending {
    var number: Int32?
    if let descriptor = file as? Descriptor {
      let copy = fcntl(descriptor.number, F_DUPFD_CLOEXEC, 3)
      guard copy >= 0 else { return .outOfFiles }
      number = copy
    }
    return send(message, descriptor: number) ? .sent : .tooLong
  }

  /// Takes over `descriptor`. A list that is longer than a frame may be is cut and says so. False, and
  /// nothing is sent, when the message is longer and nothing of it may be left out.
  @discardableResult
  func send(_ message: AgentMessage, descriptor: Int32?) -> Bool {
    let content = message.frameContent
    guard isOpen, !isDeaf, let content else {
      if let descriptor { close(descriptor) }
      if content == nil { AgentLog.note("a message for client \(number) is too long and was not sent") }
      return content != nil
    }
    outgoing.append(Outgoing(bytes: FrameBuffer.frame(content), descriptor: descriptor))
    flush()
    return true
  }

  func end() {
    guard isOpen else { return }
    isOpen = false
    loop.forget(socket)
    close(socket)
    for descriptor in descriptors + outgoing.compactMap(\.descriptor) { close(descriptor) }
    descriptors = []
    outgoing = []
    onEnd(self)
  }

  private func handle(_ readiness: EventLoop.Readiness) {
    if readiness.contains(.writable) { flush() }
    if isOpen, !readiness.isDisjoint(with: [.readable, .hungUp]) { receive() }
  }

  private func receive() {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var descriptor: Int32 = -1
    let count = continuo_receive(socket, &chunk, chunk.count, &descriptor)
    if descriptor >= 0 { descriptors.append(descriptor) }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0, descriptors.count <= Self.descriptorLimit else { return end() }
    incoming.append(chunk.prefix(count))
    do throws(ContinuityError) {
      while isOpen, let frame = try incoming.next() { try take(ClientMessage(decoding: frame)) }
    } catch {
      AgentLog.note("client \(number) sent what cannot be read: \(error)")
      end()
    }
  }

  private func take(_ message: ClientMessage) throws(ContinuityError) {
    var descriptor: Int32?
    if case .request(.update(_, saved: .some)) = message {
      guard !descriptors.isEmpty else {
        throw ContinuityError(.invalidBytes, subject: "descriptor", "The announced descriptor did not come.")
      }
      descriptor = descriptors.removeFirst()
    }
    onMessage(self, message, descriptor)
  }

  /// A client that saves, says so and exits has often gone by the time something is sent to it; its last
  /// words wait in the socket, and the end comes behind them.
  private func cannotSend(_ code: Int32) {
    guard code == EPIPE || code == ECONNRESET else { return end() }
    isDeaf = true
    for descriptor in outgoing.compactMap(\.descriptor) { close(descriptor) }
    outgoing = []
    loop.setInterest(.readable, of: socket)
  }

  private func flush() {
    while isOpen, var first = outgoing.first {
      let sent = first.bytes.withUnsafeBytes { bytes in
        continuo_send(
          socket, bytes.baseAddress?.advanced(by: first.sent), bytes.count - first.sent,
          first.sent == 0 ? first.descriptor ?? -1 : -1)
      }
      if sent < 0, errno == EAGAIN || errno == EINTR { break }
      guard sent > 0 else { return cannotSend(errno) }
      if first.sent == 0, let descriptor = first.descriptor {
        close(descriptor)
        first.descriptor = nil
      }
      first.sent += sent
      if first.sent == first.bytes.count { outgoing.removeFirst() } else { outgoing[0] = first }
    }
    guard isOpen else { return }
    if outgoing.reduce(0, { $0 + $1.bytes.count }) > Self.backlogLimit {
      AgentLog.note("client \(number) does not read; its connection is closed")
      return end()
    }
    loop.setInterest(outgoing.isEmpty ? .readable : [.readable, .writable], of: socket)
  }
}
