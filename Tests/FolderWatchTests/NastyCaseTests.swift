// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Foundation
import Glibc
import TestSupport
import Testing

/// The cases that a naive watcher gets wrong, as far as watching goes; whoever resolves documents has the
/// rest.
@Suite("Nasty cases of watching", .waiting, .serialized)
struct NastyCaseTests {
  let folder: TemporaryFolder
  let process: WatchProcess
  let root = RootNumber(rawValue: 0)

  init() throws {
    folder = try TemporaryFolder()
    process = try WatchProcess()
  }

  private func changed(_ path: String, _ change: FolderHint.Change) -> FolderHint {
    .changed(root, path: path.names, change: change)
  }

  private func moved(_ from: String, _ to: String) -> FolderHint {
    .moved(root, from: from.names, to: to.names, isFolder: false)
  }

  private func told() throws -> [FolderHint] { Array(try process.hintsUpToNow(folder).dropLast()) }

  /// Writes over what is there, without making it anew.
  private func overwrite(_ path: String, then body: (Int32) -> Void = { _ in }) throws {
    let file = open(folder.path + "/" + path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard file >= 0 else { throw TemporaryFolder.Failed("open") }
    Glibc.write(file, "xyz", 3)
    body(file)
    close(file)
  }

  @Test("Case 3: a folder arrives by rename, with no event for any file in it")
  func case03_aFolderArrivesByRename() throws {
    let other = try TemporaryFolder()
    try other.make("tree".names)
    try other.make("tree/deep".names)
    for number in 0..<100 { try other.write("tree/deep/\(number)".names) }
    try process.watch(folder)
    guard rename(other.path + "/tree", folder.path + "/tree") == 0 else {
      throw TemporaryFolder.Failed("rename")
    }
    let hints = try told()
    for number in 0..<100 { #expect(hints.contains(changed("tree/deep/\(number)", .created))) }
  }

  @Test("Case 4: folders are made faster than they can be watched")
  func case04_makingFoldersIsARace() throws {
    try process.watch(folder)
    for round in 0..<30 { #expect(Command.succeeds("mkdir", "-p", "\(folder.path)/\(round)/b/c/d/e/f")) }
    for round in 0..<30 { try folder.write("\(round)/b/c/d/e/f/leaf".names) }
    let hints = try told()
    for round in 0..<30 {
      let leaf = "\(round)/b/c/d/e/f/leaf"
      #expect(hints.contains(changed(leaf, .created)), "\(leaf)")
    }
  }

  @Test("Case 5: the file that is waited for is deleted just before the new one comes")
  func case05_unlinkThenRename() throws {
    try folder.write("plan.md".names)
    try process.watch(folder)
    try folder.write(".syncthing.plan.md.tmp".names)
    folder.remove("plan.md".names)
    try folder.move(".syncthing.plan.md.tmp".names, "plan.md".names)
    let hints = try told().suffix(2)
    #expect(hints == [changed("plan.md", .deleted), moved(".syncthing.plan.md.tmp", "plan.md")])
  }

  @Test("Case 6: a delete that looks like a rename names both places")
  func case06_aDeleteThatLooksLikeARename() throws {
    try folder.make(".stversions".names)
    try folder.write("plan.md".names)
    try process.watch(folder)
    try folder.move("plan.md".names, ".stversions/plan~20260101-120000.md".names)
    #expect(try told() == [moved("plan.md", ".stversions/plan~20260101-120000.md")])
  }

  @Test("Case 7: a save that looks like a rename tells of the new file under the old name")
  func case07_aSaveThatLooksLikeARename() throws {
    try folder.write("a.txt".names)
    try process.watch(folder)
    try folder.move("a.txt".names, "a.txt~".names)
    try folder.write("a.txt".names)
    folder.remove("a.txt~".names)
    #expect(
      try told() == [
        moved("a.txt", "a.txt~"), changed("a.txt", .created), changed("a.txt", .written),
        changed("a.txt~", .deleted),
      ])
  }

  @Test("Case 8: a close before the new content and one after the rename are both told")
  func case08_closesBeforeAndAfter() throws {
    try folder.write("a.txt".names)
    try process.watch(folder)
    let early = open(folder.path + "/a.txt", O_WRONLY | O_CLOEXEC)
    try folder.write(".goutputstream-AB12CD".names)
    close(early)
    try folder.move(".goutputstream-AB12CD".names, "a.txt".names)
    try overwrite("a.txt")
    let hints = try told()
    #expect(hints.filter { $0 == changed("a.txt", .written) }.count == 2)
  }

  @Test("Case 9: times that are set after the last close are told")
  func case09_timesAfterTheClose() throws {
    try folder.write("a.txt".names)
    try process.watch(folder)
    try overwrite("a.txt")
    try folder.touch("a.txt".names)
    #expect(try told() == [changed("a.txt", .written), changed("a.txt", .attributes)])
  }

  @Test("Case 14: a rename by deleting first, and one by copying first, tell of both names")
  func case14_renamesByDeletingAndCopying() throws {
    for name in ["a", "b"] { try folder.write(name.names) }
    try process.watch(folder)
    folder.remove("a".names)
    try folder.write("a2".names)
    try folder.write("b2".names)
    folder.remove("b".names)
    #expect(
      try told() == [
        changed("a", .deleted), changed("a2", .created), changed("a2", .written), changed("b2", .created),
        changed("b2", .written), changed("b", .deleted),
      ])
  }

  @Test("Case 15: a write through one hard link tells nothing of the other: only looking again finds it")
  func case15_aHardLinkIsSilent() throws {
    try folder.write("one".names)
    guard link(folder.path + "/one", folder.path + "/two") == 0 else { throw TemporaryFolder.Failed("link") }
    try process.watch(folder)
    try overwrite("one")
    #expect(try told() == [changed("one", .written)])
  }

  @Test("Case 16: a touch that makes the file anew is told as such")
  func case16_touchMakesAnew() throws {
    try folder.write("a".names)
    try process.watch(folder)
    try folder.write(".a.Xy12Zz".names)
    try folder.move(".a.Xy12Zz".names, "a".names)
    #expect(try told().contains(moved(".a.Xy12Zz", "a")))
  }

  @Test("Case 17: attributes of a folder are told once, though the kernel reports them twice")
  func case17_folderAttributesOnce() throws {
    try folder.make("sub".names)
    try process.watch(folder)
    try folder.touch("sub".names)
    #expect(try told() == [changed("sub", .attributes)])
  }

  @Test("Case 19: an inode number that is used again at once means another folder")
  func case19_inodesAreReused() throws {
    try folder.make("a".names)
    try process.watch(folder)
    for round in 0..<20 {
      try folder.write("a/\(round)".names)
      folder.remove("a/\(round)".names)
      folder.remove("a".names)
      try folder.make("a".names)
      try folder.write("a/again\(round)".names)
      #expect(try told().contains(changed("a/again\(round)", .created)))
      folder.remove("a/again\(round)".names)
    }
  }

  @Test("Case 20: names that look like temporary files are told as all others")
  func case20_lookAlikes() throws {
    try process.watch(folder)
    let names = [
      "a~", ".a.swp", "4913", "#a#", ".syncthing.x.tmp", "a.sync-conflict-20260101-120000-ABCDEFG.md",
    ]
    for name in names { try folder.write([Array(name.utf8)]) }
    let hints = try told()
    for name in names {
      #expect(hints.contains(.changed(root, path: [Array(name.utf8)], change: .written)), "\(name)")
    }
  }

  @Test("Case 21: newlines, invalid UTF-8 and 244 bytes come as they are")
  func case21_rawNames() throws {
    try process.watch(folder)
    for name in [Array("a\nb".utf8), [0xff, 0xfe], Array(repeating: UInt8(ascii: "n"), count: 244)] {
      try folder.write([name])
      let hints = try told()
      #expect(hints.contains(.changed(root, path: [name], change: .written)), "\(hints)")
    }
  }

  @Test("Case 22: 500 folders below a renamed one tell under their new path, a look-alike of the prefix too")
  func case22_noStalePaths() throws {
    try folder.make("note".names)
    try folder.make("notebook".names)
    for number in 0..<500 { try folder.make("note/\(number)".names) }
    try process.watch(folder)
    try folder.move("note".names, "moved".names)
    _ = try told()
    for number in 0..<500 { try folder.write("moved/\(number)/f".names) }
    try folder.write("notebook/f".names)
    let hints = try told()
    for number in 0..<500 { #expect(hints.contains(changed("moved/\(number)/f", .written))) }
    #expect(hints.contains(changed("notebook/f", .written)))
  }

  @Test("1,500 folders deep, with 64 descriptors")
  func deepTree() throws {
    let process = try WatchProcess(under: ["sh", "-c", "ulimit -n 64; exec \"$@\"", "sh"])
    var deepest: [[UInt8]] = []
    for _ in 0..<1500 {
      deepest.append(Array("d".utf8))
      try folder.make(deepest)
    }
    guard case .watching(_, 1501)? = try process.watch(folder).last else {
      Issue.record("not all folders are watched")
      return
    }
    try folder.write(deepest + "leaf".names)
    let hints = try process.hintsUpToNow(folder)
    #expect(hints.contains(.changed(root, path: deepest + "leaf".names, change: .written)))
  }
}
