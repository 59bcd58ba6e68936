// SPDX-License-Identifier: MIT

import CAllocations
import Glibc
import Testing

@testable import continuo_bench

@MainActor @Suite("How the bench measures") struct MeasuringTests {
  @Test func bothAreMeasuredInTurnsAndTheFirstRoundsDoNotCount() throws {
    var played: [String] = []
    var figure = 0.0
    let row = Row(name: "turns", unit: "ms", peerName: "b", rounds: 9) {
      played.append("prepared")
      return Contest(
        ours: {
          played.append("a")
          figure += 1
          return figure
        },
        peer: {
          played.append("b")
          return 100
        }, end: { played.append("ended") })
    }
    let finding = try #require(try row.measure(rounds: 3).first)
    #expect(played == ["prepared", "a", "b", "b", "a", "a", "b", "b", "a", "a", "b", "ended"])
    #expect(finding.ours == Summary([3, 4, 5]))
    #expect(finding.peer == Summary([100, 100, 100]))
  }

  @Test func whatWasPreparedEndsAlsoWhenARoundFails() {
    var hasEnded = false
    let row = Row(name: "fails", unit: "ms", peerName: "b", rounds: 1) {
      Contest(ours: { throw Failure("no") }, peer: { 0 }, end: { hasEnded = true })
    }
    #expect(throws: Failure.self) { try row.measure() }
    #expect(hasEnded)
  }

  @Test func rowsHaveNamesOfTheirOwn() {
    let names = (Rows.all + Rows.long).map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test func theProgramListsItsRows() throws {
    let bench = try Files.ownDirectory() + "/continuo-bench"
    let printed = try ChildProcess.run([bench, "--list"], environment: [:])
    #expect(printed.split(separator: "\n").map(String.init) == Rows.all.map(\.name))
  }

  @Test func aKeyIsSeenWhenTheTerminalShowsIt() throws {
    let directory = try Files.makeTemporaryDirectory()
    defer { Files.remove(directory) }
    let server = try TmuxServer(
      in: directory, environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"])
    defer { server.stop() }
    let (pane, _) = try server.start(["cat"])
    let pressed = try server.press("~", on: pane)
    let seen = try server.waitToShow("~", on: pane)
    #expect(pressed < seen && seen < now())
    server.forget(pane)
    #expect(throws: Failure.self) { try server.waitToShow("~", on: pane, within: 0) }
    try server.waitForScreen("~", on: pane)
  }

  @Test func theCounterSeesEachAllocation() {
    let before = continuo_allocations()
    free(malloc(16))
    let memory = calloc(2, 8)
    free(realloc(memory, 64))
    var aligned: UnsafeMutableRawPointer?
    #expect(posix_memalign(&aligned, 64, 64) == 0)
    free(aligned)
    let counted = continuo_allocations() - before
    #expect(counted >= 4)
    let object = continuo_allocations()
    withExtendedLifetime(SomeObject()) {}
    #expect(continuo_allocations() > object)
  }
}

private final class SomeObject {}
