// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import continuo_bench

@MainActor @Suite("Ours beside several peers") struct RaceTests {
  @Test func allRunInEachRoundAndEachBeginsInTurn() throws {
    var played = ""
    func entrant(_ name: String, _ figures: [Double]) -> Race.Entrant {
      Race.Entrant(name: name) {
        played += name
        return figures
      }
    }
    let race = Race(
      name: "race",
      figures: [
        Race.Figure(name: "median", unit: "us", target: .ratio(atMost: 1), targetPeer: "c"),
        Race.Figure(name: "last", unit: "us", target: .ours(atMost: 9)),
      ], rounds: 9
    ) {
      Race.Field(
        entrants: [entrant("a", [1, 10]), entrant("b", [2, 20]), entrant("c", [4, 5])],
        end: { played += "." })
    }
    let findings = try race.measure(rounds: 2)
    #expect(played == "abcbcacab.")
    #expect(findings.map(\.name) == ["race, median", "race, median", "race, last", "race, last"])
    #expect(findings.map(\.peerName) == ["b", "c", "b", "c"])
    #expect(findings.map(\.ratio) == [0.5, 0.25, 0.5, 2])
    #expect(findings.map(\.isMet) == [nil, true, false, nil])
    #expect(findings.allSatisfy { $0.ours.count == 2 })
  }

  @Test func aPeerThatCannotBeMeasuredLeavesARowThatSaysWhy() throws {
    var tries = 0
    let race = Race(name: "race", figures: [Race.Figure(name: "", unit: "ms")], rounds: 3) {
      Race.Field(entrants: [
        Race.Entrant(name: "ours") { [7] },
        Race.Entrant(name: "peer") {
          tries += 1
          throw Failure("not installed: apt-get install peer")
        },
      ])
    }
    let finding = try #require(try race.measure().first)
    #expect(finding.peerName == "peer (not installed: apt-get install peer)")
    #expect(finding.ours.median == 7 && finding.peer == nil && finding.ratio == nil)
    #expect(tries == 1)
    #expect(Table(findings: [finding]).description.contains("7.00 (7.00-7.00)  -  "))
  }

  @Test func withoutOursThereIsNoRow() {
    var hasEnded = false
    let race = Race(name: "race", figures: [], rounds: 1) {
      Race.Field(
        entrants: [Race.Entrant(name: "ours") { throw Failure("no") }], end: { hasEnded = true })
    }
    #expect(throws: Failure.self) { try race.measure() }
    #expect(hasEnded)
  }

  @Test func theKernelAloneAndOursSeeTheSameFiles() throws {
    let folder = try WatchedFolder()
    defer { folder.remove() }
    for peer in [nil, Peer.raw] {
      try folder.makeFlat(3)
      let watcher = try peer?.start(folder.path) ?? OurWatcher(folder.path)
      defer { watcher.stop() }
      let writer = try folder.startWriter(files: 10, folders: 3)
      let seen = try watcher.sightings()
      let closed = try folder.finish(writer, files: 10)
      #expect(Set(seen.keys) == Set(0..<10))
      #expect(closed.allSatisfy { (seen[$0.key] ?? 0) > 0 })
      #expect(watcher.readyAfter > 0)
    }
  }

  @Test func whatArrivesIsTimedByThePieceItCameIn() throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    let arrivals = Arrivals(ends[0])
    for piece in ["one\ntw", "o\nthree", "\n"] {
      #expect(write(ends[1], piece, piece.utf8.count) == piece.utf8.count)
      try arrivals.read("a piece")
    }
    let lines = arrivals.lines()
    #expect(lines.map { String($0.text) } == ["one", "two", "three"])
    #expect(lines[0].at < lines[1].at && lines[1].at < lines[2].at)
    #expect(arrivals.moment(of: 6) == lines[0].at)
    #expect(arrivals.moment(of: 7) == lines[1].at)
  }

  @Test func aPatternIsFoundAlsoBetweenTwoPieces() throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let arrivals = Arrivals(ends[0])
    #expect(write(ends[1], "eenen", 5) == 5)
    try arrivals.read("the first piece")
    #expect(write(ends[1], "d!", 2) == 2)
    try arrivals.read(until: Array("end".utf8), "the end")
    #expect(arrivals.bytes.count == 7)
    close(ends[1])
    #expect(throws: Failure.self) { try arrivals.read(until: Array("more".utf8), "more") }
  }

  @Test func aWakeUpOfAProcessIsCounted() throws {
    let child = try ChildProcess(["cat"], environment: Programs.environment)
    defer { child.kill() }
    var byte: UInt8 = 0
    func echo() {
      #expect(write(child.input, "x", 1) == 1)
      #expect(read(child.output, &byte, 1) == 1)
    }
    echo()
    let before = try ProcessFigures.sleeps(of: child.process)
    let bytes = try ProcessFigures.bytesRead(by: child.process)
    // On a busy machine it finds the next byte before it has gone to sleep.
    let deadline = now() + 60_000_000_000
    repeat {
      echo()
      pass(milliseconds: 2)
    } while try now() < deadline && ProcessFigures.sleeps(of: child.process) <= before
    #expect(try ProcessFigures.sleeps(of: child.process) > before)
    #expect(try ProcessFigures.bytesRead(by: child.process) > bytes)
    #expect(try ProcessFigures.memory(of: child.process) > 0)
  }
}
