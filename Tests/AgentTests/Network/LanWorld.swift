// SPDX-License-Identifier: MIT

import ActivityModel
import CTransportSecurity
import LinuxSystem
import LocalNetwork
import Testing
import TrustCiphers

@testable import Agent

/// A device as far as its network process goes: a real one, and what its agent would say to it, said by the
/// test.
final class LanDevice {
  let network: NetworkProcess
  private(set) var key: ReceivingKey
  private(set) var port: UInt16 = 0
  var reports: [LinkReport] = []
  private(set) var ends = 0
  private var lastDialled: UInt32 = 0

  init(_ name: UInt8, in world: World, changing changes: [String: String?] = [:]) throws {
    network = NetworkProcess(loop: world.loop, changing: changes)
    key = ReceivingKey(
      period: UInt64(name), key: [UInt8](repeating: name, count: 32),
      context: [UInt8](repeating: name, count: 24))
    network.onReport = { [weak self] in self?.reports.append($0) }
    network.onEnd = { [weak self] in self?.ends += 1 }
    network.send(.receive([key]))
    port = try network.listen(port: 0)
  }

  /// What an agent does when its process has ended.
  func beginPeriod() {
    key.period += 100
    key.key[0] ^= 0xff
    network.send(.receive([key]))
  }

  static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255) } }

  /// Another identity each time, which `key` is for.
  static func identity(for key: ReceivingKey) throws -> [UInt8] {
    let nonce = random(LinkIdentity.nonceSize)
    let message = LinkIdentity.message(nonce: nonce, context: key.context)
    return try #require(LinkIdentity(nonce: nonce, code: StandardCiphers().code(message, under: key.key)))
      .bytes
  }

  func dial(port: UInt16, identity: [UInt8], key: [UInt8]) -> LinkNumber {
    lastDialled += 1
    let number = LinkNumber(rawValue: lastDialled)
    network.dial(
      number, to: NetworkAddress(bytes: [127, 0, 0, 1], port: port), identity: identity, key: key)
    return number
  }

  func dial(_ other: LanDevice, through port: UInt16? = nil) throws -> LinkNumber {
    dial(port: port ?? other.port, identity: try Self.identity(for: other.key), key: other.key.key)
  }

  /// The link that was secured last, and what came with that.
  var secured: (number: LinkNumber, exporter: [UInt8], period: UInt64?)? {
    reports.lazy.compactMap { report in
      if case .secured(let number, let exporter, let period) = report {
        (number, exporter, period)
      } else {
        nil
      }
    }.last
  }

  func hasProof(of number: LinkNumber) -> Bool {
    reports.contains { if case .proof(number, _) = $0 { true } else { false } }
  }

  func end(of number: LinkNumber) -> LinkEnd? {
    reports.lazy.compactMap { if case .closed(number, let end) = $0 { end } else { nil } }.first
  }

  var received: [(LinkFrameKind, [UInt8])] {
    reports.compactMap { if case .received(_, let kind, let bytes) = $0 { (kind, bytes) } else { nil } }
  }
}

extension World {
  /// Links two devices, with proofs that nobody verifies: the number of the link at each.
  func link(
    _ one: LanDevice, _ other: LanDevice, through port: UInt16? = nil
  ) throws -> (LinkNumber, LinkNumber) {
    other.reports.removeAll { if case .secured = $0 { true } else { false } }
    let number = try one.dial(other, through: port)
    try run("a link", state: { "\(one.reports) \(other.reports)" }) {
      one.secured?.number == number && other.secured != nil
    }
    let accepted = try #require(other.secured?.number)
    one.network.send(.prove(number, [1, 1]))
    other.network.send(.prove(accepted, [2, 2]))
    try run("proofs") { one.hasProof(of: number) && other.hasProof(of: accepted) }
    one.network.send(.admit(number))
    other.network.send(.admit(accepted))
    return (number, accepted)
  }

  /// What comes back for these bytes, until the other end closes.
  func answer(to bytes: [UInt8], at port: UInt16) throws -> [UInt8] {
    let stranger = try Stranger(port: port, in: self)
    stranger.send(bytes)
    try run("the end of a connection") { stranger.hasEnded }
    return stranger.received
  }

  /// The first bytes that a device says to whoever is there.
  func firstFlight(of device: LanDevice, identity: [UInt8], key: [UInt8]) throws -> [UInt8] {
    let listener = try TCPSocket.listener(port: 0)
    let number = device.dial(port: try #require(TCPSocket.port(of: listener)), identity: identity, key: key)
    var socket: Descriptor?
    loop.watch(listener.number) { _ in socket = try? UnixSocket.accept(from: listener) }
    defer { loop.forget(listener.number) }
    try run("a connection") { socket != nil }
    let stranger = Stranger(try #require(socket), in: self)
    try run("a first flight") {
      stranger.received.count > 5 && stranger.received.count >= stranger.firstRecord
    }
    device.network.send(.close(number))
    return stranger.received
  }
}

/// One end of a connection that is the test's own.
final class Stranger {
  let socket: Descriptor
  private let world: World
  private(set) var received: [UInt8] = []
  private(set) var hasEnded = false
  private var waiting: [UInt8] = []
  /// Told what came.
  var onBytes: (ArraySlice<UInt8>) -> Void = { _ in }
  var onEnd: () -> Void = {}

  convenience init(port: UInt16, in world: World) throws {
    self.init(try TCPSocket.connecting(to: [127, 0, 0, 1], port: port), in: world)
  }

  init(_ socket: Descriptor, in world: World) {
    (self.socket, self.world) = (socket, world)
    world.loop.watch(socket.number) { [weak self] readiness in self?.advance(readiness) }
  }

  deinit { end() }

  /// Bytes of the first record, its header included.
  var firstRecord: Int { 5 + Int(received[3]) << 8 + Int(received[4]) }

  func send(_ bytes: some Collection<UInt8>) {
    waiting += bytes
    world.loop.setInterest([.readable, .writable], of: socket.number)
  }

  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    world.loop.forget(socket.number)
    socket.close()
    onEnd()
  }

  private func advance(_ readiness: Readiness) {
    if readiness.contains(.writable), !waiting.isEmpty {
      waiting.removeFirst((try? UnixSocket.sendAtOnce(waiting[...], to: socket.number)) ?? 0)
      if waiting.isEmpty { world.loop.setInterest(.readable, of: socket.number) }
    }
    guard !readiness.isDisjoint(with: [.readable, .hungUp]) else { return }
    var piece = [UInt8](repeating: 0, count: 65536)
    do throws(Errno) {
      let count = try socket.read(into: &piece)
      guard count > 0 else { return end() }
      received += piece[..<count]
      onBytes(piece[..<count])
    } catch {
      if error != .wouldBlock { end() }
    }
  }
}

/// Stands between two devices, and keeps what they say.
final class Wiretap {
  let port: UInt16
  var forth: [UInt8] { accepted?.received ?? [] }
  var back: [UInt8] { dialled?.received ?? [] }
  private let listener: Descriptor
  private let world: World
  private var accepted: Stranger?
  private var dialled: Stranger?

  init(before port: UInt16, in world: World) throws {
    self.world = world
    listener = try TCPSocket.listener(port: 0)
    self.port = try #require(TCPSocket.port(of: listener))
    world.loop.watch(listener.number) { [weak self] _ in self?.accept(port) }
  }

  deinit { world.loop.forget(listener.number) }

  private func accept(_ port: UInt16) {
    guard let socket = try? UnixSocket.accept(from: listener) else { return }
    let (one, other) = (Stranger(socket, in: world), try? Stranger(port: port, in: world))
    (accepted, dialled) = (one, other)
    one.onBytes = { [weak other] in other?.send($0) }
    other?.onBytes = { [weak one] in one?.send($0) }
    one.onEnd = { [weak other] in other?.end() }
    other?.onEnd = { [weak one] in one?.end() }
  }
}

/// A member that has the key, and says over TLS whatever the test wants.
final class LyingDevice {
  let socket: Descriptor
  private let tls: OpaquePointer
  private let world: World
  private(set) var isSecured = false
  private(set) var hasEnded = false

  convenience init(to device: LanDevice, in world: World) throws {
    try self.init(port: device.port, key: device.key, in: world)
  }

  init(port: UInt16, key: ReceivingKey, in world: World) throws {
    self.world = world
    socket = try TCPSocket.connecting(to: [127, 0, 0, 1], port: port)
    let identity = try LanDevice.identity(for: key)
    let context = try #require(continuo_tls_context_new())
    tls = try #require(continuo_tls_dial(context, socket.number, identity, identity.count, key.key))
    world.loop.watch(socket.number, for: .writable) { [weak self] _ in self?.advance() }
    try world.run("a handshake") { isSecured || hasEnded }
    try #require(isSecured)
  }

  deinit {
    world.loop.forget(socket.number)
    continuo_tls_free(tls)
  }

  private func advance() {
    world.loop.setInterest(.readable, of: socket.number)
    if !isSecured { return isSecured = continuo_tls_handshake(tls) == 1 }
    var room = [UInt8](repeating: 0, count: 4096)
    let count = continuo_tls_read(tls, &room, 4096)
    guard count == CONTINUO_TLS_ENDED || count == CONTINUO_TLS_FAILED else { return }
    hasEnded = true
    world.loop.forget(socket.number)
  }

  /// What belongs to this connection alone.
  var exporter: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    return continuo_tls_export(tls, "EXPORTER-continuo-lan-v1", &bytes) == 1 ? bytes : []
  }

  func say(_ bytes: [UInt8]) throws {
    try #require(continuo_tls_write(tls, bytes, CInt(bytes.count)) == CInt(bytes.count))
  }
}
