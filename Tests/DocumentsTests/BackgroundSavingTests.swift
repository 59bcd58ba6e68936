// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Glibc
import Testing

extension OneApplicationAtATime {
  /// What happens between the moment when the bytes are taken and the moment when the document hears that
  /// they are written. These tests keep the main actor in between, so that moment cannot come too early.
  @MainActor
  @Suite("While a document is being saved")
  struct BackgroundSavingTests {
    let app = SampleApp()
    var folder: SampleFolder { app.folder }

    private static let large = String(repeating: "0123456789abcde\n", count: 700_000)

    /// Begins a save and returns while it runs.
    private func begin(_ document: TextFile) -> Task<Void, any Error> {
      let task = Task.immediate { try await document.save() }
      #expect(document.isSaving)
      return task
    }

    /// Looks, without letting go of the main actor, until it is so.
    private func wait(until isReached: () -> Bool) {
      let deadline = ContinuousClock.now + .seconds(20)
      while !isReached(), ContinuousClock.now < deadline { sched_yield() }
      #expect(isReached())
    }

    private func size(_ name: String) -> Int {
      var status = stat()
      return stat(folder.path(name), &status) == 0 ? Int(status.st_size) : -1
    }

    @Test func whatIsTypedMeanwhileIsNotSavedAndStaysEdited() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      let save = begin(document)
      document.type("?")
      #expect(document.isDocumentEdited)
      try await save.value
      #expect(folder.text("plan.md") == "alpha!")
      #expect(document.text == "alpha!?" && document.isDocumentEdited)
      try await document.save()
      #expect(folder.text("plan.md") == "alpha!?" && !document.isDocumentEdited)
    }

    @Test func untilTheBytesAreThereTheDocumentIsEdited() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      let save = begin(document)
      wait { size("plan.md") == 6 }
      #expect(document.isDocumentEdited)
      try await save.value
      #expect(!document.isDocumentEdited && !document.isSaving)
    }

    @Test func whatIsTypedAndTakenBackMeanwhileLeavesItUnedited() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      let save = begin(document)
      document.updateChangeCount(.changeDone)
      document.updateChangeCount(.changeUndone)
      try await save.value
      #expect(!document.isDocumentEdited)
    }

    @Test(arguments: [
      [Document.ChangeType.changeUndone], [.changeUndone, .changeDone], [.changeCleared],
      [.changeDone, .changeCleared],
    ])
    func whatIsTakenBackBehindTheSavedTextMakesItEdited(_ changes: [Document.ChangeType]) async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      let save = begin(document)
      for change in changes { document.updateChangeCount(change) }
      #expect(document.isDocumentEdited)
      try await save.value
      #expect(document.isDocumentEdited)
    }

    @Test func aSecondSaveWaitsForTheFirst() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      let saves = [begin(document), Task { try await document.save() }]
      document.type("?")
      for save in saves { try await save.value }
      #expect(folder.text("plan.md") == "alpha!?" && !document.isDocumentEdited)
      #expect(folder.names == ["plan.md"])
    }

    @Test func aFailedSaveLeavesTheNextOneItsTurn() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      folder.replace("plan.md", "theirs")
      let first = begin(document)
      let second = Task { try await document.save(overwritingChanges: true) }
      await #expect(throws: ContinuityError.self) { try await first.value }
      try await second.value
      #expect(folder.text("plan.md") == "alpha!" && !document.isDocumentEdited)
    }

    /// How far the save has come when another program puts its file there.
    enum Stage: CaseIterable { case begun, writing, written, done }

    @Test(arguments: Stage.allCases)
    func aFileThatChangesMeanwhileIsNeverOverwritten(_ stage: Stage) async throws {
      let document = try await app.open("plan.md", "alpha")
      document.text = Self.large
      document.updateChangeCount(.changeDone)
      folder.write("incoming", "theirs")
      let save = begin(document)
      let full = Self.large.utf8.count
      wait {
        let isDone = size("plan.md") == full
        let temporary = folder.names.first { $0.hasPrefix(".plan.md.") }
        switch stage {
        case .begun: return true
        case .writing: return temporary != nil || isDone
        case .written: return temporary.map { size($0) == full } == true || isDone
        case .done: return isDone
        }
      }
      #expect(rename(folder.path("incoming"), folder.path("plan.md")) == 0)
      try? await save.value
      #expect(folder.text("plan.md") == "theirs")
      #expect(folder.names == ["plan.md"])
      #expect(document.text == Self.large)
    }

    @Test func onesOwnSaveThatIsToldOfBeforeItEndedIsNoChange() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      let save = begin(document)
      wait { size("plan.md") == 6 }
      app.report(.documentChanged(path: Array(folder.path("plan.md").utf8), .changed(nil)))
      #expect(document.changes.isEmpty)
      try await save.value
      #expect(document.changes.isEmpty)
    }

    @Test func aChangeByAnotherThatIsToldOfMeanwhileIsLookedAtAfterwards() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      let save = begin(document)
      wait { size("plan.md") == 6 }
      folder.replace("plan.md", "theirs")
      app.report(.documentChanged(path: Array(folder.path("plan.md").utf8), .changed(nil)))
      #expect(document.text == "alpha!")
      try await save.value
      #expect(document.text == "theirs" && !document.isDocumentEdited)
    }

    @Test func aReloadWaitsForTheSave() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      let save = begin(document)
      document.type("?")
      try document.reload()
      #expect(!document.isSaving && folder.text("plan.md") == "alpha!")
      try await save.value
      try await document.save()
      #expect(folder.text("plan.md") == document.text)
    }

    @Test func endingTheProgramWaitsForTheSaveAndPublishesIt() async throws {
      let document = try await app.open("plan.md", "alpha")
      app.application.mainDocument = document
      app.advance(.zero)
      document.type("!")
      let save = begin(document)
      document.type("?")
      app.application.terminate()
      #expect(folder.text("plan.md") == "alpha!?" && !document.isDocumentEdited)
      #expect(folder.names == ["plan.md"])
      #expect(app.agent.savedTexts.last == "alpha!?")
      try await save.value
    }

    @Test func closingLetsTheSaveGoOnAndEndingTheProgramWaitsForIt() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.text = Self.large
      document.updateChangeCount(.changeDone)
      let save = begin(document)
      document.close()
      app.application.terminate()
      #expect(folder.text("plan.md") == Self.large)
      #expect(folder.names == ["plan.md"])
      try await save.value
    }

    @Test func openingAgainWaitsForTheSave() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.text = Self.large
      document.updateChangeCount(.changeDone)
      let save = begin(document)
      document.close()
      let (again, _) = try await DocumentController.shared.openDocument(
        withContentsOf: folder.url("plan.md"), display: true)
      #expect((again as? TextFile)?.text == Self.large)
      try await save.value
    }
  }
}
