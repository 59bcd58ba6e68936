// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// `continuo resume --fork`: a copy of what another device offers, and nothing else.
@Suite(.waiting, .timeLimit(.minutes(20))) struct ForkTests {
  private func text(_ path: String) -> String? {
    Scratch.bytes(at: path).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func aCopyIsMadeBesideTheDocumentAndNothingIsContinued() throws {
    let devices = try TwoDevices()
    try devices.offer("notes/plan.md", "alpha")
    let notes = devices.laptop.device.folder + "/notes"
    let first = try devices.laptop.run("resume", "--fork")
    #expect(first.exit == .code(0), "\(first.state)")
    #expect(first.outputText == "\(notes)/plan (copy from desktop).md\n", "\(first.state)")
    let second = try devices.laptop.run("resume", "--fork", "--print", "--json")
    let row = try JSONSerialization.jsonObject(with: Data(second.outputBytes)) as? [String: String]
    #expect(row?["path"] == "\(notes)/plan (copy from desktop) 2.md", "\(second.state)")
    #expect(row?["device"] == "desktop", "\(second.state)")
    for name in ["plan.md", "plan (copy from desktop).md", "plan (copy from desktop) 2.md"] {
      #expect(text("\(notes)/\(name)") == "alpha")
    }
    #expect(Scratch.names(in: notes).count == 3)
    let offers = try devices.laptop.run("offers")
    #expect(offers.outputText.contains("plan.md"), "the offer stays: \(offers.state)")
    #expect(devices.laptop.app.continuation == nil)
  }

  /// The engine brings records and no documents.
  @Test func overALinkTheCopyIsThereBeforeTheEngineHasBroughtIt() throws {
    let devices = try TwoDevices()
    try devices.offer("notes/plan.md", "alpha")
    try devices.player.perform(.devicesAreLinked)
    let flow = devices.flow()
    defer { withExtendedLifetime(flow) {} }
    try devices.desktop.stopPublishing("notes/plan.md")
    try devices.write("notes/plan.md", "alpha beta")
    let now = WallTime(milliseconds: wallNow())
    try devices.desktop.publish("notes/plan.md", line: 1, column: 1)
    try devices.laptop.app.see("notes/plan.md", "behind", since: now)
    let child = try devices.laptop.run("resume", "--fork", "--print", "--timeout", "30")
    #expect(child.exit == .code(0) && child.errorText.isEmpty, "\(child.state)")
    let notes = devices.laptop.device.folder + "/notes"
    #expect(text(notes + "/plan (copy from desktop).md") == "alpha beta")
    #expect(text(notes + "/plan.md") == "alpha", "the engine has brought nothing")
  }

  @Test func onATerminalTheCopyIsOpenedInTheSampleEditor() throws {
    let devices = try TwoDevices()
    try devices.offer("notes/plan.md", "alpha")
    let laptop = devices.laptop.device
    let screen = try devices.terminals.open(
      "laptop", [laptop.programs["continuo"], "resume", "--fork"], environment: laptop.environment)
    try screen.wait(toShow: "alpha", "plan (copy from desktop).md", "Ln 1, Col 1")
  }

  @Test func withoutATerminalTheDesktopIsAskedToOpenTheCopy() throws {
    let devices = try TwoDevices()
    try devices.offer("notes/plan.md", "alpha")
    let laptop = devices.laptop.device
    let folder = laptop.root + "/bin"
    try Files.makeDirectory(folder)
    try Scratch.write("#!/bin/sh\nprintf '%s' \"$#$1\" >'\(laptop.root)/asked'\n", to: folder + "/xdg-open")
    _ = try ChildProcess.run("chmod", ["+x", folder + "/xdg-open"], environment: laptop.environment)
    let path = folder + ":" + (laptop.environment["PATH"] ?? "")
    let child = try ChildProcess(
      laptop.programs["continuo"], ["resume", "--fork"],
      environment: laptop.environment.merging(["PATH": path, "DISPLAY": ":99"]) { $1 })
    #expect(try child.waitForExit() == .code(0) && child.errorText.isEmpty, "\(child.state)")
    #expect(text(laptop.root + "/asked") == "1\(laptop.folder)/notes/plan (copy from desktop).md")
  }

  @Test func ofADocumentChangedOnBothDevicesTheConflictCopyIsTaken() throws {
    let devices = try TwoDevices()
    try devices.offer("notes/plan.md", "alpha")
    let notes = devices.laptop.device.folder + "/notes"
    try Scratch.write("mine", to: notes + "/plan.md")
    let gone = try devices.laptop.run("resume", "--fork", "--print", "--timeout", "1")
    #expect(gone.exit != .code(0) && gone.errorText.contains("plan.md"), "\(gone.state)")
    #expect(Scratch.names(in: notes) == ["plan.md"])
    let copy = notes + "/plan.sync-conflict-20261122-040000-ABCDEFG.md"
    try Scratch.write("alpha", to: copy)
    let child = try devices.laptop.run("resume", "--fork", "--print")
    #expect(child.exit == .code(0), "\(child.state)")
    #expect(text(notes + "/plan (copy from desktop).md") == "alpha")
    #expect(text(notes + "/plan.md") == "mine" && text(copy) == "alpha")
  }

  @Test func aFolderThatVanishedIsASentence() throws {
    let devices = try TwoDevices()
    try devices.offer("notes/plan.md", "alpha")
    Scratch.removeTree(devices.laptop.device.folder + "/notes")
    let child = try devices.laptop.run("resume", "--fork", "--timeout", "1")
    #expect(child.exit == .code(2) || child.exit == .code(1), "\(child.state)")
    #expect(child.errorText.contains("plan.md") && child.outputText.isEmpty, "\(child.state)")
  }
}
