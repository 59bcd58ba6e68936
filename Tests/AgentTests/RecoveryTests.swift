// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import Glibc
import SyncedFolders
import TestSupport
import Testing
import Trust
import VersionHistory

@testable import Agent
@testable import AgentEngine

/// What is tried again by itself, without anybody having something new to say.
@Suite(.serialized) struct RecoveryTests {
  @Test func aRecordThatWasTakenAwayOrReplacedIsLaidThereAgain() throws {
    let pair = try Pair()
    try pair.offer("two")
    let file = try #require(pair.desktop.core.records.publisher.current)
    let path = pair.desktop.records + "/" + file.name
    unlink(path)
    pair.desktop.look()
    try pair.world.run("the record") { Scratch.bytes(at: path) == file.bytes }
    #expect(pair.desktop.core.records.publisher.current?.bytes == file.bytes, "nothing new had to be said")
  }

  @Test func whatWasSaidLastReachesTheFolderAfterARestart() throws {
    let pair = try Pair()
    try pair.offer("two")
    let name = try #require(pair.desktop.core.records.publisher.current?.name)
    let old = try #require(Scratch.bytes(at: pair.desktop.records + "/" + name))
    try pair.offer("three", at: 2_000)
    try pair.desktop.restart()
    #expect(pair.desktop.core.records.publisher.current == nil, "nothing was said in this run")
    // As after a loss of power: the state directory is durable, the folder went back.
    try Scratch.write(old, to: pair.desktop.records + "/" + name)
    pair.desktop.look()
    try pair.world.run("a new record") {
      let bytes = Scratch.bytes(at: pair.desktop.records + "/" + name)
      return bytes != nil && bytes != old && bytes == pair.desktop.core.records.publisher.current?.bytes
    }
  }

  @Test func anUpdateWhoseDocumentIsAwayForAMomentIsOfferedWhenItIsBack() throws {
    let pair = try Pair()
    let path = pair.desktop.folder + "/plan.md"
    let saved = open(path, O_RDONLY)
    defer { close(saved) }
    try #require(rename(path, path + ".away") == 0)
    pair.editor.offer(path, id: pair.activity, at: 1_000)
    pair.world.settle()
    #expect(pair.desktop.record?.activities.isEmpty != false)
    try #require(rename(path + ".away", path) == 0)
    try pair.world.run("the offer") { pair.desktop.record?.activities.map(\.id) == [pair.activity] }
    #expect(pair.desktop.record?.activities.first?.document?.path.displayName == "plan.md")
  }

  @Test func aFolderThatIsBackIsUsedByWhoeverNamesADocumentInIt() throws {
    let pair = try Pair()
    let (records, folders) = (pair.desktop.records, pair.desktop.core.folders)
    try #require(rename(records, records + ".away") == 0)
    pair.desktop.core.presence.check()
    try #require(folders.roots.allSatisfy { $0.presence == nil })
    try #require(rename(records + ".away", records) == 0)
    pair.editor.offer(pair.desktop.folder + "/plan.md", id: pair.activity, at: 1_000)
    try pair.world.run("the folder") { folders.roots.allSatisfy { $0.presence != nil } }
    try pair.world.run("the offer") { pair.desktop.record?.activities.map(\.id) == [pair.activity] }
    #expect(pair.desktop.record?.activities.first?.document?.path.displayName == "plan.md")
  }

  @Test func whatWasOpenedWhileItsFolderWasAwayIsFollowedWhenThatIsBack() throws {
    let pair = try Pair()
    let (laptop, path) = (pair.laptop, pair.laptop.folder + "/plan.md")
    try Scratch.write("one", to: path)
    try #require(rename(laptop.records, laptop.records + ".away") == 0)
    laptop.core.presence.check()
    try #require(laptop.core.folders.roots.allSatisfy { $0.presence == nil })
    pair.viewer.link.send(.opened(path: Array(path.utf8)), descriptor: nil)
    pair.world.settle()
    try #require(rename(laptop.records + ".away", laptop.records) == 0)
    laptop.core.presence.check()
    pair.world.settle()
    try Scratch.write("two", to: path)
    laptop.look()
    try pair.world.run("the change") { pair.viewer.changes(of: Array(path.utf8)) > 0 }
  }

  @Test func whatWasOpenedWhileNoWayLedToItsFolderIsFollowedThoughNoFolderHasCome() throws {
    let pair = try Pair()
    let (laptop, link) = (pair.laptop, pair.world.scratch.path + "/way")
    let path = Array((link + "/plan.md").utf8)
    pair.viewer.link.send(.opened(path: path), descriptor: nil)
    pair.world.settle()
    try #require(laptop.core.opened.places.isEmpty && symlink(laptop.folder, link) == 0)
    laptop.core.presence.check()
    try pair.world.run("the document") { !laptop.core.opened.places.isEmpty }
    try Scratch.write("two", to: laptop.folder + "/plan.md")
    laptop.look()
    try pair.world.run("the change") { pair.viewer.changes(of: path) > 0 }
  }

  @Test func everyChangeOfAHistoryIsToldToWhoJudgesByIt() throws {
    let pair = try Pair()
    let core = pair.desktop.core
    let place = try #require(core.documents.place(of: Array((pair.desktop.folder + "/plan.md").utf8)))
    var told: [DocumentPlace] = []
    let tell = core.store.onHistoryChange
    core.store.onHistoryChange = {
      told.append($0)
      tell($0)
    }
    let digest = try #require(ContentDigest(bytes: [UInt8](repeating: 7, count: 32)))
    core.documents.noteHeld(VersionSighting(digest, size: 3, source: .onDisk), at: place)
    core.documents.noteHeld(VersionSighting(digest, size: 3, source: .onDisk), at: place)
    #expect(told == [place], "told once: the second time nothing changed")
  }
}
