// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import fixtures

/// The demo as a person plays it, on a terminal.
@Suite(.waiting) struct LiveDemoTests {
  @Test(.timeLimit(.minutes(20))) func aPersonHasBothSidesOnOneTerminalAndLeavesNothingBehind() throws {
    let sandbox = try Sandbox()
    let terminals = try TerminalServer(in: sandbox.directory)
    defer {
      terminals.stop()
      sandbox.close(keepingFiles: false, endingProcesses: false)
    }
    let below = sandbox.directory + "/demo"
    try Files.makeDirectory(below)
    let screen = try terminals.open(
      "outer", [sandbox.programs["fixtures"], "demo"], environment: ["TMPDIR": below], columns: 80, rows: 20)
    try screen.wait(toShow: "desktop", "laptop", "# Plan", Demo.instruction, within: 90)
    try screen.press("End", "Enter")
    try screen.type("Pack.")
    try screen.wait(toShow: "Continue plan.md from desktop", within: 60)
    try screen.press("C-b", "o", "Enter")
    try screen.wait(for: "the text on both sides", within: 60) { screen in
      screen.rows.contains { $0.split(separator: "│").filter { $0.hasPrefix("Pack.") }.count == 2 } ? () : nil
    }
    #expect(!Files.list(below).isEmpty)
    try screen.press("C-b", "d")
    try screen.wait(toShow: "Ended; nothing of it is left.")
    #expect(Files.list(below).isEmpty)
  }
}
