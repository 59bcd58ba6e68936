// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import Testing

@testable import EditorProtocol

@Suite("Hostile input")
struct HostileInputTests {
  private static let messages: [[UInt8]] = ClientMethod.allCases.map { method in
    let params = Samples.params[method]
    let message: JSONValue = [
      "jsonrpc": "2.0", "id": method.isNotification ? nil : 1, "method": .text(method.rawValue),
      "params": params,
    ]
    return message.encoded
  }

  @Test("Streams of 80,000 damaged messages never trap, and hold no more than they have to")
  func framing() {
    var generator = Numbers(state: 11)
    let frames = Self.messages.map { MessageFraming.frame($0) }
    var held = 0
    for round in 0..<80_000 {
      var framing = MessageFraming()
      var bytes = frames[round % frames.count]
      Self.damage(&bytes, &generator)
      framing.append(bytes)
      _ = try? framing.next()
      held = max(held, framing.held - bytes.count)
    }
    #expect(held == 0)
  }

  @Test("A machine that gets 20,000 damaged messages answers, complains or ends, and never traps")
  func machine() {
    var generator = Numbers(state: 13)
    var editor = PlayedEditor.ready
    for round in 0..<20_000 {
      var content = Self.messages[round % Self.messages.count]
      Self.damage(&content, &generator)
      editor.perform(editor.machine.handle(.received(MessageFraming.frame(content)), at: editor.now))
      if editor.machine.phase != .ready { editor = .ready }
    }
  }

  /// Some bytes become others, go, or come twice.
  private static func damage(_ bytes: inout [UInt8], _ generator: inout Numbers) {
    for _ in 0..<(1 + generator.next() % 4) where !bytes.isEmpty {
      let place = Int(generator.next() % UInt64(bytes.count))
      switch generator.next() % 4 {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(Array("\"{}[]:,\\0\r\n".utf8)[Int(generator.next() % 11)], at: place)
      default: bytes.removeSubrange(place..<min(bytes.count, place + 9))
      }
    }
  }
}

/// Numbers that are the same in each run.
struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
