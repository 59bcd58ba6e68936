// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AgentClient
import FolderAccess
import LinuxSystem
import SyncedFolders
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// Documents laid into their folder ahead of any engine: two real agents and network processes, real files,
/// and nothing that carries documents but the link.
@Suite(.waiting, .timeLimit(.minutes(20))) struct LaidDocumentsTests {
  private let pair: Pair

  init() throws { pair = try Pair.linkedWithOneVersion() }

  private var plan: String { pair.laptop.folder + "/plan.md" }
  private func here(_ name: String = "plan.md") -> [UInt8]? {
    Scratch.bytes(at: "\(pair.laptop.folder)/\(name)")
  }

  private func set(_ documents: DocumentsOverLan) throws {
    guard case .done = try pair.laptop.ask(.setFolder("Notes", documents)) else {
      throw Scratch.Failure(description: "not set")
    }
  }

  /// Nothing more is asked for over the link, and nothing is under way.
  private func settle() throws {
    // Another document goes all the way: what was asked for before it has come by then.
    let other = ActivityID.random()
    let client = try pair.world.connect(to: pair.laptop.core)
    try pair.offerOverLink("another", at: 9_000, as: "other.md", id: other)
    _ = try client.ask(.fetch(OfferID(device: pair.offerID.device, activity: other)), pair.world)
  }

  @Test func theOfferedVersionIsInTheFolderBeforeAnyEngineBringsIt() throws {
    try set(.always)
    let began = Instant.now
    try pair.offerOverLink("two, and longer", at: 2_000)
    try pair.awaitStanding(.current)
    #expect(Instant.now - began < .seconds(2))
    #expect(here() == Array("two, and longer".utf8))
    let there = try FilePath(pair.desktop.folder + "/plan.md").status().stamp
    #expect(try FilePath(plan).status().stamp.modified == there.modified, "engines compare times")
    // One after the other, and a large one.
    let large = String(repeating: "a line of a long text\n", count: 100_000)
    try pair.offerOverLink(large, at: 3_000)
    try pair.awaitStanding(.current)
    #expect(here() == Array(large.utf8))
    try pair.offerOverLink("one", at: 4_000)
    try pair.awaitStanding(.current)
    #expect(here() == Array("one".utf8), "what was undone there")
  }

  /// What a large one replaces is read and copied while that comes, and kept; and where the kernel stamps
  /// each change exactly, what was laid is not read once more, unless somebody could have written in it: a
  /// process that another test starts has this one's descriptors for a moment.
  @Test func aLargeDocumentTakesThePlaceOfAnother() throws {
    try set(.always)
    let directory = try pair.laptop.core.folders.directory(of: #require(folder)) as? SyncedDirectory
    let isExact = directory?.stampTrust == .always && directory?.tellsEachWrite == true
    var (texts, unread) = (["one"], 0)
    while texts.count < 4 || isExact && unread == 0 && texts.count < 30 {
      let text = String(repeating: "a line of version \(texts.count)\n", count: 100_000)
      let read = pair.laptop.core.hasher.known.filesRead
      try pair.offerOverLink(text, at: 2_000 + UInt64(texts.count))
      try pair.awaitStanding(.current)
      #expect(here() == Array(text.utf8))
      if pair.laptop.core.hasher.known.filesRead == read { unread += 1 }
      texts.append(text)
    }
    #expect(unread > 0 || !isExact)
    let kept = pair.laptop.stateDirectory + "/replaced"
    let found = Set(Scratch.names(in: kept).map { Scratch.bytes(at: "\(kept)/\($0)") })
    #expect(found == Set(texts.dropLast().map { Array($0.utf8) }))
  }

  private var folder: FolderID? { pair.laptop.core.store.state.folders.first?.id }

  /// Each save comes before the one before it was looked at here.
  @Test func savesThatFollowEachOtherAtOnceAllComeToTheLast() throws {
    try set(.always)
    for number in 1...20 {
      try Scratch.write("version \(number)", to: pair.desktop.folder + "/plan.md")
      pair.editor.offer(pair.desktop.folder + "/plan.md", id: pair.activity, at: 2_000 + UInt64(number))
      try pair.world.run("the record", within: .seconds(5)) {
        pair.desktop.record?.activities.contains { $0.changedAt.milliseconds == 2_000 + UInt64(number) }
          == true
      }
    }
    try pair.world.run("the last version", within: .seconds(20)) { here() == Array("version 20".utf8) }
    try pair.awaitStanding(.current)
  }

  @Test func aNewDocumentComesAndWhatWasDeletedHereDoesNot() throws {
    try set(.always)
    let new = ActivityID.random()
    try pair.offerOverLink("new", at: 2_000, as: "new.md", id: new)
    try pair.awaitStanding(.current, of: new)
    #expect(here("new.md") == Array("new".utf8))
    try FilePath(plan).unlink()
    pair.laptop.look()
    try pair.offerOverLink("two, and longer", at: 3_000)
    try pair.world.run("the new version to be missing", within: .seconds(10)) {
      pair.viewer.offers.contains {
        $0.id.activity == pair.activity && $0.status.arrival == .missing && $0.status.expected == 15
      }
    }
    // One is laid after the other.
    let last = ActivityID.random()
    try pair.offerOverLink("last", at: 4_000, as: "last.md", id: last)
    try pair.awaitStanding(.current, of: last)
    #expect(here() == nil)
  }

  @Test(arguments: [DocumentsOverLan.proven, .never])
  func nothingIsLaidUnlessAPersonSaysSo(documents: DocumentsOverLan) throws {
    if documents != .proven { try set(documents) }
    try pair.offerOverLink("two", at: 2_000)
    try pair.awaitStanding(.behind)
    try settle()
    #expect(here() == Array("one".utf8) && here("other.md") == nil)
    // Said later, it holds for what is offered already.
    try set(.always)
    try pair.awaitStanding(.current)
    #expect(here() == Array("two".utf8))
  }

  @Test func textThatIsNotSavedHereIsNotTakenByAnother() throws {
    try set(.always)
    pair.viewer.link.send(.opened(path: Array(plan.utf8)), descriptor: nil)
    pair.viewer.offer(plan, at: 1_500, flags: [.handoff, .unsavedChanges])
    try pair.world.run("the activity") { pair.laptop.core.exchange.machine.unsavedDocuments.count == 1 }
    try pair.offerOverLink("two", at: 2_000)
    try pair.awaitStanding(.behind)
    try settle()
    #expect(here() == Array("one".utf8))
  }

  @Test func whatIsSavedHereMeanwhileStays() throws {
    try set(.always)
    try Scratch.write("mine", to: plan)
    pair.laptop.look()
    try pair.offerOverLink("two", at: 2_000)
    try pair.awaitStanding(.diverged)
    try settle()
    #expect(here() == Array("mine".utf8))
  }

  @Test func whatWasSetIsKeptAndToldAndCanBeTakenBack() throws {
    try set(.always)
    try pair.laptop.restart()
    guard case .folders(let folders) = try pair.laptop.ask(.listFolders) else {
      throw Scratch.Failure(description: "no folders")
    }
    #expect(folders.map(\.documentsOverLan) == [.always])
    guard case .failed(let error) = try pair.laptop.ask(.setFolder("nowhere", .never)) else {
      throw Scratch.Failure(description: "set nowhere")
    }
    #expect(error.description.contains("continuo folder list"))
    try set(.proven)
    #expect(pair.laptop.core.store.state.folders.map(\.documentsOverLan) == [.proven])
  }
}
