// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import LinuxSystem
import LocalNetwork
import TestSupport
import Testing

@testable import Agent

/// What somebody learns, and can do, who reaches the port and has no key; and who has one and lies.
@Suite(.waiting) struct LanStrangerTests {
  private static func header(_ kind: UInt8, _ count: Int) -> [UInt8] {
    [kind] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }

  private func devices(_ count: UInt8, in world: World) throws -> [LanDevice] {
    try (1...count).map { try LanDevice($0, in: world) }
  }

  @Test func whateverAStrangerSaysIsAnsweredAsAnInventedIdentityIs() throws {
    let world = try World()
    let all = try devices(3, in: world)
    defer { for device in all { device.network.stop() } }
    let (dialler, receiver) = (all[0], all[1])
    let random = LanDevice.random(48)
    let invented = try world.firstFlight(of: dialler, identity: random, key: LanDevice.random(32))
    let refusal = try world.answer(to: invented, at: receiver.port)
    // One alert that ends the connection, and nothing else.
    #expect(refusal.count == 7 && refusal.prefix(6) == [21, 3, 3, 0, 2, 2], "\(refusal)")
    for device in all { #expect(try world.answer(to: invented, at: device.port) == refusal) }

    let known = try LanDevice.identity(for: receiver.key)
    let wrongKey = try world.firstFlight(of: dialler, identity: known, key: LanDevice.random(32))
    #expect(try world.answer(to: wrongKey, at: receiver.port) == refusal, "a wrong key")

    // A flight that was meant for this device, said for the first time: it answers, and waits for more.
    let identity = try LanDevice.identity(for: receiver.key)
    let flight = try world.firstFlight(of: dialler, identity: identity, key: receiver.key.key)
    #expect(flight.count == invented.count && flight.prefix(11) == invented.prefix(11))
    for device in [all[0], all[2]] {
      #expect(try world.answer(to: flight, at: device.port) == refusal, "said to others, or back")
    }
    let first = try Stranger(port: receiver.port, in: world)
    first.send(flight)
    try world.run("an answer") { first.received.count > 100 }
    #expect(first.received.first == 22)
    first.end()
    for device in all { #expect(try world.answer(to: flight, at: device.port) == refusal, "recorded") }
    // Of none of these did an agent hear.
    #expect([all[1], all[2]].allSatisfy { $0.reports.isEmpty })
  }

  /// T16: a flight that would be right, but for the one version that it says it speaks.
  @Test func anOlderVersionOfTLSIsRefused() throws {
    let world = try World()
    let all = try devices(2, in: world)
    defer { for device in all { device.network.stop() } }
    let identity = try LanDevice.identity(for: all[1].key)
    var flight = try world.firstFlight(of: all[0], identity: identity, key: all[1].key.key)
    let versions: [UInt8] = [0, 43, 0, 3, 2, 3, 4]
    let place = try #require(flight.indices.first { flight[$0...].starts(with: versions) })
    flight[place + 6] = 3
    let answer = try world.answer(to: flight, at: all[1].port)
    #expect(answer.count == 7 && answer.prefix(6) == [21, 3, 3, 0, 2, 2], "\(answer)")
    #expect(all[1].reports.isEmpty)
    // The same, as it was.
    flight[place + 6] = 4
    let stranger = try Stranger(port: all[1].port, in: world)
    stranger.send(flight)
    try world.run("an answer") { stranger.received.first == 22 }
  }

  @Test func aFormerPeriodsKeyIsWorthNothing() throws {
    let world = try World()
    let all = try devices(2, in: world)
    defer { for device in all { device.network.stop() } }
    let former = all[1].key
    let flight = try world.firstFlight(
      of: all[0], identity: try LanDevice.identity(for: former), key: former.key)
    let random = LanDevice.random(48)
    let invented = try world.firstFlight(of: all[0], identity: random, key: LanDevice.random(32))
    all[1].beginPeriod()
    try world.run("the order") { all[1].network.hasSaidAll }
    _ = try world.link(all[0], all[1])
    #expect(try world.answer(to: flight, at: all[1].port) == world.answer(to: invented, at: all[1].port))
  }

  @Test func whoListensSeesTLSAndNothingThatComesAgain() throws {
    let world = try World()
    let all = try devices(4, in: world)
    defer { for device in all { device.network.stop() } }
    func capture(_ one: LanDevice, _ other: LanDevice) throws -> (forth: [UInt8], back: [UInt8]) {
      let tap = try Wiretap(before: other.port, in: world)
      let (number, _) = try world.link(one, other, through: tap.port)
      let before = other.received.count
      one.network.send(.send(number, .record, Array("the title of a document".utf8)))
      try world.run("a record") { other.received.count > before }
      one.network.send(.close(number))
      return (tap.forth, tap.back)
    }
    // Several, for a byte behind what is the same may be the same by chance.
    let same = try (0..<4).map { _ in try capture(all[0], all[1]) }
    let others = try capture(all[2], all[3])
    for seen in same + [others] {
      #expect(seen.forth.prefix(3) == [22, 3, 1] && seen.back.prefix(3) == [22, 3, 3])
      let bytes = seen.forth + seen.back
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains("title") && !text.contains("document") && !text.contains("continuo"))
      #expect(seen.forth.count == others.forth.count && seen.back.count == others.back.count)
    }
    // Whatever all links of the same devices share, those of others have, too: it is the protocol's.
    let shared = same.map { Self.windows($0.forth + $0.back, 8) }.reduce(into: nil as Set<[UInt8]>?) {
      $0 = $0?.intersection($1) ?? $1
    }
    let own = try #require(shared).subtracting(Self.windows(others.forth + others.back, 8))
    #expect(shared?.isEmpty == false && own.isEmpty, "\(own)")
  }

  private static func windows(_ bytes: [UInt8], _ size: Int) -> Set<[UInt8]> {
    Set((0...bytes.count - size).map { Array(bytes[$0..<$0 + size]) })
  }

  @Test func garbageAndHalfAHandshakeHoldUpNobody() throws {
    let world = try World()
    let patience = ["CONTINUO_LAN_PATIENCE": "1500"]
    let all = [
      try LanDevice(1, in: world, changing: patience), try LanDevice(2, in: world, changing: patience),
    ]
    defer { for device in all { device.network.stop() } }
    for garbage in [
      Array("GET / HTTP/1.1\r\n\r\n".utf8), LanDevice.random(4096), [UInt8](repeating: 0, count: 70_000),
    ] {
      _ = try world.answer(to: garbage, at: all[1].port)
    }
    // A byte each 20 ms, of a handshake that would be right.
    let flight = try world.firstFlight(
      of: all[0], identity: try LanDevice.identity(for: all[1].key), key: all[1].key.key)
    let drip = try Stranger(port: all[1].port, in: world)
    var sent = 0
    func next() {
      guard !drip.hasEnded, sent < flight.count else { return }
      drip.send([flight[sent]])
      sent += 1
      world.loop.schedule(at: .now + .milliseconds(20)) { next() }
    }
    next()
    let begin = Instant.now
    try world.run("the end of patience") { drip.hasEnded }
    #expect(Instant.now - begin >= .milliseconds(300) && sent < flight.count)
    #expect(drip.received.isEmpty && all[1].reports.isEmpty)
    _ = try world.link(all[0], all[1])
    #expect(all[1].ends == 0)
  }

  @Test func aThousandConnectionsHoldUpNobody() throws {
    let world = try World()
    let all = try devices(2, in: world)
    defer { for device in all { device.network.stop() } }
    var strangers: [Stranger] = []
    for _ in 0..<40 {
      let some = try (0..<25).map { _ in try Stranger(port: all[1].port, in: world) }
      strangers += some
      // The kernel drops who comes while many wait, and they try again after 1, 3 and 7 s.
      try world.run("connections that ended", within: .seconds(30)) {
        strangers.count { !$0.hasEnded } <= LinkMachine.waitingLimit
      }
    }
    #expect(strangers.count == 1000 && strangers.count { !$0.hasEnded } == LinkMachine.waitingLimit)
    _ = try world.link(all[0], all[1])
    #expect(all[1].ends == 0 && all[1].reports.count == 2, "the agent heard of one link alone")
  }

  @Test func aMemberThatLiesLosesItsLinkAndTakesNoMemory() throws {
    let world = try World()
    let device = try LanDevice(1, in: world)
    defer { device.network.stop() }
    for lie in [
      Self.header(0, 32 << 20), Self.header(0, 4097), Self.header(1, 3) + [1, 2, 3], Self.header(7, 1) + [1],
    ] {
      device.reports = []
      let liar = try LyingDevice(to: device, in: world)
      try liar.say(lie)
      try world.run("the end for \(lie)") { liar.hasEnded && device.reports.count > 1 }
      #expect(device.secured.flatMap { device.end(of: $0.number) } == .misbehaved)
    }
    for lie in [Self.header(1, 32 << 20), Self.header(0, 1) + [1], Self.header(2, 0)] {
      device.reports = []
      let liar = try LyingDevice(to: device, in: world)
      try liar.say(Self.header(0, 1) + [1])
      try world.run("a proof") { device.secured.map { device.hasProof(of: $0.number) } ?? false }
      let number = try #require(device.secured?.number)
      device.network.send(.admit(number))
      try liar.say(Self.header(1, 2) + [1, 2])
      try world.run("a record") { device.reports.contains(.received(number, .record, [1, 2])) }
      try liar.say(lie)
      try world.run("the end for \(lie)") { liar.hasEnded && device.end(of: number) != nil }
      #expect(device.end(of: number) == .misbehaved)
    }
    #expect(device.ends == 0)
  }

  /// Whoever answers at an address and has no key may have a certificate.
  @Test func aServerWithACertificateIsRefused() throws {
    let world = try World()
    let device = try LanDevice(1, in: world)
    defer { device.network.stop() }
    let (key, certificate) = (world.scratch.path + "/key", world.scratch.path + "/certificate")
    let made = try ChildProcess(
      ChildProcess.Start(
        "/usr/bin/openssl",
        arguments: [
          "req", "-x509", "-newkey", "ed25519", "-nodes", "-subj", "/CN=x", "-keyout", key, "-out",
          certificate,
        ]))
    try #require(made.wait() == .code(0))
    let port = try #require(TCPSocket.port(of: try TCPSocket.listener(port: 0)))
    let server = try ChildProcess(
      ChildProcess.Start(
        "/usr/bin/openssl",
        arguments: ["s_server", "-accept", "\(port)", "-key", key, "-cert", certificate, "-quiet"]))
    defer { server.kill() }
    var dialled: [LinkNumber] = []
    try world.run("a refusal") {
      let last = dialled.last.flatMap { device.end(of: $0) }
      // Until it listens nobody can be reached.
      if dialled.isEmpty || last == .unreachable {
        dialled.append(device.dial(port: port, identity: LanDevice.random(48), key: LanDevice.random(32)))
      }
      return last != nil && last != .unreachable
    }
    #expect(dialled.last.flatMap { device.end(of: $0) } == .refused && device.secured == nil)
  }
}
