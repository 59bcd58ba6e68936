// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Glibc
import LinuxSystem
import Testing
import UserActivities

extension OneApplicationAtATime {
  @MainActor
  @Suite("The document controller")
  struct DocumentControllerTests {
    let app = SampleApp()
    var controller: DocumentController { .shared }

    // MARK: Types and new documents

    @Test func theTypeOfNewDocumentsIsTheFirstThatIsEdited() {
      #expect(controller.defaultType == "Text")
      #expect(controller.documentClassNames == ["TextFile"])
      #expect(controller.documentClass(forType: "Text") == TextFile.self)
      #expect(controller.documentClass(forType: "Poem") == nil)
    }

    @Test func untitledDocumentsAreNumberedAndANumberThatIsFreeIsGivenAgain() async throws {
      let made = try (1...3).map { _ in try controller.openUntitledDocumentAndDisplay(true) }
      #expect(made.map(\.displayName) == ["Untitled", "Untitled 2", "Untitled 3"])
      #expect(made.allSatisfy { $0 is TextFile && $0.fileType == "Text" && !$0.isDocumentEdited })
      #expect(controller.currentDocument === made[2])
      try await made[0].save(to: app.folder.url("plan.md"))
      made[1].close()
      controller.newDocument(nil)
      controller.newDocument(nil)
      #expect(
        controller.documents.map(\.displayName) == ["plan.md", "Untitled 3", "Untitled", "Untitled 2"])
    }

    @Test func aDocumentThatIsOnlyMadeIsNotInTheList() throws {
      app.folder.write("plan.md", "alpha")
      let untitled = try controller.makeUntitledDocument(ofType: "Text")
      let read = try controller.makeDocument(withContentsOf: app.folder.url("plan.md"), ofType: "Text")
      let copy = try controller.makeDocument(
        for: nil, withContentsOf: app.folder.url("plan.md"), ofType: "Text")
      #expect((read as? TextFile)?.text == "alpha" && read.fileURL == app.folder.url("plan.md"))
      #expect((copy as? TextFile)?.text == "alpha" && copy.fileURL == nil && copy.isDocumentEdited)
      #expect(!read.isDocumentEdited && untitled.fileURL == nil && controller.documents.isEmpty)
    }

    @Test func aTypeWithoutAClassIsNoDocument() throws {
      #expect(throws: ContinuityError.self) { try controller.makeUntitledDocument(ofType: "Poem") }
      DocumentController.shared = DocumentController()
      controller.newDocument(nil)
      #expect(controller.documents.isEmpty && app.errors.map(\.code) == [.invalidRequest])
    }

    @Test func openingMakesWhatASubclassMakes() async throws {
      let making = MakingController()
      making.register(TextFile.self, name: "TextFile")
      DocumentController.shared = making
      let document = try await app.open("plan.md", "alpha")
      #expect(making.made == ["plan.md"] && document.line == 7 && document.text == "alpha")
    }

    // MARK: Opening many

    @Test func twoWhoOpenOneFileAtOnceGetOneDocument() async throws {
      // Large enough to be read while others run.
      app.folder.write("plan.md", String(repeating: "alpha ", count: 400_000))
      #expect(link(app.folder.path("plan.md"), app.folder.path("hard.md")) == 0)
      #expect(symlink(app.folder.path("plan.md"), app.folder.path("soft.md")) == 0)
      let urls = ["plan.md", "plan.md", "hard.md", "soft.md"].map(app.folder.url)
      let results = await controller.openDocuments(withContentsOf: urls, display: true)
      let opened = try results.map { try $0.get() }
      #expect(controller.documents.count == 1)
      #expect(opened.allSatisfy { $0.0 === controller.documents[0] })
      #expect(opened.filter { !$0.wasAlreadyOpen }.count == 1)
    }

    @Test func eachOfManyEndsInItsOwnResult() async throws {
      let names = (0..<40).map { "\($0).md" }
      for name in names { app.folder.write(name, name) }
      try FileManager.default.createDirectory(
        at: app.folder.url("folder.md"), withIntermediateDirectories: false)
      #expect(mkfifo(app.folder.path("fifo.md"), 0o600) == 0)
      app.folder.write("strange.xyz", "?")
      let bad = ["folder.md", "fifo.md", "strange.xyz"] + (0..<9).map { "missing \($0).md" }
      let urls = (names[..<20] + bad + names[20...]).map(app.folder.url)
      let results = await controller.openDocuments(withContentsOf: urls, display: true)
      try #require(results.count == 52 && controller.documents.count == 40)
      for (index, result) in results.enumerated() {
        switch result {
        case .success(let (document, _)): #expect(document.fileURL == urls[index])
        case .failure(let error): #expect((20..<32).contains(index) && error is ContinuityError)
        }
      }
      #expect(controller.currentDocument?.displayName == "39.md")
      #expect(app.errors.isEmpty)
    }

    @Test func reopeningTwiceAtOnceMakesOneDocument() async throws {
      app.folder.write("plan.md", "saved")
      app.folder.write("copy.md", String(repeating: "recovered ", count: 200_000))
      let (url, copy) = (app.folder.url("plan.md"), app.folder.url("copy.md"))
      async let first = controller.reopenDocument(for: url, withContentsOf: copy, display: true)
      async let second = controller.reopenDocument(for: url, withContentsOf: copy, display: true)
      let both = try await [first, second]
      #expect(both[0].0 === both[1].0 && controller.documents.count == 1)
    }

    // MARK: The list

    @Test func aDocumentIsFoundByItsFileAndItsWindow() async throws {
      let document = try await app.open("plan.md", "alpha")
      #expect(symlink(app.folder.path("plan.md"), app.folder.path("soft.md")) == 0)
      #expect(controller.document(for: app.folder.url("soft.md")) === document)
      #expect(controller.document(for: app.folder.url("other.md")) == nil)
      let window = Window()
      #expect(controller.document(for: window) == nil)
      document.addWindowController(WindowController(window: window))
      #expect(controller.document(for: window) === document)
      document.close()
      #expect(controller.currentDocument == nil)
    }

    @Test func savingAllSavesWhatCanBeSavedAndSaysWhatCannot() async throws {
      let (one, two) = (try await app.open("one.md", "1"), try await app.open("two.md", "2"))
      let untouched = try await app.open("three.md", "3")
      let untitled = try #require(try controller.openUntitledDocumentAndDisplay(false) as? TextFile)
      #expect(!controller.hasEditedDocuments)
      for document in [one, two, untitled] { document.type("!") }
      app.folder.replace("one.md", "theirs")
      app.folder.replace("three.md", "theirs")
      #expect(controller.hasEditedDocuments)
      let failed = await controller.saveAllDocuments()
      #expect(failed.map { ObjectIdentifier($0.document) } == [one, untitled].map(ObjectIdentifier.init))
      #expect(app.folder.text("one.md") == "theirs" && one.text == "1!" && one.isDocumentEdited)
      #expect(app.folder.text("two.md") == "2!" && !two.isDocumentEdited)
      #expect(app.folder.text("three.md") == "theirs" && !untouched.isDocumentEdited)
    }

    @Test func choosingAFileBeginsWhereThePersonIs() async throws {
      #expect(controller.currentDirectory == UserAccount.home())
      let document = try await app.open("plan.md", "alpha")
      #expect(controller.currentDirectory == app.folder.directory)
      document.close()
      #expect(controller.currentDirectory == app.folder.directory)
      let other = SampleFolder()
      let untitled = try controller.openUntitledDocumentAndDisplay(true)
      try await untitled.save(to: other.url("plan.md"))
      #expect(controller.currentDirectory == other.directory)
      untitled.close()
      try FileManager.default.removeItem(atPath: other.directory)
      #expect(controller.currentDirectory == UserAccount.home())
    }

    // MARK: Errors

    @Test func anErrorGoesFromTheDocumentToTheDelegateAndIsShownOnce() async throws {
      let document = try await app.open("plan.md", "alpha")
      let window = Window()
      document.addWindowController(WindowController(window: window))
      let field = Responder()
      field.nextResponder = window
      app.onError = { _ in ContinuityError(.invalidRequest, subject: "plan", description: "Said otherwise.") }
      for responder in [field, window, document] as [Responder] {
        #expect(
          !responder.presentError(ContinuityError(.handoffFailed, subject: "plan", description: "It failed."))
        )
      }
      controller.presentError(CocoaError(.fileReadNoSuchFile))
      #expect(app.errors.map(\.description) == Array(repeating: "Said otherwise.", count: 4))
      #expect(app.presented == Array(repeating: "error", count: 4))
    }

    @Test func whatThePersonCancelledIsNotPresented() {
      controller.presentError(CocoaError(.userCancelled))
      controller.presentError(ContinuityError(.userCancelled, subject: "", description: "Cancelled."))
      app.onError = { _ in ContinuityError(.userCancelled, subject: "", description: "Shown by the app.") }
      controller.presentError(ContinuityError(.handoffFailed, subject: "", description: "It failed."))
      #expect(app.presented.isEmpty)
    }

    @Test func aControllerMayPutAnErrorInOtherWords() {
      let making = MakingController()
      DocumentController.shared = making
      TextFile().presentError(CocoaError(.fileNoSuchFile))
      #expect(app.errors.map(\.description) == ["Put otherwise."])
    }
  }
}

/// Makes documents that begin at line 7.
@MainActor
private final class MakingController: DocumentController {
  private(set) var made: [String] = []

  override func makeDocument(withContentsOf url: URL, ofType typeName: String) throws -> Document {
    made.append(url.lastPathComponent)
    let document = try super.makeDocument(withContentsOf: url, ofType: typeName)
    (document as? TextFile)?.line = 7
    return document
  }

  override func willPresentError(_ error: any Error) -> any Error {
    ContinuityError(.invalidRequest, subject: "", description: "Put otherwise.")
  }
}
