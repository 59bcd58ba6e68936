// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Glibc
import Testing

extension OneApplicationAtATime {
  @MainActor
  @Suite("A large document saves itself")
  struct LargeAutosaveTests {
    let app = SampleApp()
    var folder: SampleFolder { app.folder }

    /// Large enough to be written in the background, not so large that it waits for ten quiet seconds.
    private static let text = String(repeating: "0123456789abcde\n", count: 200_000)

    private func edited() async throws -> TextFile {
      let document = try await app.open("plan.md", "alpha")
      app.application.mainDocument = document
      app.advance(.zero)
      document.text = Self.text
      document.updateChangeCount(.changeDone)
      return document
    }

    private func ended(_ document: TextFile) async { await waitUntil { !document.isSaving } }

    @Test func inTheBackgroundAndThenSendsTheVersion() async throws {
      let document = try await edited()
      app.advance(.milliseconds(300))
      #expect(document.isSaving)
      #expect(app.agent.update?.flags.contains(.unsavedChanges) == true)
      await ended(document)
      #expect(folder.text("plan.md") == Self.text && !document.isDocumentEdited)
      app.advance(.zero)
      #expect(app.agent.savedTexts.count == 1)
      #expect(app.agent.update?.flags.contains(.unsavedChanges) == false)
    }

    @Test func onceAtATimeAndLaterAgainWhatWasTypedMeanwhile() async throws {
      let document = try await edited()
      app.advance(.milliseconds(300))
      document.type("more")
      app.advance(.seconds(3))
      #expect(document.isSaving)
      await ended(document)
      #expect(folder.text("plan.md") == Self.text && document.isDocumentEdited)
      // The save took 3 seconds; the next one comes 20 times that later.
      for _ in 0..<64 { app.advance(.seconds(1)) }
      await ended(document)
      #expect(folder.text("plan.md") == Self.text + "more" && !document.isDocumentEdited)
    }

    @Test func notOverAFileThatChangesOrGoesMeanwhile() async throws {
      for isDeleted in [false, true] {
        let document = try await edited()
        app.advance(.milliseconds(300))
        #expect(document.isSaving)
        if isDeleted { unlink(folder.path("plan.md")) } else { folder.replace("plan.md", "theirs") }
        await ended(document)
        #expect(folder.text("plan.md") == (isDeleted ? nil : "theirs"))
        #expect(folder.names == (isDeleted ? [] : ["plan.md"]))
        #expect(document.text == Self.text)
        document.close()
        app.advance(.seconds(20))
      }
    }

    @Test func andTellsWhenItCannot() async throws {
      guard folder.becomeDisk(of: "1m") else { return }
      let document = try await edited()
      app.advance(.milliseconds(300))
      await ended(document)
      #expect(app.calls.contains("autosave failed"))
      #expect(document.isDocumentEdited && document.text == Self.text)
      #expect(folder.text("plan.md") == "alpha" && folder.names == ["plan.md"])
    }
  }
}
