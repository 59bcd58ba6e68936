// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import TestSupport
import Testing

@testable import fixtures

/// What people are told while a real engine brings a large document slowly.
@Suite(.waiting, .timeLimit(.minutes(20))) struct ProgressTests {
  private static let size = 24_000_000

  /// The laptop knows of the document and does not have it; its list of offers is being watched.
  private static func announce(on devices: TwoDevices) throws -> ChildProcess {
    try Files.replace(
      devices.desktop.device.folder + "/plan.iso", with: Files.madeUpBytes(size, seed: 7))
    try devices.desktop.publish("plan.iso", line: 1, column: 1)
    try devices.player.carrying().deliverRecords()
    let watching = try devices.laptop.device.start("offers", "--watch")
    try watching.waitForOutput("the offer") { $0.contains("plan.iso is not here") }
    return watching
  }

  /// The numbers of megabytes that were told of so far.
  private static func told(_ text: String) -> Set<Double> {
    Set(
      text.split(separator: "\n").compactMap { line in
        guard line.contains(" of 24 MB are here"), let part = line.split(separator: ": ").last else {
          return nil
        }
        return part.split(separator: " ").first.flatMap { Double($0) }
      })
  }

  private static func expectProgress(_ watching: ChildProcess) throws {
    try watching.waitForOutput("progress, twice", within: 60) { told($0).count >= 2 }
    try watching.waitForOutput("the document", within: 60) { $0.contains("Notes/plan.iso  current") }
    let megabytes = told(watching.outputText)
    #expect(megabytes.contains { $0 > 0 && $0 < 24 }, "\(megabytes.sorted())")
    watching.signal(.interrupt)
    #expect(try watching.waitForExit() == .code(0), "\(watching.state)")
  }

  @Test("rsync's temporary file, and a file that it writes in place", arguments: [[], ["--inplace"]])
  func rsync(options: [String]) throws {
    let devices = try TwoDevices()
    let watching = try Self.announce(on: devices)
    let (from, to) = (devices.desktop.device.folder, devices.laptop.device.folder)
    let engine = try ChildProcess(
      "rsync", ["-a", "--bwlimit=6000"] + options + [from + "/plan.iso", to + "/"],
      environment: devices.laptop.device.environment)
    try Self.expectProgress(watching)
    #expect(try engine.waitForExit() == .code(0), "\(engine.state)")
  }

  /// One line of a terminal, which goes when the document is here.
  @Test func aTerminalShowsAmountsInOnePlace() throws {
    let devices = try TwoDevices()
    let watching = try Self.announce(on: devices)
    let laptop = devices.laptop.device
    let screen = try devices.terminals.open(
      "laptop", [laptop.programs["continuo"], "wait", laptop.folder + "/plan.iso"],
      environment: laptop.environment)
    try screen.wait(toShow: "plan.iso is not here")
    let engine = try ChildProcess(
      "rsync", ["-a", "--bwlimit=6000", devices.desktop.device.folder + "/plan.iso", laptop.folder + "/"],
      environment: laptop.environment)
    var seen: Set<String> = []
    try screen.wait(for: "the document", within: 60) { screen in
      let rows = screen.rows.filter { $0.hasPrefix("plan.iso: ") && $0.hasSuffix(" MB of 24 MB are here") }
      #expect(rows.count <= 1, "\(screen.text)")
      seen.formUnion(rows)
      return screen.text.contains("plan.iso is here in the version of desktop.") ? () : nil
    }
    #expect(seen.count >= 2, "\(seen)")
    #expect(!screen.text.contains("of 24 MB"), "\(screen.text)")
    #expect(try engine.waitForExit() == .code(0), "\(engine.state)")
    watching.signal(.kill)
  }

  @Test("Syncthing's temporary file, which is as long as the document from the start")
  func syncthing() throws {
    let devices = try TwoDevices()
    let watching = try Self.announce(on: devices)
    let all = try [devices.desktop, devices.laptop].map { try Syncthing(on: $0.device) }
    for each in all { try each.start(with: all.filter { $0 !== each }) }
    try all[1].limit(kilobytesPerSecond: 4000)
    try Self.expectProgress(watching)
  }
}
