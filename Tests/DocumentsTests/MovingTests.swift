// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Glibc
import Testing
import UserActivities

extension OneApplicationAtATime {
  @MainActor
  @Suite("Moving and renaming a document")
  struct MovingTests {
    let app = SampleApp()
    var folder: SampleFolder { app.folder }

    private func refusal(_ body: () async throws -> Void) async -> ContinuityError? {
      do {
        try await body()
        return nil
      } catch {
        return error as? ContinuityError
      }
    }

    @Test func theFileGoesAndTheDocumentFollows() async throws {
      let document = try await app.open("plan.md", "alpha")
      let before = folder.status("plan.md").st_ino
      try await document.move(to: folder.url("idea.md"))
      #expect(document.fileURL == folder.url("idea.md") && document.displayName == "idea.md")
      #expect(folder.names == ["idea.md"] && folder.status("idea.md").st_ino == before)
      document.type("!")
      try await document.save()
      #expect(folder.text("idea.md") == "alpha!" && folder.names == ["idea.md"])
    }

    @Test func unsavedTextStaysInMemoryAndGoesToTheNewPlace() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      try await document.move(to: folder.url("idea.md"))
      #expect(folder.text("idea.md") == "alpha" && document.text == "alpha!" && document.isDocumentEdited)
      try await document.save()
      #expect(folder.text("idea.md") == "alpha!" && folder.names == ["idea.md"])
    }

    @Test func aSaveThatRunsIsWaitedFor() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      let save = Task.immediate { try await document.save() }
      #expect(document.isSaving)
      try await document.move(to: folder.url("idea.md"))
      try await save.value
      #expect(folder.text("idea.md") == "alpha!" && folder.names == ["idea.md"] && !document.isDocumentEdited)
    }

    @Test func aSaveThatWaitsForTheMoveGoesToTheNewPlace() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      let move = Task.immediate { try await document.move(to: folder.url("idea.md")) }
      let save = Task.immediate { try await document.save() }
      try await move.value
      try await save.value
      #expect(folder.text("idea.md") == "alpha!" && folder.names == ["idea.md"] && !document.isDocumentEdited)
    }

    @Test(arguments: ["taken.md", "folder", "dangling"])
    func nothingThatIsThereIsReplaced(_ name: String) async throws {
      let document = try await app.open("plan.md", "alpha")
      folder.write("taken.md", "theirs")
      #expect(mkdir(folder.path("folder"), 0o700) == 0)
      #expect(symlink("nowhere", folder.path("dangling")) == 0)
      let error = await refusal { try await document.move(to: folder.url(name)) }
      #expect(error?.description.contains(folder.path(name)) == true)
      #expect(document.fileURL == folder.url("plan.md") && folder.text("plan.md") == "alpha")
      #expect(folder.text("taken.md") == "theirs")
      #expect(folder.names == ["dangling", "folder", "plan.md", "taken.md"])
    }

    @Test func aFileThatIsGoneOrAFolderThatIsNotThereIsTold() async throws {
      let document = try await app.open("plan.md", "alpha")
      let nowhere = await refusal { try await document.move(to: folder.url("none/idea.md")) }
      #expect(nowhere?.code == .documentMissing)
      unlink(folder.path("plan.md"))
      let gone = await refusal { try await document.move(to: folder.url("idea.md")) }
      #expect(gone?.code == .documentMissing && folder.names == [])
      #expect(await refusal { try await TextFile().move(to: folder.url("idea.md")) }?.code == .invalidRequest)
    }

    @Test func aLinkIsNotMovedFromWhatItMeans() async throws {
      folder.write("real.md", "alpha")
      #expect(symlink("real.md", folder.path("link.md")) == 0)
      let (document, _) = try await DocumentController.shared.openDocument(
        withContentsOf: folder.url("link.md"), display: true)
      let error = await refusal { try await document.move(to: folder.url("idea.md")) }
      #expect(error?.description.contains("symbolic link") == true)
      #expect(folder.names == ["link.md", "real.md"])
    }

    @Test func s27b_s29a_theActivityFollows() async throws {
      let document = try await app.open("plan.md", "alpha")
      app.application.mainDocument = document
      app.advance(.seconds(2))
      let activity = try #require(document.userActivity)
      #expect(!activity.needsSave)
      try await document.move(to: folder.url("idea.md"))
      #expect(document.userActivity === activity && activity.title == "idea.md" && activity.needsSave)
      let outside = SampleFolder()
      try await document.move(to: outside.url("idea.md"))
      #expect(document.userActivity == nil && !activity.isValid)
      try await document.move(to: folder.url("again.md"))
      #expect(document.userActivity?.title == "again.md")
    }

    @Test func theAgentIsToldOfTheNewPlaceAndNewsOfTheOldOneDoNotMatter() async throws {
      let document = try await app.open("plan.md", "alpha")
      _ = app.agent.take()
      let move = Task.immediate { try await document.move(to: folder.url("idea.md")) }
      app.report(.documentChanged(path: Array(folder.path("plan.md").utf8), .deleted))
      try await move.value
      let told = app.agent.take()
      #expect(told.contains(.closed(path: Array(folder.path("plan.md").utf8))))
      #expect(document.changes == [])
    }

    @Test func toAnotherFileSystemTheBytesModeAndTimeGo() async throws {
      let disk = SampleFolder()
      guard disk.becomeDisk(of: "1m") else { return }
      let document = try await app.open("plan.md", "alpha")
      chmod(folder.path("plan.md"), 0o640)
      let time = [timespec(tv_sec: 1_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000, tv_nsec: 0)]
      utimensat(AT_FDCWD, folder.path("plan.md"), time, 0)
      document.type("!")
      disk.write("taken.md", "theirs")
      #expect(await refusal { try await document.move(to: disk.url("taken.md")) }?.code == .invalidRequest)
      #expect(folder.names == ["plan.md"] && disk.names == ["taken.md"])
      try await document.move(to: disk.url("idea.md"))
      #expect(folder.names == [] && disk.names == ["idea.md", "taken.md"])
      #expect(disk.text("idea.md") == "alpha" && disk.text("taken.md") == "theirs")
      #expect(disk.status("idea.md").st_mode & 0o7777 == 0o640)
      #expect(disk.status("idea.md").st_mtim.tv_sec == 1_000_000)
      try await document.save()
      #expect(disk.text("idea.md") == "alpha!")
      try await document.move(to: folder.url("back.md"))
      #expect(folder.text("back.md") == "alpha!" && disk.names == ["taken.md"])
    }

    @Test func aFullDiskKeepsTheFileWhereItWas() async throws {
      let disk = SampleFolder()
      guard disk.becomeDisk(of: "64k") else { return }
      let text = String(repeating: "x", count: 200_000)
      let document = try await app.open("plan.md", text)
      let error = await refusal { try await document.move(to: disk.url("idea.md")) }
      #expect(error?.description.contains("disk is full") == true)
      #expect(folder.text("plan.md") == text && disk.names == [])
      #expect(document.fileURL == folder.url("plan.md"))
    }

    // MARK: Renaming

    @Test func aNameWithoutExtensionKeepsTheFilesOwn() async throws {
      let document = try await app.open("plan.md", "alpha")
      try await document.rename(to: "idea")
      #expect(folder.names == ["idea.md"])
      try await document.rename(to: "note.txt")
      #expect(folder.names == ["note.txt"] && document.fileURL == folder.url("note.txt"))
      try await document.rename(to: ".hidden")
      #expect(folder.names == [".hidden.txt"])
    }

    @Test(arguments: [
      ("", "empty"), ("a/b", "slash"), ("a\0b", "cannot be"), (".", "folder"), ("..", "folder"),
      (String(repeating: "n", count: 253), "too long"), ("plan.md", "choose another"),
    ])
    func whatCannotBeANameIsRefused(_ name: String, _ reason: String) async throws {
      let document = try await app.open("plan.md", "alpha")
      let error = await refusal { try await document.rename(to: name) }
      #expect(error?.code == .invalidRequest && error?.description.contains(reason) == true)
      #expect(folder.names == ["plan.md"] && document.fileURL == folder.url("plan.md"))
    }
  }
}
