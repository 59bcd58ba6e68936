// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Testing

extension OneApplicationAtATime {
  @MainActor
  @Suite("What counts as a change")
  struct ChangeTypeTests {
    let app = SampleApp()

    /// Changes in order, and whether the document is edited after them, counted from a saved one.
    @Test(
      arguments: [
        ([.changeDone], true), ([.changeDone, .changeUndone], false),
        ([.changeDone, .changeUndone, .changeRedone], true),
        ([.changeUndone], true), ([.changeUndone, .changeRedone], false),
        // Other edits took the place of the one that was taken back.
        ([.changeUndone, .changeDone], true), ([.changeDiscardable], false),
        ([.changeDone, .changeAutosaved], true), ([.changeReadOtherContents, .changeUndone], true),
        ([.changeReadOtherContents, .changeCleared], false),
      ] as [([Document.ChangeType], Bool)])
    func theCountSaysWhetherItIsEdited(_ changes: [Document.ChangeType], _ isEdited: Bool) async throws {
      let document = try await app.open("plan.md", "alpha")
      for change in changes { document.updateChangeCount(change) }
      #expect(document.isDocumentEdited == isEdited)
    }

    @Test func whatWasPutAwayIsNoLongerUnautosaved() async throws {
      let document = try await app.open("plan.md", "alpha")
      #expect(!document.hasUnautosavedChanges)
      document.type("!")
      #expect(document.hasUnautosavedChanges)
      document.updateChangeCount(.changeAutosaved)
      #expect(!document.hasUnautosavedChanges && document.isDocumentEdited)
      document.updateChangeCount(.changeDiscardable)
      #expect(document.hasUnautosavedChanges)
      try await document.save()
      #expect(!document.hasUnautosavedChanges)
    }

    @Test func aDiscardableChangeTravelsWithTheActivity() async throws {
      let document = try await app.open("plan.md", "alpha")
      app.application.mainDocument = document
      app.advance(.seconds(2))
      document.line = 9
      document.updateChangeCount(.changeDiscardable)
      app.advance(.seconds(2))
      #expect(app.agent.update?.userInfo[.text("line")] == .int(9))
      #expect(app.agent.update?.flags.contains(.unsavedChanges) == false)
    }

    @Test func aSubclassHearsOfChangesSavesAndClosing() async throws {
      DocumentController.shared.register(ListeningFile.self, name: "TextFile")
      let document = try #require(try await app.open("plan.md", "alpha") as? ListeningFile)
      document.type("!")
      try await document.save()
      try await document.save(to: app.folder.url("copy.md"))
      document.close()
      #expect(document.heard == ["changeDone", "saveOperation", "saveAsOperation copy.md", "close"])
      #expect(DocumentController.shared.documents.isEmpty)
    }
  }
}

/// Overrides what apps override on Apple's systems.
@MainActor
private final class ListeningFile: TextFile {
  private(set) var heard: [String] = []

  override func updateChangeCount(_ change: ChangeType) {
    heard.append("\(change)")
    super.updateChangeCount(change)
  }

  override func save(
    to url: URL, ofType typeName: String, for saveOperation: SaveOperationType
  ) async throws {
    let isHere = saveOperation == .saveOperation
    heard.append("\(saveOperation)" + (isHere ? "" : " \(url.lastPathComponent)"))
    try await super.save(to: url, ofType: typeName, for: saveOperation)
  }

  override func close() {
    heard.append("close")
    super.close()
  }
}
