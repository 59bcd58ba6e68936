// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@Suite struct WallTimeTests {
  @Test(arguments: [
    (0, "1970-01-01 000000"), (951_782_399, "2000-02-28 235959"), (951_782_400, "2000-02-29 000000"),
    (951_868_800, "2000-03-01 000000"), (1_709_164_800, "2024-02-29 000000"),
    (1_735_689_599, "2024-12-31 235959"), (1_795_737_600, "2026-11-27 000000"),
    (4_107_542_400, "2100-03-01 000000"), (4_107_456_000, "2100-02-28 000000"),
  ])
  func aMomentIsWrittenInUniversalTime(seconds: UInt64, text: String) {
    #expect(WallTime(milliseconds: seconds * 1000 + 999).compactUTC == text)
  }
}
