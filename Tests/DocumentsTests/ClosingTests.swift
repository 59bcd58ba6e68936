// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Glibc
import Testing

extension OneApplicationAtATime {
  @MainActor
  @Suite("Whether a document may be closed")
  struct ClosingTests {
    let app = SampleApp()
    var folder: SampleFolder { app.folder }

    private func careful() async throws -> TextFile {
      DocumentController.shared.register(PatientFile.self, name: "TextFile")
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      return document
    }

    @Test func allAreClosedOrNone() async throws {
      let first = try await careful()
      let second = try await app.open("idea.md", "beta")
      second.type("?")
      app.answer = .discard
      app.onQuestion = { [app] in app.answer = $0 === first ? .discard : .cancel }
      let controller = DocumentController.shared
      #expect(await !controller.closeAllDocuments() && controller.documents.count == 2)
      #expect(await !controller.reviewUnsavedDocuments() && app.questions.count == 4)
      app.onQuestion = { [app] _ in app.answer = .discard }
      #expect(await controller.reviewUnsavedDocuments() && controller.documents.count == 2)
      #expect(await controller.closeAllDocuments() && controller.documents.isEmpty)
      #expect(folder.text("plan.md") == "alpha" && folder.text("idea.md") == "beta")
    }

    @Test func whatIsChangedAfterItsQuestionStaysOpen() async throws {
      let first = try await careful()
      let second = try await app.open("idea.md", "beta")
      second.type("?")
      app.answer = .discard
      app.onQuestion = { if $0 === second { first.type("!") } }
      #expect(await !DocumentController.shared.closeAllDocuments())
      #expect(DocumentController.shared.documents.map(\.displayName) == ["plan.md"])
      #expect(first.text == "alpha!!")
    }

    @Test func withoutChangesNobodyIsAsked() async throws {
      let document = try await app.open("plan.md", "alpha")
      #expect(await document.canClose())
      #expect(app.questions.isEmpty)
      #expect(await TextFile().canClose())
    }

    @Test func oneThatSavesItselfIsSavedAndNobodyIsAsked() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      #expect(await document.canClose())
      #expect(folder.text("plan.md") == "alpha!" && app.questions.isEmpty)
    }

    @Test(arguments: [
      (UnsavedChangesChoice.save, true, "alpha!"), (.discard, true, "alpha"), (.cancel, false, "alpha"),
    ])
    func thePersonDecides(_ choice: UnsavedChangesChoice, _ closes: Bool, _ text: String) async throws {
      let document = try await careful()
      app.answer = choice
      #expect(await document.canClose() == closes)
      #expect(folder.text("plan.md") == text && app.questions.count == 1)
      #expect(document.text == "alpha!" && DocumentController.shared.documents.count == 1)
    }

    @Test(arguments: [true, false])
    func whenSavingFailsItStaysOpenAndTheErrorIsPresented(_ savesItself: Bool) async throws {
      let document = try await savesItself ? app.open("plan.md", "alpha") : careful()
      document.type("?")
      folder.replace("plan.md", "theirs")
      #expect(await !document.canClose())
      #expect(app.errors.map(\.code) == [.documentDiverged] && app.presented == ["error"])
      #expect(folder.text("plan.md") == "theirs" && document.isDocumentEdited)
    }

    @Test func anUntitledOneIsAskedAboutAndCannotBeSavedWithoutAName() async throws {
      let document = TextFile()
      DocumentController.shared.addDocument(document)
      document.type("new")
      #expect(await !document.canClose())
      #expect(app.questions.count == 1)
      #expect(app.errors.first?.description.contains("save it under a name") == true)
      // The delegate may name it while it is asked.
      app.onQuestion = { try? await $0.save(to: app.folder.url("new.md")) }
      #expect(await document.canClose())
      #expect(folder.text("new.md") == "new")
    }

    @Test func aQuestionThatIsOpenIsNotAskedAgain() async throws {
      let document = try await careful()
      var again: Task<Bool, Never>?
      app.answer = .discard
      app.onQuestion = { document in again = Task.immediate { await document.canClose() } }
      #expect(await document.canClose())
      #expect(await again?.value == true)
      #expect(app.questions.count == 1)
    }

    @Test func whatIsTypedWhileItIsSavedIsSavedToo() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      let save = Task.immediate { try await document.save() }
      document.type("?")
      #expect(await document.canClose())
      try await save.value
      #expect(folder.text("plan.md") == "alpha!?" && !document.isDocumentEdited)
    }

    @Test func whatIsTypedWhileItIsSavedForClosingIsSavedToo() async throws {
      DocumentController.shared.register(BusyFile.self, name: "TextFile")
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      #expect(await document.canClose())
      #expect(folder.text("plan.md") == "alpha!?" && !document.isDocumentEdited)
    }

    @Test func aSaveThatSavesNothingIsNotTriedForEver() async throws {
      DocumentController.shared.register(IdleFile.self, name: "TextFile")
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      #expect(await !document.canClose())
    }

    @Test func aDocumentMayAnswerByItself() async throws {
      DocumentController.shared.register(LockedFile.self, name: "TextFile")
      #expect(await !(try await app.open("plan.md", "alpha")).canClose())
    }

    // MARK: Undo

    @Test func theAppsUndoManagerIsKept() async throws {
      let document = try await app.open("plan.md", "alpha")
      #expect(!document.hasUndoManager && document.undoManager == nil)
      let undo = TypingUndo()
      undo.document = document
      document.undoManager = undo
      undo.type("!")
      #expect(document.hasUndoManager && document.undoManager?.canUndo == true)
      document.undoManager?.undo()
      #expect(document.text == "alpha" && !document.isDocumentEdited && undo.canRedo)
      document.undoManager?.redo()
      #expect(document.text == "alpha!" && document.isDocumentEdited)
      document.hasUndoManager = false
      #expect(document.undoManager == nil)
    }
  }
}

/// A text that only the person saves.
@MainActor
private final class PatientFile: TextFile {
  override class var autosavesInPlace: Bool { false }
}

/// Somebody types as soon as it was saved, once.
@MainActor
private final class BusyFile: TextFile {
  private var isSaved = false

  override func didSave() {
    if !isSaved { type("?") }
    isSaved = true
  }
}

/// Says that it saves, and does not.
@MainActor
private final class IdleFile: TextFile {
  override func save(to url: URL, ofType typeName: String, for saveOperation: SaveOperationType) async throws
  {}
}

/// May never be closed.
@MainActor
private final class LockedFile: TextFile {
  override func canClose() async -> Bool { false }
}

/// Takes back one thing that was typed.
@MainActor
private final class TypingUndo: UndoManaging {
  weak var document: TextFile?
  private var done: String?
  private var undone: String?

  func type(_ text: String) {
    document?.type(text)
    done = text
  }

  var canUndo: Bool { done != nil }
  var canRedo: Bool { undone != nil }

  func undo() {
    guard let text = done, let document else { return }
    (done, undone) = (nil, text)
    document.text.removeLast(text.count)
    document.updateChangeCount(.changeUndone)
  }

  func redo() {
    guard let text = undone, let document else { return }
    (done, undone) = (text, nil)
    document.text += text
    document.updateChangeCount(.changeRedone)
  }
}
