// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Testing

/// Names that are as long as a file system takes them, and names that it takes for the record folder's.
@Suite struct LongNamesTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(
    "a conflict copy of the longest name has a name that fits, and is known", arguments: [200, 250, 253, 255])
  func conflictCopies(length: Int) throws {
    for letter in ["x", "é", "漢", "😀"] {
      let stem = String(repeating: letter, count: (length - 3) / letter.utf8.count)
      let document = bytes(stem + ".md")
      for mark in ["", "-abcdef"] {
        let copy = SyncNames.conflictCopyName(of: document, date: "2026-11-22 040000", mark: mark)
        let text = try #require(String(validating: copy, as: UTF8.self), "no character is cut in two")
        #expect(copy.count <= 255 && text.hasSuffix("\(mark).md"), "\(text)")
        #expect(SyncNames.isConflictCopy(copy, of: document))
        #expect(!SyncNames.isConflictCopy(copy, of: bytes(stem + "y.md")))
        #expect(!SyncNames.isConflictCopy(copy, of: bytes(stem + ".txt")))
        #expect(copy != document && SyncNames.original(ofConflictCopy: copy) != nil)
      }
    }
  }

  @Test("names that are not UTF-8, or all extension, are cut as they come")
  func oddNames() throws {
    for document in [
      [UInt8](repeating: 0xB1, count: 255), bytes("." + String(repeating: "x", count: 254)),
      bytes("a." + String(repeating: "x", count: 253)), [UInt8](repeating: 0xFF, count: 250) + bytes(".md"),
    ] {
      let copy = SyncNames.conflictCopyName(of: document, date: "2026-11-22 040000", mark: "-abcdef")
      #expect(copy.count <= 255 && SyncNames.isConflictCopy(copy, of: document))
    }
  }

  @Test("two names that begin alike are told apart when they are cut")
  func marks() {
    let stem = String(repeating: "x", count: 249)
    let (first, second) = (bytes(stem + "A.md"), bytes(stem + "B.md"))
    let copy = SyncNames.conflictCopyName(of: first, date: "2026-11-22 040000")
    #expect(SyncNames.isConflictCopy(copy, of: first) && !SyncNames.isConflictCopy(copy, of: second))
    #expect(SyncNames.mark(of: first) != SyncNames.mark(of: second))
  }

  @Test(
    "whatever a file system takes for the record folder is no document",
    arguments: [
      ".continuo", ".Continuo", ".CONTINUO", ".cOnTiNuO", ".conti\u{200D}nuo", "\u{FEFF}.continuo",
      ".continuo\u{FE0F}", ".Continuo.", ".continuo. .", "CONTIN~1", "contin~2",
    ])
  func recordFolders(name: String) throws {
    #expect(SyncNames.isRecordFolder(bytes(name)))
    let path = try #require(RelativePath(components: [bytes("notes"), bytes(name), bytes("plan.md")]))
    #expect(DocumentResolver.isRecord(path) && DocumentResolver.isKeptBack(path))
    #expect(!SyncNames.isPlausibleDocument(path))
    let root = SyncedRoot(id: .random(), name: "Notes", path: bytes("/home/Notes"))
    #expect(throws: ContinuityError.self) {
      try DocumentResolver.resolve(bytes("/home/Notes/\(name)/d-1.rec"), in: [root])
    }
  }

  @Test(
    "a name that is another on every file system may hold documents",
    arguments: ["continuo", ".continuo2", ".continuo-old", "..continuo", ".cont", ".contínuo", "CONTIN~10"])
  func otherFolders(name: String) { #expect(!SyncNames.isRecordFolder(bytes(name))) }
}
