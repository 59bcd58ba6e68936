// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import ContinuityTestKit
import Foundation
import Testing
import TrustCiphers

@testable import fixtures

/// Scripts in the simulator, and how two plays are compared; `make test` compares real ones.
@Suite struct ParityTests {
  private static let handoffs = URL(filePath: #filePath + "/../../../Fixtures/handoff").standardized.path

  private func played(_ script: Script, seed: UInt64 = 1) throws -> Transcript {
    try SimulatedPlayer(ciphers: StandardCiphers(), seed: seed).play(script)
  }

  /// A script of these lines.
  private func script(_ lines: String...) throws -> (script: Script, sandbox: Sandbox) {
    let sandbox = try Sandbox()
    let path = sandbox.directory + "/some.script"
    try Files.replace(path, with: Array((lines.joined(separator: "\n") + "\n").utf8))
    return (try Script(path: path), sandbox)
  }

  @Test func everyHandoffPlaysInTheSimulatorWithTheSameFactsWhateverTheSeed() throws {
    let ciphers = StandardCiphers()
    let scripts = try Script.discover([Self.handoffs])
    #expect(scripts.count >= 25)
    for path in scripts {
      let script = try Script(path: path)
      let first = try SimulatedPlayer(ciphers: ciphers).play(script)
      #expect(first.notes.count >= 2 && first.end.count >= 4)
      for seed in 2...3 as ClosedRange<UInt64> {
        let other = try SimulatedPlayer(ciphers: ciphers, seed: seed).play(script)
        #expect(Transcript.difference(real: other, simulated: first, in: path) == nil, "seed \(seed)")
      }
    }
  }

  @Test func whatAnAppIsToldIsWrittenDown() throws {
    let (script, sandbox) = try script(
      "devices desktop laptop", "desktop writes a/b.md \"x\"", "desktop publishes a/b.md line 3 column 4",
      "everything is delivered", "laptop sees b.md current", "laptop resumes b.md",
      "laptop continues a/b.md with \"x\" line 3 column 4")
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    let transcript = try played(script)
    #expect(transcript.fact(at: 5) == "a/b.md current from desktop")
    let got = "got a/b.md current from desktop with \"x\" line 3 column 4"
    #expect(transcript.fact(at: 7) == got)
    #expect(
      transcript.end.map(\.fact) == [
        "at the end desktop holds a/b.md with \"x\"", "at the end desktop is offered nothing",
        "at the end laptop holds a/b.md with \"x\"", "at the end laptop is offered nothing",
        "at the end continuation 1 on laptop \(got)",
      ])
  }

  @Test func theFirstDifferenceIsToldWithItsLine() throws {
    let lines = [
      "devices desktop laptop", "desktop writes b.md \"x\"", "desktop publishes b.md line 1 column 1",
      "the record is delivered", "laptop resumes b.md", "laptop waits for b.md because missing \"b.md\"",
    ]
    let (one, sandbox) = try script(lines.joined(separator: "\n"), "b.md is delivered")
    let (other, second) = try script(
      lines.joined(separator: "\n"), "the engine leaves \"y\" at b.md on laptop")
    defer {
      sandbox.close(keepingFiles: false, endingProcesses: false)
      second.close(keepingFiles: false, endingProcesses: false)
    }
    let (real, simulated) = (try played(one), try played(other))
    #expect(Transcript.difference(real: real, simulated: real, in: "s") == nil)
    #expect(
      Transcript.difference(real: real, simulated: simulated, in: "s")
        == "s:6: real: at the end laptop holds b.md with \"x\"; "
        + "simulated: at the end laptop holds b.md with \"y\"")
    #expect(
      Transcript.difference(real: Transcript(), simulated: real, in: "s")?
        .hasPrefix("s:5: real: nothing; simulated: b.md missing from desktop") == true)
  }

  @Test func aSentenceThatDoesNotHoldIsNamedInTheSimulatorToo() throws {
    let (script, sandbox) = try script(
      "devices desktop laptop", "desktop writes b.md \"x\"", "desktop publishes b.md line 1 column 1",
      "everything is delivered", "laptop sees b.md behind")
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    let failure = #expect(throws: Failure.self) { _ = try played(script) }
    #expect(failure?.expected == "\(script.path):5: expected b.md behind within 30 s of virtual time")
    #expect(failure?.lastSeen == "b.md (b.md) current")
  }

  @Test func whatNeedsTheRealWorldSaysWhy() throws {
    let (script, sandbox) = try script(
      "devices desktop laptop", "desktop writes 1 MB to b.md",
      "laptop waits 1 s for b.md in vain because behind")
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    let failure = #expect(throws: Failure.self) { _ = try played(script) }
    #expect(failure?.expected == "\(script.path):2: a script for both worlds")
    #expect(failure?.lastSeen.hasPrefix("cannot be simulated: only real bytes") == true)
    let engines = try Script.discover([Self.handoffs + "/../engines"]).map { try Script(path: $0) }
    #expect(engines.allSatisfy { $0.realOnly != nil })
  }

  @Test func everyHandoffIsForBothWorlds() throws {
    for path in try Script.discover([Self.handoffs]) {
      #expect(try Script(path: path).realOnly?.reason == nil, "\(path)")
    }
  }

  @Test func aHistoryIsReplayedStepByStep() throws {
    let sandbox = try Sandbox()
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    // One of every twenty seeds is sealed for real, where records have another size.
    let seeds = (1...9 as ClosedRange<UInt64>).map { $0 * 1000 }
    for seed in seeds {
      let history = Simulation(seed: seed, steps: 120)
      let file = sandbox.directory + "/history.txt"
      try Files.replace(file, with: Array(history.text.utf8))
      func lastLine(_ arguments: String...) throws -> Substring? {
        let run = try ChildProcess(
          sandbox.programs["fixtures"], ["simulate"] + arguments, environment: ["PATH": "/usr/bin:/bin"])
        #expect(try run.waitForExit() == .code(0))
        return run.outputText.split(separator: "\n").last
      }
      let drawn = try lastLine("--seed", "\(seed)", "--steps", "120", "--to", sandbox.directory)
      #expect(try lastLine("--replay", file) == drawn, "seed \(seed)")
    }
  }

  @Test func theSimulatorIsChosenOnTheCommandLine() throws {
    let sandbox = try Sandbox()
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    func run(_ arguments: String...) throws -> ChildProcess {
      try ChildProcess(
        sandbox.programs["fixtures"], ["run"] + arguments, environment: ["PATH": "/usr/bin:/bin"])
    }
    let held = try run("--simulated", "--facts", Self.handoffs + "/withdrawn.script")
    #expect(try held.waitForExit() == .code(0))
    #expect(held.outputText.contains("withdrawn.script:9: no offers\n"))
    #expect(held.outputText.hasSuffix("1 passed, 0 failed\n"))
    let engine = try run("--simulated", Self.handoffs + "/../engines/a-new-document.script")
    #expect(try engine.waitForExit() == .code(1))
    #expect(engine.outputText.contains("cannot be simulated: a real engine is a program"))
    #expect(try run("--simulated", "--parity", Self.handoffs).waitForExit() == .code(64))
  }
}
