// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import fixtures

/// The process that writes histories dies in the middle of it; `fixtures histories` does it more often.
@Suite(.waiting) struct HistoryKillTests {
  @Test func whatWasAcknowledgedIsThereAfterEachOfThirtyKills() throws {
    let home = try Home()
    var kills = try HistoryKills(in: home.device.root)
    var saves = 0
    for round in 1...30 {
      try kills.play(after: .random(in: 1...60))
      #expect(kills.saves > saves, "round \(round)")
      saves = kills.saves
    }
  }
}
