// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import TestSamples
import Testing

/// What clients and agent say of the LAN; `SocketMessageTests` has the round trips.
@Suite struct LanMessageTests {
  private static let address = CBOR.bytes([10, 0, 0, 2])

  static let hostileCommands: [CBOR] = [
    .array([]), .array([99]), .array([0]), .array([0, 65_536]), .array([0, .text("47000")]), .array([1, 1]),
    .array([3]), .array([3, .array([.text("a"), .null])]),
    .array([3, .array([.text(""), .null, .array([address])])]),
    .array([3, .array([.text("a\u{1b}[2J"), .null, .array([address])])]),
    .array([3, .array([.text(String(repeating: "a", count: 254)), .null, .array([address])])]),
    .array([3, .array([.text("a"), 65_536, .array([address])])]),
    .array([3, .array([.text("a"), .null, .array([.bytes([10, 0, 0])])])]),
    .array([3, .array([.text("a"), .null, .array([.bytes([])])])]),
    .array([3, .array([.text("a"), .null, .array([CBOR](repeating: address, count: 17))])]),
    .array([4, .bytes([97])]), .array([4, .text("")]), .array([4, .text("a\nb")]),
    .array([5, .text("wlan0")]), .array([5, .text("wlan0"), 1]), .array([5, .text(""), .bool(true)]),
    .array([5, .text(String(repeating: "w", count: 65)), .bool(true)]),
  ]

  @Test(arguments: hostileCommands.indices) func whatNoClientSaysIsRefused(_ index: Int) {
    let bytes = CBOR.array([2, 1, .array([50, Self.hostileCommands[index]])]).encoded
    let error = #expect(throws: ContinuityError.self) { try ClientMessage(decoding: bytes) }
    #expect(error?.code == .invalidBytes)
  }

  private static func status(_ change: (inout [CBOR]) -> Void) -> [UInt8] {
    var fields: [CBOR] = [
      .bool(true), 47_000, .array([address]), .array([]), .array([]), .array([]), 7, .null, .null,
    ]
    change(&fields)
    return CBOR.array([2, 1, .array([50, .array(fields)])]).encoded
  }

  @Test func whatNoAgentSaysIsRefused() throws {
    _ = try AgentMessage(decoding: Self.status { _ in })
    let id = CBOR.bytes([UInt8](repeating: 1, count: 16))
    let changes: [(inout [CBOR]) -> Void] = [
      { $0.removeLast() }, { $0.append(.null) }, { $0[0] = 1 }, { $0[1] = 65_536 },
      { $0[2] = .array([.bytes([1])]) }, { $0[2] = .array([CBOR](repeating: Self.address, count: 9)) },
      { $0[3] = .array([.array([id, .text("a"), .text("married"), .null])]) },
      { $0[3] = .array([.array([.bytes([1]), .text("a"), .text("off"), .null])]) },
      { $0[3] = .array([.array([id, .text("a"), .text("off")])]) }, { $0[4] = .array([.text("a")]) },
      { $0[5] = .array([7]) }, { $0[6] = .null }, { $0[7] = 0 }, { $0[8] = 3 },
    ]
    for change in changes {
      #expect(throws: ContinuityError.self) { try AgentMessage(decoding: Self.status(change)) }
    }
  }

  @Test func namesAreCleanedAndReasonsAreCasesAgain() throws {
    let cause = Reason.linkUnanswered(device: "phone", port: 47_000)
    let bytes = Self.status { fields in
      fields[3] = .array([
        .array([
          .bytes([UInt8](repeating: 1, count: 16)), .text("pho\u{202e}ne"), .text("unreachable"),
          .text(cause.sentence),
        ])
      ])
      fields[5] = .array([.text("wlan\n0")])
      fields[8] = .text("No\u{1b}[2J.")
    }
    guard case .answer(_, .lan(let status)) = try AgentMessage(decoding: bytes) else {
      Issue.record("no status")
      return
    }
    #expect(status.links.map(\.cause) == [cause] && status.links[0].link.state == .unreachable)
    let texts = status.links.map(\.link.name) + status.offNetworks + [status.problem ?? ""]
    #expect(texts.allSatisfy(DisplayText.isClean))
  }

  /// A person may set more than a message holds.
  @Test func whatIsTooLongForAFrameIsShorter() throws {
    var status = LanStatus()
    status.isOn = true
    status.offNetworks = (0..<5000).map { "interface-of-some-length-\($0)" }
    status.problem = String(repeating: "p", count: 100_000)
    let content = try #require(AgentMessage.answer(1, .lan(status)).frameContent)
    guard case .answer(1, .lan(let told)) = try AgentMessage(decoding: content) else {
      Issue.record("no status")
      return
    }
    #expect(
      told.isOn && told.offNetworks.count > 100
        && told.offNetworks == status.offNetworks.prefix(told.offNetworks.count).map { $0 })
  }
}
