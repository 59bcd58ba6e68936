// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Testing

/// Open documents that get another name, by hand and as sync engines do it, and conflict copies beside them.
@Suite struct OpenDocumentMovesTests {
  // MARK: Renames

  @Test func s34c_aRenameThatTheWatcherSawIsFollowedAtOnce() {
    var folder = OpenFolder()
    folder.rename("plan.md", "final.md")
    folder.pass(300)
    #expect(folder.told.first == "moved to final.md" && !folder.told.contains("deleted"))
    #expect(folder.path == "final.md" && folder.searches == 0)
    folder.pass(5000)
    folder.put("final.md", "two")
    folder.pass(5000)
    #expect(folder.told.last == "two" && folder.isAsleep, "it is watched under its new name")
  }

  @Test(arguments: ["copy first", "delete first", "through a temporary name", "unseen"])
  func s34c_aRenameByAnEngineIsAMoveAndNoDeletion(_ way: String) {
    var folder = OpenFolder()
    switch way {
    case "copy first":
      folder.put("final.md", "one")
      folder.pass(900)
      folder.remove("plan.md")
    case "delete first":
      folder.remove("plan.md")
      folder.pass(900)
      folder.put("final.md", "one")
    case "through a temporary name":
      folder.rename("plan.md", ".syncthing.final.md.tmp")
      folder.pass(15)
      folder.rename(".syncthing.final.md.tmp", "final.md")
    default:
      folder.rename("plan.md", "final.md", seen: false)
      folder.hint("")
    }
    folder.pass(5000)
    #expect(folder.told.filter { $0 != "one" && $0 != "conflict []" } == ["moved to final.md"])
  }

  @Test func s34c_aFolderAboveTheDocumentIsFollowed() {
    for isSeen in [true, false] {
      var folder = OpenFolder("trips/2026/plan.md")
      folder.rename("trips", "journeys", seen: isSeen)
      if !isSeen { folder.hint("") }
      folder.pass(5000)
      #expect(folder.told.contains("moved to journeys/2026/plan.md") && !folder.told.contains("deleted"))
    }
  }

  @Test(arguments: ["plan.md~", "plan.md.old", "plan.bak", "plan.1.md"])
  func s34c_aSaveThatBeginsWithARenameIsNoMove(_ aside: String) {
    var folder = OpenFolder()
    folder.rename("plan.md", aside)
    folder.pass(900)
    folder.put("plan.md", "two")
    folder.pass(5000)
    #expect(folder.told.filter { $0 != "conflict []" } == ["two"])
  }

  @Test(arguments: [
    ".stversions/plan~20261122-040000.md", "plan.md~", "plan.sync-conflict-20261122-040000-ABCDEFG.md",
  ])
  func s34d_aFileThatIsPutAsideIsDeletedAndNotFollowed(_ aside: String) {
    var folder = OpenFolder()
    folder.rename("plan.md", aside)
    folder.pass(999)
    #expect(!folder.told.contains("deleted"))
    folder.pass(5000)
    #expect(folder.told.contains("deleted") && !folder.told.contains { $0.hasPrefix("moved") })
  }

  @Test func s34c_whatWasSavedLastIsFoundAgain() {
    // Saved, and renamed by an engine before anybody looked at the file that was saved.
    var folder = OpenFolder()
    folder.save("two")
    folder.remove("plan.md", hint: false)
    folder.put("final.md", "two", hint: false)
    folder.hint("plan.md")
    folder.pass(5000)
    #expect(folder.told.contains("moved to final.md") && !folder.told.contains("deleted"))
  }

  @Test func s34c_aMoveIntoAnotherSyncedFolderIsFollowed() {
    var folder = OpenFolder()
    folder.remove("plan.md")
    folder.putElsewhere("plan.md", "one")
    folder.pass(5000)
    #expect(folder.told.contains("moved to other plan.md") && !folder.told.contains("deleted"))
  }

  @Test func s34c_aNewNameThatComesLongAfterTheOldOneWentIsFollowedYet() {
    var folder = OpenFolder()
    folder.remove("plan.md")
    folder.pass(20_000)
    #expect(folder.told == ["deleted"] && folder.isAsleep)
    folder.put("final.md", "one")
    folder.pass(5000)
    #expect(folder.told.contains("moved to final.md"))
  }

  @Test func aCopyOfLongAgoIsNotTheDocument() {
    var folder = OpenFolder()
    folder.put("copy.md", "one")
    folder.pass(100_000)
    folder.remove("plan.md")
    folder.pass(5000)
    #expect(folder.told.filter { $0 != "conflict []" } == ["deleted"])
  }

  @Test func ofTwoCopiesNoneIsTakenForTheDocument() {
    var folder = OpenFolder()
    folder.put("a.md", "one")
    folder.put("b.md", "one")
    folder.remove("plan.md")
    folder.pass(5000)
    #expect(folder.told == ["deleted"])
  }

  @Test func aDocumentThatIsBackBeforeTheSearchEndsWasNeverAway() {
    var folder = OpenFolder()
    folder.put("copy.md", "one")
    folder.duringSearch = { $0.put("plan.md", "two", hint: false) }
    folder.remove("plan.md")
    folder.pass(5000)
    #expect(folder.told == ["two"] && folder.path == "plan.md")
  }

  @Test func aDeletedDocumentIsSearchedForOnlyAWhileAndSeldom() {
    var folder = OpenFolder()
    folder.remove("plan.md")
    folder.pass(2000)
    for number in 0..<200 {
      folder.put("note \(number).md", "note")
      folder.pass(100)
    }
    #expect(folder.searches <= 12)
    folder.pass(60_000)
    let searches = folder.searches
    folder.put("late.md", "one")
    folder.pass(5000)
    #expect(folder.searches == searches && folder.isAsleep && folder.told == ["deleted"])
  }

  // MARK: Conflict copies

  private static let copy = "plan.sync-conflict-20261122-040000-ABCDEFG.md"
  private static let second = "plan (conflicted copy 2026-11-22 040000).md"

  @Test func s34e_conflictCopiesAreToldWhenTheyComeAndWhenTheLastIsGone() {
    var folder = OpenFolder()
    folder.put(Self.copy, "two")
    folder.pass(150)
    folder.put(Self.second, "three")
    folder.pass(150)
    folder.remove(Self.copy)
    folder.pass(150)
    folder.remove(Self.second)
    folder.pass(150)
    #expect(
      folder.told == [
        "conflict [\(Self.copy)]", "conflict [\(Self.second), \(Self.copy)]", "conflict [\(Self.second)]",
        "conflict []",
      ])
    #expect(folder.isAsleep)
  }

  @Test func s34e_copiesOfOtherDocumentsAreNotToldAndSavesListNothing() {
    var folder = OpenFolder()
    let before = folder.listings
    folder.put("planning.sync-conflict-20261122-040000-ABCDEFG.md", "other")
    folder.put("sub/\(Self.copy)", "other")
    for number in 0..<20 {
      folder.put("plan.md", "text \(number)")
      folder.pass(200)
    }
    folder.pass(5000)
    #expect(folder.listings == before)
    #expect(!folder.told.contains { $0.hasPrefix("conflict") })
  }

  @Test func s34e_manyHintsOfOneMomentListTheFolderOnce() {
    var folder = OpenFolder()
    let before = folder.listings
    for _ in 0..<50 {
      folder.hint("")
      folder.pass(1)
    }
    folder.pass(5000)
    #expect(folder.listings == before + 1)
  }

  @Test func s34e_underItsNewNameItHasOtherCopies() {
    var folder = OpenFolder()
    folder.put(Self.copy, "two")
    folder.pass(150)
    folder.rename("plan.md", "final.md")
    folder.pass(5000)
    #expect(folder.told.last { $0.hasPrefix("conflict") } == "conflict []")
  }
}
