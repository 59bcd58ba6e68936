// SPDX-License-Identifier: MIT

import ActivityModel
import ConflictVersions
import Dispatch
import LinuxSystem
import SyncedFolders
import Synchronization
import TestSupport
import Testing

/// Keeping one version of a document in conflict, on a real disk.
@Suite("Keeping a version") struct ConflictKeepingTests {
  private static let first = "plan.sync-conflict-20261122-040000-ABCDEFG.md"
  private static let second = "plan (conflicted copy 2026-11-22 050000).md"

  private let scratch: Scratch
  private var document: FilePath { FilePath(scratch.path + "/plan.md") }

  init() throws {
    scratch = try Scratch("keeping", inMemory: true)
    for (name, text) in [("plan.md", "mine"), (Self.first, "theirs"), (Self.second, "a third")] {
      try Scratch.write(text, to: path(name))
    }
  }

  private func path(_ name: String) -> String { "\(scratch.path)/\(name)" }

  private func text(_ name: String) -> String? {
    Scratch.bytes(at: path(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The text of each file by name.
  private var texts: [String: String] {
    let names = Scratch.names(in: scratch.path)
    return Dictionary(uniqueKeysWithValues: names.map { ($0, text($0) ?? "not a file") })
  }

  private func list() throws -> ConflictResolution { try VersionLook.versions(of: document) }

  private func keep(_ name: String, of listed: ConflictResolution) throws -> [ConflictKeeping.Aside] {
    let version = try #require(listed.version(meantBy: Array(name.utf8)))
    return try ConflictKeeping(listed, at: document).keep(version)
  }

  private func day() throws -> String { ConflictKeeping.day(try list().versions[0]) }

  @Test("a copy becomes the document, and every other text is put aside")
  func keepingACopy() throws {
    let day = try day()
    try document.setPermissions(0o600)
    let aside = try keep(Self.first, of: list())
    #expect(aside.allSatisfy { $0.refusal == nil } && aside.count == 2)
    #expect(
      texts == [
        "plan.md": "theirs", "plan (set aside \(day)).md": "mine", "plan (set aside \(day)) 2.md": "a third",
      ])
    #expect(try document.status().permissions == 0o600)
    #expect(try list().copies.isEmpty)
  }

  @Test("the document is kept, and every copy is put aside")
  func keepingTheDocument() throws {
    let day = try day()
    let before = try document.status().stamp
    _ = try keep("plan.md", of: list())
    #expect(try document.status().stamp == before)
    #expect(
      texts == [
        "plan.md": "mine", "plan (set aside ABCDEFG \(day)).md": "theirs",
        "plan (set aside \(day)).md": "a third",
      ])
  }

  @Test("of a document that is gone a copy takes the place")
  func documentIsGone() throws {
    try document.unlink()
    _ = try keep(Self.second, of: list())
    #expect(text("plan.md") == "a third" && texts.count == 2)
  }

  @Test("nothing is done when document or copy changed since", arguments: ["plan.md", first])
  func changed(name: String) throws {
    let listed = try list()
    let stamp = try FilePath(path(name)).status().stamp
    let file = try FilePath(path(name)).open(.readWrite)
    try file.overwrite(with: Array("M".utf8).span.bytes)
    // Of the same size, at the same time: only the bytes tell.
    try FilePath(path(name)).setTimes(nanoseconds: stamp.modified)
    let before = texts
    #expect(throws: ContinuityError.self) { try keep(Self.first, of: listed) }
    #expect(texts == before)
  }

  @Test("nothing is done when the chosen copy is gone, or the document came back")
  func vanished() throws {
    let listed = try list()
    try FilePath(path(Self.first)).unlink()
    let before = texts
    #expect(throws: ContinuityError.self) { try keep(Self.first, of: listed) }
    #expect(texts == before)
    try document.unlink()
    let withoutDocument = try list()
    try Scratch.write("new", to: path("plan.md"))
    #expect(throws: ContinuityError.self) { try keep(Self.second, of: withoutDocument) }
    #expect(text("plan.md") == "new" && text(Self.second) == "a third")
  }

  @Test("another copy that changed, or went, stays as it is and is told")
  func othersChanged() throws {
    let listed = try list()
    try Scratch.write("newer", to: path(Self.second))
    let aside = try keep(Self.first, of: listed)
    #expect(text("plan.md") == "theirs" && text(Self.second) == "newer")
    #expect(aside.compactMap(\.refusal).count == 1)
    let again = try list()
    try FilePath(path(Self.second)).unlink()
    #expect(try keep("plan.md", of: again).compactMap(\.refusal).count == 1)
  }

  @Test("names that are taken are left alone")
  func takenNames() throws {
    let day = try day()
    try Scratch.write("a person's own", to: path("plan (set aside \(day)).md"))
    _ = try keep(Self.first, of: list())
    #expect(text("plan (set aside \(day)).md") == "a person's own")
    #expect(text("plan (set aside \(day)) 2.md") == "mine")
  }

  @Test("an engine that goes by times alone lays its copy over none of the texts")
  func timesAlone() throws {
    let copy = FilePath(path(Self.first))
    for round in 1...100 {
      for (name, text) in [("plan.md", "mine \(round)"), (Self.first, "theirs")] {
        try Scratch.write(text, to: path(name))
      }
      try document.setTimes(nanoseconds: copy.status().stamp.modified - 1_000_000_000)
      let listed = try list()
      let engine = try UpdatingEngine(bringing: "theirs", to: copy)
      _ = try keep(Self.first, of: listed)
      engine.end()
      #expect(texts.values.contains("mine \(round)"))
      for name in Scratch.names(in: scratch.path) { try FilePath(path(name)).unlink() }
    }
  }

  @Test("a document of two names stays as it is")
  func refusals() throws {
    try document.link(to: FilePath(path("other.md")))
    let before = texts
    let error = #expect(throws: ContinuityError.self) { try keep(Self.first, of: list()) }
    #expect(error?.description.contains("hard links") == true && texts == before)
  }

  @Test("links, folders and pipes are no versions")
  func oddFiles() throws {
    let odd = "plan.sync-conflict-20261122-04000"
    try FilePath(path("\(odd)1-ABCDEFG.md")).makeSymbolicLink(to: FilePath(path("plan.md")))
    try FilePath(path("\(odd)2-ABCDEFG.md")).makeFolder(mode: 0o755)
    try FilePath(path("\(odd)3-ABCDEFG.md")).makePipe(mode: 0o644)
    #expect(try list().versions.count == 3)
  }

  @Test("hostile names are kept and put aside as others are")
  func hostileNames() throws {
    for name in try HostileNames.all() where name.count < 200 {
      let own = try Scratch("hostile", inMemory: true)
      let folder = FilePath(own.path)
      defer { withExtendedLifetime(own) {} }
      let document = folder.appending(name)
      let copy = folder.appending(SyncNames.conflictCopyName(of: name, date: "2026-11-22 050000"))
      for (path, text) in [(document, "mine"), (copy, "theirs")] {
        try path.open([.writeOnly, .create], mode: 0o644).writeAll(Array(text.utf8))
      }
      let listed = try VersionLook.versions(of: document)
      // A few names are themselves those of copies.
      guard let version = listed.copies.first else { continue }
      let aside = try ConflictKeeping(listed, at: document).keep(version)
      #expect(try document.open(.readOnly).readToEnd() == Array("theirs".utf8))
      #expect(try aside.first?.path.open(.readOnly).readToEnd() == Array("mine".utf8))
      #expect(try folder.names().count == 2, "\(document.shown)")
    }
  }
}

/// Does what `rsync --update` in a loop does with one file of another device: where there is none, or an
/// older one, it lays its own there.
private final class UpdatingEngine: Sendable {
  private let isOver = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  init(bringing text: String, to path: FilePath) throws {
    let own = try path.status().stamp.modified
    let made = path.parent.appending(Array(".made".utf8))
    @Sendable func make() throws {
      try Scratch.write(text, to: made.shown)
      try made.setTimes(nanoseconds: own)
    }
    try make()
    DispatchQueue.global().async { [self] in
      while !isOver.load(ordering: .relaxed) {
        let there = try? path.status().stamp.modified
        guard there.map({ $0 < own }) ?? true, (try? made.rename(to: path)) != nil else { continue }
        try? make()
      }
      ended.signal()
    }
  }

  func end() {
    isOver.store(true, ordering: .relaxed)
    ended.wait()
  }
}
