// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// What a person may get wrong, through the real command line.
@Suite(.waiting) struct BadInputTests {
  @Test func publishingAFileOutsideEverySyncedFolderSaysSo() throws {
    let home = try Home()
    try home.addFolder()
    let path = home.device.root + "/home/letter.md"
    try Files.replace(path, with: Array("a".utf8))
    expectSentence(try home.continuo("publish", path), saying: "letter.md", "folder")
  }

  @Test func publishingAFileThatIsNotThereSaysSo() throws {
    let home = try Home()
    try home.addFolder()
    expectSentence(try home.continuo("publish", home.device.folder + "/none.md"), saying: "none.md")
  }

  @Test func addingAFolderThatIsNotThereOrNoFolderSaysSo() throws {
    let home = try Home()
    expectSentence(try home.continuo("folder", "add", home.device.root + "/none"), saying: "none")
    let path = home.device.root + "/home/letter.md"
    try Files.replace(path, with: Array("a".utf8))
    expectSentence(try home.continuo("folder", "add", path), saying: "letter.md")
  }

  @Test func addingAFolderThatIsNotWritableSaysSo() throws {
    let home = try Home()
    // Root may write where modes forbid it, but not into the kernel's own files.
    let path = getuid() == 0 ? "/sys/kernel" : home.device.folder
    chmod(home.device.folder, getuid() == 0 ? 0o700 : 0o500)
    expectSentence(try home.continuo("folder", "add", path), saying: path, "permission")
    chmod(home.device.folder, 0o700)
  }

  @Test func aFolderThatVanishesIsToldAndNothingIsPublishedFromIt() throws {
    let home = try Home()
    try home.addFolder()
    Files.removeTree(home.device.folder)
    let child = try home.continuo("publish", home.device.folder + "/plan.md")
    expectSentence(child, saying: "plan.md")
    let list = try home.continuo("folder", "list")
    #expect(list.exit == .code(0), "\(list.state)")
  }

  @Test func wrongWordsAreRefused() throws {
    let home = try Home()
    try home.addFolder()
    let zoo = String(repeating: "zoo ", count: 12)
    expectSentence(try home.continuo("join", "--words-file", "-", input: zoo), saying: "word")
    expectSentence(try home.continuo("join", "--words-file", "-", input: "one two three"), saying: "word")
    expectSentence(try home.continuo("join", "--words-file", "-", input: ""), saying: "word")
    // Right in themselves, but the invitation that lies in the folder was made with others.
    try home.device.continuo("pair")
    let valid = String(repeating: "abandon ", count: 11) + "about"
    expectSentence(try home.continuo("join", "--words-file", "-", input: valid), saying: "invit")
  }

  @Test func aWordsFileThatIsNotThereSaysSo() throws {
    let home = try Home()
    try home.addFolder()
    expectSentence(try home.continuo("join", "--words-file", home.device.root + "/none"), saying: "none")
  }

  @Test func resumingWhatNobodyOffersSaysSo() throws {
    let home = try Home()
    try home.addFolder()
    expectSentence(try home.continuo("resume"), saying: "offer")
    expectSentence(try home.continuo("resume", "00ff"), saying: "00ff")
  }

  @Test func aPlaceForFilesIsAskedForWhenThereIsNone() throws {
    let home = try Home()
    let nowhere: [String: String?] = [
      "HOME": nil, "XDG_STATE_HOME": nil, "XDG_CONFIG_HOME": nil, "XDG_DATA_HOME": nil,
      "XDG_RUNTIME_DIR": nil,
    ]
    expectSentence(try home.continuo("status", changing: nowhere), saying: "HOME")
  }

  @Test(arguments: [["fly"], ["publish"], ["folder", "add"], ["publish", "a.md", "--line", "many"]])
  func wrongUsageIsRefusedWithTheUsage(arguments: [String]) throws {
    let home = try Home()
    let child = try ChildProcess(
      home.sandbox.programs["continuo"], arguments, environment: home.device.environment)
    #expect(try child.waitForExit() == .code(64), "\(child.state)")
    #expect(child.errorText.contains("sage:"), "\(child.state)")
  }

  @Test func corruptRecordsAreLeftAloneAndTheAgentGoesOn() throws {
    let home = try Home()
    try home.addFolder()
    let records = home.device.folder + "/.continuo"
    for (index, size) in [0, 1, 588, 1100, 4172, 16460, 65612, 100_000].enumerated() {
      let name = "d-" + String(repeating: "abcdefgh"[index], count: 26) + ".rec"
      try Files.replace(records + "/" + name, with: [UInt8](repeating: UInt8(index), count: size))
    }
    let agent = try home.device.status().process
    let offers = try home.continuo("offers", "--json")
    #expect(offers.exit == .code(0), "\(offers.state)")
    #expect(try home.device.status().process == agent)
  }
}

extension String {
  fileprivate subscript(_ index: Int) -> String { String(self[self.index(startIndex, offsetBy: index)]) }
}
