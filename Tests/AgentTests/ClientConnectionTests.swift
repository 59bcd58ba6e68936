// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Glibc
import LinuxSystem
import Testing

@testable import Agent
@testable import AgentEngine

/// Clients that send nonsense, do not read, or die in the middle of a frame.
@Suite struct ClientConnectionTests {
  let loop: EventLoop
  let peer: Int32
  let connection: ClientConnection
  let log = Log()

  final class Log {
    var messages: [ClientMessage] = []
    var ended = 0
  }

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    loop = try EventLoop()
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
    peer = ends[1]
    connection = ClientConnection(number: 1, socket: Descriptor(owning: ends[0]), loop: loop)
    let log = log
    connection.start(
      onMessage: { _, message, _ in log.messages.append(message) }, onEnd: { _ in log.ended += 1 })
  }

  private func turn(until condition: () -> Bool) throws {
    var isOver = false
    let timer = loop.schedule(at: .now + .seconds(5)) { isOver = true }
    defer { loop.cancel(timer) }
    while !condition() {
      try #require(!isOver, "\(log.messages.count) messages, \(log.ended) ends")
      loop.turn()
    }
  }

  private func say(_ bytes: [UInt8]) { #expect(send(peer, bytes, bytes.count, 0) == bytes.count) }

  private func frame(_ message: ClientMessage) -> [UInt8] { FrameBuffer.frame(message.encoded) }

  @Test(
    arguments: [
      [0, 0, 0, 3, 0xff, 0xff, 0xff], [0xff, 0xff, 0xff, 0xff], [0, 0, 0, 0], [0, 1, 0, 1],
    ] as [[UInt8]])
  func nonsenseEndsTheConnectionOnce(_ bytes: [UInt8]) throws {
    say(bytes)
    try turn { log.ended > 0 }
    close(peer)
    connection.disconnect()
    #expect(log.ended == 1 && log.messages.isEmpty)
  }

  @Test func framesAreTakenInAnyPiecesAndHalfAFrameIsNone() throws {
    let bytes = frame(.command(1, .status)) + frame(.command(2, .listFolders))
    for byte in bytes.dropLast() { say([byte]) }
    try turn { log.messages.count == 1 }
    close(peer)
    try turn { log.ended == 1 }
    #expect(log.messages == [.command(1, .status)])
  }

  @Test func theLastWordsOfAClientThatHasGoneAreTakenIn() throws {
    say(frame(.command(1, .status)))
    close(peer)
    connection.send(.version(ClientMessage.currentVersion))
    #expect(log.ended == 0)
    try turn { log.ended == 1 }
    #expect(log.messages == [.command(1, .status)])
  }

  @Test func aPromisedDescriptorThatDoesNotComeEndsTheConnection() throws {
    let snapshot = ActivitySnapshot(
      id: .random(), type: "t", appID: "a", changedAt: WallTime(milliseconds: 1))
    say(frame(.request(.update(snapshot, saved: FileMark(inode: 1, size: 0, modified: 0)))))
    try turn { log.ended == 1 }
    #expect(log.messages.isEmpty)
    close(peer)
  }

  @Test func aClientThatDoesNotReadIsLetGo() throws {
    let sentence = String(repeating: "x", count: 60_000)
    var sent = 0
    while log.ended == 0, sent < 1000 {
      connection.send(.answer(1, .done(sentence)))
      sent += 1
    }
    #expect(log.ended == 1)
    #expect(sent > 50, "a slow reader has some time")
    close(peer)
  }

  @Test func whatIsLongerThanAFrameIsRefusedAndTheConnectionLives() throws {
    let answer = AgentAnswer.handedOver(appName: String(repeating: "x", count: 70_000))
    #expect(connection.send(.answer(1, answer)) == .tooLong)
    say(frame(.command(1, .status)))
    try turn { log.messages.count == 1 }
    #expect(log.ended == 0)
    close(peer)
  }
}
