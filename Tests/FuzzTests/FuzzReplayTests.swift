// SPDX-License-Identifier: MIT

import LinuxSystem
import TestSupport
import Testing
import fuzz

/// What `make fuzz` found worth keeping, tried again without it: `Fixtures/fuzz/TARGET`.
@Suite struct FuzzReplayTests {
  /// For one input, without optimisation and beside other tests: fifty times what `make fuzz` allows.
  private static let bound: UInt64 = 5_000_000_000

  static let names = FuzzTargets.all.map { $0.name }

  private static func kept(_ name: String) throws -> [(name: String, bytes: [UInt8])] {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let folder = "\(root)/Fixtures/fuzz/\(name)"
    return try Scratch.names(in: folder).map { file in
      (file, try #require(Scratch.bytes(at: "\(folder)/\(file)")))
    }
  }

  /// What does not hold for an input; nil where all does.
  private static func fault(of input: [UInt8], in target: inout any FuzzTarget) -> String? {
    do {
      try target.check(input)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: FuzzReplayTests.names)
  func everyKeptInputHoldsItsProperty(_ name: String) throws {
    let inputs = try Self.kept(name)
    #expect(inputs.count > 5, "too few inputs are kept for \(name)")
    let kind = try #require(FuzzTargets.named(name))
    var target: any FuzzTarget = try kind.init()
    for input in inputs {
      let start = ProcessorTime.ofThisThread.nanoseconds
      #expect(Self.fault(of: input.bytes, in: &target) == nil, "\(name)/\(input.name)")
      let taken = ProcessorTime.ofThisThread.nanoseconds - start
      #expect(taken < Self.bound, "\(name)/\(input.name) takes \(taken / 1_000_000) ms")
    }
  }

  @Test(arguments: FuzzReplayTests.names)
  func everySeedHoldsItsProperty(_ name: String) throws {
    let kind = try #require(FuzzTargets.named(name))
    var target: any FuzzTarget = try kind.init()
    let seeds = try target.seeds()
    #expect(!seeds.isEmpty)
    for seed in seeds {
      #expect(Self.fault(of: seed, in: &target) == nil, "seed \(FuzzTargets.fileName(of: seed))")
    }
  }

  /// Small enough to be carried with the sources.
  @Test(arguments: FuzzReplayTests.names) func whatIsKeptIsSmall(_ name: String) throws {
    let inputs = try Self.kept(name)
    #expect(inputs.count <= 120)
    #expect(inputs.reduce(0) { $0 + $1.bytes.count } <= 200 << 10)
  }

  /// `make forgeries` does it a million times.
  @Test(arguments: RecordForgeries.Forger.allCases)
  func noForgeryIsTaken(_ forger: RecordForgeries.Forger) throws {
    var forgeries = try RecordForgeries(seed: 1)
    var outcomes: [RecordForgeries.Outcome: Int] = [:]
    for _ in 0..<4000 { outcomes[try forgeries.attempt(by: forger), default: 0] += 1 }
    // Each check is reached that the forger can reach.
    let steps =
      forger == .stranger
      ? ["size", "length", "circle", "seal"] : ["signer", "signature", "padding", "length"]
    for step in steps { #expect(outcomes[.refused(step), default: 0] > 10, "\(step): \(outcomes)") }
    if forger == .member { #expect(outcomes[.own, default: 0] > 100, "\(outcomes)") }
  }

  @Test func targetsHaveNamesAndWordsThatAFuzzerReads() {
    #expect(Set(Self.names).count == Self.names.count)
    for target in FuzzTargets.all {
      let lines = FuzzTargets.dictionary(of: target).split(separator: "\n")
      #expect(lines.count == target.words.count)
      #expect(lines.allSatisfy { $0.wholeMatch(of: /"(\\x[0-9a-f]{2})+"/) != nil }, "\(target.name)")
    }
  }
}
