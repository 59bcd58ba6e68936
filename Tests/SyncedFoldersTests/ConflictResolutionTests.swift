// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Testing

@Suite("Resolving a conflict, decided") struct ConflictResolutionTests {
  private static let first = "plan.sync-conflict-20261122-040000-ABCDEFG.md"
  private static let second = "plan (conflicted copy 2026-11-22 050000).md"

  private func version(
    _ name: String, _ modified: Int64, isDocument: Bool = false, fingerprint: Int? = 1, inode: UInt64 = 1
  ) -> ConflictVersion {
    ConflictVersion(
      name: Array(name.utf8), isDocument: isDocument,
      stamp: FileStamp(device: 1, inode: inode, size: 4, modified: modified, changed: modified),
      fingerprint: fingerprint)
  }

  private func resolution(_ found: [ConflictVersion]) -> ConflictResolution {
    ConflictResolution(of: Array("plan.md".utf8), found: found)
  }

  private var three: ConflictResolution {
    resolution([version(Self.first, 10), version("plan.md", 5, isDocument: true), version(Self.second, 20)])
  }

  private func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }

  @Test("the document is first, then the copies, newest first")
  func order() { #expect(three.versions.map { text($0.name) } == ["plan.md", Self.second, Self.first]) }

  @Test(
    "a version is meant by number, name or path",
    arguments: [
      ("1", "plan.md"), ("3", first), (second, second), ("./notes/\(first)", first), ("0", nil), ("4", nil),
      ("", nil), ("-1", nil), ("other.md", nil),
    ])
  func meaning(word: String, name: String?) {
    #expect(three.version(meantBy: Array(word.utf8)).map { text($0.name) } == name)
  }

  @Test("a copy that is kept exchanges with the document through a new name, the others are put aside")
  func stepsOfACopy() {
    let copy = three.versions[2]
    let steps = three.steps(keeping: copy) { _ in "2026-11-22" }
    guard steps.count == 2, case .exchange(copy, let document, let names) = steps[0],
      case .setAside(_, let others) = steps[1]
    else {
      Issue.record("\(steps)")
      return
    }
    #expect(document.isDocument)
    #expect(text(names[0]) == "plan (set aside 2026-11-22).md")
    #expect(text(names[1]) == "plan (set aside 2026-11-22) 2.md")
    #expect(text(others[0]) == "plan (set aside 2026-11-22).md")
  }

  @Test("the document that is kept stays, and of a known device the name says so")
  func stepsOfTheDocument() {
    let steps = three.steps(keeping: three.versions[0]) { _ in "2026-11-22" }
    let names = steps.map { step -> String in
      guard case .setAside(_, let names) = step else { return "\(step)" }
      return text(names[0])
    }
    #expect(names == ["plan (set aside 2026-11-22).md", "plan (set aside ABCDEFG 2026-11-22).md"])
  }

  @Test("of a document that is gone a copy takes the name")
  func putBack() {
    let copies = resolution([version(Self.first, 10), version(Self.second, 20)])
    let steps = copies.steps(keeping: copies.versions[1]) { _ in "" }
    #expect(steps.first == .putBack(copies.versions[1]) && steps.count == 2)
  }

  @Test("a name for what is put aside is no copy's name")
  func asideNames() {
    for (document, device) in [
      ("plan.md", "x's conflicted copy 2026-11-22"), (Self.first, "a"), ("plan", "a/../b"), (".md", ""),
      (String(repeating: "n", count: 250) + ".md", "a"), ("#plan#", "a"),
    ] {
      let names = SyncNames.namesBeside(Array(document.utf8), what: "copy from \(device)")
      #expect(names.count == Set(names).count && !names.isEmpty)
      for name in names {
        #expect(SyncNames.original(ofConflictCopy: name) == nil, "\(text(name))")
        #expect(name.count <= 255 && !name.contains(UInt8(ascii: "/")))
      }
    }
    #expect(
      SyncNames.namesBeside(Array(Self.first.utf8), what: "copy from a").first.map(text)
        == "plan (copy from a).md")
  }

  @Test("what changed since is told, the document before all")
  func changes() {
    let listed = three
    let copy = listed.versions[2]
    #expect(listed.change(since: listed, keeping: copy) == nil)
    let edited = resolution(
      [listed.versions[1], copy, version("plan.md", 5, isDocument: true, fingerprint: 2)])
    #expect(listed.change(since: edited, keeping: copy)?.isDocument == true)
    let replaced = resolution([listed.versions[0], version(Self.first, 10, inode: 2)])
    #expect(listed.change(since: replaced, keeping: copy) == copy)
    #expect(listed.change(since: resolution([]), keeping: copy) == copy)
    let copies = resolution([copy])
    #expect(copies.change(since: listed, keeping: copy)?.isDocument == true)
    let unreadable = resolution([listed.versions[0], version(Self.first, 10, fingerprint: nil)])
    #expect(unreadable.change(since: unreadable, keeping: unreadable.versions[1]) != nil)
  }

  @Test(
    "device and time stand in a copy's name",
    arguments: [
      (first, "ABCDEFG", "2026-11-22 04:00:00"), (second, nil, "2026-11-22 05:00:00"),
      ("plan (conflict_on_2026-11-22).md", nil, "2026-11-22"),
      ("plan (my desk's conflicted copy 2026-11-22).md", "my desk", "2026-11-22"),
      ("plan (desk’s conflicted copy 2026-11-22 (1)).md", "desk", "2026-11-22"),
      ("plan.md..path1", nil, nil), ("plan.md", nil, nil),
    ] as [(String, String?, String?)])
  func names(name: String, device: String?, time: String?) {
    #expect(SyncNames.device(ofConflictCopy: Array(name.utf8)).map(text) == device)
    #expect(SyncNames.time(ofConflictCopy: Array(name.utf8)) == time)
  }
}
