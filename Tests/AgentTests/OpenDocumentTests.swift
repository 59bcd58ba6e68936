// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import AgentClient
import Glibc
import TestSupport
import Testing
import VersionHistory

@testable import Agent
@testable import AgentEngine

/// An app is told what other programs do to the files that it has open: real files, one agent.
@Suite(.serialized) struct OpenDocumentTests {
  private let world: World
  private let device: InProcessDevice
  private let client: TestClient

  init() throws {
    world = try World()
    device = try world.device("desktop")
    try Scratch.write("one", to: device.folder + "/plan.md")
    try device.addFolder()
    client = try world.connect(to: device.core)
    client.hello()
    client.link.send(.opened(path: path("plan.md")), descriptor: nil)
    world.settle()
  }

  private func path(_ name: String) -> [UInt8] { Array((device.folder + "/" + name).utf8) }

  private func file(_ name: String) -> String { device.folder + "/" + name }

  private var told: [DocumentChange] {
    client.reports.compactMap { if case .documentChanged(_, let change) = $0 { change } else { nil } }
  }

  private func names(_ name: String) -> [[UInt8]] {
    name.split(separator: "/").map { Array($0.utf8) }
  }

  /// As the watcher tells it.
  private func move(_ from: String, _ to: String, isFolder: Bool = false) {
    #expect(rename(file(from), file(to)) == 0)
    device.core.receive(.moved(device.root, from: names(from), to: names(to), isFolder: isFolder))
  }

  private func wait(for change: DocumentChange) throws {
    try world.run("\(change)", state: { "\(told)" }) { told.contains(change) }
  }

  @Test func s34c_aRenameIsToldAndTheDocumentFollowedUnderItsNewName() throws {
    move("plan.md", "final.md")
    try wait(for: .moved(to: path("final.md")))
    try Scratch.write("two", to: file("final.md"))
    device.look()
    try world.run("the change") { client.changes(of: path("final.md")) == 1 }
    #expect(!told.contains(.deleted) && told.count == 2)
    client.link.send(.closed(path: path("plan.md")), descriptor: nil)
    try world.run("the end") { device.core.opened.places.isEmpty }
  }

  @Test func s34c_anEnginesCopyAndDeletionIsAMove() throws {
    try Scratch.write("one", to: file("final.md"))
    device.look()
    unlink(file("plan.md"))
    device.look()
    try wait(for: .moved(to: path("final.md")))
    #expect(told == [.moved(to: path("final.md"))])
  }

  @Test func s34c_aFolderAboveThatWasRenamedIsFollowed() throws {
    mkdir(file("trip"), 0o755)
    try Scratch.write("three", to: file("trip/log.md"))
    client.link.send(.opened(path: path("trip/log.md")), descriptor: nil)
    world.settle()
    move("trip", "journey", isFolder: true)
    try wait(for: .moved(to: path("journey/log.md")))
    #expect(told == [.moved(to: path("journey/log.md"))])
  }

  @Test func s34c_aMoveIntoAnotherSyncedFolderIsFollowed() throws {
    let other = try world.scratch.folder("photos")
    _ = try device.ask(.addFolder(path: Array(other.utf8), name: "Photos"))
    #expect(rename(file("plan.md"), other + "/plan.md") == 0)
    device.look()
    let target = Array((other + "/plan.md").utf8)
    try wait(for: .moved(to: target))
    try Scratch.write("two", to: other + "/plan.md")
    for root in device.core.folders.roots { device.core.receive(.rescan(root.number, path: [])) }
    try world.run("the change") { client.changes(of: target) == 1 }
    #expect(!told.contains(.deleted))
  }

  @Test func s34d_aMoveOutOfAllSyncedFoldersIsADeletionAndComingBackAChange() throws {
    let outside = try world.scratch.folder("outside")
    #expect(rename(file("plan.md"), outside + "/plan.md") == 0)
    device.look()
    try wait(for: .deleted)
    #expect(rename(outside + "/plan.md", file("plan.md")) == 0)
    device.look()
    try world.run("the return") { client.changes(of: path("plan.md")) == 1 }
  }

  @Test func s34d_anAppThatReadWhatIsGoneByNowHearsOfItToo() throws {
    unlink(file("plan.md"))
    device.look()
    try wait(for: .deleted)
    let late = try world.connect(to: device.core)
    late.hello()
    late.link.send(.opened(path: path("plan.md")), descriptor: nil)
    try world.run("the same for a second app") {
      late.reports.contains(.documentChanged(path: path("plan.md"), .deleted))
    }
    #expect(told == [.deleted])
  }

  @Test func s34d_anAppWhoseDocumentIsGoneWithItsFolderHearsOfItAndOfItsReturn() throws {
    let late = try world.connect(to: device.core)
    late.hello()
    late.link.send(.opened(path: path("trip/day/log.md")), descriptor: nil)
    try world.run("the end of a document that has no folder") {
      late.reports.contains(.documentChanged(path: path("trip/day/log.md"), .deleted))
    }
    mkdir(file("trip"), 0o755)
    mkdir(file("trip/day"), 0o755)
    try Scratch.write("one", to: file("trip/day/log.md"))
    device.look()
    try world.run("the return") { late.changes(of: path("trip/day/log.md")) == 1 }
  }

  @Test func s34e_aConflictCopyIsToldAlsoOneThatWasThereBeforeAndSoIsItsEnd() throws {
    let copy = "plan.sync-conflict-20261122-040000-ABCDEFG.md"
    try Scratch.write("other", to: file(copy))
    device.core.receive(.changed(device.root, path: names(copy), change: .movedIn))
    try wait(for: .conflict(copies: [path(copy)]))
    let late = try world.connect(to: device.core)
    late.hello()
    late.link.send(.opened(path: path("plan.md")), descriptor: nil)
    try world.run("the same for a second app") {
      late.reports.contains(.documentChanged(path: path("plan.md"), .conflict(copies: [path(copy)])))
    }
    unlink(file(copy))
    device.core.receive(.changed(device.root, path: names(copy), change: .deleted))
    try wait(for: .conflict(copies: []))
    #expect(told.count == 2)
  }

  @Test func anAppThatWentBackToTheOldNameIsFollowedThere() throws {
    move("plan.md", "final.md")
    try wait(for: .moved(to: path("final.md")))
    try Scratch.write("mine", to: file("plan.md"))
    client.link.send(.closed(path: path("plan.md")), descriptor: nil)
    client.link.send(.opened(path: path("plan.md")), descriptor: nil)
    world.settle()
    #expect(device.core.opened.places.map { $0.path.description } == ["plan.md"])
  }
}
