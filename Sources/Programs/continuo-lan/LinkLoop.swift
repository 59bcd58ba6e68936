// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import LinuxSystem
import LocalNetwork

/// Waits for the agent, those who connect, and the links, and does what `LinkMachine` decides. Sleeps while
/// nothing comes.
final class LinkLoop {
  private let security: TransportSecurity
  private let orders: BorrowedDescriptor
  private var input = FrameInput(limit: CBOR.Limits.link.bytes)
  /// The agent reads what it asked for: while much waits for it, no link is read.
  private var reports = FrameOutput(byteLimit: .max, frameLimit: .max)
  private var machine: LinkMachine
  private var keys = ReceivingKeys()
  private var links: [LinkNumber: SecureLink] = [:]
  private var files = TransferFiles()
  private var streams = StreamSockets()
  private var listener: Descriptor?
  /// The socket of the event that is being handled, until it has become a link.
  private var arriving: (() -> SecureLink?)?
  /// The file of that event, or the socket of its stream, until it is one of `files` or `streams`.
  private var handedOver: Descriptor?

  private static let backlog = 4 << 20

  init(
    _ security: TransportSecurity, orders: BorrowedDescriptor, greeting: LinkGreeting, patience: Duration
  ) {
    (self.security, self.orders) = (security, orders)
    machine = LinkMachine(patience: patience)
    orders.setNonBlocking()
    _ = reports.append(FrameBuffer.frame(greeting.encoded), beside: nil)
  }

  /// Returns when the agent has ended.
  func run() throws(Failure) {
    while true {
      let ready = wait()
      if !ready.orders.isDisjoint(with: [.readable, .hungUp]), try !takeOrders() { return }
      if ready.listener { accept() }
      for (number, stream, readiness) in ready.streams { advance(stream, of: number, readiness) }
      for (number, readiness) in ready.links { advance(number, readiness) }
      if let deadline = machine.deadline, deadline <= .now { handle(.time) }
      guard flush() else { return }
    }
  }

  // MARK: Waiting

  private struct Ready {
    var orders: Readiness = []
    var listener = false
    var links: [(LinkNumber, Readiness)] = []
    var streams: [(LinkNumber, StreamNumber, Readiness)] = []
  }

  private var isBehind: Bool { reports.byteCount > Self.backlog }

  private func canRead(_ number: LinkNumber) -> Bool { !isBehind && machine.room(of: number) > 0 }

  private func wait() -> Ready {
    let watched = links.sorted { $0.key < $1.key }
    var entries = [
      Poll.Entry(orders.number, for: reports.isEmpty ? .readable : [.readable, .writable]),
      Poll.Entry(listener?.number ?? -1),
    ]
    entries += watched.map { Poll.Entry($1.socket.number, for: interest(in: $0, $1)) }
    let apps = streams.interests { machine.isAwaited($1, on: $0) }
    entries += apps.map(\.entry)
    let hasMore = watched.contains { $1.hasMore && canRead($0) }
    let pause = hasMore ? .zero : machine.deadline.map { $0 - .now }
    guard Poll.wait(for: &entries, atMost: pause) || hasMore else { return Ready() }
    var ready = Ready(orders: entries[0].ready, listener: !entries[1].ready.isEmpty)
    for (entry, (number, link)) in zip(entries.dropFirst(2), watched) {
      let more: Readiness = link.hasMore && canRead(number) ? .readable : []
      let readiness = entry.ready.union(more)
      if !readiness.isEmpty { ready.links.append((number, readiness)) }
    }
    for (entry, app) in zip(entries.dropFirst(2 + watched.count), apps) where !entry.ready.isEmpty {
      ready.streams.append((app.link, app.stream, entry.ready))
    }
    return ready
  }

  private func interest(in number: LinkNumber, _ link: SecureLink) -> Readiness {
    guard case .open = link.stage else { return link.wanted }
    var interest: Readiness = canRead(number) ? .readable : []
    if link.isWriting || machine.hasOutput(number) { interest.insert(.writable) }
    return interest
  }

  // MARK: The agent

  /// False when the agent has ended.
  private func takeOrders() throws(Failure) -> Bool {
    while true {
      switch input.read(from: orders.number) {
      case .wouldBlock: return true
      case .ended, .failed: return false
      case .nonsense: throw Failure(sentence: "The agent sent a frame that is too long.")
      case .frame(let content, let beside):
        do throws(ContinuityError) { perform(try LinkOrder(decoding: content), beside) } catch {
          throw Failure(sentence: "The agent sent something else than an order. \(error.description)")
        }
      }
    }
  }

  private func perform(_ order: LinkOrder, _ socket: Descriptor?) {
    switch order {
    case .receive(let fresh): keys.replace(with: fresh)
    case .listen: listener = socket
    case .dial(let number, let identity, let key):
      guard let socket else { return report(.closed(number, .unreachable)) }
      arriving = { [security] in
        SecureLink(dialling: socket, security, identity: identity, key: key)
      }
      handle(.dialled(number))
    case .sendFile, .receiveFile, .carry:
      handedOver = socket
      handle(.ordered(order))
    case .prove, .admit, .send, .close, .stopSending, .stopReceiving, .reset:
      handle(.ordered(order))
    }
  }

  /// False when the agent has ended.
  private func flush() -> Bool {
    guard !reports.isEmpty else { return true }
    if case .failed = reports.write(to: orders.number) { return false }
    return true
  }

  private func report(_ report: LinkReport) {
    guard let content = report.encoded else { return }
    _ = reports.append(FrameBuffer.frame(content), beside: nil)
  }

  // MARK: Links

  /// A few at a time, so that others have their turn.
  private func accept() {
    for _ in 0..<16 {
      guard let listener, let socket = try? UnixSocket.accept(from: listener) else { return }
      arriving = { [weak self, security] in
        SecureLink(accepted: socket, security) { identity in
          self?.keys.take(identity, code: TransportSecurity.code)
        }
      }
      handle(.accepted)
    }
  }

  private func handle(_ event: LinkMachine.Event) {
    perform(machine.handle(event, at: .now))
  }

  private func perform(_ first: [LinkMachine.Action]) {
    var actions = first[...]
    while let action = actions.popFirst() {
      switch action {
      case .begin(let number):
        links[number] = arriving?()
        if links[number] == nil { actions += machine.handle(.ended(number, isFault: false), at: .now) }
      case .drop(let number):
        links[number] = nil
        files.close(number)
        streams.close(number)
      case .report(let report): self.report(report)
      case .takeFile(let number, let transfer, let isSending):
        files.take(handedOver, of: number, transfer, isSending: isSending)
      case .closeFile(let number, let transfer, let isSending):
        files.close(number, transfer, isSending: isSending)
      case .write(let number, let transfer, let bytes, let isLast):
        let isWritten = files.write(bytes, of: number, transfer)
        guard isLast || !isWritten else { break }
        let end = isWritten ? TransferEnd.whole : .unwritable
        actions = machine.handle(.wrote(number, transfer, end), at: .now) + actions
      case .takeStream(let number, let stream):
        guard !streams.take(handedOver, of: number, stream) else { break }
        actions += machine.handle(.ordered(.reset(number, stream, isTold: false)), at: .now)
        report(.streamEnded(number, stream, .refused))
      case .writeStream(let number, let stream, let bytes):
        let written = streams.write(bytes, of: number, stream)
        actions = tell(written, of: stream, on: number) + actions
      case .endStream(let number, let stream, let direction):
        streams.end(direction, of: number, stream)
      case .closeStream(let number, let stream): streams.close(number, stream)
      }
    }
    (arriving, handedOver) = (nil, nil)
  }

  private func tell(
    _ written: StreamSockets.Written, of stream: StreamNumber, on number: LinkNumber
  ) -> [LinkMachine.Action] {
    var actions: [LinkMachine.Action] = []
    if written.count > 0 {
      actions += machine.handle(.stream(number, stream, .wrote(written.count)), at: .now)
    }
    if written.isStopped { actions += machine.handle(.stream(number, stream, .stopped), at: .now) }
    return actions
  }

  /// An app has read, or written, or is gone.
  private func advance(_ stream: StreamNumber, of number: LinkNumber, _ readiness: Readiness) {
    if !readiness.isDisjoint(with: [.readable, .hungUp]) { handle(.stream(number, stream, .readable)) }
    guard !readiness.isDisjoint(with: [.writable, .hungUp]) else { return }
    perform(tell(streams.flush(number, stream), of: stream, on: number))
  }

  private func advance(_ number: LinkNumber, _ readiness: Readiness) {
    guard let link = links[number] else { return }
    if case .connecting = link.stage {
      if case .ended(let isFault) = link.connect() { return handle(.ended(number, isFault: isFault)) }
      handle(.connected(number))
    }
    if case .securing = link.stage {
      switch link.secure() {
      case .waits: return
      case .ended(let isFault): return handle(.ended(number, isFault: isFault))
      case .done: handle(.secured(number, exporter: link.exporter, period: link.period))
      }
    }
    if readiness.contains(.writable) { write(number, link) }
    if !readiness.isDisjoint(with: [.readable, .hungUp]) {
      read(number, link, hasHungUp: readiness.contains(.hungUp))
    }
  }

  /// One piece: before the next one the agent may have said what goes first.
  private func write(_ number: LinkNumber, _ link: SecureLink) {
    if case .ended(let isFault) = link.write({ nextPiece(of: number) }) {
      handle(.ended(number, isFault: isFault))
    }
  }

  private func nextPiece(of number: LinkNumber) -> [UInt8]? {
    while let next = machine.next(of: number) {
      switch next {
      case .piece(let piece): return piece
      case .file(let transfer, let count):
        handle(.read(number, files.read(count, of: number, transfer)))
      case .stream(let stream, let count):
        handle(.stream(number, stream, streams.read(count, of: number, stream)))
      }
    }
    return nil
  }

  private func read(_ number: LinkNumber, _ link: SecureLink, hasHungUp: Bool) {
    var bytes: [UInt8] = []
    for _ in 0..<4 {
      guard links[number] === link else { return }
      guard canRead(number) else {
        // Nobody is there any more to whom what was not read matters.
        return hasHungUp ? handle(.ended(number, isFault: false)) : ()
      }
      switch link.read(machine.room(of: number), into: &bytes) {
      case .waits: return
      case .ended(let isFault): return handle(.ended(number, isFault: isFault))
      case .done: handle(.received(number, bytes))
      }
    }
  }
}
