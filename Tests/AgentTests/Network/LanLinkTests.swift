// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import LinuxSystem
import LocalNetwork
import TestSupport
import Testing

@testable import Agent

/// Links between real network processes, over this computer's own network.
@Suite(.waiting) struct LanLinkTests {
  private static func frame(_ count: Int, _ byte: UInt8 = 1) -> [UInt8] {
    [UInt8](repeating: byte, count: count)
  }

  private func devices(
    in world: World, changing changes: [String: String?] = [:]
  ) throws -> (LanDevice, LanDevice) {
    (try LanDevice(1, in: world, changing: changes), try LanDevice(2, in: world, changing: changes))
  }

  /// Links them, and stops the network process of `device`, which reads nothing until it is let go.
  private func linkToStopped(
    _ device: LanDevice, from other: LanDevice, in world: World
  ) throws -> LinkNumber {
    let (number, _) = try world.link(other, device)
    kill(pid_t(device.network.process), SIGSTOP)
    return number
  }

  private static func letGo(_ device: LanDevice) { kill(pid_t(device.network.process), SIGCONT) }

  @Test func framesGoBothWaysAndBothEndsHaveOneSecret() throws {
    let world = try World()
    let (one, other) = try devices(in: world)
    defer { for device in [one, other] { device.network.stop() } }
    let (number, accepted) = try world.link(one, other)
    let (mine, theirs) = (try #require(one.secured), try #require(other.secured))
    #expect(mine.exporter == theirs.exporter && mine.exporter.count == 32)
    #expect(mine.period == nil && theirs.period == other.key.period)
    #expect(number < .firstAccepted && accepted >= .firstAccepted)
    one.network.send(.send(number, .record, [1, 2, 3]))
    other.network.send(.send(accepted, .request, Self.frame(1 << 20)))
    try world.run("frames") { !one.received.isEmpty && !other.received.isEmpty }
    #expect(try #require(other.received.first) == (.record, [1, 2, 3]))
    #expect(try #require(one.received.first) == (.request, Self.frame(1 << 20)))

    // Another link has another secret.
    let (second, _) = try world.link(one, other)
    #expect(one.secured?.number == second && one.secured?.exporter != mine.exporter)
    one.network.send(.close(number))
    try world.run("its end at both") { one.end(of: number) != nil && other.end(of: accepted) != nil }
    #expect(one.end(of: number) == .closed && other.end(of: accepted) == .ended)
    #expect(one.end(of: second) == nil)
  }

  @Test func aRecordGoesBeforeWhatIsLargeAndWaits() throws {
    let world = try World()
    let (one, other) = try devices(in: world)
    defer { for device in [one, other] { device.network.stop() } }
    let number = try linkToStopped(other, from: one, in: world)
    defer { Self.letGo(other) }
    for byte in 1...4 as ClosedRange<UInt8> {
      one.network.send(.send(number, .request, Self.frame(1 << 20, byte)))
    }
    one.network.send(.send(number, .record, [9]))
    try world.run("all orders") { one.network.hasSaidAll }
    Self.letGo(other)
    try world.run("all frames") { other.received.count == 5 }
    let order = other.received.map(\.0)
    #expect(try #require(order.firstIndex(of: .record)) < 4, "\(order)")
    #expect(other.received.filter { $0.0 == .request }.map { $0.1.first } == [1, 2, 3, 4])
    // It was written before the rest of the first one that was not in the kernel yet.
    #expect(try #require(order.firstIndex(of: .record)) <= 2, "\(order)")
  }

  @Test func aDeviceThatDoesNotReadLosesItsLinkAndNotTheMemory() throws {
    let world = try World()
    let (one, other) = try devices(in: world)
    defer { for device in [one, other] { device.network.stop() } }
    let number = try linkToStopped(other, from: one, in: world)
    defer { Self.letGo(other) }
    for _ in 0..<12 { one.network.send(.send(number, .request, Self.frame(1 << 20))) }
    try world.run("the end") { one.end(of: number) != nil }
    #expect(one.end(of: number) == .misbehaved)
  }

  @Test func eachEndHasItsReason() throws {
    let world = try World()
    let (one, other) = try devices(in: world, changing: ["CONTINUO_LAN_PATIENCE": "2000"])
    defer { for device in [one, other] { device.network.stop() } }
    // Nobody listens there any more.
    let free = try #require(TCPSocket.port(of: try TCPSocket.listener(port: 0)))
    let identity = try LanDevice.identity(for: other.key)
    let nobody = one.dial(port: free, identity: identity, key: other.key.key)
    // Somebody listens, and says nothing.
    let silent = try TCPSocket.listener(port: 0)
    let mute = one.dial(
      port: try #require(TCPSocket.port(of: silent)), identity: identity, key: other.key.key)
    let wrong = one.dial(port: other.port, identity: identity, key: one.key.key)
    // Linked, and neither of the two agents says anything.
    let idle = try one.dial(other)
    try world.run("four ends") { [nobody, mute, wrong, idle].allSatisfy { one.end(of: $0) != nil } }
    #expect(one.end(of: nobody) == .unreachable)
    #expect(one.end(of: mute) == .misbehaved)
    #expect(one.end(of: wrong) == .refused)
    #expect([.misbehaved, .ended].contains(one.end(of: idle)))
    #expect(one.network.problem == nil && one.network.isWithoutPaths != nil)
  }

  @Test func aProcessThatEndsIsNoticedAndStartedAgainAtTheSamePort() throws {
    let world = try World()
    let (one, other) = try devices(in: world)
    defer { for device in [one, other] { device.network.stop() } }
    let (number, accepted) = try world.link(one, other)
    let (former, port) = (other.network.process, other.port)
    kill(pid_t(former), SIGKILL)
    try world.run("both ends") { other.ends == 1 && one.end(of: number) != nil }
    #expect(one.end(of: number) == .ended && other.end(of: accepted) == nil)
    try world.run("another process") { other.network.process != 0 }
    #expect(other.network.process != former)
    // It knows no key: what was recorded before is worth nothing.
    let early = try one.dial(other)
    try world.run("a refusal") { one.end(of: early) != nil }
    #expect(one.end(of: early) == .refused)
    other.beginPeriod()
    _ = try world.link(one, other)
    #expect(other.port == port && other.ends == 1)

    // The process ends with its agent, whose sockets the kernel closes.
    let last = try OtherProcess.endDescriptor(of: pid_t(other.network.process))
    other.network.stop()
    try world.run("its end") { Poll.wait(for: last.number, until: .readable, atMost: .zero) }
    #expect(other.ends == 1 && other.network.process == 0)
  }

  /// The kernel asks by itself after a device that says nothing, and one that has gone without a word is
  /// noticed at the next frame.
  @Test func aHalfOpenLinkIsNoticed() throws {
    let world = try World()
    let device = try LanDevice(1, in: world)
    defer { device.network.stop() }
    let peer = try LyingDevice(to: device, in: world)
    try peer.say([0, 0, 0, 0, 1, 7])
    try world.run("a proof") { device.secured.map { device.hasProof(of: $0.number) } ?? false }
    let number = try #require(device.secured?.number)
    device.network.send(.admit(number))
    try world.run("the kernel's timer") { Self.keepAlives(port: device.port) == 1 }

    var repair: CInt = 1
    let silent = setsockopt(
      peer.socket.number, CInt(IPPROTO_TCP), TCP_REPAIR, &repair, socklen_t(MemoryLayout<CInt>.size))
    try #require(silent == 0 || geteuid() != 0)
    guard silent == 0 else { return }
    world.loop.forget(peer.socket.number)
    peer.socket.close()
    device.network.send(.send(number, .record, [1]))
    try world.run("the end") { device.end(of: number) != nil }
    #expect(device.end(of: number) == .ended)
  }

  /// How many connections at the port wait with a timer for keep-alive, as proc(5) tells it.
  private static func keepAlives(port: UInt16) -> Int {
    let wanted = String(UInt32(port) + 0x10000, radix: 16, uppercase: true).dropFirst()
    let table = Scratch.bytes(at: "/proc/net/tcp6").map { String(decoding: $0, as: UTF8.self) } ?? ""
    return table.split(separator: "\n").count { line in
      let fields = line.split(separator: " ")
      return fields.count > 5 && fields[1].hasSuffix(":" + wanted) && fields[3] == "01"
        && fields[5].hasPrefix("02:")
    }
  }
}
