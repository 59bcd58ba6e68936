// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import AgentClient
import Embedding
import Glibc
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// Why an editor did not open what it was handed reaches the person here and at the other device.
@Suite(.serialized) struct ExplainTests {
  private static let reason = "There are unsaved changes in the buffer."

  @Test func s41c_whatTheEditorSaysReachesTheRemarkOnBothSides() throws {
    let pair = try Pair()
    pair.viewer.link.disconnect()
    let host = try EmbeddedHost(pair.world)
    try host.connect(to: pair.laptop)
    try pair.offer("two")
    try pair.write("two")
    host.answer = { event in
      if case .continueActivity(let handover) = event {
        host.session.answer(handover.request, handled: false)
      }
      if case .restoreDocument(let handover) = event {
        host.session.answer(handover.request, opened: false, message: Self.reason + "\u{1b}\n")
      }
    }
    try pair.world.run("the offer") { host.session.offers.first?.status.arrival == .current }
    _ = try host.session.accept(pair.offerID)
    try pair.world.run("the claim") { pair.laptop.record?.claims.isEmpty == false }
    #expect(pair.laptop.core.allOffers().map(\.remark) == ["Ed did not open it: \(Self.reason)"])
    try pair.laptop.carry(to: pair.desktop)
    guard case .activities(let own) = try pair.desktop.ask(.ownActivities) else { return }
    #expect(own.map(\.remarks) == [["It was not opened on laptop: \(Self.reason)"]])
  }

  @Test(arguments: [1, 2, 3]) func anAgentOfAnEarlierReleaseIsNotToldWhatItDoesNotKnow(_ greetings: Int)
    throws
  {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    defer { close(ends[1]) }
    let client = AgentClient(places: try AgentPlaces(environment: ["HOME": "/nowhere"]), startsAgent: false)
    client.adopt(ends[0])
    let greeting = FrameBuffer.frame(AgentMessage.version(1).encoded)
    for _ in 0..<greetings { #expect(write(ends[1], greeting, greeting.count) == greeting.count) }
    client.readable()
    client.send(.explain(.random(), "why"), descriptor: nil)
    client.send(.cursorMoved(.random(), line: 3), descriptor: nil)
    client.send(.closed(path: [47]), descriptor: nil)
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(ends[1], &bytes, bytes.count)
    var frames = FrameBuffer()
    frames.append(bytes.prefix(max(0, count)))
    var said: [ClientMessage] = []
    while let frame = try frames.next() { said.append(try ClientMessage(decoding: frame)) }
    #expect(said.count == min(greetings, 2) + 1, "`explain` is known to the second")
    #expect(said.first == .version(1) && said.last == .request(.closed(path: [47])))
  }
}
