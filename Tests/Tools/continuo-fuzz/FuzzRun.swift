// SPDX-License-Identifier: MIT

import LinuxSystem
import fuzz

/// One target under libFuzzer, which brings `main` and calls what is below: one thread, one input at a time.
@MainActor
enum FuzzRun {
  /// An input that costs more of a processor, in nanoseconds, is a finding: Address Sanitizer's work counts
  /// with it.
  static let bound: UInt64 = 100_000_000
  /// How often an input is tried again before its time counts: what is made once is no input's.
  static let tries = 3

  private static var target: (any FuzzTarget)?
  private static var slowest: UInt64 = 0

  /// Reads from the environment what is to be done. Ends the process where that is nothing for libFuzzer.
  static func begin() {
    do {
      if let folder = CurrentProcess.variable("CONTINUO_FUZZ_WRITE") {
        try write(to: FilePath(folder))
        CurrentProcess.exit(0)
      }
      let name = CurrentProcess.variable("CONTINUO_FUZZ_TARGET") ?? ""
      guard let known = FuzzTargets.named(name) else {
        throw BrokenProperty("CONTINUO_FUZZ_TARGET names no target: \(name)")
      }
      target = try known.init()
    } catch {
      say("continuo-fuzz: \(error)")
      CurrentProcess.exit(2)
    }
  }

  /// Tries one input; what breaks a property ends the process, as libFuzzer expects.
  static func check(_ input: [UInt8]) {
    do {
      var taken = try time(input)
      for _ in 1..<tries where taken > bound { taken = min(taken, try time(input)) }
      guard taken <= bound else { throw BrokenProperty("an input takes \(taken / 1_000_000) ms") }
      if taken > slowest {
        slowest = taken
        say("slowest: \(taken / 1000) us for \(input.count) bytes")
      }
    } catch {
      say("broken: \(error)")
      preconditionFailure()
    }
  }

  private static func time(_ input: [UInt8]) throws -> UInt64 {
    let start = ProcessorTime.ofThisThread.nanoseconds
    try target?.check(input)
    return ProcessorTime.ofThisThread.nanoseconds - start
  }

  /// Seeds, dictionaries, and the names of the targets in their order.
  private static func write(to folder: FilePath) throws {
    var names: [String] = []
    for target in FuzzTargets.all + [FuzzTargets.named("canary")].compactMap(\.self) {
      let seeds = folder.appending(Array("\(target.name).seeds".utf8))
      seeds.makeFolders(mode: 0o755)
      for seed in try target.init().seeds() {
        try put(seed, seeds.appending(Array(FuzzTargets.fileName(of: seed).utf8)))
      }
      let dictionary = Array(FuzzTargets.dictionary(of: target).utf8)
      try put(dictionary, folder.appending(Array("\(target.name).dict".utf8)))
      let length = Array(String(target.longest).utf8)
      try put(length, folder.appending(Array("\(target.name).length".utf8)))
      try put(Array(String(target.fullCount).utf8), folder.appending(Array("\(target.name).full".utf8)))
      if target.name != "canary" { names.append(target.name + "\n") }
    }
    try put(Array(names.joined().utf8), folder.appending(Array("targets".utf8)))
  }

  private static func put(_ bytes: [UInt8], _ path: FilePath) throws {
    try path.open([.writeOnly, .create, .truncate], mode: 0o644).writeAll(bytes)
  }

  private static func say(_ line: String) {
    try? BorrowedDescriptor.standardError.writeAll(Array("\(line)\n".utf8))
  }
}
