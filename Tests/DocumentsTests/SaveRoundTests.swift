// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Testing
import UserActivities

extension OneApplicationAtATime {
  @MainActor
  @Suite("Who is asked in a round, when, and how often")
  struct SaveRoundTests {
    let app = SampleApp()

    @Test func s18a_theDelegateIsNotRetained() {
      let activity = UserActivity(activityType: "org.example.reading")
      var delegate: ListeningDelegate? = ListeningDelegate()
      weak let held = delegate
      activity.delegate = delegate
      #expect(activity.delegate != nil)
      delegate = nil
      #expect(held == nil && activity.delegate == nil)
    }

    @Test func s18b_onlyTheseEndsWithdraw() async throws {
      let ends: [(String, @MainActor (UserActivity, Responder) -> Void)] = [
        ("invalidate", { activity, _ in activity.invalidate() }),
        ("resignCurrent", { activity, _ in activity.resignCurrent() }),
        ("dissociation", { _, owner in owner.userActivity = nil }),
      ]
      for (name, end) in ends {
        let owner = Responder()
        let activity = UserActivity(activityType: "org.example.reading")
        owner.userActivity = activity
        activity.becomeCurrent()
        app.advance(.zero)
        #expect(app.agent.update != nil && app.agent.withdrawals == 0)
        app.disconnect()
        app.connect()
        activity.delegate = nil
        activity.needsSave = true
        app.advance(.seconds(2))
        #expect(app.agent.withdrawals == 0)
        end(activity, owner)
        #expect(app.agent.withdrawals == 1, "\(name)")
        _ = app.agent.take()
      }
    }

    @Test func s19a_settingNeedsSaveCallsNothingBackAtOnce() {
      let (activity, delegate) = current()
      app.advance(.seconds(2))
      var updates = 0
      app.onUpdate = { _ in updates += 1 }
      _ = app.agent.take()
      for _ in 0..<100 { activity.needsSave = true }
      #expect(delegate.saves == 0 && updates == 0 && app.agent.requests == [])
      app.advance(.milliseconds(299))
      #expect(delegate.saves == 0)
      app.advance(.milliseconds(1))
      #expect(delegate.saves == 1)
    }

    @Test func s19b_settingItOftenAsksForOneRound() {
      let (activity, delegate) = current()
      app.advance(.seconds(2))
      for _ in 0..<100 { activity.needsSave = true }
      app.advance(.seconds(2))
      app.advance(.seconds(9))
      #expect(delegate.saves == 1)
    }

    @Test func s20b_s20c_s20d_documentsComeFirstThenRespondersEachOnce() async throws {
      let document = try await app.open("plan.md", "alpha")
      let activity = try #require(document.userActivity)
      var order: [String] = []
      let note = { (name: String) in
        { (activity: UserActivity) in
          order.append(name)
          let url = activity.userInfo?[NSUserActivityDocumentURLKey] as? URL
          #expect(url?.lastPathComponent == "plan.md", "the document's URL is there before \(name)")
        }
      }
      let (view, group, window) = (SharingResponder(), SharingResponder(), SharingResponder())
      (view.nextResponder, group.nextResponder) = (group, window)
      for (responder, name) in [(window, "window"), (view, "view"), (group, "group")] {
        responder.onUpdate = note(name)
        responder.userActivity = activity
      }
      view.userActivity = activity
      app.onUpdate = note("app")
      let shown = Window()
      shown.makeFirstResponder(view)
      app.application.mainWindow = shown
      activity.needsSave = true
      app.advance(.seconds(2))
      #expect(order == ["view", "group", "window", "app"])
    }

    @Test func s21b_settingNeedsSaveInTheCallbackAsksForAnotherRound() {
      let (activity, delegate) = current()
      app.advance(.seconds(2))
      delegate.onSave = { activity in if delegate.saves < 3 { activity.needsSave = true } }
      activity.needsSave = true
      for _ in 0..<10 { app.advance(.seconds(2)) }
      #expect(delegate.saves == 3 && !activity.needsSave)
    }

    // MARK: Saving in place

    @Test func s25b_aSlowSaveIsNotRepeatedBefore20TimesItsLength() async throws {
      let document = try await slow("plan.md", taking: .seconds(1))
      document.type("b")
      app.advance(.milliseconds(300))
      #expect(app.folder.text("plan.md") == "ab")
      document.type("c")
      app.advance(.milliseconds(19_500))
      #expect(app.folder.text("plan.md") == "ab")
      #expect(app.agent.update?.flags.contains(.unsavedChanges) == true)
      app.advance(.milliseconds(501))
      #expect(app.folder.text("plan.md") == "abc")
    }

    @Test func s25c_above8MBThereAreTenSecondsOfQuietFirst() async throws {
      let text = String(repeating: "x", count: 9 << 20)
      let document = try await app.open("plan.md", text)
      app.application.mainDocument = document
      app.advance(.seconds(30))
      document.type("b")
      for _ in 0..<3 {
        app.advance(.seconds(9))
        document.type("c")
      }
      #expect(app.folder.status("plan.md").st_size == text.utf8.count)
      #expect(app.agent.update?.flags.contains(.unsavedChanges) == true)
      app.advance(.milliseconds(9_999))
      #expect(app.folder.status("plan.md").st_size == text.utf8.count)
      app.advance(.milliseconds(1))
      // It is written away from the main actor; its own round follows.
      await waitUntil { !document.isSaving }
      app.advance(.zero)
      #expect(app.folder.status("plan.md").st_size == text.utf8.count + 4)
      #expect(app.agent.update?.flags.contains(.unsavedChanges) == false)
    }

    @Test func s25d_aClassThatDoesNotSaveItselfSaysThatChangesAreUnsaved() async throws {
      DocumentController.shared.register(CarefulFile.self, name: "TextFile")
      let document = try await app.open("plan.md", "a")
      app.application.mainDocument = document
      app.advance(.zero)
      document.type("b")
      app.advance(.seconds(60))
      #expect(app.folder.text("plan.md") == "a")
      #expect(app.agent.update?.flags.contains(.unsavedChanges) == true)
    }

    @Test func s25f_theRoundThatSavesADocumentAsksForNoOtherOne() async throws {
      let document = try await app.open("plan.md", "a")
      app.application.mainDocument = document
      app.advance(.seconds(3))
      for text in ["b", "c"] {
        _ = app.agent.take()
        document.type(text)
        for _ in 0..<30 { app.advance(.milliseconds(300)) }
        let updates = app.agent.requests.filter { if case .update = $0 { true } else { false } }
        #expect(updates.count == 1)
        guard case .update(_, saved: .some) = updates.first else { Issue.record("no saved file"); continue }
      }
      #expect(app.agent.savedTexts.suffix(2) == ["ab", "abc"])
    }

    @Test func s25f_whatIsTypedWhileARoundSavesIsSavedByALaterOne() async throws {
      let document = try await slow("plan.md", taking: .zero)
      document.onSaved = { [weak document] in if document?.text == "ab" { document?.type("c") } }
      document.type("b")
      app.advance(.milliseconds(300))
      #expect(app.folder.text("plan.md") == "ab" && document.isDocumentEdited)
      for _ in 0..<10 { app.advance(.milliseconds(300)) }
      #expect(app.folder.text("plan.md") == "abc" && !document.isDocumentEdited)
    }

    private func slow(_ name: String, taking length: Duration) async throws -> SlowFile {
      DocumentController.shared.register(SlowFile.self, name: "TextFile")
      let document = try #require(try await app.open(name, "a") as? SlowFile)
      app.application.mainDocument = document
      app.advance(.zero)
      document.onSave = { app.pass(length) }
      return document
    }

    private func current() -> (UserActivity, ListeningDelegate) {
      let activity = UserActivity(activityType: "org.example.reading")
      let delegate = ListeningDelegate()
      activity.delegate = delegate
      delegate.kept = activity
      activity.becomeCurrent()
      return (activity, delegate)
    }
  }
}

@MainActor
private final class SharingResponder: Responder {
  var onUpdate: (UserActivity) -> Void = { _ in }

  override func updateUserActivityState(_ activity: UserActivity) { onUpdate(activity) }
}

/// A text whose saving takes time.
@MainActor
private final class SlowFile: TextFile {
  var onSave: () -> Void = {}
  var onSaved: () -> Void = {}

  override func didSave() { onSaved() }

  override func data(ofType typeName: String) throws -> Data {
    onSave()
    return try super.data(ofType: typeName)
  }
}

/// A text that only the person saves.
@MainActor
private final class CarefulFile: TextFile {
  override class var autosavesInPlace: Bool { false }
}
