// SPDX-License-Identifier: MIT

import LinuxSystem
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// The sandbox itself: the engine carries what it should, and waits end.
@Suite(.waiting) struct SandboxTests {
  private let sandbox: Sandbox
  private let desktop: Device
  private let laptop: Device
  private let engine: PlayedEngine<Device>

  init() throws {
    sandbox = try Sandbox()
    desktop = try sandbox.add("desktop")
    laptop = try sandbox.add("laptop")
    engine = PlayedEngine([desktop, laptop])
  }

  private func read(_ device: Device, _ path: String) -> String? { Files.text(device.folder + "/" + path) }
  private func write(_ device: Device, _ path: String, _ text: String) throws {
    try Files.replace(device.folder + "/" + path, with: Array(text.utf8))
  }

  @Test func theEngineCarriesTheSideThatChanged() throws {
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    try write(desktop, "notes/plan.md", "a")
    try engine.deliver("notes/plan.md")
    #expect(read(laptop, "notes/plan.md") == "a")
    try write(laptop, "notes/plan.md", "b")
    try engine.deliver("notes/plan.md")
    #expect(read(desktop, "notes/plan.md") == "b")
    try Files.remove(desktop.folder + "/notes/plan.md")
    try engine.deliver("notes/plan.md")
    #expect(read(laptop, "notes/plan.md") == nil)
    try write(desktop, "notes/plan.md", "c")
    try write(laptop, "notes/plan.md", "d")
    #expect(throws: Failure.self) { try engine.deliver("notes/plan.md") }
  }

  @Test func theEngineDeliversWhatItPickedUpFirst() throws {
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    try write(desktop, "a", "old")
    try engine.pickUp("a")
    try write(desktop, "a", "new")
    try engine.deliver("a")
    #expect(read(laptop, "a") == "old")
    try engine.deliver("a")
    #expect(read(laptop, "a") == "new")
  }

  @Test func aDamagedRecordIsNeverCarriedBack() throws {
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    try write(desktop, ".continuo/d-a.rec", "record")
    try write(laptop, ".continuo/d-b.rec", "other")
    try engine.deliverRecords(damaged: true)
    #expect(read(laptop, ".continuo/d-a.rec") != "record")
    #expect(read(desktop, ".continuo/d-a.rec") == "record")
    try engine.deliverRecords()
    #expect(read(laptop, ".continuo/d-a.rec") == "record")
    #expect(read(desktop, ".continuo/d-b.rec") == "other")
  }

  @Test func aWaitThatIsNotAnsweredTellsTheLastState() throws {
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    let changes = try FolderEvents([desktop.folder])
    let failure = #expect(throws: Failure.self) {
      try changes.wait(for: "a letter", within: 1, lastState: { "an empty box" }) { () -> Void? in nil }
    }
    #expect(failure?.description == "expected a letter within 1 s; last seen: an empty box")
  }

  @Test func aProgramsEndAndOutputAreSeen() throws {
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    let child = try ChildProcess(
      "sh", ["-c", "read a; echo $a; echo no >&2; exit 3"], environment: [:], input: "hi\n")
    #expect(try child.waitForExit() == .code(3))
    #expect(child.outputText == "hi\n")
    #expect(child.errorText == "no\n")
    let killed = try ChildProcess("cat", ["/dev/zero"], environment: [:])
    killed.signal(.kill)
    #expect(try killed.waitForExit() == .signal(SIGKILL))
    #expect(throws: Failure.self) { try ChildProcess("/none/such", [], environment: [:]) }
  }
}
