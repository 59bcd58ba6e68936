// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Testing
import UserActivities

extension OneApplicationAtATime {
  @MainActor
  @Suite("Polite restoration, and recovery")
  struct RestoringTests {
    let app = SampleApp()

    @Test func s44a_s44b_aDocumentThatThePersonUsesMeanwhileIsLeftAloneAndThatIsSaid() async throws {
      let document = try await app.open("plan.md", "alpha")
      app.deliver("plan.md") { document.noteUse() }
      #expect(document.line == 1 && document.lastRestoration == .kept)
      #expect(app.restorations == [.kept])
      #expect(app.agent.outcomes == [.opened])

      app.deliver("plan.md")
      #expect(document.line == 3 && document.lastRestoration == .restored)
      #expect(app.restorations == [.kept, .restored])
    }

    @Test func s44a_anEditIsUseToo() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      app.deliver("plan.md") { document.type("?") }
      #expect(document.line == 1 && document.lastRestoration == .kept)
      #expect(document.text == "alpha!?")
    }

    @Test func s44a_objectsGivenToTheHandlerLaterAreAskedAsPolitely() throws {
      app.takes = true
      app.deliver(nil)
      let (used, fresh) = (TextFile(), TextFile())
      used.noteUse()
      let kept = try #require(app.keptHandler)
      kept([used, fresh])
      #expect(used.line == 1 && fresh.line == 3)
      #expect(app.restorations == [.kept, .restored])
    }

    // MARK: Recovery

    @Test func s40c_aContinuationNeverReopens() async throws {
      let controller = CountingController()
      controller.register(TextFile.self, name: "TextFile")
      DocumentController.shared = controller
      app.folder.write("plan.md", "alpha")
      app.deliver("plan.md")
      app.folder.write("plan.md", "alpha beta")
      app.deliver("plan.md")
      #expect(app.opened.map(\.wasAlreadyOpen) == [false, true])
      #expect(controller.reopened == 0)
      app.folder.write("copy.md", "kept")
      _ = try await controller.reopenDocument(
        for: nil, withContentsOf: app.folder.url("copy.md"), display: true)
      #expect(controller.reopened == 1)
    }

    @Test func s40c_reopeningBringsBackContentUnderTheDocumentsURL() async throws {
      app.folder.write("plan.md", "saved")
      app.folder.write("plan.md~1.md", "recovered")
      let (opened, wasOpen) = try await DocumentController.shared.reopenDocument(
        for: app.folder.url("plan.md"), withContentsOf: app.folder.url("plan.md~1.md"), display: true)
      let document = try #require(opened as? TextFile)
      #expect(document.text == "recovered" && document.isDocumentEdited && !wasOpen)
      #expect(document.fileURL == app.folder.url("plan.md"))
      #expect(DocumentController.shared.currentDocument === document)
      // Nothing is written before the person saves.
      app.application.mainDocument = document
      document.userActivity?.needsSave = true
      app.advance(.seconds(60))
      app.application.terminate()
      #expect(app.folder.text("plan.md") == "saved")
      #expect(app.folder.text("plan.md~1.md") == "recovered")
      try await document.save()
      #expect(app.folder.text("plan.md") == "recovered" && !document.isDocumentEdited)
    }

    @Test func s40c_whatChangedSinceReopeningIsNotOverwritten() async throws {
      app.folder.write("plan.md", "saved")
      app.folder.write("copy.md", "recovered")
      let (document, _) = try await DocumentController.shared.reopenDocument(
        for: app.folder.url("plan.md"), withContentsOf: app.folder.url("copy.md"), display: false)
      app.folder.replace("plan.md", "theirs")
      await #expect(throws: ContinuityError.self) { try await document.save() }
      #expect(app.folder.text("plan.md") == "theirs")
    }

    @Test func s40c_anOpenDocumentIsNotReopened() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      app.folder.write("copy.md", "recovered")
      let (found, wasOpen) = try await DocumentController.shared.reopenDocument(
        for: app.folder.url("plan.md"), withContentsOf: app.folder.url("copy.md"), display: true)
      #expect(found === document && wasOpen && document.text == "alpha!")
    }

    @Test func s40c_withoutAURLTheDocumentIsUntitled() async throws {
      app.folder.write("copy.md", "recovered")
      let (found, _) = try await DocumentController.shared.reopenDocument(
        for: nil, withContentsOf: app.folder.url("copy.md"), display: true)
      let document = try #require(found as? TextFile)
      #expect(document.fileURL == nil && document.text == "recovered" && document.isDocumentEdited)
      try await document.save(to: app.folder.url("new.md"))
      #expect(app.folder.text("new.md") == "recovered" && app.folder.text("copy.md") == "recovered")
    }
  }
}

@MainActor
private final class CountingController: DocumentController {
  private(set) var reopened = 0

  override func reopenDocument(
    for url: URL?, withContentsOf contentsURL: URL, display: Bool
  ) async throws -> (Document, wasAlreadyOpen: Bool) {
    reopened += 1
    return try await super.reopenDocument(for: url, withContentsOf: contentsURL, display: display)
  }
}
