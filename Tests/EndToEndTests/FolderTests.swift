// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import Testing

@testable import fixtures

/// Folders that are forgotten, go away and come back.
@Suite(.timeLimit(.minutes(4))) struct FolderTests {
  @Test func aRemovedFolderIsForgottenAndItsFilesStay() throws {
    let devices = try TwoDevices()
    let laptop = devices.laptop.device
    try devices.offer("plan.md", "alpha")
    let told = try laptop.continuo("folder", "remove", "Notes")
    #expect(told.contains("Notes") && told.contains("stay"), "\(told)")
    #expect(try laptop.continuo("folder", "list") == "")
    #expect(Files.text(laptop.folder + "/plan.md") == "alpha")
    expectSentence(
      try devices.laptop.run("publish", laptop.folder + "/plan.md"), saying: "plan.md", "folder add")
    expectSentence(try devices.laptop.run("folder", "remove", "Notes"), saying: "Notes")

    try laptop.continuo("folder", "add", laptop.folder)
    try devices.laptop.app.see("plan.md", "current", since: WallTime(milliseconds: 0))
  }

  @Test func aFolderThatComesBackIsUsedAgain() throws {
    let devices = try TwoDevices()
    let laptop = devices.laptop.device
    try devices.offer("plan.md", "alpha")
    #expect(rename(laptop.folder, laptop.folder + ".away") == 0)
    let app = devices.laptop.app
    _ = try app.wait(for: "the folder's absence") { $0.roots?.first?.isPresent == false ? () : nil }
    #expect(try laptop.continuo("folder", "list").contains("not there now"))
    #expect(try laptop.continuo("status").contains("bring it back"))
    expectSentence(try devices.laptop.run("publish", laptop.folder + "/plan.md"), saying: "plan.md")
    #expect(!Files.isRegular(laptop.folder + "/plan.md"), "a folder that is away is not made anew")

    #expect(rename(laptop.folder + ".away", laptop.folder) == 0)
    _ = try app.wait(for: "the folder's return", within: 75) { $0.roots?.first?.isPresent == true ? () : nil }
    try app.see("plan.md", "current", since: WallTime(milliseconds: 0))
    try app.resume("plan.md", since: WallTime(milliseconds: 0))
    try app.expectDelivery(of: "plan.md", text: "alpha", line: 1, column: 1)
    #expect(!(try laptop.continuo("status")).contains("bring it back"))
  }
}
