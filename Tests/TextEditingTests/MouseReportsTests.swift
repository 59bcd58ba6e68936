// SPDX-License-Identifier: MIT

import Testing
import TextEditing

@Suite struct MouseReportsTests {
  /// What each report of `text`, introduced by `<`, means.
  private func keys(_ text: String) -> [Key] {
    var reports = MouseReports()
    return text.unicodeScalars.compactMap { scalar in
      guard scalar == "<", !reports.isOpen else { return reports.receive(scalar) }
      reports.begin()
      return nil
    }
  }

  @Test func aDragFollowsFromThePressToTheRelease() {
    #expect(
      keys("<0;5;1M<32;6;1M<36;7;2M<0;7;2m<32;8;2M<0;8;2m") == [
        .mouse(.press, row: 0, column: 4), .mouse(.drag, row: 0, column: 5),
        .mouse(.drag, row: 1, column: 6), .mouse(.drag, row: 1, column: 6),
      ])
  }

  @Test func theWheelTurnsBothWaysAndOtherButtonsMeanNothing() {
    #expect(
      keys("<64;3;4M<65;3;4M<1;3;4M<1;3;4m<2;3;4M<35;3;4M") == [
        .mouse(.wheelUp, row: 3, column: 2), .mouse(.wheelDown, row: 3, column: 2),
      ])
  }

  @Test(arguments: [
    "<M", "<0;1M", "<0;0;1M", "<0;1;0M", "<;;M", "<0;1;1;1M", "<99999999999999999999;1;1M",
    "<0;1;x", "<00000000000000000000000000000000000000;1;1",
  ])
  func whatIsNoReportMeansNothingAndTheNextOneCounts(_ text: String) {
    #expect(keys(text) == [])
    #expect(keys(text + "<0;1;1M") == [.mouse(.press, row: 0, column: 0)])
  }
}
