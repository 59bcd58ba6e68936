// SPDX-License-Identifier: MIT

import ActivityModel
import AppKitNames
import Documents
import Foundation
import Testing
import UserActivities

extension OneApplicationAtATime {
  /// What docs/authors/porting-from-appkit.md calls the same, as it runs.
  @MainActor
  @Suite("Source of an app for macOS")
  struct PortingSourceTests {
    let app = SampleApp()
    var controller: DocumentController { .shared }

    init() { DocumentController.shared.register(SourceOfADocument.self, name: "TextFile") }

    private func open(_ name: String, _ text: String, display: Bool = true) async throws -> SourceOfADocument
    {
      app.folder.write(name, text)
      let (document, _) = try await controller.openDocument(
        withContentsOf: app.folder.url(name), display: display)
      return try #require(document as? SourceOfADocument)
    }

    @Test func theTemplateIsMadeByItsOwnInitializerAndOpenedAndDuplicated() async throws {
      let document = try await open("plan.md", "alpha")
      let copy = try #require(try document.duplicate() as? SourceOfADocument)
      let untitled = try controller.makeUntitledDocument(ofType: "Text")
      #expect(document.text == "alpha" && copy.text == "alpha" && untitled is SourceOfADocument)
    }

    // MARK: Windows

    @Test func aDisplayedDocumentMakesItsWindowControllersOnce() async throws {
      let document = try await open("plan.md", "alpha")
      #expect(document.windowControllers.count == 1)
      #expect(document.windowControllers.first?.document === document)
      #expect(try await controller.openDocument(withContentsOf: app.folder.url("plan.md"), display: true).1)
      #expect(document.windowControllers.count == 1)
      #expect(try controller.openUntitledDocumentAndDisplay(true).windowControllers.count == 1)
    }

    @Test func oneThatIsNotDisplayedHasNone() async throws {
      #expect(try await open("plan.md", "alpha", display: false).windowControllers.isEmpty)
      #expect(try controller.openUntitledDocumentAndDisplay(false).windowControllers.isEmpty)
      let shown = try await controller.openDocument(withContentsOf: app.folder.url("plan.md"), display: true)
        .0
      #expect(shown.windowControllers.count == 1)
    }

    @Test func aContinuedDocumentHasThemBeforeItIsShown() async throws {
      app.folder.write("plan.md", "alpha")
      app.deliver("plan.md")
      let opened = try #require(app.opened.first?.document)
      #expect(opened.windowControllers.count == 1 && !app.opened.isEmpty)
    }

    // MARK: Names

    @Test func aNameThatIsSetStaysUntilNilIsSetAndIsTheOffersTitle() async throws {
      controller.register(TextFile.self, name: "TextFile")
      let document = try await app.open("plan.md", "alpha")
      document.displayName = "The plan"
      #expect(document.displayName == "The plan" && document.userActivity?.title == "The plan")
      try await document.move(to: app.folder.url("idea.md"))
      #expect(document.displayName == "The plan" && app.folder.names == ["idea.md"])
      document.displayName = nil
      #expect(document.displayName == "idea.md" && document.userActivity?.title == "idea.md")
    }

    @Test func aNameOfTheClassIsTheOffersTitleAndIsInSentences() async throws {
      let document = try await open("plan.md", "alpha")
      #expect(document.displayName == "plan.md (5)" && document.userActivity?.title == "plan.md (5)")
      let untitled = try #require(try controller.openUntitledDocumentAndDisplay(true) as? SourceOfADocument)
      untitled.text = "ab"
      let error = await #expect(throws: ContinuityError.self) { try await untitled.save() }
      #expect(error?.description.hasPrefix("Untitled (2) has no file yet") == true)
    }

    // MARK: Completion handlers

    /// What a handler was given, or that `body` called it before it returned.
    private func outcome(_ body: (@escaping ((any Error)?) -> Void) -> Void) async -> (any Error)? {
      await withCheckedContinuation { continuation in
        var hasReturned = false
        body { error in
          #expect(hasReturned)
          MainActor.assertIsolated()
          continuation.resume(returning: error)
        }
        hasReturned = true
      }
    }

    @Test func aHandlerIsToldOnceWhatMovingSavingAndAutosavingCameTo() async throws {
      let document = try await open("plan.md", "alpha")
      #expect(await outcome { document.move(to: app.folder.url("idea.md"), completionHandler: $0) } == nil)
      #expect(app.folder.names == ["idea.md"])
      document.text = "beta"
      document.updateChangeCount(.changeDone)
      #expect(
        await outcome { document.autosave(withImplicitCancellability: false, completionHandler: $0) } == nil)
      #expect(app.folder.text("idea.md") == "beta" && !document.isDocumentEdited)
      let copy = app.folder.url("copy.md")
      #expect(
        await outcome {
          document.save(to: copy, ofType: "Text", for: .saveToOperation, completionHandler: $0)
        } == nil)
      #expect(app.folder.text("copy.md") == "beta")
    }

    @Test func aHandlerIsToldWhyNot() async throws {
      let document = try await open("plan.md", "alpha")
      let taken = app.folder.url("taken.md")
      app.folder.write("taken.md", "theirs")
      let errors = [
        await outcome { document.move(to: taken, completionHandler: $0) },
        await outcome {
          document.save(to: taken, ofType: "Text", for: .saveAsOperation, completionHandler: $0)
        },
      ]
      #expect(errors.map { ($0 as? ContinuityError)?.code } == [.invalidRequest, .invalidRequest])
      #expect(app.folder.text("taken.md") == "theirs" && document.fileURL == app.folder.url("plan.md"))
      let untitled = try controller.openUntitledDocumentAndDisplay(true)
      let error = await outcome { untitled.move(to: taken, completionHandler: $0) }
      #expect((error as? ContinuityError)?.code == .invalidRequest)
    }

    // MARK: Numbers

    @Test func foundationsNumbersAreOurs() {
      let pairs: [(Int, ContinuityError.Code)] = [
        (NSUserActivityHandoffFailedError, .handoffFailed),
        (NSUserActivityConnectionUnavailableError, .connectionUnavailable),
        (NSUserActivityRemoteApplicationTimedOutError, .remoteTimedOut),
        (NSUserActivityHandoffUserInfoTooLargeError, .userInfoTooLarge),
        (NSUserCancelledError, .userCancelled),
      ]
      for (number, code) in pairs {
        #expect((ContinuityError(code, description: "") as NSError).code == number)
      }
    }
  }
}
