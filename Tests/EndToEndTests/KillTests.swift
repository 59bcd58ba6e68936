// SPDX-License-Identifier: MIT

import LinuxSystem
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// The table of kills, and the places at which programs can be stopped; `fixtures kills` plays them.
@Suite(.waiting) struct KillTests {
  @Test func everyProgramOfEveryDeviceIsKilledAtEveryStep() {
    #expect(Kill.all.count == 52)
    #expect(Set(Kill.all.map(\.description)).count == 52)
  }

  @Test func theSampleKillsAtEachStepTheProgramThatTakesItIfItCanBeKilled() {
    #expect(Kill.sample.map(\.step) == Array(1...13))
    #expect(Set(Kill.sample.map { "\($0.program) \($0.side)" }).count == 4)
    for step in Set(Kill.all.filter(\.hitsItself).map(\.step)).subtracting([10]) {
      #expect(Kill.sample.contains { $0.step == step && $0.hitsItself }, "step \(step)")
    }
  }

  @Test func anEditorIsKilledToo() throws {
    let vim = try KnownEditors.find(["vim"])
    let (all, sample) = (Kill.all(with: vim), Kill.sample(with: vim))
    #expect(all.count == 54)
    #expect(Set(all.map(\.word)).count == 54)
    #expect(Set(all.map { "\($0.program)" }) == ["agent", "server", "editor"])
    #expect(sample.map(\.step) == [1, 4, 5, 6, 8, 9, 10, 11, 13])
    #expect(sample.allSatisfy { $0.side == $0.sideOfStep })
    #expect(Set(sample.map { "\($0.program)" }).count == 3)
    // It has no server of its own.
    #expect(
      Kill.all(with: try KnownEditors.find(["kate"])).allSatisfy { $0.program != .server && $0.step != 4 })
  }

  @Test func aProgramStandsAtAnArmedPointOnceAndGoesOnWhenItIsLetGo() throws {
    let home = try Home()
    try home.addFolder()
    let points = try PausePoints(of: home.device)
    try Files.replace(home.device.folder + "/plan.md", with: Array("alpha".utf8))
    try points.arm(4)
    let publisher = try home.device.start("publish", home.device.folder + "/plan.md")
    try points.wait(for: 4, flow: nil) { publisher.state }
    #expect(publisher.outputText.isEmpty)
    points.letGo()
    try publisher.waitForOutput("the offer") { $0.contains("is offered") }
    publisher.signal(.interrupt)
    #expect(try publisher.waitForExit() == .code(0), "\(publisher.state)")
  }

  @Test func theTypistKnowsTheTextThatTheKeysMake() {
    var typist = Typist()
    var text = ""
    while typist.typed < 3000 {
      for key in typist.next(min(16, 3000 - typist.typed)) {
        switch key {
        case "Enter": text += "\n"
        case "BSpace": text.removeLast()
        default: text += key
        }
        #expect(key.count <= 16 && !key.hasPrefix("0"), "\(key)")
      }
    }
    #expect(typist.typed == 3000)
    #expect(typist.text == text)
    #expect(
      typist.place == "Ln \(text.split(separator: "\n", omittingEmptySubsequences: false).count), "
        + "Col \((text.split(separator: "\n", omittingEmptySubsequences: false).last?.count ?? 0) + 1)")
  }
}
