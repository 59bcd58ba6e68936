// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LinuxSystem

@main struct ContinuoBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "continuo-bench",
    abstract: "Measures the programs and the library beside their peers, in turns, on this machine.",
    discussion: """
      Figures are medians, with the range of all rounds behind them. Exit codes: 0 everything was measured, \
      also when a target is missed; 1 something could not be measured; 64 wrong usage.
      """)

  @Flag(help: "Only say which rows there are.")
  var list = false

  @Option(help: ArgumentHelp("Only rows whose name has this in it.", valueName: "text"))
  var only: String?

  @Option(help: "So many rounds a row, instead of each row's own number.")
  var rounds: Int?

  @Flag(help: "Also the rows that take minutes, or a million files.")
  var long = false

  @Option(help: ArgumentHelp("Also write the findings to this file, as JSON.", valueName: "file"))
  var json: String?

  func validate() throws {
    if let rounds, rounds < 1 { throw ValidationError("--rounds takes a number from 1 on.") }
  }

  func run() throws {
    try MainActor.assumeIsolated {
      let rows = (Rows.all + (long ? Rows.long : [])).filter { only.map($0.name.contains) ?? true }
      guard !rows.isEmpty else {
        throw ValidationError("No row has \(only ?? "") in its name; --list --long shows all rows.")
      }
      if list { return rows.forEach { print($0.name) } }
      try measure(rows)
    }
  }

  @MainActor private func measure(_ rows: [any Measurable]) throws {
    try Interruption.watch()
    var findings: [Finding] = []
    var hasFailed = false
    for row in rows where !Interruption.came {
      Self.report("measuring: \(row.name)")
      do {
        findings += try row.measure(rounds: rounds)
      } catch {
        hasFailed = true
        if !Interruption.came { Self.report("cannot measure \(row.name): \(error)") }
      }
    }
    if Interruption.came { throw ExitCode(130) }
    print("\(Machine.this())\n\n\(Table(findings: findings))")
    let missed = findings.filter { $0.isMet == false }
    if !missed.isEmpty { print("\nMissed: " + missed.map(\.name).joined(separator: "; ")) }
    if let json { try Self.json(findings).write(to: URL(filePath: json)) }
    if hasFailed { throw ExitCode(1) }
  }

  static func json(_ findings: [Finding]) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(findings)
  }

  private static func report(_ line: String) {
    try? BorrowedDescriptor.standardError.writeAll(Array("\(line)\n".utf8))
  }
}

/// Ctrl-C: tmux gets it too and ends, the row fails and clears up, and no further row begins.
@MainActor enum Interruption {
  private static var signals: SignalPipe?
  private static var hasCome = false

  static var came: Bool {
    if signals?.read().isEmpty == false { hasCome = true }
    return hasCome
  }

  static func watch() throws(Errno) {
    signals = try SignalPipe([.interrupt, .terminate])
    Signal.ignoreBrokenPipes()
  }
}
