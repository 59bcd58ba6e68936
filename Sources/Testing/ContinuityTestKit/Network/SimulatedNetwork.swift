// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import LocalNetwork
import Trust

/// An agent's network in a simulated world: the network process's own machine and memory of identities, on
/// wires that end in other devices. TLS is what it comes to: both ends have the key, or neither hears
/// anything.
final class SimulatedNetwork: LocalNetworking {
  var onReport: (LinkReport) -> Void = { _ in }
  var onEnd: () -> Void = {}
  var onAddresses: ([OwnAddress]) -> Void = { _ in }
  var onResume: () -> Void = {}
  var onStateChange: () -> Void = {}
  let process: UInt64 = 3
  let problem: String? = nil
  let isWithoutPaths: Bool? = true

  let device: Int
  private(set) var port: UInt16 = 0
  private(set) var isListening = false
  private let agent: AgentProcess
  private let wires: SimulatedWires
  private let ciphers: any CipherSuite
  private var machine = LinkMachine()
  private var keys = ReceivingKeys()
  private var open: [LinkNumber: Wire] = [:]
  /// What was said to whom is dialled, until the connection stands.
  private var hellos: [LinkNumber: (identity: [UInt8], key: [UInt8])] = [:]
  private var isFollowing = false
  private var wakeAt: Instant?
  private var transfers = SimulatedTransfers()
  private var handedOver: OpenFile?
  /// The links on which the next piece of a document has to wait: so quick is the network.
  private var paced: Set<LinkNumber> = []
  /// Counts deaths of the process: what it would have told is told by nobody.
  private var lives = 0

  init(_ agent: AgentProcess, on wires: SimulatedWires) {
    self.agent = agent
    self.wires = wires
    device = agent.device.number
    ciphers = agent.world.ciphers
    wires.plug(self, of: device)
  }

  var isAlive: Bool { agent.isAlive }

  /// The devices at the other ends.
  var links: [LinkNumber: Int] { open.compactMapValues { $0.other(than: device) } }

  // MARK: What the agent wants

  func listen(port: UInt16) throws(ContinuityError) -> UInt16 {
    self.port = port == 0 ? 40_000 + UInt16(device) : port
    isListening = true
    return self.port
  }

  func followAddresses() throws(ContinuityError) {
    isFollowing = true
    tellAddresses()
  }

  func stop() {
    (isListening, isFollowing) = (false, false)
    endAll()
  }

  func send(_ order: LinkOrder) {
    guard isAlive else { return }
    if case .receive(let fresh) = order { return keys.replace(with: fresh) }
    perform(machine.handle(.ordered(order), at: agent.clocks.now))
    switch order {
    case .prove(let number, _), .send(let number, _, _): pump(number)
    case .admit(let number): read(number)
    case .stopSending(let number, _): pump(number)
    case .reset(let number, _, _): pump(number)
    case .receive, .listen, .dial, .close, .sendFile, .receiveFile, .stopReceiving, .carry: break
    }
  }

  func send(_ order: LinkOrder, with file: any AgentEngine.OpenFile) {
    guard isAlive else { return }
    handedOver = file as? OpenFile
    perform(machine.handle(.ordered(order), at: agent.clocks.now))
    handedOver = nil
    if case .sendFile(let number, _, _) = order { pump(number) }
  }

  func dial(_ number: LinkNumber, to address: NetworkAddress, identity: [UInt8], key: [UInt8]) {
    guard isAlive else { return }
    hellos[number] = (identity, key)
    perform(machine.handle(.dialled(number), at: agent.clocks.now))
    open[number] = wires.connect(self, number, to: address)
  }

  // MARK: What the wires bring

  /// Somebody connects; false where that is refused.
  func accept(_ wire: Wire) -> Bool {
    let actions = machine.handle(.accepted, at: agent.clocks.now)
    defer { perform(actions) }
    for case .begin(let number) in actions {
      open[number] = wire
      wire.accepted(by: self, as: number)
      return true
    }
    return false
  }

  /// The connection stands: whom this device wants is said.
  func connected(_ wire: Wire) {
    guard isAlive, let number = wire.number(at: device), let hello = hellos.removeValue(forKey: number),
      open[number] != nil
    else { return }
    perform(machine.handle(.connected(number), at: agent.clocks.now))
    wires.carry(over: wire, from: device) { [wires, device] in
      guard let other = wire.other(than: device), let end = wire.end(at: other) else { return }
      end.answer(hello.identity, hello.key, on: wire, in: wires)
    }
  }

  private func answer(_ identity: [UInt8], _ key: [UInt8], on wire: Wire, in wires: SimulatedWires) {
    guard isAlive, let number = wire.number(at: device) else { return }
    let own = LinkIdentity(bytes: identity).flatMap { identity in
      keys.take(identity) { ciphers.code($1, under: $0) }
    }
    guard let own, own.key == key else {
      perform(machine.handle(.ended(number, isFault: true), at: agent.clocks.now))
      return
    }
    let exporter = wires.exporter()
    perform(
      machine.handle(.secured(number, exporter: exporter, period: own.period), at: agent.clocks.now))
    wires.carry(over: wire, from: device) { [device] in
      guard let other = wire.other(than: device), let end = wire.end(at: other) else { return }
      end.secured(wire, exporter)
    }
  }

  private func secured(_ wire: Wire, _ exporter: [UInt8]) {
    guard isAlive, let number = wire.number(at: device) else { return }
    perform(machine.handle(.secured(number, exporter: exporter, period: nil), at: agent.clocks.now))
  }

  func ended(_ number: LinkNumber, isFault: Bool) {
    guard isAlive, open[number] != nil else { return }
    perform(machine.handle(.ended(number, isFault: isFault), at: agent.clocks.now))
  }

  private func arrived(_ bytes: [UInt8], over wire: Wire) {
    wire.unread[device, default: []] += bytes
    if let number = wire.number(at: device) { read(number) }
  }

  /// Reads no more than there is room for: who is not admitted yet waits.
  private func read(_ number: LinkNumber) {
    guard isAlive, let wire = open[number] else { return }
    while let unread = wire.unread[device], !unread.isEmpty {
      let room = machine.room(of: number)
      guard room > 0 else { return }
      let chunk = Array(unread.prefix(room))
      wire.unread[device] = Array(unread.dropFirst(room))
      perform(machine.handle(.received(number, chunk), at: agent.clocks.now))
    }
  }

  private func pump(_ number: LinkNumber) {
    guard let wire = open[number] else { return }
    while let next = machine.next(of: number) {
      switch next {
      case .piece(let piece): carry(piece, over: wire)
      case .file(let transfer, let count):
        guard paced.insert(number).inserted else { return }
        later {
          $0.paced.remove(number)
          $0.pump(number)
        }
        let found = transfers.read(count, of: number, transfer)
        if let other = wire.other(than: device) {
          wire.documents[other, default: [:]][transfer] = found.content
        }
        let bytes = Self.bytes(found.count)
        perform(machine.handle(.read(number, bytes), at: agent.clocks.now))
      // Nobody here writes into streams.
      case .stream(let stream, _):
        perform(machine.handle(.stream(number, stream, .read([])), at: agent.clocks.now))
      }
    }
  }

  /// As many zeros stand for the bytes of a document; what is read of a long one has mostly the same length.
  private static func bytes(_ count: Int) -> [UInt8] {
    count == longestRead.count ? longestRead : [UInt8](repeating: 0, count: count)
  }

  private static let longestRead = [UInt8](repeating: 0, count: LinkPiece.limit - 4)

  private func carry(_ piece: [UInt8], over wire: Wire) {
    wires.carry(over: wire, from: device) { [device] in
      guard let other = wire.other(than: device), let end = wire.end(at: other), end.isAlive else { return }
      end.arrived(piece, over: wire)
    }
  }

  // MARK: The machine

  private func perform(_ actions: [LinkMachine.Action]) {
    var actions = actions[...]
    while let action = actions.popFirst() {
      switch action {
      case .begin: break  // Whoever asked for it knows its wire.
      case .drop(let number): drop(number)
      case .report(let report): tell(report)
      case .takeFile(let number, let transfer, let isSending):
        transfers.take(handedOver, of: number, transfer, isSending: isSending)
      case .closeFile(let number, let transfer, let isSending):
        transfers.close(number, transfer, isSending: isSending)
      case .write(let number, let transfer, let bytes, let isLast):
        let isWritten = write(bytes, of: number, transfer, isLast: isLast)
        guard isLast || !isWritten else { break }
        let end = isWritten ? TransferEnd.whole : .unwritable
        actions = machine.handle(.wrote(number, transfer, end), at: agent.clocks.now) + actions
      case .takeStream, .writeStream, .endStream, .closeStream: break
      }
    }
    wakeNext()
  }

  private func write(
    _ bytes: [UInt8], of number: LinkNumber, _ transfer: TransferNumber, isLast: Bool
  ) -> Bool {
    guard !agent.device.storeIsFull else { return false }
    let whole = isLast ? open[number]?.documents[device]?[transfer] : nil
    return transfers.write(bytes.count, of: number, transfer, whole: whole)
  }

  private func drop(_ number: LinkNumber) {
    hellos[number] = nil
    transfers.close(number)
    paced.remove(number)
    guard let wire = open.removeValue(forKey: number) else { return }
    // Whoever is refused hears an alert while it begins, and a silent end later.
    wire.breakOff(from: device, isFault: true, in: wires)
  }

  private func tell(_ report: LinkReport) {
    if case .received(_, .record, let record) = report, hidesFromThief(record) { return }
    later { $0.onReport(report) }
  }

  /// A thief goes on whatever others say: their rosters are not read.
  private func hidesFromThief(_ record: [UInt8]) -> Bool {
    agent.device.isStolen && record.count > 9 && record[9] == 2
  }

  private func later(_ body: @escaping (SimulatedNetwork) -> Void) {
    let life = lives
    agent.world.schedule(.network, device, after: 20_000) { [self] in
      if isAlive, lives == life { body(self) }
    }
  }

  private func wakeNext() {
    guard let deadline = machine.deadline, wakeAt.map({ deadline < $0 }) ?? true else { return }
    wakeAt = deadline
    agent.device.schedule(.network, at: deadline) { [self] in
      wakeAt = nil
      guard isAlive else { return }
      perform(machine.handle(.time, at: agent.clocks.now))
    }
  }

  // MARK: Ends

  /// The agent was killed, and this with it: the others hear of it at once.
  func endAll() {
    for number in open.keys.sorted() { open[number]?.breakOff(from: device, in: wires) }
    (open, hellos, machine, keys) = ([:], [:], LinkMachine(), ReceivingKeys())
    (transfers, paced) = (SimulatedTransfers(), [])
    lives += 1
  }

  /// The process dies, and the agent starts another one.
  func dieAlone() {
    guard isAlive, isListening else { return }
    endAll()
    later { $0.onEnd() }
  }

  func tellAddresses() {
    guard isAlive, isFollowing else { return }
    onAddresses(wires.addresses(of: device))
  }

  /// The network was away for a moment.
  func findNetworkAnew() {
    guard isAlive, isFollowing else { return }
    onAddresses([])
    tellAddresses()
  }
}
