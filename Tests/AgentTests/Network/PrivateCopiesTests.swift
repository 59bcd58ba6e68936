// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AgentClient
import LinuxSystem
import TestSupport
import Testing
import Trust

@testable import Agent
@testable import AgentEngine

/// Documents that are continued before their folder has them: two real agents and network processes, real
/// files, and an engine that carries only when the test says so.
@Suite(.waiting, .timeLimit(.minutes(20))) struct PrivateCopiesTests {
  private let pair: Pair

  init() throws { pair = try Pair.linkedWithOneVersion() }

  private var plan: String { pair.laptop.folder + "/plan.md" }
  private var copies: String { pair.laptop.stateDirectory + "/copies" }
  private func here(_ name: String = "plan.md") -> String? {
    Scratch.bytes(at: "\(pair.laptop.folder)/\(name)").map { String(decoding: $0, as: UTF8.self) }
  }

  /// The viewer continues what is offered, and has it open; where it lies.
  private func open(_ client: TestClient? = nil, outcome: ContinuationOutcome = .opened) throws -> String {
    let viewer = client ?? pair.viewer
    let request = RequestID.random()
    let former = viewer.delivered.count
    viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("the document", within: .seconds(10)) { viewer.delivered.count > former }
    let path = try #require(viewer.delivered.last?.delivery.path)
    if outcome == .opened { viewer.link.send(.opened(path: path), descriptor: nil) }
    viewer.link.send(.outcome(request, outcome), descriptor: nil)
    pair.world.settle()
    return String(decoding: path, as: UTF8.self)
  }

  private func offerAndOpen(_ text: String, at time: UInt64 = 2_000) throws -> String {
    try pair.offerOverLink(text, at: time)
    try pair.awaitStanding(.behind)
    return try open()
  }

  private let mine = ActivityID.random()

  /// An app saves into the file, by another one that takes its place, and says so.
  private func save(_ text: String, at path: String, time: UInt64) throws {
    let new = FilePath(path + ".new")
    try Scratch.write(text, to: path + ".new")
    try new.rename(to: FilePath(path))
    pair.viewer.offer(path, id: mine, at: time)
  }

  /// The version of that size, once it is offered.
  private func saved(size: UInt64) throws -> DocumentVersion? {
    var found: DocumentVersion?
    try pair.world.run("the offer of what was saved", within: .seconds(10)) {
      found = pair.laptop.record?.activities.first { $0.id == mine }?.document?.version
      return found?.size == size
    }
    return found
  }

  private func bring() throws { try pair.desktop.carry(to: pair.laptop, documents: ["plan.md"]) }

  /// Where the viewer was told that the document is now.
  private var movedTo: [String] {
    pair.viewer.reports.compactMap {
      guard case .documentChanged(_, .moved(let path)) = $0 else { return nil }
      return String(decoding: path, as: UTF8.self)
    }
  }

  private func awaitMove(count: Int = 1) throws {
    try pair.world.run("the word that it is moved", within: .seconds(10)) { movedTo.count == count }
  }

  @Test func whoWaitsIsHandedTheVersionBeforeTheEngineBringsIt() throws {
    let began = Instant.now
    let first = pair.viewer.offers.first?.version
    let path = try offerAndOpen("two")
    #expect(Instant.now - began < .seconds(3))
    let delivery = try #require(pair.viewer.delivered.last)
    #expect(delivery.bytes == Array("two".utf8) && Scratch.bytes(at: path) == Array("two".utf8))
    #expect(path.hasPrefix(copies + "/") && path.hasSuffix("/plan.md"))
    #expect(
      delivery.delivery.status.cause
        == .sentOverLink(document: "plan.md", device: "desktop", folder: "Notes"))
    let url = delivery.delivery.activity.userInfo[.text(NSUserActivityDocumentURLKey)]
    #expect(url == .url(FileURL.text(of: Array(path.utf8))))
    #expect(here() == "one", "the folder is the engine's")
    let isSaidToBeHere = pair.viewer.reports.contains { report in
      guard case .offers(let offers) = report else { return false }
      return offers.contains { $0.version?.size == 3 && $0.version != first && $0.status.arrival == .current }
    }
    #expect(!isSaidToBeHere, "nobody else is told that it is here")
    #expect(try FilePath(path).status().permissions & 0o077 == 0)
  }

  @Test func whatWasSavedGoesIntoTheFolderOnceTheEngineHasBroughtTheVersion() throws {
    let path = try offerAndOpen("two")
    try save("two, and mine", at: path, time: 2_100)
    _ = try saved(size: 13)
    #expect(here() == "one")
    try bring()
    try awaitMove()
    #expect(here() == "two, and mine" && movedTo == [plan])
    #expect(Scratch.bytes(at: path) == nil, "editors look whether it moved")
    #expect(Scratch.names(in: pair.laptop.folder) == [".continuo", "plan.md"], "no conflict copy")
    // It is the next version of what the other device has.
    let version = try #require(
      pair.laptop.record?.activities.first { $0.id == mine }?.document?.version)
    let two = try #require(pair.desktop.record?.activities.first { $0.id == pair.activity }?.document)
    #expect(version.lineage.first == two.version.digest.prefix)
    // The last save may come before the app has heard where its document is.
    try save("two, and mine, late", at: path, time: 2_200)
    try pair.world.run("the late save", within: .seconds(10)) { here() == "two, and mine, late" }
    pair.viewer.link.send(.closed(path: Array(path.utf8)), descriptor: nil)
    try pair.world.run("the copy's end", within: .seconds(30)) {
      pair.laptop.core.copies.lookAtAll()
      return Scratch.names(in: copies) == [".continuo"] && pair.laptop.core.store.state.copies.isEmpty
    }
  }

  @Test func whatNobodyChangedIsInTheFolderWithTheEngine() throws {
    let copy = try FilePath(offerAndOpen("two")).status().stamp
    try bring()
    try awaitMove()
    #expect(here() == "two" && movedTo == [plan])
    let stamp = try FilePath(plan).status().stamp
    #expect(stamp.isSameContent(as: copy) && stamp.linkCount == 1, "as by a rename")
    // From now on it is followed there.
    try Scratch.write("three, by the engine", to: plan)
    pair.laptop.look()
    try pair.world.run("the change", within: .seconds(10)) { pair.viewer.changes(of: Array(plan.utf8)) == 1 }
  }

  @Test func aNewerVersionOfTheOtherDeviceIsBesideWhatWasSavedHere() throws {
    let path = try offerAndOpen("two")
    try save("two, and mine", at: path, time: 2_100)
    try pair.offerOverLink("three", at: 3_000)
    try bring()
    pair.world.settle()
    // Until it has lain still for a while it may be on its way.
    #expect(here() == "three" && Scratch.names(in: pair.laptop.folder).count == 2)
    guard case .copies(let copies) = try pair.laptop.ask(.copies) else {
      throw Scratch.Failure(description: "no copies")
    }
    #expect(copies.map(\.isChanged) == [true] && copies.map(\.document) == [Array(plan.utf8)])
    guard case .done(let sentence) = try pair.laptop.ask(.placeCopy(Array(plan.utf8))) else {
      throw Scratch.Failure(description: "not placed")
    }
    #expect(sentence.contains("conflicted copy"))
    try awaitMove()
    let beside = try #require(movedTo.last)
    #expect(beside.contains("plan (conflicted copy "))
    #expect(Scratch.bytes(at: beside) == Array("two, and mine".utf8) && here() == "three")
  }

  @Test func theCopyOutlivesTheAgentAndItsApp() throws {
    let path = try offerAndOpen("two")
    try save("two, and mine", at: path, time: 2_100)
    pair.world.settle()
    try pair.laptop.restart()
    #expect(Scratch.bytes(at: path) == Array("two, and mine".utf8))
    // Whoever continues the offer again gets on with that text.
    let viewer = try pair.world.connect(to: pair.laptop.core)
    viewer.hello()
    try pair.laptop.lan(.on(port: nil))
    try pair.awaitLink()
    // Said again with the same bytes, it is offered again.
    pair.editor.offer(pair.desktop.folder + "/plan.md", id: pair.activity, line: 9, at: 2_500)
    try pair.world.run("the offer", within: .seconds(10)) {
      viewer.offers.contains { $0.id == pair.offerID && $0.changedAt.milliseconds == 2_500 }
    }
    #expect(try open(viewer) == path)
    #expect(viewer.delivered.last?.delivery.status.arrival == .ahead)
    #expect(viewer.delivered.last?.bytes == Array("two, and mine".utf8))
    try bring()
    try pair.world.run("the text", within: .seconds(10)) { here() == "two, and mine" }
  }

  /// A save that the agent had just moved out of the way, and not looked at, when it ended.
  @Test func whatWasTakenAwayByAnAgentThatEndedComesBack() throws {
    let path = try offerAndOpen("two")
    try Scratch.write("two, and mine", to: path)
    try FilePath(path).rename(to: FilePath(path).parent.appending(Array(".taken".utf8)))
    try pair.laptop.restart()
    #expect(Scratch.bytes(at: path) == Array("two, and mine".utf8))
    try bring()
    try pair.world.run("the text", within: .seconds(10)) { here() == "two, and mine" }
  }

  @Test func theOtherDeviceContinuesItBeforeAnyEngineRan() throws {
    let path = try offerAndOpen("two")
    try save("two, and", at: path, time: 2_050)
    let first = try #require(try saved(size: 8))
    try save("two, and mine", at: path, time: 2_100)
    #expect(try saved(size: 13)?.lineage.first == first.digest.prefix, "one save after the other")
    let editor = pair.editor
    let offer = OfferID(device: pair.laptop.core.store.identity.id, activity: mine)
    try pair.world.run("the offer", within: .seconds(10)) { editor.offers.contains { $0.id == offer } }
    editor.link.send(.accept(offer, .random()), descriptor: nil)
    try pair.world.run("the document", within: .seconds(10)) { !editor.delivered.isEmpty }
    #expect(editor.delivered.last?.bytes == Array("two, and mine".utf8))
    #expect(Scratch.bytes(at: pair.desktop.folder + "/plan.md") == Array("two".utf8))
    // The engine runs: one history, on both.
    try bring()
    try awaitMove()
    try pair.laptop.carry(to: pair.desktop, documents: ["plan.md"])
    #expect(Scratch.bytes(at: pair.desktop.folder + "/plan.md") == Array("two, and mine".utf8))
  }

  @Test func aPersonNeedNotWaitForTheEngine() throws {
    let path = try offerAndOpen("two")
    try save("two, and mine", at: path, time: 2_100)
    pair.world.settle()
    guard case .done = try pair.laptop.ask(.placeCopy(Array(path.utf8))) else {
      throw Scratch.Failure(description: "not placed")
    }
    try awaitMove()
    #expect(here() == "two, and mine" && movedTo == [plan])
    guard case .failed(let error) = try pair.laptop.ask(.placeCopy(Array(plan.utf8))) else {
      throw Scratch.Failure(description: "placed twice")
    }
    #expect(error.description.contains("continuo copies"))
  }

  @Test(arguments: [DocumentsOverLan.always, .never])
  func whereAPersonSaidSoThereIsNoCopy(documents: DocumentsOverLan) throws {
    _ = try pair.laptop.ask(.setFolder("Notes", documents))
    try pair.offerOverLink("two", at: 2_000)
    pair.viewer.link.send(.accept(pair.offerID, .random()), descriptor: nil)
    if documents == .always {
      try pair.world.run("the document", within: .seconds(10)) { !pair.viewer.delivered.isEmpty }
      #expect(pair.viewer.delivered.last?.delivery.path == Array(plan.utf8))
    } else {
      try pair.world.run("progress", within: .seconds(10)) { pair.viewer.waits > 0 }
      pair.world.settle()
      #expect(pair.viewer.delivered.isEmpty)
    }
    #expect(!FilePath(copies).allows())
  }

  @Test func whatAnAppDeclinedIsNotKept() throws {
    try pair.offerOverLink("two", at: 2_000)
    let path = try open(outcome: .declined)
    let beside = FilePath(path).parent.appending(Array("mine.md".utf8))
    try Scratch.write("saved under another name", to: beside.shown)
    try pair.world.run("the copy's end", within: .seconds(30)) {
      pair.laptop.core.copies.lookAtAll()
      return Scratch.bytes(at: path) == nil && pair.laptop.core.store.state.copies.isEmpty
    }
    #expect(here() == "one" && movedTo.isEmpty)
    #expect(Scratch.bytes(at: beside.shown) == Array("saved under another name".utf8))
  }

  /// It opens a file by its name and never hears where that goes.
  @Test func whatTheDesktopStartsIsHandedNoCopy() throws {
    let desktop = try pair.world.connect(to: pair.laptop.core)
    desktop.hello(DesktopContinuations.appID)
    try pair.offerOverLink("two", at: 2_000)
    desktop.link.send(.accept(pair.offerID, .random()), descriptor: nil)
    try pair.world.run("progress", within: .seconds(10)) { desktop.waits > 0 }
    // An app that waits beside it is not handed one either, and both get the document.
    pair.viewer.link.send(.accept(pair.offerID, .random()), descriptor: nil)
    try pair.world.run("progress", within: .seconds(10)) { pair.viewer.waits > 0 }
    pair.world.settle()
    #expect(desktop.delivered.isEmpty && pair.viewer.delivered.isEmpty && !FilePath(copies).allows())
    try bring()
    try pair.world.run("the document", within: .seconds(10)) {
      [desktop, pair.viewer].allSatisfy { $0.delivered.last?.delivery.path == Array(plan.utf8) }
    }
  }

  @Test func noTextIsLeftBehindWhenTheDeviceGoesToAnotherComputer() throws {
    let path = try offerAndOpen("two")
    try save("two, and mine", at: path, time: 2_100)
    #expect(pair.laptop.core.copies.left?.description.contains("continuo copies place") == true)
    _ = try pair.laptop.ask(.placeCopy(Array(path.utf8)))
    #expect(pair.laptop.core.copies.left == nil)
  }
}
