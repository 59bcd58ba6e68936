// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import TestSamples
import Testing

@Suite struct SocketMessageTests {
  @Test(arguments: SocketSamples.client) func aClientMessageComesBackAsItWent(_ message: ClientMessage) throws
  {
    #expect(try ClientMessage(decoding: message.encoded) == message)
  }

  @Test(arguments: SocketSamples.agent) func anAgentMessageComesBackAsItWent(_ message: AgentMessage) throws {
    #expect(try AgentMessage(decoding: message.encoded) == message)
  }

  @Test func everyPrefixOfAMessageIsRefused() {
    for message in SocketSamples.agent {
      let bytes = message.encoded
      for length in 0..<bytes.count {
        #expect(throws: ContinuityError.self) { try AgentMessage(decoding: bytes.prefix(length)) }
      }
    }
  }

  @Test func anUnknownCaseIsRefusedByName() {
    let error = #expect(throws: ContinuityError.self) {
      try ClientMessage(decoding: CBOR.array([1, .array([99])]).encoded)
    }
    #expect(error?.subject == "request")
  }

  @Test func aPathThatLeavesItsFolderIsRefusedInAnOffer() throws {
    var bytes = SocketSamples.agent[1].encoded
    let name = Array("plan.md".utf8)
    guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: name) }) else {
      Issue.record("the sample holds no path")
      return
    }
    bytes.replaceSubrange(place..<place + 7, with: Array("../a.md".utf8))
    #expect(throws: ContinuityError.self) { try AgentMessage(decoding: bytes) }
  }

  @Test func s35a_aTeamIsExactlyThirtyTwoBytes() throws {
    var manifest = SocketSamples.manifest
    for team in [[], [UInt8](repeating: 9, count: 31), [UInt8](repeating: 9, count: 33)] {
      manifest.team = team
      let bytes = ClientMessage.request(.hello(manifest)).encoded
      #expect(throws: ContinuityError.self) { try ClientMessage(decoding: bytes) }
    }
  }

  @Test func moreOfAFileThanIsLookedAtIsRefused() {
    let beginning = [UInt8](repeating: 7, count: AgentRequest.contentSampleLimit + 1)
    let message = ClientMessage.request(
      .askContentType(SocketSamples.sample(4), name: [97], beginning: beginning))
    let error = #expect(throws: ContinuityError.self) { try ClientMessage(decoding: message.encoded) }
    #expect(error?.subject == "beginning")
  }

  @Test func framesComeOutWholeUnderAnyChunking() throws {
    let contents: [[UInt8]] = [[1, 2, 3], [], [UInt8](repeating: 7, count: 300)]
    let stream = contents.flatMap { FrameBuffer.frame($0) }
    for chunk in [1, 2, 5, 64, 1000] {
      var buffer = FrameBuffer()
      var frames: [[UInt8]] = []
      for start in stride(from: 0, to: stream.count, by: chunk) {
        buffer.append(stream[start..<min(start + chunk, stream.count)])
        while let frame = try buffer.next() { frames.append(frame) }
      }
      #expect(frames == contents)
    }
  }

  @Test func aFrameBeyondTheLimitIsRefusedBeforeItIsHeld() {
    var buffer = FrameBuffer(limit: 10)
    buffer.append([0, 0, 0, 11])
    #expect(throws: ContinuityError.self) { try buffer.next() }
  }
}
