// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// A registered folder that is copied over another with `cp -a`, with real agents.
@Suite(.waiting, .timeLimit(.minutes(20))) struct SharedFolderTests {
  private func run(_ words: String...) throws {
    _ = try ChildProcess.run(
      "/usr/bin/env", words, environment: ["PATH": "/usr/bin:/bin"], input: "", expecting: 0)
  }

  @Test func afterACopyTheFirstFolderHandsOverAndTheSecondSaysWhyNot() throws {
    let devices = try TwoDevices()
    let laptop = devices.laptop.device
    let second = laptop.root + "/Second"
    #expect(mkdir(second, 0o700) == 0)
    try laptop.continuo("folder", "add", second)
    try devices.offer("plan.md", "alpha")
    try run("cp", "-a", laptop.folder + "/.", second)
    try laptop.waitForStatus("same identity as folder Notes")
    try devices.offer("plan.md", "beta")
    expectSentence(
      try devices.laptop.run("publish", second + "/plan.md"), saying: "Folder Second", "--new-identity")
    expectSentence(
      try devices.laptop.run("wait", second + "/plan.md"), saying: "Folder Second", "--new-identity")
    let list = try devices.laptop.run("folder", "list")
    #expect(list.state.contains("not used") && list.state.contains("--new-identity"), "\(list.state)")

    #expect(try laptop.continuo("folder", "list", "--json").contains("\"refusal\" : \"Folder Second"))

    laptop.endAgent()
    #expect(try laptop.continuo("status").contains("same identity as folder Notes"))
    #expect(try laptop.continuo("folder", "add", "--new-identity", second).contains("identity of its own"))
    #expect(!(try laptop.continuo("status")).contains("Problem"))
    try devices.offer("plan.md", "gamma")
  }
}

/// Documents whose names are as long as a name can be.
@Suite(.waiting, .timeLimit(.minutes(20))) struct LongNameTests {
  @Test(arguments: ["k", "l"]) func whatChangedOnDiskIsAnsweredForTheLongestName(key: String) throws {
    let home = try Home()
    let terminals = try TerminalServer(in: home.sandbox.directory)
    defer { terminals.stop() }
    try home.addFolder()
    let name = String(repeating: "é", count: 126) + ".md"
    let path = home.device.folder + "/" + name
    try Files.writeInPlace(path, Array("alpha\n".utf8))
    let screen = try terminals.open(
      "desktop", [home.device.programs["continuo-edit"], path], environment: home.device.environment)
    try screen.wait(toShow: "alpha")
    home.device.endAgent()
    // In one moment: what was typed cannot be saved any more when the file is another one.
    try screen.type("mine ")
    try Files.writeInPlace(path, Array("theirs\n".utf8))
    try screen.press("C-s")
    try screen.wait(toShow: "k keep yours")
    try screen.type(key)
    // The name takes the whole line of messages.
    try screen.wait(for: "the answer's end") { _ in
      let files = Files.list(home.device.folder).filter { $0.contains("é") }
      let texts = files.map { Files.text(home.device.folder + "/" + $0) ?? "" }
      return texts.contains("theirs\n") && texts.contains { $0.contains("mine") } ? () : nil
    }
  }
}
