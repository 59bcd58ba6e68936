// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Testing
import UserActivities

extension OneApplicationAtATime {
  @MainActor
  @Suite("Types by content")
  struct ContentTypeTests {
    let app: SampleApp

    init() {
      var prose = AppManifest.DocumentType(name: "Prose")
      prose.mimeTypes = ["TEXT/Plain"]
      prose.activityType = SampleApp.type
      var code = AppManifest.DocumentType(name: "Code")
      code.mimeTypes = ["text/x-csrc"]
      var manifest = SampleApp.manifest()
      manifest.documentTypes += [prose, code]
      app = SampleApp(manifest: manifest)
    }

    /// Answers each question so.
    private func answer(_ types: [String], _ failure: ContinuityError? = nil) {
      app.agent.onRequest = { [unowned app] request in
        guard case .askContentType(let id, _, _) = request else { return }
        app.report(.contentType(id, types, failure))
      }
    }

    private var questions: [(name: String, beginning: Int)] {
      app.agent.requests.compactMap {
        guard case .askContentType(_, let name, let beginning) = $0 else { return nil }
        return (String(decoding: name, as: UTF8.self), beginning.count)
      }
    }

    @Test func aFileWithoutADeclaredExtensionIsOfTheTypeThatItsContentSays() async throws {
      answer(["text/x-csrc", "text/plain"])
      let text = String(repeating: "int main;\n", count: 1000)
      #expect(try await app.open("prog", text).fileType == "Code")
      #expect(questions.map(\.name) == ["prog"] && questions.map(\.beginning) == [4096])
      answer(["text/x-unheard-of", "text/plain"])
      let prose = try await app.open("NOTES", "alpha")
      #expect(prose.fileType == "Prose")
      #expect(prose.userActivity?.activityType == SampleApp.type)
    }

    @Test func nobodyIsAskedAboutADeclaredExtension() async throws {
      answer([])
      #expect(try await app.open("plan.MD", "int main;").fileType == "Text")
      #expect(questions.isEmpty)
    }

    @Test func aTypeForEveryFileComesAfterMIMETypes() async throws {
      var every = AppManifest.DocumentType(name: "Every")
      every.extensions = ["*"]
      var manifest = app.application.manifest
      manifest.documentTypes.insert(every, at: 0)
      let app = SampleApp(manifest: manifest)
      app.agent.onRequest = { [unowned app] request in
        guard case .askContentType(let id, _, _) = request else { return }
        app.report(.contentType(id, ["text/plain"], nil))
      }
      #expect(try await app.open("NOTES", "alpha").fileType == "Prose")
      app.agent.onRequest = { [unowned app] request in
        guard case .askContentType(let id, _, _) = request else { return }
        app.report(.contentType(id, [], nil))
      }
      #expect(try await app.open("OTHER", "alpha").fileType == "Every")
    }

    @Test func aFileOfNoTypeIsRefusedWithWhatIsKnownOfIt() async throws {
      answer(["image/png"])
      var error = await #expect(throws: ContinuityError.self) { try await app.open("picture", "png") }
      #expect(error?.description.contains("image/png") == true)
      answer([], ContinuityError(.agentUnavailable, subject: "", description: "Install continuo-desktop."))
      error = await #expect(throws: ContinuityError.self) { try await app.open("other", "png") }
      #expect(error?.description.contains("Install continuo-desktop.") == true)
      #expect(DocumentController.shared.documents.isEmpty)
    }

    @Test func anAgentThatDoesNotAnswerIsGivenUpAfterTwoSeconds() async throws {
      app.folder.write("NOTES", "alpha")
      let url = app.folder.url("NOTES")
      let opening = Task {
        try await DocumentController.shared.openDocument(withContentsOf: url, display: true)
      }
      await waitUntil { !questions.isEmpty }
      app.advance(.seconds(2))
      await #expect(throws: ContinuityError.self) { _ = try await opening.value }
      app.disconnect()
      await #expect(throws: ContinuityError.self) { try await app.open("OTHER", "alpha") }
    }

    @Test func twoWhoOpenOneFileWhileItsTypeIsAskedGetOneDocument() async throws {
      app.folder.write("NOTES", "alpha")
      let url = app.folder.url("NOTES")
      let opening = Task {
        await DocumentController.shared.openDocuments(withContentsOf: [url, url], display: true)
      }
      await waitUntil { questions.count >= 2 }
      for case .askContentType(let id, _, _) in app.agent.requests {
        app.report(.contentType(id, ["text/plain"], nil))
      }
      let results = await opening.value
      #expect(DocumentController.shared.documents.count == 1)
      #expect(try results.count { try $0.get().wasAlreadyOpen } == 1)
    }

    @Test func s40a_aContinuedFileIsOfTheTypeThatItsContentSays() async throws {
      app.folder.write("NOTES", "alpha")
      app.deliver("NOTES")
      #expect(app.opened.isEmpty)
      for case .askContentType(let id, _, _) in app.agent.requests {
        app.report(.contentType(id, ["text/plain"], nil))
      }
      await waitUntil { !app.agent.outcomes.isEmpty }
      #expect(app.agent.outcomes == [.opened] && app.opened.first?.document.fileType == "Prose")
    }

    @Test func savingUnderANameWithoutATypeKeepsTheType() async throws {
      answer(["text/plain"])
      let document = try await app.open("NOTES", "alpha")
      try await document.save(to: app.folder.url("COPY"))
      #expect(document.fileType == "Prose")
      #expect(document.userActivity?.activityType == SampleApp.type)
    }
  }
}
