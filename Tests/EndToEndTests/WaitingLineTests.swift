// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import continuo

/// What a person sees while a command waits: one line on a terminal, a row for each news elsewhere.
@Suite struct WaitingLineTests {
  private func behind(_ megabytes: UInt64) -> Reason {
    .behind(
      document: "plan.md", device: "desktop",
      .through(folder: "Notes", Reason.Progress(megabytes * 1_000_000, of: 24_000_000)))
  }

  @Test func amountsAreDrawnInOnePlaceOfATerminal() {
    var line = WaitingLine(isTerminal: true, environment: ["TERM": "xterm", "NO_COLOR": "1"])
    #expect(line.text(telling: behind(10), of: "plan.md") == "\rplan.md: 10 MB of 24 MB are here")
    #expect(line.text(telling: behind(10), of: "plan.md") == "")
    #expect(line.text(telling: behind(9), of: "plan.md") == "\rplan.md: 9.0 MB of 24 MB are here")
    let row = line.text(telling: .looking, of: "plan.md")
    #expect(row == "\r" + String(repeating: " ", count: 33) + "\r" + Reason.looking.sentence + "\n")
    #expect(line.erasing() == "")
    #expect(line.drawing("a\u{1B}[1m\nb") == "\ra\u{FFFD}[1m\u{FFFD}b")
    #expect(line.erasing().filter { $0 == "\r" }.count == 2 && line.erasing() == "")
  }

  @Test(arguments: [(false, "xterm"), (true, "dumb"), (true, "")])
  func elsewhereEachNewsIsARow(isTerminal: Bool, term: String) {
    var line = WaitingLine(isTerminal: isTerminal, environment: ["TERM": term])
    for amount in [3, 4] as [UInt64] {
      #expect(line.text(telling: behind(amount), of: "plan.md") == behind(amount).sentence + "\n")
    }
    #expect(line.text(telling: nil, of: "plan.md") == "" && line.erasing() == "" && !line.isInPlace)
  }

  @Test func aLongNameIsCutAndAWideOneCovered() {
    var line = WaitingLine(isTerminal: true, environment: ["TERM": "xterm"])
    let long = line.text(telling: behind(1), of: String(repeating: "long", count: 50))
    #expect(long.count < 60)
    _ = line.drawing("文書")
    #expect(line.erasing() == "\r    \r")
  }
}
