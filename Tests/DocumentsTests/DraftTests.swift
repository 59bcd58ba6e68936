// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import LinuxSystem
import Testing
import UserActivities

extension OneApplicationAtATime {
  /// Text that no file has, on its way to another device and from there (semantics 36e).
  @MainActor @Suite(.timeLimit(.minutes(1))) struct DraftTests {
    private let state = SampleFolder()
    let app: SampleApp
    private let request = RequestID.random()

    init() {
      app = SampleApp()
      app.application.keepAutosavedDocuments(in: state.path("state"))
    }

    /// An untitled document that the person types into.
    private func typed(_ text: String = "draft") throws -> TextFile {
      let document = try #require(
        try DocumentController.shared.openUntitledDocumentAndDisplay(true) as? TextFile)
      app.application.mainDocument = document
      _ = app.agent.take()
      document.type(text)
      app.advance(.seconds(1))
      return document
    }

    private func answer() async throws -> SaveAnswer? {
      var answers: [SaveAnswer] {
        app.agent.requests.compactMap {
          if case .answerSave(request, let answer) = $0 { answer } else { nil }
        }
      }
      await waitUntil { !answers.isEmpty }
      return answers.first
    }

    private func ask(_ document: TextFile) throws {
      let activity = try #require(document.userActivity)
      app.report(.saveNow(request, activity.id, device: "laptop"))
    }

    @Test func s36e_whatIsTypedIntoAnUntitledDocumentIsOfferedWithoutItsText() throws {
      let document = try typed()
      let state = try #require(app.agent.update)
      #expect(state.flags == [.handoff, .draft, .unsavedChanges] && state.title == "Untitled")
      #expect(state.type == SampleApp.type && state.userInfo[.text("line")] == .int(1))
      #expect(app.agent.savedTexts.isEmpty, "nobody asked for it")
      document.text = ""
      document.updateChangeCount(.changeCleared)
      #expect(document.userActivity == nil && app.agent.withdrawals == 1, "there is nothing to go on with")
    }

    @Test func s36e_theTextIsHandedOverWhenAnotherDeviceGoesOnWithIt() async throws {
      let document = try typed()
      try ask(document)
      let answer = try await answer()
      let state = try #require(app.agent.update)
      #expect(answer == .saved(changedAt: state.changedAt))
      #expect(state.flags == [.handoff, .draft, .withDraft, .unsavedChanges])
      #expect(app.agent.savedTexts == ["draft"] && app.calls == ["should save for laptop"])
      #expect(document.isDocumentEdited && document.fileURL == nil, "it is in no file by that")
      // Once: what is typed next goes without it.
      document.type("!")
      app.advance(.seconds(1))
      #expect(app.agent.update?.flags.contains(.withDraft) == false && app.agent.savedTexts.count == 1)
    }

    @Test func s36e_theDelegateRefusesWithAReason() async throws {
      let document = try typed()
      app.onSaveRequest = { _, _ in
        throw ContinuityError(.declined, subject: "draft", description: "It is a secret.")
      }
      try ask(document)
      #expect(try await answer() == .refused("It is a secret.") && app.agent.savedTexts.isEmpty)
    }

    @Test func s36e_aTextThatIsTooLargeIsRefusedWithItsSize() async throws {
      let document = try typed(String(repeating: "x", count: (16 << 20) + 1))
      try ask(document)
      guard case .refused(let reason)? = try await answer() else {
        Issue.record("it was handed over")
        return
      }
      #expect(reason.contains("16777217"))
    }

    @Test func s36e_savedItIsADocumentAsEver() async throws {
      let document = try typed()
      let activity = try #require(document.userActivity)
      try await document.save(to: app.folder.url("kept.md"), ofType: "Text", for: .saveAsOperation)
      app.advance(.seconds(3))
      #expect(document.userActivity === activity, "the offer goes on")
      let state = try #require(app.agent.update)
      #expect(state.id == activity.id && state.flags == [.handoff])
    }

    @Test func s36e_aClassThatDoesNotWantThatHasNoActivity() throws {
      DocumentController.shared.register(SecretTextFile.self, name: "TextFile")
      let document = try typed()
      #expect(document.userActivity == nil && app.agent.requests.isEmpty)
    }

    // MARK: From another device

    private func deliver(_ bytes: [UInt8], flags: ActivityFlags = [.handoff, .draft, .withDraft]) throws {
      var snapshot = ActivitySnapshot(
        id: .random(), type: SampleApp.type, appID: "org.example.editor",
        changedAt: WallTime(milliseconds: 1))
      (snapshot.title, snapshot.flags) = ("plan.md", flags)
      snapshot.userInfo = [.text("line"): .int(3)]
      let offer = Offer(
        id: OfferID(device: .random(), activity: snapshot.id), deviceName: "desktop", snapshot: snapshot,
        folderName: "", status: ArrivalStatus(.current))
      app.report(.offers([offer]))
      let request = app.application.continueOffer(offer.id)
      let file = try Descriptor.memory(holding: bytes)
      // As the agent opens it: at its beginning.
      let opened = try FilePath("/proc/self/fd/\(file.number)").open([.readOnly])
      app.report(
        .deliver(
          request,
          Delivery(activity: snapshot, path: nil, status: ArrivalStatus(.current), deviceName: "desktop")),
        descriptor: opened.release())
    }

    private func outcome() async -> ContinuationOutcome? {
      await waitUntil { !app.agent.outcomes.isEmpty }
      return app.agent.outcomes.first
    }

    @Test func s36e_itIsOpenedAsAnUntitledDocumentAndKept() async throws {
      try deliver(Array("from there".utf8))
      #expect(await outcome() == .opened)
      let document = try #require(app.opened.first?.document as? TextFile)
      #expect(document.text == "from there" && document.line == 3)
      #expect(document.fileURL == nil && document.isDocumentEdited && document.displayName == "Untitled")
      let kept = try #require(document.autosavedContentsFileURL)
      #expect(try Data(contentsOf: kept) == Data("from there".utf8), "kept before it is answered")
      #expect(app.folder.names.isEmpty, "in no synced folder")
    }

    @Test func s36e_whatHasAFileThereKeepsItsName() async throws {
      app.folder.write("plan.md", "here")
      try deliver(Array("not saved there".utf8), flags: [.handoff, .withDraft])
      #expect(await outcome() == .opened)
      let document = try #require(app.opened.first?.document as? TextFile)
      #expect(document.displayName == "plan.md" && document.fileURL == nil)
      #expect(app.folder.text("plan.md") == "here")
    }

    @Test func s36e_theAppMayTakeItByItself() async throws {
      app.takes = true
      try deliver(Array("from there".utf8))
      #expect(await outcome() == .handled)
      #expect(app.draft == Data("from there".utf8) && DocumentController.shared.documents.isEmpty)
    }

    @Test func s36e_whatIsNoTextOfTheClassFailsWithItsSentence() async throws {
      try deliver([0xff, 0xfe, 0])
      #expect(await outcome() == .failed)
      #expect(app.errors.first?.description == "It is not UTF-8; convert it.")
      #expect(DocumentController.shared.documents.isEmpty)
    }
  }
}

/// One whose text stays here.
@MainActor
private final class SecretTextFile: TextFile {
  override class var autosavesDrafts: Bool { false }
}
