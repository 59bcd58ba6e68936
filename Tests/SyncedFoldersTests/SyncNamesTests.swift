// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Testing

@Suite struct SyncNamesTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(
    "an unfinished file of an engine is known, and whose it is",
    arguments: [
      ".syncthing.plan.md.tmp", "~syncthing~plan.md.tmp", ".plan.md.~1a2b", "plan.md.partial",
      "plan.md.0123abcd.partial", ".unison.plan.md.0123456789abcdef0123456789abcdef.unison.tmp",
    ])
  func namedTemporaries(name: String) {
    #expect(SyncNames.isTemporary(bytes(name)))
    #expect(SyncNames.isTemporary(bytes(name), of: bytes("plan.md")))
    #expect(!SyncNames.isTemporary(bytes(name), of: bytes("other.md")))
  }

  @Test(
    "an editor's working file is known",
    arguments: [
      "4913", ".plan.md.swp", ".plan.md.swx", ".plan.md.swo", ".#plan.md", "#plan.md#", "sedAb12Cd",
      ".goutputstream-X1Y2Z3",
    ])
  func editorTemporaries(name: String) { #expect(SyncNames.isTemporary(bytes(name))) }

  @Test("six letters at the end are a temporary file only beside the file they would become")
  func ambiguousTemporaries() {
    for name in [".plan.md.AbC123", "plan.md.AbC123"] {
      #expect(!SyncNames.isTemporary(bytes(name)))
      #expect(SyncNames.isTemporary(bytes(name)) { $0 == bytes("plan.md") })
      #expect(SyncNames.isTemporary(bytes(name), of: bytes("plan.md")))
    }
  }

  @Test(
    "a conflict copy names its original",
    arguments: [
      ("plan.sync-conflict-20260102-030405-ABCDEF7.md", "plan.md"),
      ("plan (conflicted copy 2026-01-02 030405).md", "plan.md"),
      ("plan (conflict_on_2026-01-02).md", "plan.md"),
      ("plan (conflict_on_2026-01-02_was_deleted).md", "plan.md"),
      ("plan (desk's conflicted copy 2026-01-02).md", "plan.md"),
      ("plan (desk’s conflicted copy 2026-01-02 (1)).md", "plan.md"),
      ("plan.md..path1", "plan.md"), ("plan.md..path2", "plan.md"),
      ("README.sync-conflict-20260102-030405-ABCDEF7", "README"),
    ])
  func conflictCopies(name: String, original: String) {
    #expect(SyncNames.original(ofConflictCopy: bytes(name)) == bytes(original))
  }

  @Test(
    "a person's look-alike is no conflict copy and no temporary file",
    arguments: [
      "a.sync-conflict-notes.txt", "report (conflicted copy).txt", "a.txt.tmp", "plan.md", ".hidden",
      "x..path3",
      "sedentary-notes", "49134",
    ])
  func lookAlikes(name: String) {
    #expect(SyncNames.original(ofConflictCopy: bytes(name)) == nil)
    #expect(!SyncNames.isTemporary(bytes(name)))
  }

  @Test("a document moves to a document's name, not to a backup or an engine's folder")
  func plausibleDocuments() throws {
    let moves = [
      "notes/plan.md": true, "archive/old plan.md": true, "notes/plan.md~": false,
      ".stversions/plan~1.md": false,
      ".continuo/d-x.rec": false, "notes/.syncthing.plan.md.tmp": false, ".sync_1a2b.db-wal": false,
      "notes/plan.sync-conflict-20260102-030405-ABCDEF7.md": false, ".git/index": false,
    ]
    for (path, isPlausible) in moves {
      let path = try #require(RelativePath(path))
      #expect(SyncNames.isPlausibleDocument(path) == isPlausible, "\(path)")
    }
  }

  @Test("two forms of one text are alike, and other bytes only when they are equal")
  func normalisation() {
    #expect(SyncNames.areNormalisedAlike(bytes("caf\u{E9}.md"), and: bytes("cafe\u{301}.md")))
    #expect(!SyncNames.areNormalisedAlike(bytes("cafe.md"), and: bytes("caf\u{E9}.md")))
    #expect(!SyncNames.areNormalisedAlike(bytes("A.md"), and: bytes("a.md")))
    #expect(!SyncNames.areNormalisedAlike([0xFF], and: [0xFE]))
    #expect(SyncNames.areNormalisedAlike([0xFF], and: [0xFF]))
  }

  @Test("matching stays quick on the longest hostile names")
  func hostileNames() {
    let name = [UInt8](repeating: UInt8(ascii: "."), count: 255)
    let mixed = Array("a (conflict_on_".utf8) + [UInt8](repeating: UInt8(ascii: ")"), count: 240)
    let clock = ContinuousClock()
    let spent = clock.measure {
      for _ in 0..<20 {
        _ = SyncNames.isTemporary(name)
        _ = SyncNames.original(ofConflictCopy: mixed)
      }
    }
    // Room for a machine that does much else.
    #expect(spent < .seconds(30))
  }
}

@Suite struct DocumentResolverTests {
  private func root(_ byte: UInt8, _ path: String) throws -> SyncedRoot {
    SyncedRoot(
      id: try #require(FolderID(bytes: [UInt8](repeating: byte, count: 16))), name: "Folder \(byte)",
      path: Array(path.utf8))
  }

  @Test("of nested folders the innermost holds the document")
  func nested() throws {
    let roots = [
      try root(1, "/home/p/Sync"), try root(2, "/home/p/Sync/Notes"), try root(3, "/home/p/Sync/No"),
    ]
    let found = try DocumentResolver.resolve(Array("/home/p/Sync/Notes/a/plan.md".utf8), in: roots)
    #expect(found.root.id == roots[1].id)
    #expect(found.path == RelativePath("a/plan.md"))
    #expect(
      try DocumentResolver.resolve(Array("/home/p/Sync/Notesbook".utf8), in: roots).root.id == roots[0].id)
  }

  @Test("a look-alike of a temporary name is a document like any other")
  func lookAlikes() throws {
    let roots = [try root(1, "/s")]
    for name in ["a~", ".a.txt.swp", "x..path1", "report (conflicted copy).txt"] {
      #expect(try DocumentResolver.resolve(Array("/s/\(name)".utf8), in: roots).path == RelativePath(name))
    }
  }

  @Test(
    "what is outside, or nobody's document, is refused with a sentence",
    arguments: [
      ("/elsewhere/plan.md", "lies in no synced folder"), ("/s", "lies in no synced folder"),
      ("/s/.continuo/d-x.rec", "cannot be handed over"), ("/s/a/.stversions/b.md", "cannot be handed over"),
      ("/s/../etc/passwd", "not a path that can travel"),
    ])
  func refusals(path: String, clause: String) throws {
    let roots = [try root(1, "/s")]
    let error = try #require(throws: ContinuityError.self) {
      try DocumentResolver.resolve(Array(path.utf8), in: roots)
    }
    #expect(error.description.contains(clause), "\(error)")
  }
}
