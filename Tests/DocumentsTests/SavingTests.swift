// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Glibc
import Testing

extension OneApplicationAtATime {
  @MainActor
  @Suite("Saving a document")
  struct SavingTests {
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

    @Test func savingReplacesTheFileAndLeavesNothingBeside() async throws {
      let document = try await app.open("plan.md", "alpha")
      let before = folder.status("plan.md").st_ino
      document.type("\nbeta")
      #expect(document.isDocumentEdited)
      try await document.save()
      #expect(folder.text("plan.md") == "alpha\nbeta")
      #expect(folder.names == ["plan.md"])
      #expect(!document.isDocumentEdited)
      #expect(folder.status("plan.md").st_ino != before)
      document.type("\ngamma")
      try await document.save()
      #expect(folder.text("plan.md") == "alpha\nbeta\ngamma")
    }

    @Test(arguments: [mode_t(0o600), 0o640, 0o755, 0o664])
    func theModeIsKept(_ mode: mode_t) async throws {
      let document = try await app.open("plan.md", "alpha")
      chmod(folder.path("plan.md"), mode)
      document.type("!")
      try await document.save()
      #expect(folder.status("plan.md").st_mode & 0o7777 == mode)
    }

    @Test func aSymbolicLinkStaysAndItsTargetIsSaved() async throws {
      folder.write("real.md", "alpha")
      #expect(symlink("real.md", folder.path("link.md")) == 0)
      let (opened, _) = try await DocumentController.shared.openDocument(
        withContentsOf: folder.url("link.md"), display: true)
      let document = try #require(opened as? TextFile)
      document.type("!")
      try await document.save()
      #expect(folder.text("real.md") == "alpha!")
      #expect(folder.status("link.md").st_mode & S_IFMT == S_IFLNK)
      #expect(folder.names == ["link.md", "real.md"])
    }

    @Test func hardLinksStayOneFile() async throws {
      let document = try await app.open("plan.md", "alpha beta")
      #expect(link(folder.path("plan.md"), folder.path("other.md")) == 0)
      document.text = "short"
      document.updateChangeCount(.changeDone)
      try await document.save()
      #expect(folder.text("other.md") == "short")
      #expect(folder.status("plan.md").st_ino == folder.status("other.md").st_ino)
      #expect(folder.names == ["other.md", "plan.md"])
    }

    @Test func aFileThatChangedOnDiskIsNotOverwrittenUnlessAsked() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type(" mine")
      folder.replace("plan.md", "theirs")
      let error = await refusal { try await document.save() }
      #expect(error?.code == .documentDiverged)
      #expect(error?.description.contains("changed on disk") == true)
      #expect(folder.text("plan.md") == "theirs")
      #expect(document.text == "alpha mine" && document.isDocumentEdited)
      #expect(folder.names == ["plan.md"])
      try await document.save(overwritingChanges: true)
      #expect(folder.text("plan.md") == "alpha mine")
    }

    @Test func whatThePersonWasShownOfAFileIsReplacedAndNothingElse() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type(" mine")
      folder.replace("plan.md", "newer")
      let error = await refusal { try await document.save(replacing: Data("theirs".utf8)) }
      #expect(error?.code == .documentDiverged)
      #expect(folder.text("plan.md") == "newer" && document.isDocumentEdited)
      try await document.save(replacing: Data("newer".utf8))
      #expect(folder.text("plan.md") == "alpha mine" && !document.isDocumentEdited)
    }

    @Test func whatWasShownOfAFileThatIsGoneMakesNoneAgain() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type(" mine")
      #expect(unlink(folder.path("plan.md")) == 0)
      let error = await refusal { try await document.save(replacing: Data("alpha".utf8)) }
      #expect(error?.code == .documentMissing)
      #expect(error?.description.contains("save once more to write it again") == true)
      #expect(folder.names == [])
      #expect(document.text == "alpha mine" && document.isDocumentEdited)
      try await document.save()
      #expect(folder.text("plan.md") == "alpha mine" && !document.isDocumentEdited)
    }

    @Test func whereADiskIsGoneNoFileIsMadeInTheFolderBelowIt() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      guard folder.becomeDisk(of: "128k") else { return }
      let error = await refusal { try await document.save() }
      #expect(error?.code == .documentMissing)
      #expect(error?.description.contains("its disk is gone; bring it back") == true)
      #expect(folder.names == [] && document.text == "alpha!" && document.isDocumentEdited)
      // Somebody who means it says so.
      try await document.save(overwritingChanges: true)
      #expect(folder.text("plan.md") == "alpha!")
    }

    @Test func aFileThatWasOnlyTouchedIsSaved() async throws {
      let document = try await app.open("plan.md", "alpha")
      folder.replace("plan.md", "alpha")
      document.type("!")
      try await document.save()
      #expect(folder.text("plan.md") == "alpha!")
    }

    @Test func inAReadOnlyFolderTheOldBytesStayAndTheErrorSaysWhatToDo() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      // Permissions do not stop the superuser, so the folder's place is what fails there.
      if geteuid() == 0 {
        #expect(rename(folder.directory, folder.directory + ".away") == 0)
      } else {
        chmod(folder.directory, 0o500)
      }
      let error = await refusal { try await document.save() }
      if geteuid() == 0 { #expect(rename(folder.directory + ".away", folder.directory) == 0) }
      #expect(error?.description.contains("use another place") == true)
      #expect(folder.text("plan.md") == "alpha")
      #expect(document.isDocumentEdited && document.text == "alpha!")
    }

    @Test func aFullDiskLeavesTheOldBytes() async throws {
      guard folder.becomeDisk(of: "128k") else { return }
      let document = try await app.open("plan.md", "alpha")
      document.text = String(repeating: "x", count: 200_000)
      document.updateChangeCount(.changeDone)
      let error = await refusal { try await document.save() }
      #expect(error?.subject == folder.path("plan.md"))
      #expect(folder.text("plan.md") == "alpha")
      #expect(folder.names == ["plan.md"])
      #expect(document.isDocumentEdited)
    }

    @Test func aNewDocumentIsCreatedAndNeverOverAnExistingFile() async throws {
      let document = TextFile()
      document.text = "new"
      document.fileURL = folder.url("new.md")
      try await document.save()
      #expect(folder.text("new.md") == "new")
      folder.write("taken.md", "theirs")
      let other = TextFile()
      other.fileURL = folder.url("taken.md")
      let error = await refusal { try await other.save() }
      #expect(error?.code == .invalidRequest)
      #expect(folder.text("taken.md") == "theirs")
    }

    @Test func savingElsewhereMovesTheDocumentOnlyWhenItWorked() async throws {
      let document = try await app.open("plan.md", "alpha")
      folder.write("taken.md", "theirs")
      let error = await refusal { try await document.save(to: folder.url("taken.md")) }
      #expect(error?.code == .invalidRequest)
      #expect(document.fileURL == folder.url("plan.md"))
      try await document.save(to: folder.url("copy.md"))
      #expect(document.fileURL == folder.url("copy.md"))
      #expect(folder.text("copy.md") == "alpha" && folder.text("plan.md") == "alpha")
    }

    @Test func aReadOnlyDocumentIsNotSaved() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.isReadOnly = true
      document.type("!")
      #expect(await refusal { try await document.save() }?.description.contains("reading only") == true)
      #expect(folder.text("plan.md") == "alpha")
    }

    @Test func whatIsNotARegularFileIsRefusedWithoutWaiting() async throws {
      #expect(mkfifo(folder.path("pipe.md"), 0o600) == 0)
      #expect(mkdir(folder.path("folder.md"), 0o700) == 0)
      for name in ["pipe.md", "folder.md", "absent.md"] {
        let error = await refusal {
          _ = try await DocumentController.shared.openDocument(
            withContentsOf: folder.url(name), display: true)
        }
        #expect(error != nil, "\(name)")
        #expect(DocumentController.shared.documents.isEmpty)
      }
    }
  }
}
