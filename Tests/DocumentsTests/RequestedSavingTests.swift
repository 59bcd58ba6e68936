// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Testing
import UserActivities

extension OneApplicationAtATime {
  /// A person goes on with a document on another device, and what was typed here is saved for that
  /// (semantics 25g).
  @MainActor @Suite(.timeLimit(.minutes(1))) struct RequestedSavingTests {
    let app = SampleApp()
    var folder: SampleFolder { app.folder }
    private let request = RequestID.random()

    /// A document that was saved a moment ago, so that it does not save itself, and text that is not saved.
    private func typed(_ type: TextFile.Type = TextFile.self) async throws -> (TextFile, ActivityID) {
      DocumentController.shared.register(type, name: "TextFile")
      let document = try await app.open("plan.md", "alpha")
      app.application.mainDocument = document
      app.advance(.seconds(3))
      document.type("!")
      app.advance(.seconds(1))
      document.type("?")
      let activity = try #require(document.userActivity)
      _ = app.agent.take()
      return (document, activity.id)
    }

    private func ask(_ activity: ActivityID) { app.report(.saveNow(request, activity, device: "laptop")) }

    private func answers(_ requests: [AgentRequest]) -> [SaveAnswer] {
      requests.compactMap { if case .answerSave(request, let answer) = $0 { answer } else { nil } }
    }

    /// What the agent was told, once it has an answer.
    private func said() async throws -> [AgentRequest] {
      await waitUntil { !answers(app.agent.requests).isEmpty }
      return app.agent.take()
    }

    @Test func s25g_itIsSavedAtOnceAndAnsweredAfterItsState() async throws {
      let (document, activity) = try await typed()
      ask(activity)
      let said = try await said()
      #expect(folder.text("plan.md") == "alpha!?" && !document.isDocumentEdited)
      guard case .update(let state, saved: .some)? = said.dropLast().last else {
        Issue.record("\(said)")
        return
      }
      #expect(said.last == .answerSave(request, .saved(changedAt: state.changedAt)))
      #expect(!state.flags.contains(.unsavedChanges))
      #expect(app.calls == ["should save for laptop"])
    }

    @Test func s25g_theDelegateRefusesWithAReason() async throws {
      let (document, activity) = try await typed()
      app.onSaveRequest = { _, _ in
        throw ContinuityError(.declined, subject: "plan.md", description: "It is being printed.")
      }
      ask(activity)
      #expect(answers(try await said()) == [.refused("It is being printed.")])
      #expect(folder.text("plan.md") == "alpha!" && document.isDocumentEdited)
    }

    @Test func s25g_whatThePersonGivesUpWhileTheDelegateThinksIsNotWritten() async throws {
      let (_, activity) = try await typed()
      app.onSaveRequest = { document, _ in document.close() }
      ask(activity)
      #expect(answers(try await said()) == [.refused("")])
      await Task.yield()
      #expect(folder.text("plan.md") == "alpha!" && DocumentController.shared.documents.isEmpty)
    }

    @Test func s25g_whatIsTypedWhileTheDelegateThinksIsSavedToo() async throws {
      let (document, activity) = try await typed()
      app.onSaveRequest = { _, _ in document.type(" more") }
      ask(activity)
      _ = try await said()
      #expect(folder.text("plan.md") == "alpha!? more")
    }

    @Test func s36e_aFileThatSomebodyElseChangedIsLeftAloneAndTheTextIsHandedOver() async throws {
      let (document, activity) = try await typed()
      folder.write("plan.md", "of somebody else")
      ask(activity)
      try expectDraft("alpha!?", try await said())
      #expect(folder.text("plan.md") == "of somebody else" && document.text == "alpha!?")
      #expect(document.isDocumentEdited)
    }

    private func expectDraft(_ text: String, _ said: [AgentRequest]) throws {
      guard case .update(let state, saved: .some)? = said.dropLast().last else {
        Issue.record("\(said)")
        return
      }
      #expect(said.last == .answerSave(request, .saved(changedAt: state.changedAt)))
      #expect(state.flags.isSuperset(of: [.withDraft, .unsavedChanges]))
      #expect(app.agent.savedTexts.last == text)
    }

    @Test func s25g_aClassThatLeavesSavingToThePersonSavesNothing() async throws {
      let (document, activity) = try await typed(ManualTextFile.self)
      ask(activity)
      #expect(
        answers(try await said()) == [.refused("plan.md is saved there only when its person says so.")])
      #expect(document.isDocumentEdited && folder.text("plan.md") == "alpha")
    }

    @Test func s25g_whatHasNothingToSaveIsAnsweredWithItsState() async throws {
      let (document, activity) = try await typed()
      try await document.save()
      _ = app.agent.take()
      ask(activity)
      guard case .saved? = answers(try await said()).first else {
        Issue.record("not answered")
        return
      }
      #expect(app.calls.isEmpty, "nobody need be asked")
    }

    @Test func s25g_anActivityThatIsNotOfferedIsRefused() async throws {
      let (document, activity) = try await typed()
      document.userActivity?.resignCurrent()
      ask(activity)
      #expect(answers(try await said()) == [.refused("")])
      ask(.random())
      #expect(answers(try await said()) == [.refused("")])
    }

    /// The person types on: nothing of it is lost, and the state says so.
    @Test func s25g_aLargeTextIsSavedWhileThePersonTypesOn() async throws {
      let (document, activity) = try await typed()
      document.type(String(repeating: "0123456789abcde\n", count: 200_000))
      let size = document.text.utf8.count
      app.onSaveRequest = { document, _ in
        Task { @MainActor in (document as? TextFile)?.type(" typed on") }
      }
      ask(activity)
      let said = try await said()
      #expect(document.text.hasSuffix(" typed on"))
      guard case .update(let state, _)? = said.dropLast().last, case .saved? = answers(said).first else {
        Issue.record("\(said.count) requests")
        return
      }
      let isWhole = (folder.text("plan.md") ?? "").utf8.count > size
      #expect(state.flags.contains(.unsavedChanges) == !isWhole)
    }
  }
}

/// One that its person saves.
@MainActor
private final class ManualTextFile: TextFile {
  override class var autosavesInPlace: Bool { false }
}
