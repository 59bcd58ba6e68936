// SPDX-License-Identifier: MIT

import Testing

@testable import continuo_bench

@Suite("What a program wrote to its terminal") struct TerminalOutputTests {
  @Test(arguments: [
    (#"plain ~"#, "plain ~"),
    (#"\033[12;5Ha\033[0;1mb\033[K"#, "ab"),
    (#"\033(B\033=ok\033>"#, "ok"),
    (#"\033]0;title\007x"#, "x"),
    (#"back\134slash\015\012"#, #"back\slash"#),
    (#"cut\033[1"#, "cut"),
  ])
  func onlyCharactersStay(escaped: String, shown: String) {
    #expect(String(decoding: output(escaped).printed, as: UTF8.self) == shown)
  }

  @Test func aTextIsShownWhenItWasWrittenInOneGo() {
    let output = output(#"\033[1;1Hevent-0\033[m12"#)
    #expect(output.shows("event-012"))
    #expect(!output.shows("event-013"))
    #expect(!output.shows("~"))
  }

  /// Control sequences hold letters, digits and more, which must not be taken for what was typed.
  @Test func sequencesShowNothing() { #expect(!output(#"\033[6~"#).shows("~")) }

  @Test func outputCountsFromWhenTheLastOfItArrived() {
    var output = TerminalOutput()
    output.append(escaped: Array("a".utf8), at: 5)
    output.append(escaped: Array("b".utf8), at: 9)
    #expect(output.arrivedAt == 9)
    #expect(output.shows("ab"))
  }

  private func output(_ escaped: String) -> TerminalOutput {
    var output = TerminalOutput()
    output.append(escaped: Array(escaped.utf8), at: 1)
    return output
  }
}
