// SPDX-License-Identifier: MIT

import LinuxSystem
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// `continuo watch`: a window on a folder, for people.
@Suite(.waiting, .timeLimit(.minutes(20))) struct WatchCommandTests {
  private func wait(_ child: ChildProcess, for words: String...) throws {
    try Waiting.wait(
      for: words.joined(separator: ", "), by: Deadline(seconds: 20), on: { child.descriptors },
      lastState: { child.state }
    ) { () -> Void? in
      child.takeNews()
      if child.exit != nil { throw Failure("to go on", lastSeen: child.state) }
      return words.allSatisfy { child.outputText.contains($0) } ? () : nil
    }
  }

  @Test func settledNamesAreToldInSentences() throws {
    let home = try Home()
    let folder = home.device.folder
    let watching = try home.device.start("watch", folder)
    try wait(watching, for: "watched.")
    try Files.replace(folder + "/plan.md", with: Array("alpha".utf8))
    try wait(watching, for: "plan.md is here, with 5 bytes.")
    unlink(folder + "/plan.md")
    try wait(watching, for: "plan.md is not there.")
    #expect(!watching.outputText.contains("event:"))
    watching.signal(.terminate)
    try watching.waitForExit()
  }

  @Test func rawEventsAndObjectsAreToldOnDemand() throws {
    let home = try Home()
    let folder = home.device.folder
    let raw = try home.device.start("watch", "--raw", folder)
    let json = try home.device.start("watch", "--json", "--raw", folder)
    try wait(raw, for: "watched.")
    try wait(json, for: "\"hint\":\"watching\"")
    try Files.replace(folder + "/plan.md", with: Array("alpha".utf8))
    try wait(raw, for: "event: movedTo, plan.md", "plan.md is here")
    try wait(
      json, for: "{\"event\":[\"movedTo\"]", "{\"look\":\"file\"", "\"path\":[\"plan.md\"],\"size\":5}")
  }

  @Test func aFolderThatGoesEndsItWithASentence() throws {
    let home = try Home()
    let place = home.device.root + "/watched"
    #expect(mkdir(place, 0o700) == 0)
    let watching = try home.device.start("watch", place)
    try wait(watching, for: "watched.")
    rmdir(place)
    try watching.waitForExit()
    #expect(watching.outputText.contains("is no longer watched. The folder was deleted"))
    expectSentence(watching, saying: "no folder is left")
  }

  @Test func badInputIsRefusedWithASentence() throws {
    let home = try Home()
    expectSentence(
      try home.continuo("watch", "/nonexistent/folder"), saying: "/nonexistent", "check the path")
    expectSentence(try home.continuo("watch", "/etc/passwd"), saying: "is a file", "folder")
    let misspelt = try home.continuo("watch", "--loud", home.device.folder)
    #expect(misspelt.exit == .code(64), "\(misspelt.state)")
    let help = try home.continuo("watch", "--help")
    #expect(help.exit == .code(0) && help.outputText.contains("--raw"), "\(help.state)")
  }
}
