// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import Glibc
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// Two registered folders of which one was copied over the other, identity and all.
@Suite struct SharedIdentityTests {
  let world: World
  let device: InProcessDevice
  let second: String
  let client: TestClient

  init() throws {
    world = try World()
    device = try world.device("desktop")
    second = try world.scratch.folder("Second")
    try device.addFolder()
    _ = try device.ask(.addFolder(path: Array(second.utf8), name: "Second"))
    try Scratch.write("one", to: device.folder + "/plan.md")
    client = try world.connect(to: device.core)
    client.hello()
  }

  private var notes: String { device.folder }
  private var folders: FolderRegistry { device.core.folders }

  private func path(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func root(_ name: String) throws -> FolderRegistry.Root {
    try #require(folders.roots.first { $0.registered.name == name })
  }

  /// `cp -a FROM/. TO/`, as the watcher tells of it.
  private func copy(_ from: String, over to: String) throws {
    for name in Scratch.names(in: from) where name != ".continuo" {
      try Scratch.write(try #require(Scratch.bytes(at: "\(from)/\(name)")), to: "\(to)/\(name)")
    }
    mkdir(to + "/.continuo", 0o755)
    for name in Scratch.names(in: from + "/.continuo") {
      let bytes = try #require(Scratch.bytes(at: "\(from)/.continuo/\(name)"))
      try Scratch.write(bytes, to: "\(to)/.continuo/\(name)")
    }
    look()
  }

  private func text(at path: String) -> String? {
    Scratch.bytes(at: path).map { String(decoding: $0, as: UTF8.self) }
  }

  private func look() {
    for root in folders.roots { device.core.receive(.rescan(root.number, path: [])) }
    world.settle()
  }

  private func add(_ path: String, newIdentity: Bool = false, name: String? = nil) throws -> AgentAnswer {
    try device.ask(.addFolder(path: self.path(path), name: name, newIdentity: newIdentity))
  }

  /// No ID is two folders', and only `used` ones are used.
  private func expect(used: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      folders.roots.filter { $0.presence != nil }.map(\.registered.name) == used,
      sourceLocation: sourceLocation)
    let ids = folders.roots.flatMap(\.ids)
    #expect(Set(ids).count == ids.count, sourceLocation: sourceLocation)
    let told = folders.syncedRoots.map(\.id)
    #expect(Set(told).count == told.count, sourceLocation: sourceLocation)
  }

  private var told: [DocumentChange] {
    client.reports.compactMap { if case .documentChanged(_, let change) = $0 { change } else { nil } }
  }

  @Test func theFolderThatWasRegisteredLaterIsRefusedInWordsAndTheFirstGoesOn() throws {
    let first = try root("Notes").canonical
    try copy(notes, over: second)
    expect(used: ["Notes"])
    #expect(try root("Notes").canonical == first)
    let status = try device.status()
    #expect(status.problems.count == 1, "\(status.problems)")
    let sentence = try #require(status.problems.first)
    for words in [
      "Folder Second", "same identity as folder Notes", "registered first", "--new-identity", second,
    ] {
      #expect(sentence.contains(words), "\(sentence)")
    }
    #expect(status.folders.map(\.isPresent) == [true, false])
    #expect(status.folders.map { $0.refusal == sentence } == [false, true])
    client.offer(notes + "/plan.md", at: 1_000)
    try world.run("the record") {
      device.record?.activities.contains { $0.document?.folder == first } == true
    }
    client.offer(second + "/plan.md", at: 2_000)
    world.settle()
    #expect(device.record?.activities.count == 1, "nothing of a refused folder is offered")
    guard case .activities(let own) = try device.ask(.ownActivities) else { throw CancellationError() }
    #expect(own.map(\.reason) == [sentence, ""])
  }

  @Test func whatMovesInACopyNeverReachesTheDocumentOfTheFirst() throws {
    client.link.send(.opened(path: path(notes + "/plan.md")), descriptor: nil)
    world.settle()
    try copy(notes, over: second)
    #expect(rename(second + "/plan.md", second + "/other.md") == 0)
    for root in folders.roots where root.registered.name == "Second" {
      device.core.receive(
        .moved(root.number, from: [path("plan.md")], to: [path("other.md")], isFolder: false))
    }
    unlink(second + "/other.md")
    look()
    #expect(told.isEmpty, "\(told)")
    // A document that is gone is not looked for in a folder that is refused.
    try Scratch.write("one", to: second + "/plan.md")
    unlink(notes + "/plan.md")
    look()
    try world.run("the end") { told.contains(.deleted) }
    #expect(told.allSatisfy { if case .moved = $0 { false } else { true } }, "\(told)")
  }

  @Test func whatIsRefusedIsRefusedAfterARestartAsWell() throws {
    try copy(notes, over: second)
    let before = try device.status().problems
    try device.restart()
    expect(used: ["Notes"])
    #expect(try device.status().problems == before)
  }

  @Test(arguments: [false, true]) func aNewIdentityMendsIt(afterRestart: Bool) throws {
    let (first, own) = (try root("Notes").canonical, try root("Second").canonical)
    try copy(notes, over: second)
    if afterRestart { try device.restart() }
    guard case .done(let sentence) = try add(second, newIdentity: true) else { throw CancellationError() }
    #expect(sentence.contains("identity of its own"), "\(sentence)")
    expect(used: ["Notes", "Second"])
    #expect(try device.status().problems == [])
    // Its own one, under which other devices know it.
    #expect(try root("Second").canonical == own && root("Notes").canonical == first)
    let files = Scratch.names(in: second + "/.continuo").filter { $0.hasSuffix(".id") }
    #expect(files.count == 1 && text(at: second + "/.continuo/" + files[0])?.contains("\(own)") == true)
    try device.restart()
    expect(used: ["Notes", "Second"])
    #expect(try root("Second").canonical == own)
    guard case .done(let again) = try add(second, newIdentity: true) else { throw CancellationError() }
    #expect(try root("Second").canonical == own)
    #expect(again.contains("registered already"), "\(again)")
  }

  @Test(arguments: [false, true]) func aCopyOverTheFirstIsMendedThere(afterRestart: Bool) throws {
    let (first, own) = (try root("Notes").canonical, try root("Second").canonical)
    client.offer(notes + "/plan.md", at: 1_000)
    try world.run("the record") { device.record?.activities.isEmpty == false }
    try copy(second, over: notes)
    if afterRestart { try device.restart() }
    expect(used: ["Notes"])
    #expect(try root("Notes").canonical == first)
    let sentence = try #require(try device.status().problems.first)
    #expect(sentence.contains("Folder Second") && sentence.contains("the path \(notes)"), "\(sentence)")
    _ = try add(notes, newIdentity: true)
    expect(used: ["Notes", "Second"])
    #expect(try root("Second").canonical == own && root("Notes").canonical == first)
  }

  @Test func withoutTheFirstTheSecondIsFree() throws {
    try copy(notes, over: second)
    _ = try device.ask(.removeFolder("Notes"))
    expect(used: ["Second"])
    #expect(try device.status().problems == [])
  }

  @Test func aRefusedFolderIsUsedAgainAsSoonAsItsFileIsRight() throws {
    let file = try #require(Scratch.names(in: second + "/.continuo").first { $0.hasSuffix(".id") })
    let right = try #require(Scratch.bytes(at: "\(second)/.continuo/\(file)"))
    try copy(notes, over: second)
    expect(used: ["Notes"])
    try Scratch.write(right, to: "\(second)/.continuo/\(file)")
    let number = try root("Second").number
    device.core.receive(.changed(number, path: [path(".continuo"), path(file)], change: .written))
    world.settle()
    expect(used: ["Notes", "Second"])
    #expect(try device.status().problems == [])
  }

  @Test func anotherDevicesIdentityThatArrivesInBothRefusesTheLater() throws {
    let theirs = "continuo folder 1\n" + String(repeating: "0", count: 31) + "5\n"
    try Scratch.write(theirs, to: notes + "/.continuo/f-laptop.id")
    look()
    try Scratch.write(theirs, to: second + "/.continuo/f-laptop.id")
    look()
    expect(used: ["Notes"])
    let own = try root("Second").registered.id
    _ = try add(second, newIdentity: true)
    expect(used: ["Notes", "Second"])
    #expect(try root("Second").canonical == own)
    #expect(!Scratch.names(in: second + "/.continuo").contains("f-laptop.id"))
    #expect(text(at: notes + "/.continuo/f-laptop.id") == theirs)
  }

  @Test func aCopyIsRegisteredWithAnIdentityOfItsOwn() throws {
    let third = try world.scratch.folder("Third")
    try copy(notes, over: third)
    guard case .failed(let error) = try add(third) else { throw CancellationError() }
    #expect(
      error.description.contains("copy of folder Notes") && error.description.contains("--new-identity"))
    guard case .done = try add(third, newIdentity: true) else { throw CancellationError() }
    expect(used: ["Notes", "Second", "Third"])
    #expect(try device.status().problems == [])
    try device.restart()
    expect(used: ["Notes", "Second", "Third"])
  }

  @Test func anIdentityThatAnotherDeviceReplacedIsTakenOver() throws {
    let old = try root("Second").canonical
    let file = try #require(Scratch.names(in: second + "/.continuo").first { $0.hasSuffix(".id") })
    let new = String(repeating: "f", count: 31) + "5"
    try Scratch.write("continuo folder 1\n\(new)\n", to: second + "/.continuo/f-laptop.id")
    unlink("\(second)/.continuo/\(file)")
    look()
    #expect(try root("Second").canonical.description == new)
    #expect(folders.canonical(old) == old, "the old one may be another folder's by now")
    try device.restart()
    #expect(try root("Second").canonical.description == new)
    #expect(try device.status().problems == [])
  }

  @Test(arguments: ["", "half an identity", "continuo folder 1\n" + String(repeating: "7", count: 32) + "\n"])
  func anOverwrittenIdentityFileIsWrittenAgain(with bytes: String) throws {
    client.offer(notes + "/plan.md", at: 1_000)
    try world.run("the record") { device.record?.activities.isEmpty == false }
    let id = try root("Notes").canonical
    let file = try #require(Scratch.names(in: notes + "/.continuo").first { $0.hasSuffix(".id") })
    let right = try #require(text(at: "\(notes)/.continuo/\(file)"))
    for isRestarted in [false, true] {
      try Scratch.write(bytes, to: "\(notes)/.continuo/\(file)")
      if isRestarted { try device.restart() } else { look() }
      #expect(text(at: "\(notes)/.continuo/\(file)") == right)
      expect(used: ["Notes", "Second"])
      #expect(try root("Notes").canonical == id && device.status().problems == [])
    }
  }

  /// `rm -rf` of the folder would fail where a file comes to be in what it has just emptied.
  @Test func aMissingIdentityFileIsNotWrittenIntoAFolderThatIsBeingDeleted() throws {
    let records = notes + "/.continuo"
    let id = try root("Notes").canonical
    for name in Scratch.names(in: records) where name.hasSuffix(".id") { unlink(records + "/" + name) }
    look()
    #expect(!Scratch.names(in: records).contains { $0.hasSuffix(".id") })
    #expect(try root("Notes").canonical == id)
    expect(used: ["Notes", "Second"])
  }

  /// Told to make a new identity, somebody who moved a folder would take it away from the other devices.
  @Test func aFolderThatWasMovedIsNotCalledACopy() throws {
    let moved = notes + " 2"
    try #require(rename(notes, moved) == 0)
    look()
    guard case .failed(let error) = try add(moved) else {
      Issue.record("it was registered twice")
      return
    }
    #expect(error.description.contains("If it was moved, run `continuo folder remove"))
    let name = try #require(folders.roots.first { $0.place == nil }).registered.name
    _ = try device.ask(.removeFolder(name))
    guard case .done = try add(moved) else {
      Issue.record("what the sentence says did not help")
      return
    }
  }
}
