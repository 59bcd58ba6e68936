// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import TestSamples

/// The socket's frames and messages: the same in whatever pieces they come, and the same when read again.
struct SocketTarget: FuzzTarget {
  static let name = "socket"
  static let longest = 4096
  static let words = CBORWords.all + [[0, 0, 0, 4], [0, 1, 0, 0], [0, 1, 0, 1], [0xff, 0xff, 0xff, 0xff]]

  /// Which side sends, and whether the input is a stream or one frame's content.
  private enum Form: Int { case clientContent, agentContent, clientStream, agentStream }

  func seeds() throws -> [[UInt8]] {
    let client = SocketSamples.client.map(\.encoded)
    let agent = SocketSamples.agent.map(\.encoded)
    func stream(_ contents: [[UInt8]]) -> [UInt8] { contents.flatMap { FrameBuffer.frame($0) } }
    let padded = (0..<2 * Self.longInputs).map { length -> [UInt8] in
      var offer = SocketSamples.offer
      offer.notes = [.declined(app: String(repeating: "t", count: length))]
      return AgentMessage.report(.offers([offer])).encoded
    }
    return padded.filter(Self.isLong).map { [1] + Cuts.seed() + $0 } + client.map { [0] + Cuts.seed() + $0 }
      + agent.map { [1] + Cuts.seed() + $0 }
      + [[2] + Cuts.seed([1, 7]) + stream(client), [3] + Cuts.seed([0, 3, 200]) + stream(agent)]
  }

  func check(_ input: [UInt8]) throws {
    var reader = InputReader(input)
    guard let form = Form(rawValue: reader.choice(of: 4)) else { return }
    let cuts = reader.cuts()
    let isStream = form == .clientStream || form == .agentStream
    let stream = isStream ? reader.rest : FrameBuffer.frame(reader.rest)
    let whole = Self.read([stream])
    let dripped = Self.read(cuts.pieces(of: stream))
    try expect(whole == dripped, "a stream in pieces gives other frames than the whole")
    for content in whole.contents {
      if form == .clientContent || form == .clientStream {
        try Self.checkClient(content)
      } else {
        try Self.checkAgent(content)
      }
    }
  }

  struct Reading: Equatable {
    var contents: [[UInt8]] = []
    var isBroken = false
    var isAtBoundary = true
  }

  static func read(_ pieces: [[UInt8]]) -> Reading {
    var buffer = FrameBuffer()
    var reading = Reading()
    do throws(ContinuityError) {
      for piece in pieces {
        buffer.append(piece)
        while let content = try buffer.next() { reading.contents.append(content) }
      }
      reading.isAtBoundary = buffer.isAtBoundary
    } catch {
      reading.isBroken = true
    }
    return reading
  }

  private static func checkClient(_ content: [UInt8]) throws {
    guard let message = try? ClientMessage(decoding: content) else { return }
    let again = try? ClientMessage(decoding: message.encoded)
    try expect(again == message, "a client's message is another one when read again")
    try expect(again?.encoded == message.encoded, "a client's message is written in two ways")
  }

  private static func checkAgent(_ content: [UInt8]) throws {
    guard let message = try? AgentMessage(decoding: content) else { return }
    let again = try? AgentMessage(decoding: message.encoded)
    try expect(again == message, "an agent's message is another one when read again")
    try expect(again?.encoded == message.encoded, "an agent's message is written in two ways")
    if isLong(content) { try checkLong(message) }
    guard let fitting = message.frameContent else { return }
    try expect(fitting.count <= CBOR.Limits.message.bytes, "a message does not fit into its frame")
    try expect((try? AgentMessage(decoding: fitting)) != nil, "a message that fits cannot be read")
  }

  /// One of so many is made longer than a frame, which takes its time.
  private static let longInputs = 64
  private static func isLong(_ content: [UInt8]) -> Bool { content.count % longInputs == 0 }

  /// A list that is longer than a frame loses its end, says so, and loses nothing else.
  private static func checkLong(_ message: AgentMessage) throws {
    guard case .report(.offers(let offers)) = message, !offers.isEmpty else { return }
    let repeats = 1 + CBOR.Limits.message.bytes / message.encoded.count
    let long = (0..<repeats).flatMap { _ in offers }
    let fitting = AgentMessage.report(.offers(long)).frameContent
    try expect(
      (fitting?.count ?? .max) <= CBOR.Limits.message.bytes, "a long list does not fit into its frame")
    guard case .report(.offers(let told))? = try? AgentMessage(decoding: fitting ?? []) else {
      throw BrokenProperty("a long list cannot be read")
    }
    // The last one says how many are missing.
    let whole = told.count < long.count ? Array(told.dropLast()) : told
    try expect(!told.isEmpty && long.starts(with: whole), "a long list is told as another one")
  }
}
