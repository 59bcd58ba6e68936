// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// A device that goes to a new computer: the built programs, and a third device that hears of nothing.
@Suite(.waiting, .timeLimit(.minutes(20))) struct MoveTests {
  /// Runs the command line with a home directory in which the synced folder lies.
  private func run(_ device: Device, _ arguments: String..., input: String = "") throws -> ChildProcess {
    var environment = device.environment
    environment["HOME"] = device.root
    let child = try ChildProcess(
      device.programs["continuo"], arguments, environment: environment, input: input)
    try child.waitForExit(within: 60)
    return child
  }

  private func identity(_ device: Device) -> [UInt8]? { Files.read(device.root + "/state/continuo/identity") }

  /// Moves the device out; the words.
  private func moveOut(_ device: Device, to file: String) throws -> String {
    let out = try run(device, "move-out", file, "--yes")
    #expect(out.exit == .code(0), "\(out.state)")
    #expect(out.outputText.split(separator: " ").count == 12 && out.outputText.hasSuffix("\n"))
    return out.outputText
  }

  @Test func theNewComputerGoesOnInTheOldOnesPlaceInBothDirections() throws {
    let devices = try TwoDevices()
    let (old, laptop) = (devices.desktop.device, devices.laptop)
    try devices.offer("plan.md", "alpha")
    try devices.desktop.stopPublishing("plan.md")
    let file = devices.player.sandbox.directory + "/device.continuo"
    let before = try #require(identity(old))
    let id = try old.status().deviceID
    let words = try moveOut(old, to: file)
    var status = stat()
    #expect(lstat(file, &status) == 0 && status.st_mode & 0o7777 == 0o600)
    try devices.player.carrying().deliverRecords()
    try laptop.app.seeNothing()

    let new = try devices.player.sandbox.add("newer")
    let engine = PlayedEngine([new, laptop.device])
    try engine.deliverEverything()
    // On the old computer the folder lies no more where it is looked for first.
    try Files.move(old.folder, to: old.root + "/Elsewhere")
    let moved = try run(new, "move-in", file, "--words-file", "-", input: words)
    #expect(moved.exit == .code(0), "\(moved.state)")
    #expect(moved.outputText.contains("This computer is desktop now. Devices: desktop, laptop."))
    #expect(try new.status().deviceID == id)
    let folders = try new.status().folders
    #expect(folders.map(\.path) == [Array(new.folder.utf8)] && folders[0].isPresent, "\(folders)")

    let inPlay = Player.DeviceInPlay(new)
    let flow = try RecordFlow(engine, [new, laptop.device])
    (inPlay.app.flow, laptop.app.flow) = (flow, flow)
    flow.isOn = true
    var moment = WallTime(milliseconds: wallNow())
    try Files.replace(new.folder + "/plan.md", with: Array("alpha beta".utf8))
    try inPlay.publish("plan.md", line: 1, column: 3)
    try engine.deliverEverything()
    try laptop.app.see("plan.md", "current", since: moment)
    try inPlay.stopPublishing("plan.md")
    moment = WallTime(milliseconds: wallNow())
    try Files.replace(laptop.device.folder + "/notes.md", with: Array("gamma".utf8))
    try laptop.publish("notes.md", line: 1, column: 1)
    try engine.deliverEverything()
    try inPlay.app.see("notes.md", "current", since: moment)
    for device in [new, laptop.device] {
      let status = try device.status()
      #expect(status.problems.isEmpty, "\(status.problems)")
      #expect(status.devices.sorted() == ["desktop", "laptop"])
    }
    // Nothing had to be said anew of who belongs: it is the same device.
    #expect(identity(new) == before)
    try theOldOneStaysAway(old, file)
  }

  private func theOldOneStaysAway(_ old: Device, _ file: String) throws {
    #expect(identity(old).map { $0.count < 100 } == true, "no keys are left")
    for arguments in [["status"], ["agent"], ["move-out", file + ".2", "--yes"]] {
      let child = try ChildProcess(
        old.programs["continuo"], arguments, environment: old.environment)
      #expect(try child.waitForExit(within: 30) == .code(1), "\(child.state)")
      expectSentence(child, saying: "desktop was moved to another computer", "continuo reset")
    }
    #expect(!FilePath(file + ".2").allows())
    let reset = try run(old, "reset", "--yes", "--json")
    #expect(reset.exit == .code(0), "\(reset.state)")
    #expect(try old.status().devices.count == 1)
  }

  @Test func wrongWordsTornAndForeignFilesAreSentencesAndChangeNothing() throws {
    let home = try Home()
    try home.addFolder()
    let file = home.device.root + "/device.continuo"
    let words = try moveOut(home.device, to: file)
    let new = try home.sandbox.add("newer")
    try new.continuo("status")
    let before = try #require(identity(new))
    let process = try new.status().process
    func refused(_ file: String, _ words: String, _ said: String...) throws {
      let child = try run(new, "move-in", file, "--words-file", "-", "--json", input: words)
      #expect(child.exit == .code(1) && child.outputText.isEmpty, "\(child.state)")
      for word in said { expectSentence(child, saying: word) }
    }
    let list = words.split(separator: " ")
    try refused(file, list.dropLast().joined(separator: " "), "twelve words; 11")
    try refused(
      file, Array(repeating: "abandon", count: 11).joined(separator: " ") + " about", "do not open the file")
    try refused(file, ([list[1], list[0]] + list.dropFirst(2)).joined(separator: " "), "words", "compare")
    try refused(file + ".none", words, "cannot be read", "is not there")
    try refused(new.folder, words, "cannot be read", "folder")
    let bytes = try #require(Files.read(file))
    try Files.replace(new.root + "/torn", with: Array(bytes.prefix(bytes.count / 2)))
    try refused(new.root + "/torn", words, "not whole", "copy it again")
    try Files.replace(new.root + "/foreign", with: Array("a letter".utf8))
    try refused(new.root + "/foreign", words, "was not written by `continuo move-out`")
    #expect(identity(new) == before)
    #expect(try new.status().process == process, "the agent was not even stopped")
    // And then it goes through.
    let moved = try run(new, "move-in", file, "--words-file", "-", "--json", input: words)
    #expect(moved.exit == .code(0), "\(moved.state)")
    let told = try JSONSerialization.jsonObject(with: Data(moved.outputBytes)) as? [String: Any]
    #expect(told?["devices"] as? [String] == [try new.status().deviceName])
    try refused(file, words, "already")
  }

  @Test func aComputerInACircleIsNotReplaced() throws {
    let devices = try TwoDevices()
    let stranger = try devices.player.sandbox.add("stranger")
    let file = devices.player.sandbox.directory + "/device.continuo"
    let words = try moveOut(stranger, to: file)
    let before = identity(devices.laptop.device)
    let child = try run(devices.laptop.device, "move-in", file, "--words-file", "-", input: words)
    #expect(child.exit == .code(1))
    expectSentence(child, saying: "circle with desktop", "continuo revoke")
    #expect(identity(devices.laptop.device) == before)
    #expect(try devices.laptop.device.status().devices.count == 2)
  }

  @Test func aPlaceThatCannotBeLeavesTheOldComputerAsItWas() throws {
    let home = try Home()
    try home.addFolder()
    let device = home.device
    let before = try #require(identity(device))
    func refused(_ file: String, _ said: String...) throws {
      let child = try run(device, "move-out", file, "--yes")
      #expect(child.exit == .code(1) && child.outputText.isEmpty, "\(child.state)")
      for word in said { expectSentence(child, saying: word) }
      #expect(identity(device) == before)
      #expect(try device.status().problems.isEmpty)
    }
    let taken = device.root + "/taken"
    try Files.replace(taken, with: Array("mine".utf8))
    try refused(taken, "is there already", "not overwritten")
    #expect(Files.text(taken) == "mine")
    try FilePath(device.root + "/link").makeSymbolicLink(to: FilePath(device.root + "/nowhere"))
    try refused(device.root + "/link", "is there already")
    try refused(device.root + "/none/file", "could not be written", "is not there")
    try refused(device.root + "/", "could not be written")
    try refused(device.folder + "/file", "synced folder Notes", "not synced")
    try FilePath(device.root + "/way").makeSymbolicLink(to: FilePath(device.folder))
    try refused(device.root + "/way/file", "synced folder Notes")
    #expect(Files.list(device.folder).allSatisfy { $0.hasPrefix(".continuo/") })
    // Nobody can be asked, and nothing was said in advance.
    let asked = try run(device, "move-out", device.root + "/file")
    #expect(asked.exit == .code(1) && identity(device) == before)
    expectSentence(asked, saying: "--yes")
    #expect(try run(device, "move-out", device.root + "/file", "--json").exit == .code(64))
  }

  /// A disk that is full for the file, or for what is to stand in the keys' place.
  @Test func aFullDiskLeavesTheOldComputerGoing() throws {
    let home = try Home()
    let device = home.device
    try device.continuo("status")
    let before = try #require(identity(device))
    try Files.makeDirectory(device.root + "/small")
    guard mount("tmpfs", device.root + "/small", "tmpfs", 0, "size=32k,mode=0700") == 0 else {
      return print("skipped: mounting a tmpfs is refused here (errno \(errno))")
    }
    defer { umount2(device.root + "/small", CInt(MNT_DETACH)) }
    let child = try run(device, "move-out", device.root + "/small/file", "--yes")
    #expect(child.exit == .code(1) && child.outputText.isEmpty, "\(child.state)")
    expectSentence(child, saying: "the disk is full", "nothing was moved")
    #expect(Files.list(device.root + "/small").isEmpty)
    #expect(identity(device) == before)
    // The words can be shown to nobody.
    let words = try ChildProcess(
      "sh", ["-c", "exec '\(device.programs["continuo"])' move-out '\(device.root)/file' --yes > /dev/full"],
      environment: device.environment)
    #expect(try words.waitForExit(within: 60) == .code(1), "\(words.state)")
    expectSentence(words, saying: "could not be written", "nothing was changed")
    #expect(!FilePath(device.root + "/file").allows() && identity(device) == before)
    #expect(try device.status().devices.count == 1)
  }

  /// What a person is asked on a terminal, and may still say no to.
  @Test func whoDoesNotSayYesStays() throws {
    let devices = try TwoDevices()
    let device = devices.desktop.device
    let before = try #require(identity(device))
    let file = devices.player.sandbox.directory + "/device.continuo"
    for answer in ["no", "yes"] {
      let screen = try devices.terminals.open(
        answer, [device.programs["continuo"], "move-out", file], environment: device.environment,
        columns: 160)
      try screen.wait(toShow: "Type yes when you have written")
      #expect(identity(device) == before && FilePath(file).allows())
      try screen.type(answer)
      try screen.press("Enter")
      try screen.wait(toShow: answer == "no" ? "Nothing was moved" : "This computer has stopped")
      #expect(FilePath(file).allows() == (answer == "yes"))
      #expect((identity(device) == before) == (answer == "no"))
      if answer == "no" { #expect(try device.continuo("devices").split(separator: "\n").count == 2) }
    }
  }
}
