// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import Testing

@testable import fixtures

/// What `make soak` counts, and when it says that a number did not come back.
@Suite(.waiting) struct SoakTests {
  private static let role = SoakRole(device: "desktop", program: .agent)

  private static var idle: SoakIdle {
    var idle = SoakIdle()
    var figures = SoakFigures()
    (figures.anonymous, figures.descriptors, figures.watches, figures.sleeps) = (3000, 15, 6, 2)
    idle.processes = [role: figures]
    idle.stocks = ["desktop": SoakStock(records: 7, stateFiles: 7, stateBytes: 100_000)]
    return idle
  }

  @Test func numbersThatCameBackAreFine() {
    var after = Self.idle
    let bounds = SoakVerdict.Bounds()
    after.processes[Self.role]?.anonymous += bounds.memory
    after.processes[Self.role]?.sleeps += bounds.wakeUps
    #expect(SoakVerdict().faults(before: Self.idle, after: after) == [])
  }

  @Test func eachNumberThatDidNotComeBackIsTold() {
    func faults(_ change: (inout SoakFigures) -> Void) -> [String] {
      var after = Self.idle
      after.processes[Self.role].map { figures in
        var figures = figures
        change(&figures)
        after.processes[Self.role] = figures
      }
      return SoakVerdict().faults(before: Self.idle, after: after)
    }
    #expect(faults { $0.descriptors += 1 } == ["desktop agent, descriptors: 16, and 15 before the load"])
    #expect(faults { $0.watches -= 1 } == ["desktop agent, watches: 5, and 6 before the load"])
    #expect(faults { $0.sleeps += 5 } == ["desktop agent, wake-ups: 7, and 2 before the load"])
    #expect(
      faults { $0.anonymous += 7000 } == ["desktop agent, KiB of its own: 10000, and 3000 before the load"])
  }

  @Test func processesAndFilesThatAreMissingOrLeftOverAreTold() {
    var after = Self.idle
    after.processes = [:]
    after.stocks["desktop"]?.records += 1
    #expect(
      SoakVerdict().faults(before: Self.idle, after: after)
        == ["desktop agent: no process", "desktop, files in .continuo: 8, and 7 before the load"])
  }

  @Test func growthUnderLoadIsTold() {
    var ages = SoakAges()
    for (minute, own) in [3000, 4000, 9000].enumerated() {
      var sample = Self.idle
      sample.processes[Self.role]?.anonymous = own
      sample.numbers = [Self.role: 100]
      ages.record(sample, at: UInt64(minute) * 60_000_000_000)
    }
    #expect(ages.faults(5999) == ["desktop agent, KiB of its own under load: 9000, and 3000 at first"])
    #expect(ages.faults(6000) == [])
  }

  @Test func descriptorsWatchesAndMemoryAreCounted() throws {
    let sandbox = try Sandbox()
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    // A process in which nobody else opens anything.
    let child = try ChildProcess(
      "sh", ["-c", "exec 3</dev/null 4</dev/null 5</dev/null; echo ready; exec sleep 60"],
      environment: ["PATH": "/usr/bin:/bin"])
    try child.waitForOutput("the shell to be ready") { $0.contains("ready") }
    let others = try #require(SoakFigures(of: child.process))
    #expect(others.descriptors >= 6 && others.watches == 0)
    #expect(others.resident >= others.proportional && others.anonymous > 0 && others.proportional > 0)
    let events = try FolderEvents([sandbox.directory, "/"])
    let own = try #require(SoakFigures(of: getpid()))
    #expect(own.watches >= 2 && own.descriptors > 3 && own.sleeps > 0)
    withExtendedLifetime(events) {}
    #expect(SoakFigures(of: -1) == nil)
  }

  @Test func theEngineCarriesToTheOthersAndKeepsTheLosersBytes() throws {
    let sandbox = try Sandbox()
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    let devices = try ["one", "two", "three"].map(sandbox.add)
    let engine = SoakEngine(devices, seed: 1)
    func settle() throws {
      for _ in 0..<10 where !engine.isDone { try engine.turn(at: monotonicNow()) }
      #expect(engine.isDone)
    }
    try Files.replace(devices[1].folder + "/Plans/plan.md", with: [1])
    try settle()
    #expect(devices.allSatisfy { Files.read($0.folder + "/Plans/plan.md") == [1] })
    try Files.writeInPlace(devices[0].folder + "/Plans/plan.md", [2])
    try Files.replace(devices[2].folder + "/Plans/plan.md", with: [3])
    try settle()
    for device in devices {
      #expect(
        Set(Files.list(device.folder).compactMap { Files.read(device.folder + "/" + $0) }) == [[2], [3]])
    }
    for path in Files.list(devices[0].folder) { try Files.remove(devices[0].folder + "/" + path) }
    try settle()
    #expect(devices.allSatisfy { Files.list($0.folder).isEmpty })
  }

  @Test func whatIsInTransitArrivesWhole() throws {
    let sandbox = try Sandbox()
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    let devices = try ["one", "two"].map(sandbox.add)
    let engine = SoakEngine(devices, seed: 7)
    engine.isQuick = false
    let bytes = Files.madeUpBytes(10_000, seed: 1)
    for number in 0..<40 { try Files.replace("\(devices[0].folder)/\(number).md", with: bytes) }
    // Time is an argument: one turn in which all are carried, and one in which all halves are finished.
    try engine.turn(at: monotonicNow())
    try engine.turn(at: monotonicNow() + 7_000_000_000)
    let halves = (0..<40).count { Files.read("\(devices[1].folder)/\($0).md")?.count == 5000 }
    #expect(halves > 0)
    try engine.turn(at: monotonicNow() + 9_000_000_000)
    #expect((0..<40).allSatisfy { Files.read("\(devices[1].folder)/\($0).md") == bytes })
  }
}
