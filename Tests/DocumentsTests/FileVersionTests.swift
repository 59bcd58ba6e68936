// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Glibc
import Testing
import UserActivities

extension OneApplicationAtATime {
  /// Conflict copies as versions: nothing is removed that nobody saw, and nothing is overwritten.
  @MainActor
  @Suite("Versions in conflict")
  struct FileVersionTests {
    let app = SampleApp()
    var folder: SampleFolder { app.folder }

    private static let first = "plan.sync-conflict-20261122-040000-ABCDEFG.md"
    private static let second = "plan (conflicted copy 2026-11-22 050000).md"

    private func versions() throws -> [FileVersion] {
      try FileVersion.unresolvedConflictVersionsOfItem(at: folder.url("plan.md"))
    }

    private func setTime(_ name: String, _ seconds: Int) {
      var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
      #expect(utimensat(AT_FDCWD, folder.path(name), &times, 0) == 0)
    }

    private func refusal(_ body: () async throws -> Void) async -> ContinuityError? {
      do { try await body() } catch { return error as? ContinuityError }
      return nil
    }

    private func conflict() async throws -> (document: TextFile, version: FileVersion) {
      let document = try await app.open("plan.md", "mine")
      folder.write(Self.first, "theirs")
      return (document, try #require(try versions().first))
    }

    // MARK: Listing

    @Test func s34f_copiesAreListedWithDeviceDateAndSizeNewestFirst() throws {
      folder.write("plan.md", "mine")
      folder.write(Self.first, "theirs")
      folder.write(Self.second, "a third")
      setTime(Self.first, 1_700_000_000)
      setTime(Self.second, 1_800_000_000)
      let versions = try versions()
      #expect(versions.map(\.url.lastPathComponent) == [Self.second, Self.first])
      #expect(versions.map(\.deviceName) == [nil, "ABCDEFG"])
      #expect(versions.map(\.size) == [7, 6])
      #expect(versions.last?.modificationDate == Date(timeIntervalSince1970: 1_700_000_000))
      #expect(try versions.map { try $0.contents() } == [Data("a third".utf8), Data("theirs".utf8)])
    }

    @Test func whatOnlyLooksLikeACopyIsNone() throws {
      folder.write("plan.md", "mine")
      folder.write("planning.sync-conflict-20261122-040000-ABCDEFG.md", "another document's")
      folder.write("plan.sync-conflict-20261122-040000-ABCDEFG.txt", "another document's")
      folder.write("plan.sync-conflict-notes.md", "a person's own")
      #expect(symlink("plan.md", folder.path("plan.sync-conflict-20261122-040001-ABCDEFG.md")) == 0)
      #expect(mkdir(folder.path("plan.sync-conflict-20261122-040002-ABCDEFG.md"), 0o755) == 0)
      #expect(mkfifo(folder.path("plan.sync-conflict-20261122-040003-ABCDEFG.md"), 0o644) == 0)
      #expect(try versions().isEmpty)
    }

    @Test func s34f_equalBytesAreKnownAsSuch() async throws {
      let (document, version) = try await conflict()
      #expect(try !version.hasSameContents(asItemAt: folder.url("plan.md")))
      folder.replace("plan.md", "theirs")
      #expect(try version.hasSameContents(asItemAt: folder.url("plan.md")))
      #expect(try document.unresolvedConflictVersions() == [version])
    }

    @Test func aFolderThatCannotBeListedIsToldAndNotTakenForOneWithoutConflict() async {
      let gone = folder.url("away/plan.md")
      let error = await refusal { _ = try FileVersion.unresolvedConflictVersionsOfItem(at: gone) }
      #expect(error?.code == .documentMissing)
    }

    // MARK: Resolving

    @Test func s34f_resolvingRemovesTheCopyThatWasSeen() async throws {
      let (document, version) = try await conflict()
      try version.remove()
      try version.remove()
      #expect(version.isResolved && folder.names == ["plan.md"] && document.text == "mine")
    }

    @Test(arguments: ["written", "replaced", "same size and time", "link", "folder", "touched"])
    func s34f_whatTookTheCopysPlaceStays(_ attack: String) async throws {
      folder.write("plan.md", "mine")
      folder.write(Self.first, "theirs")
      setTime(Self.first, 1_700_000_000)
      let version = try #require(try versions().first)
      switch attack {
      case "written":
        folder.write(Self.first, "newer text")
      case "replaced": folder.replace(Self.first, "newest")
      case "same size and time":
        let descriptor = open(folder.path(Self.first), O_WRONLY)
        #expect(pwrite(descriptor, "theirS", 6, 0) == 6)
        close(descriptor)
        setTime(Self.first, 1_700_000_000)
      case "link":
        #expect(rename(folder.path(Self.first), folder.path("aside")) == 0)
        #expect(symlink("aside", folder.path(Self.first)) == 0)
      case "folder":
        unlink(folder.path(Self.first))
        mkdir(folder.path(Self.first), 0o755)
      default: setTime(Self.first, 1_700_000_001)
      }
      let before = folder.names
      let texts = before.map { folder.text($0) }
      let errors = [
        await refusal { try version.remove() }, await refusal { try version.keepBoth() },
        await refusal { _ = try version.contents() },
      ]
      #expect(errors.allSatisfy { $0 != nil } && folder.names == before)
      #expect(before.map { folder.text($0) } == texts)
    }

    @Test func s34f_aCopyThatAppearedLaterStays() async throws {
      let (_, version) = try await conflict()
      folder.write(Self.second, "unseen")
      try version.remove()
      #expect(folder.names == [Self.second, "plan.md"].sorted())
      #expect(try versions().map(\.url.lastPathComponent) == [Self.second])
    }

    @Test func s34f_keepingBothNeverTakesTheNameOfAnotherFile() async throws {
      let (_, version) = try await conflict()
      let refused = await refusal { try version.keepBoth(as: "plan.md") }
      #expect(refused?.code == .invalidRequest && folder.text("plan.md") == "mine")
      for name in ["", "a/b", "..", String(repeating: "x", count: 256)] {
        #expect(await refusal { try version.keepBoth(as: name) }?.code == .invalidRequest)
      }
      setTime(Self.first, 1_700_000_000)
      let seen = try #require(try versions().first)
      let day = "2023-11-14"
      folder.write("plan (ABCDEFG \(day)).md", "older")
      folder.write("plan (ABCDEFG 2023-11-15).md", "older")
      let kept = try seen.keepBoth()
      #expect(kept.lastPathComponent.hasSuffix(") 2.md") && folder.text(kept.lastPathComponent) == "theirs")
      #expect(folder.text("plan (ABCDEFG \(day)).md") == "older" && seen.isResolved)
      #expect(try versions().isEmpty)
    }

    // MARK: Choosing

    @Test func s34f_theChosenTextBecomesTheDocumentsAndTheFormerOneStaysAVersion() async throws {
      let (document, version) = try await conflict()
      document.type(" and more")
      let former = try #require(try await document.choose(version))
      #expect(document.text == "theirs" && folder.text("plan.md") == "theirs" && !document.isDocumentEdited)
      #expect(try former.contents() == Data("mine and more".utf8))
      #expect(try versions() == [former])
      _ = try await document.choose(former)
      #expect(folder.text("plan.md") == "mine and more")
      for version in try versions() { try version.remove() }
      #expect(folder.names == ["plan.md"])
    }

    @Test func aCopyThatSaysTheSameIsSimplyRemoved() async throws {
      let document = try await app.open("plan.md", "mine")
      folder.write(Self.first, "mine")
      #expect(try await document.choose(#require(try versions().first)) == nil)
      #expect(folder.names == ["plan.md"])
    }

    @Test func s34f_aFileThatChangedUnseenIsNotOverwrittenByAChoice() async throws {
      let (document, version) = try await conflict()
      document.type("!")
      folder.replace("plan.md", "unseen")
      let error = await refusal { try await document.choose(version) }
      #expect(error?.code == .documentDiverged)
      #expect(folder.text("plan.md") == "unseen" && folder.text(Self.first) == "theirs")
      #expect(document.text == "mine!" && document.isDocumentEdited)
      #expect(folder.names == [Self.first, "plan.md"].sorted())
    }

    @Test func s34f_aCopyThatChangedIsNotChosen() async throws {
      let (document, version) = try await conflict()
      folder.replace(Self.first, "theirs, later")
      #expect(await refusal { try await document.choose(version) }?.code == .documentDiverged)
      #expect(document.text == "mine" && folder.text("plan.md") == "mine")
      #expect(folder.text(Self.first) == "theirs, later")
    }

    @Test func aCopyOfAnotherDocumentIsNotChosen() async throws {
      let (_, version) = try await conflict()
      let other = try await app.open("other.md", "other")
      #expect(await refusal { try await other.choose(version) }?.code == .invalidRequest)
      #expect(folder.text("other.md") == "other" && other.text == "other")
    }

    @Test func aCopyThatIsNotOfThisTypeLeavesTheText() async throws {
      let document = try await app.open("plan.md", "mine")
      try Data([0xFF, 0xFE, 0xFD]).write(to: folder.url(Self.first))
      let version = try #require(try versions().first)
      #expect(await refusal { try await document.choose(version) }?.code == .documentUnreadable)
      #expect(document.text == "mine" && !document.isDocumentEdited)
      #expect(folder.names == [Self.first, "plan.md"].sorted())
    }

    @Test func onAFullDiskNothingIsLost() async throws {
      guard folder.becomeDisk(of: "64k") else { return }
      let (document, version) = try await conflict()
      folder.fill()
      #expect(await refusal { try await document.choose(version) } != nil)
      #expect(folder.text("plan.md") == "mine" && folder.text(Self.first) == "theirs")
      #expect(document.text == "mine" && !document.isDocumentEdited)
      #expect(folder.names == ["filler", Self.first, "plan.md"].sorted())
    }

    @Test func inAReadOnlyFolderNothingIsDoneAndTheErrorSaysWhy() async throws {
      guard folder.becomeDisk(of: "64k") else { return }
      let (document, version) = try await conflict()
      guard folder.becomeReadOnly() else { return print("skipped: remounting is refused here") }
      for error in [
        await refusal { try version.remove() }, await refusal { try version.keepBoth() },
        await refusal { try await document.choose(version) },
      ] { #expect(error?.description.contains("read-only") == true) }
      #expect(folder.names == [Self.first, "plan.md"].sorted() && document.text == "mine")
    }
  }
}
