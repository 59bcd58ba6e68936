// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Glibc
import Testing

extension OneApplicationAtATime {
  @MainActor
  @Suite("A document whose file is not there yet")
  struct NewFileTests {
    let app = SampleApp()
    var folder: SampleFolder { app.folder }

    private func made(_ name: String = "new.md") -> TextFile {
      let document = TextFile()
      document.fileURL = folder.url(name)
      document.fileType = "Text"
      DocumentController.shared.addDocument(document)
      app.application.mainDocument = document
      app.advance(.seconds(3))
      return document
    }

    private func tell(_ change: DocumentChange) {
      app.report(.documentChanged(path: Array(folder.path("new.md").utf8), change))
    }

    @Test func s25e_itIsMadeOnceThereIsSomethingToSave() {
      let document = made()
      #expect(document.isFileNew && document.userActivity != nil && folder.names == [])
      document.type("a")
      app.advance(.milliseconds(300))
      #expect(folder.text("new.md") == "a" && !document.isFileNew && !document.isDocumentEdited)
      #expect(app.agent.savedTexts == ["a"])
      document.type("b")
      app.advance(.seconds(3))
      #expect(folder.text("new.md") == "ab")
    }

    @Test func s25e_aFileThatAppearedMeanwhileIsNeverWrittenOver() async throws {
      for isTold in [false, true] {
        let document = made()
        document.type("mine")
        folder.write("new.md", "theirs")
        if isTold { tell(.changed(nil)) }
        for _ in 0..<40 { app.advance(.seconds(1)) }
        #expect(folder.text("new.md") == "theirs" && document.text == "mine" && document.isDocumentEdited)
        #expect(!app.calls.contains("autosave failed"), "it is told of as a change")
        let error = await #expect(throws: ContinuityError.self) { try await document.save() }
        #expect(error?.code == .invalidRequest)
        try await document.save(overwritingChanges: true)
        #expect(folder.text("new.md") == "mine")
        document.close()
        unlink(folder.path("new.md"))
      }
    }

    @Test func s25e_norIsALinkThatLeadsNowhere() {
      let document = made()
      symlink("elsewhere.md", folder.path("new.md"))
      document.type("mine")
      for _ in 0..<40 { app.advance(.seconds(1)) }
      #expect(folder.names == ["new.md"] && document.isDocumentEdited)
    }

    @Test func aFileThatAppearsBeforeAnythingWasTypedIsRead() {
      let document = made()
      folder.write("new.md", "theirs")
      tell(.changed(nil))
      #expect(document.text == "theirs" && !document.isFileNew && !document.isDocumentEdited)
    }

    @Test func s34d_aFileThatNeverWasIsNotTakenForADeletedOne() {
      let document = made()
      tell(.deleted)
      #expect(!document.isFileMissing && document.userActivity != nil && document.changes == [])
      document.type("a")
      app.advance(.milliseconds(300))
      #expect(folder.text("new.md") == "a")
      unlink(folder.path("new.md"))
      tell(.deleted)
      #expect(document.isFileMissing && document.changes == [.deleted])
      app.advance(.seconds(30))
      #expect(folder.names == [], "only the person makes it again")
    }

    @Test func whereItsFolderWentTheTextStaysAndIsSavedWhenThatIsBack() {
      mkdir(folder.path("trip"), 0o755)
      let document = made("trip/new.md")
      rmdir(folder.path("trip"))
      document.type("a")
      app.advance(.seconds(3))
      #expect(app.calls.contains("autosave failed") && document.isDocumentEdited && document.text == "a")
      mkdir(folder.path("trip"), 0o755)
      for _ in 0..<15 { app.advance(.seconds(1)) }
      #expect(folder.text("trip/new.md") == "a" && !document.isDocumentEdited)
    }

    @Test func onAFullDiskThereIsNoFileAndTheTextStays() {
      guard folder.becomeDisk(of: "64k") else { return }
      let document = made()
      folder.fill()
      document.type(String(repeating: "a", count: 9000))
      app.advance(.seconds(3))
      #expect(folder.names == ["filler"] && document.isDocumentEdited)
      unlink(folder.path("filler"))
      for _ in 0..<15 { app.advance(.seconds(1)) }
      #expect(folder.names == ["new.md"] && !document.isDocumentEdited)
    }

    @Test func aCrashLeavesItsTextAlsoWhereAnotherFileAppeared() async throws {
      let document = made()
      app.application.keepAutosavedDocuments(in: folder.directory + "/state")
      document.type("mine")
      folder.write("new.md", "theirs")
      try await document.autosave(withImplicitCancellability: false)
      #expect(folder.text("new.md") == "theirs" && !document.hasUnautosavedChanges)
    }
  }
}
