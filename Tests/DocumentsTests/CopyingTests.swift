// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Glibc
import Testing

extension OneApplicationAtATime {
  @MainActor
  @Suite("Copies of a document, and its saved content again")
  struct CopyingTests {
    let app = SampleApp()
    var folder: SampleFolder { app.folder }

    @Test func aCopyLeavesTheDocumentWhereItIsAndEdited() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      try await document.save(to: folder.url("copy.md"), for: .saveToOperation)
      #expect(folder.text("copy.md") == "alpha!" && folder.text("plan.md") == "alpha")
      #expect(document.fileURL == folder.url("plan.md") && document.isDocumentEdited)
      #expect(document.hasUnautosavedChanges && document.fileType == "Text")
      try await document.save()
      #expect(folder.text("plan.md") == "alpha!" && !document.isDocumentEdited)
    }

    @Test func aCopyReplacesNothingAndIsNotTheFileItself() async throws {
      let document = try await app.open("plan.md", "alpha")
      folder.write("taken.md", "theirs")
      for name in ["taken.md", "plan.md"] {
        await #expect(throws: ContinuityError.self) {
          try await document.save(to: folder.url(name), for: .saveToOperation)
        }
      }
      #expect(folder.text("taken.md") == "theirs" && folder.text("plan.md") == "alpha")
      try await document.save(to: folder.url("taken.md"), for: .saveToOperation, overwritingChanges: true)
      #expect(folder.text("taken.md") == "alpha")
    }

    @Test func anotherNameGivesTheTypeOfItsExtension() async throws {
      let document = try await app.open("plan.md", "alpha")
      try await document.save(to: folder.url("plan.log"))
      #expect(document.fileType == "Log")
      try await document.save(to: folder.url("plan"))
      #expect(document.fileType == "Log" && folder.text("plan.md") == "alpha")
    }

    @Test func aDuplicateIsUntitledAndEditedAndBothKeepTheirText() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      let copy = try #require(try document.duplicate() as? TextFile)
      #expect(copy.fileURL == nil && copy.text == "alpha!" && copy.isDocumentEdited)
      #expect(copy.displayName == "plan copy" && copy.fileType == "Text")
      #expect(document.text == "alpha!" && document.isDocumentEdited && folder.text("plan.md") == "alpha")
      #expect(DocumentController.shared.documents.count == 2)
      copy.type("?")
      try await copy.save(to: folder.url("copy.md"))
      #expect(folder.text("copy.md") == "alpha!?" && folder.text("plan.md") == "alpha")
      #expect(document.text == "alpha!" && copy.displayName == "copy.md")
    }

    @Test func aDuplicateMadeWhileASaveRunsTakesNothingFromIt() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      let save = Task.immediate { try await document.save() }
      document.type("?")
      let copy = try #require(try document.duplicate() as? TextFile)
      try await save.value
      #expect(copy.text == "alpha!?" && document.isDocumentEdited && folder.text("plan.md") == "alpha!")
    }

    @Test func revertingReadsAgainAndDropsTheEdits() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      try document.revertToSaved()
      #expect(document.text == "alpha" && !document.isDocumentEdited)
      document.type("!")
      folder.replace("plan.md", "theirs")
      try document.revertToSaved()
      #expect(document.text == "theirs" && !document.isDocumentEdited)
      document.type("?")
      try await document.save()
      #expect(folder.text("plan.md") == "theirs?")
    }

    @Test func editsAreGoneOnlyWhenReadingSucceeded() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      try Data([0xff, 0xfe, 0x41]).write(to: folder.url("plan.md"))
      #expect(throws: ContinuityError.self) { try document.revertToSaved() }
      #expect(document.text == "alpha!" && document.isDocumentEdited)
      unlink(folder.path("plan.md"))
      #expect(throws: ContinuityError.self) { try document.revertToSaved() }
      #expect(document.text == "alpha!" && document.isDocumentEdited)
      #expect(throws: ContinuityError.self) { try TextFile().revertToSaved() }
    }

    @Test func theContentOfAnotherFileCountsAsAChange() async throws {
      let document = try await app.open("plan.md", "alpha")
      folder.write("other.md", "beta")
      try document.revert(toContentsOf: folder.url("other.md"), ofType: "Text")
      #expect(document.text == "beta" && document.isDocumentEdited)
      #expect(document.fileURL == folder.url("plan.md"))
      try await document.save()
      #expect(folder.text("plan.md") == "beta")
    }
  }
}
