// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// Names and trees that other programs stumble over, in whole hand-offs.
@Suite(.waiting, .timeLimit(.minutes(20))) struct OddFolderTests {
  private func shell(_ script: String, _ arguments: String...) throws {
    _ = try ChildProcess.run(
      "/bin/sh", ["-c", script, "sh"] + arguments, environment: ["PATH": "/usr/bin:/bin"])
  }

  /// `café.md` as Latin-1 has it.
  private static let name = "caf\\351.md"

  @Test func case21_aNameThatIsNotUTF8IsHandedOver() throws {
    let devices = try TwoDevices()
    let (desktop, laptop) = (devices.desktop.device, devices.laptop.device)
    try shell("printf alpha > \"$1/$(printf '\(Self.name)')\"", desktop.folder)
    let now = WallTime(milliseconds: wallNow())
    let publisher = try ChildProcess(
      "/bin/sh",
      [
        "-c", "exec \"$1\" publish \"$2/$(printf '\(Self.name)')\" --line 2 --column 3", "sh",
        desktop.programs["continuo"], desktop.folder,
      ], environment: desktop.environment)
    defer { publisher.signal(.kill) }
    try publisher.waitForOutput("an offer") { !$0.isEmpty }
    let flow = devices.flow()
    try devices.player.carrying().deliverRecords()
    flow?.isOn = true
    let app = devices.laptop.app
    try app.see("caf\u{FFFD}.md", "missing", since: now)
    try app.resume("caf\u{FFFD}.md", since: now)
    try app.expectWaiting(for: "caf\u{FFFD}.md", because: ExpectedReason(name: "missing"))
    // Another file is shown alike, and is not that one.
    try shell("printf other > \"$1/$(printf 'caf\\352.md')\"", laptop.folder)
    try shell("cp -a \"$1/$(printf '\(Self.name)')\" \"$2\"", desktop.folder, laptop.folder)
    let continuation = try app.wait(for: "the delivery") { app in
      app.continuation.flatMap { $0.delivered == nil ? nil : $0 }
    }
    #expect(continuation.bytes == Array("alpha".utf8))
    #expect(
      continuation.delivered?.path == Array(laptop.folder.utf8) + Array("/caf".utf8) + [0xe9]
        + Array(".md".utf8))
  }

  @Test func aTreeOf1500FoldersBelowEachOtherHoldsUpNothing() throws {
    let devices = try TwoDevices()
    let laptop = devices.laptop.device
    let deep = laptop.folder + String(repeating: "/d", count: 1500)
    try shell("mkdir -p \"$1\" && echo x > \"$1/deep.md\"", deep)
    try devices.offer("plan.md", "alpha")
    try devices.laptop.app.resume("plan.md", since: WallTime(milliseconds: 0))
    try devices.laptop.app.expectDelivery(of: "plan.md", text: "alpha", line: 1, column: 1)
    expectSentence(try devices.laptop.run("publish", deep + "/deep.md"), saying: "deep.md", "too deep", "32")
    // Followed to the bottom: the watch process says how many folders it watches.
    try shell("rm -rf \"$1/d\"", laptop.folder)
    try devices.offer("next.md", "beta")
  }
}
