// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import LinuxSystem
import SyncedFolders
import TestSupport
import Testing

@testable import FolderAccess

/// Versions that came over a link, laid into real folders.
@Suite struct DocumentLayingTests {
  private let scratch: Scratch
  private let directory: SyncedDirectory
  private let replaced: ReplacedDocuments

  init() throws {
    scratch = try Scratch()
    try scratch.folder("synced/.continuo")
    directory = try scratch.directory()
    replaced = ReplacedDocuments(in: scratch.path + "/replaced")
  }

  private func digest(_ text: String) throws -> ContentDigest {
    try #require(ContentHasher.digest(of: Array(text.utf8)))
  }

  /// `text`, which comes after `former`; this device has seen `seen`.
  private func document(
    _ text: String, after former: [String] = ["one"], seen: [String] = ["one"], at name: String = "plan.md"
  ) throws -> LaidDocument {
    var history = DocumentHistory()
    for text in seen { history.record(try digest(text)) }
    let version = DocumentVersion(
      digest: try digest(text), size: UInt64(text.utf8.count),
      lineage: try former.map { try digest($0).prefix })
    return LaidDocument(path: try relative(name), version: version, history: history)
  }

  private func lay(
    _ document: LaidDocument, bytes: String, before: () throws -> Void = {}
  ) throws -> LayingOutcome {
    try scratch.write("received", bytes)
    let received = try FilePath(scratch.path + "/received").open([.readOnly])
    var failure: (any Error)?
    let outcome = directory.lay(
      document, from: received,
      keep: { (file, name, digest) throws(ContinuityError) in
        try replaced.keep(file, called: name, digest: digest)
        do { try before() } catch { failure = error }
      })
    if let failure { throw failure }
    #expect(try FilePath(scratch.path + "/synced/.continuo").names().isEmpty, "nothing is left over")
    return outcome.outcome
  }

  private var kept: [String] {
    let names = (try? FilePath(scratch.path + "/replaced").names()) ?? []
    return names.map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// An app that has it open goes on in the folder, as after a rename.
  @Test func aFileComesItselfAlsoInThePlaceOfWhatHoldsTheSame() throws {
    let own = FilePath(scratch.path + "/received")
    for former in ["one", "two"] {
      try scratch.write("synced/plan.md", former)
      try FilePath(scratch.path + "/synced/plan.md").setPermissions(0o640)
      var two = try document("two")
      two.comesItself = true
      #expect(try lay(two, bytes: "two") == .laid)
      let (there, here) = (try FilePath(scratch.path + "/synced/plan.md").status(), try own.status())
      #expect(there.stamp.isSameFile(as: here.stamp) && there.stamp.linkCount == 2)
      #expect(there.permissions == 0o640 && kept.count == 1, "what is the same is not kept")
      try own.unlink()
    }
    // What is written meanwhile is not what was meant; what is there stays.
    try scratch.write("synced/plan.md", "one")
    var two = try document("two")
    two.comesItself = true
    #expect(try lay(two, bytes: "two, and more") == .otherBytes)
    #expect(scratch.text("synced/plan.md") == "one" && scratch.text("received") == "two, and more")
    try FilePath(scratch.path + "/received").unlink()
    // A new file, and one of another file system, of which the bytes come.
    try FilePath(scratch.path + "/synced/plan.md").unlink()
    var new = try document("two", seen: [])
    new.comesItself = true
    let elsewhere = try Scratch("laying", inMemory: true)
    try elsewhere.write("received", "two")
    let received = try FilePath(elsewhere.path + "/received").open([.readOnly])
    #expect(directory.lay(new, from: received, keep: { _, _, _ in }).outcome == .laid)
    #expect(scratch.text("synced/plan.md") == "two")
  }

  @Test func aVersionTakesThePlaceOfItsAncestorAndIsLikeIt() throws {
    try scratch.write("synced/plan.md", "one")
    let path = FilePath(scratch.path + "/synced/plan.md")
    try path.setPermissions(0o640)
    let open = try path.open([.readOnly])
    try open.setAttribute(Array("user.colour".utf8), to: Array("green".utf8))
    var two = try document("two, and longer")
    two.modified = 1_700_000_000_123_456_789
    #expect(try lay(two, bytes: "two, and longer") == .laid)
    #expect(scratch.text("synced/plan.md") == "two, and longer")
    let status = try path.status()
    #expect(status.permissions == 0o640 && status.stamp.modified == 1_700_000_000_123_456_789)
    #expect(try path.attribute(Array("user.colour".utf8)) == Array("green".utf8))
    // Whoever has it open reads on, and what it held is kept.
    #expect(try open.readToEnd() == Array("one".utf8))
    let name = try #require(kept.first)
    #expect(kept.count == 1 && name.hasSuffix(" plan.md") && scratch.text("replaced/\(name)") == "one")
    #expect(try FilePath(scratch.path + "/replaced/\(name)").status().permissions == 0o600)
    #expect(try lay(two, bytes: "two, and longer") == .laid, "it is there already")
    #expect(kept.count == 1)
  }

  @Test func aNewDocumentIsAddedWhereNothingEverWas() throws {
    try scratch.folder("synced/notes")
    var new = try document("new", after: [], seen: [], at: "notes/new.md")
    #expect(try lay(new, bytes: "new") == .laid)
    #expect(scratch.text("synced/notes/new.md") == "new" && kept.isEmpty)
    // One that was here was taken away, or moved: it does not come back.
    new = try document("two", at: "gone.md")
    #expect(try lay(new, bytes: "two") == .kept)
    #expect(scratch.text("synced/gone.md") == nil)
    // Its folder comes with the engine.
    let inner = try document("new", after: [], seen: [], at: "other/new.md")
    #expect(try isFailed(inner, "new"))
    #expect(scratch.text("synced/other/new.md") == nil)
  }

  @Test(arguments: [nil, 4_102_444_800_000_000_000] as [Int64?])
  func aTimeThatNoClockHasOrThatWasNotSaidIsThatOfThisMoment(modified: Int64?) throws {
    var new = try document("new", after: [], seen: [])
    new.modified = modified
    #expect(try lay(new, bytes: "new") == .laid)
    let age = try FilePath(scratch.path + "/synced/plan.md").status().stamp.ageOfContent
    #expect(age > .seconds(-1) && age < .seconds(60))
  }

  private func isFailed(_ document: LaidDocument, _ bytes: String) throws -> Bool {
    if case .failed = try lay(document, bytes: bytes) { true } else { false }
  }

  @Test func whatIsNoAncestorOrNotTheVersionStays() throws {
    for (here, seen) in [("mine", ["one", "mine"]), ("one", []), ("stranger", ["one"])] {
      try scratch.write("synced/plan.md", here)
      #expect(try lay(document("two", seen: seen), bytes: "two") == .kept, "\(here)")
      #expect(scratch.text("synced/plan.md") == here)
    }
    try scratch.write("synced/plan.md", "one")
    for bytes in ["tw0", "two and more", "", "tw"] {
      #expect(try lay(document("two"), bytes: bytes) == .otherBytes, "\(bytes)")
      #expect(scratch.text("synced/plan.md") == "one")
    }
    #expect(kept.isEmpty)
    // Continuo's own files, and those of engines.
    for name in [".continuo/s-x", "notes/.continuo/x", ".git/config", ".stfolder/x"] {
      let new = try document("new", after: [], seen: [], at: name)
      #expect(try lay(new, bytes: "new") == .kept, "\(name)")
    }
  }

  /// Another program saves between the look and the exchange.
  @Test func whatAnotherProgramSavesMeanwhileStays() throws {
    let path = FilePath(scratch.path + "/synced/plan.md")
    try scratch.write("synced/plan.md", "one")
    let outcome = try lay(document("two"), bytes: "two") {
      try scratch.write("other", "saved by another")
      try FilePath(scratch.path + "/other").rename(to: path)
    }
    #expect(outcome != .laid && scratch.text("synced/plan.md") == "saved by another")
    try scratch.write("synced/plan.md", "one")
    let inPlace = try lay(document("two"), bytes: "two") {
      try scratch.write("synced/plan.md", "one and more")
    }
    #expect(inPlace != .laid && scratch.text("synced/plan.md") == "one and more")
    try scratch.write("synced/plan.md", "one")
    #expect(try lay(document("two"), bytes: "two") { try path.unlink() } != .laid)
    #expect(scratch.text("synced/plan.md") == nil, "deleted meanwhile")
  }

  /// The same after the last look: what came out of the exchange goes back.
  @Test func whatComesOutOfTheExchangeGoesBackUnlessItWasJudged() throws {
    let path = FilePath(scratch.path + "/synced/plan.md")
    let deeds: [(String?, () throws -> Void)] = [
      (
        "saved by another",
        {
          try scratch.write("other", "saved by another")
          try FilePath(scratch.path + "/other").rename(to: path)
        }
      ),
      ("one and more", { try scratch.write("synced/plan.md", "one and more") }),
      (nil, { try path.unlink() }),
    ]
    for (text, deed) in deeds {
      try scratch.write("synced/plan.md", "one")
      try scratch.write("received", "two")
      let received = try FilePath(scratch.path + "/received").open([.readOnly])
      var laying = DocumentLaying(
        folder: directory, document: try document("two"), keep: { (_, _, _) throws(ContinuityError) in },
        isCancelled: { false })
      var failure: (any Error)?
      laying.beforeExchange = { do { try deed() } catch { failure = error } }
      #expect(laying.lay(received) { _ in }.outcome != .laid && failure == nil)
      #expect(scratch.text("synced/plan.md") == text)
      #expect(try FilePath(scratch.path + "/synced/.continuo").names().isEmpty)
    }
  }

  @Test func aFileOfSeveralNamesOrForReadingOnlyStays() throws {
    let path = FilePath(scratch.path + "/synced/plan.md")
    try scratch.write("synced/plan.md", "one")
    try path.link(to: FilePath(scratch.path + "/synced/second.md"))
    #expect(try isFailed(document("two"), "two"))
    try path.unlink()
    try scratch.link("synced/plan.md", to: "second.md")
    #expect(try isFailed(document("two"), "two"), "a link is no document")
    try path.unlink()
    try scratch.folder("synced/plan.md")
    #expect(try isFailed(document("two"), "two"))
    #expect(scratch.text("synced/second.md") == "one")
  }

  @Test func nothingIsReplacedThatCannotBeKept() throws {
    try scratch.write("synced/plan.md", "one")
    try scratch.write("replaced", "no folder")
    #expect(try isFailed(document("two"), "two"))
    #expect(scratch.text("synced/plan.md") == "one")
    try FilePath(scratch.path + "/replaced").unlink()
    let small = ReplacedDocuments(in: scratch.path + "/replaced", limit: 10)
    for number in 0..<5 {
      let text = "text \(number)"
      try scratch.write("former", text)
      let file = try FilePath(scratch.path + "/former").open([.readOnly])
      try file.setTimes(nanoseconds: Int64(number) * 1_000_000_000)
      try small.keep(file, called: Array("a.txt".utf8), digest: digest(text))
    }
    #expect(kept.count == 1, "the oldest go")
    #expect(kept.first.flatMap { scratch.text("replaced/\($0)") } == "text 4")
    try scratch.write("former", "more than ten bytes")
    let file = try FilePath(scratch.path + "/former").open([.readOnly])
    #expect(throws: ContinuityError.self) {
      try small.keep(file, called: Array("a.txt".utf8), digest: digest("more than ten bytes"))
    }
    #expect(throws: ContinuityError.self, "other bytes than were judged") {
      try ReplacedDocuments(in: scratch.path + "/other").keep(file, called: [97], digest: digest("one"))
    }
    #expect(try FilePath(scratch.path + "/other").names().isEmpty)
  }

  @Test func whatIsStoppedLeavesNothing() throws {
    try scratch.write("synced/plan.md", "one")
    try scratch.write("received", "two")
    let received = try FilePath(scratch.path + "/received").open([.readOnly])
    let outcome = directory.lay(
      try document("two"), from: received, keep: { (_, _, _) throws(ContinuityError) in },
      isCancelled: { true })
    #expect(outcome.outcome == .cancelled && scratch.text("synced/plan.md") == "one")
  }
}
