// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Testing
import UserActivities

extension OneApplicationAtATime {
  @MainActor
  @Suite("A document's activity")
  struct ActivityRoundTests {
    let app = SampleApp()

    @Test func s26a_aDocumentOfADeclaredTypeInASyncedFolderHasAnActivity() async throws {
      #expect(try await app.open("plan.md", "alpha").userActivity?.activityType == SampleApp.type)
    }

    @Test func s26b_s26c_severalTypesShareAnActivityTypeAndOneWithoutEntryHasNone() async throws {
      #expect(try await app.open("plan.opml", "alpha").userActivity?.activityType == SampleApp.type)
      #expect(try await app.open("trace.log", "alpha").userActivity == nil)
    }

    @Test func s27a_outsideEverySyncedFolderThereIsNone() async throws {
      let elsewhere = SampleFolder()
      let document = try await app.open("plan.md", "alpha")
      let former = try #require(document.userActivity)
      try await document.save(to: elsewhere.url("plan.md"))
      #expect(document.userActivity == nil)
      #expect(!former.isValid)
      try await document.save(to: app.folder.url("plan2.md"))
      #expect(document.userActivity != nil)
    }

    @Test func s27a_foldersThatComeAndGoTakeTheActivityAlong() async throws {
      let app = SampleApp(isSynced: false)
      let document = try await app.open("plan.md", "alpha")
      app.application.mainDocument = document
      #expect(document.userActivity == nil)
      app.report(.roots([app.folder.root]))
      #expect(document.userActivity?.isCurrent == true)
      app.advance(.zero)
      #expect(app.agent.update != nil)
      app.report(.roots([]))
      #expect(document.userActivity == nil)
      #expect(app.agent.withdrawals == 1)
    }

    @Test func s28a_theFileURLStandsUnderTheDocumentKey() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.line = 7
      document.userActivity?.needsSave = true
      app.application.mainDocument = document
      app.advance(.zero)
      let info = try #require(app.agent.update?.userInfo)
      #expect(info[.text(NSUserActivityDocumentURLKey)] == .url("file://" + app.folder.path("plan.md")))
      #expect(info[.text("line")] == .int(7))
      #expect(app.agent.update?.title == "plan.md")
    }

    @Test func s20a_s20e_theInfoIsEmptiedAndTheDelegateComesLast() async throws {
      let document = try await app.open("plan.md", "alpha")
      app.application.mainDocument = document
      document.userActivity?.userInfo = ["stale": 1]
      app.onUpdate = { $0.addUserInfoEntries(from: ["line": 99, "note": "last"]) }
      app.advance(.zero)
      let info = try #require(app.agent.update?.userInfo)
      #expect(info[.text("stale")] == nil)
      #expect(info[.text("line")] == .int(99))
      #expect(document.userActivity?.needsSave == false)
    }

    @Test func s22a_withoutNeedsSaveNoCallbackIsMade() async throws {
      let document = try await app.open("plan.md", "alpha")
      var updates = 0
      app.onUpdate = { _ in updates += 1 }
      app.application.mainDocument = document
      app.advance(.zero)
      app.advance(.seconds(10))
      let first = updates
      app.application.mainDocument = nil
      app.application.mainDocument = document
      app.advance(.seconds(10))
      #expect(updates == first)
    }

    @Test func s25a_anEditedDocumentSavesItselfAQuietMomentLaterAndSendsTheVersion() async throws {
      let document = try await app.open("plan.md", "alpha")
      app.application.mainDocument = document
      app.advance(.zero)
      document.type(" beta")
      app.advance(.milliseconds(299))
      #expect(app.folder.text("plan.md") == "alpha")
      app.advance(.milliseconds(1))
      #expect(app.folder.text("plan.md") == "alpha beta")
      #expect(app.agent.savedTexts == ["alpha beta"])
      #expect(app.agent.update?.flags.contains(.unsavedChanges) == false)
    }

    @Test func s25b_s25d_twoAutosavesAreTwoSecondsApartAndTheRecordSaysSo() async throws {
      let document = try await app.open("plan.md", "a")
      app.application.mainDocument = document
      document.type("b")
      app.advance(.milliseconds(300))
      document.type("c")
      app.advance(.milliseconds(300))
      #expect(app.folder.text("plan.md") == "ab")
      #expect(app.agent.update?.flags.contains(.unsavedChanges) == true)
      app.advance(.milliseconds(1699))
      #expect(app.folder.text("plan.md") == "ab")
      app.advance(.milliseconds(1))
      #expect(app.folder.text("plan.md") == "abc")
      #expect(app.agent.update?.flags.contains(.unsavedChanges) == false)
    }

    @Test func s25a_autosavingNeverOverwritesOrRevivesAFile() async throws {
      let document = try await app.open("plan.md", "alpha")
      app.application.mainDocument = document
      app.folder.replace("plan.md", "theirs")
      document.type("!")
      app.advance(.seconds(3))
      #expect(app.folder.text("plan.md") == "theirs")
      try FileManager.default.removeItem(atPath: app.folder.path("plan.md"))
      document.type("!")
      app.advance(.seconds(30))
      #expect(app.folder.names.isEmpty)
      #expect(document.text == "alpha!!" && document.isDocumentEdited)
    }

    @Test func anExplicitSavePublishesAtOnce() async throws {
      let document = try await app.open("plan.md", "alpha")
      app.application.mainDocument = document
      app.advance(.zero)
      document.type("!")
      try await document.save()
      app.advance(.zero)
      #expect(app.agent.savedTexts == ["alpha!"])
    }

    @Test func endingTheProgramPublishesTheLastWordsAndWithdrawsNothing() async throws {
      let document = try await app.open("plan.md", "alpha")
      app.application.mainDocument = document
      app.advance(.zero)
      document.type("!")
      app.application.terminate()
      #expect(app.agent.savedTexts == ["alpha!"])
      #expect(app.agent.withdrawals == 0)
    }

    @Test func s31b_closingEndsTheActivityAndTheWatching() async throws {
      let document = try await app.open("plan.md", "alpha")
      app.application.mainDocument = document
      app.advance(.zero)
      let path = Array(app.folder.path("plan.md").utf8)
      #expect(app.agent.requests.contains { if case .opened(path, _) = $0 { true } else { false } })
      document.close()
      #expect(app.agent.withdrawals == 1)
      #expect(app.agent.requests.contains(.closed(path: path)))
      #expect(DocumentController.shared.documents.isEmpty)
    }

    @Test func s34b_anUneditedDocumentReloadsAndAnEditedOneIsNeverTouched() async throws {
      let document = try await app.open("plan.md", "alpha")
      let path = Array(app.folder.path("plan.md").utf8)
      app.folder.replace("plan.md", "theirs")
      app.report(.documentChanged(path: path, .changed(nil)))
      #expect(document.text == "theirs")
      document.type(" and mine")
      app.folder.replace("plan.md", "newer")
      app.report(.documentChanged(path: path, .changed(nil)))
      #expect(document.text == "theirs and mine")
      #expect(document.changes.count == 2)
    }

    @Test func s34a_onesOwnSaveIsNoChange() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type("!")
      try await document.save()
      app.report(.documentChanged(path: Array(app.folder.path("plan.md").utf8), .changed(nil)))
      #expect(document.changes.isEmpty)
    }

    @Test func s29b_s34c_aMoveIsFollowedAndPublished() async throws {
      let document = try await app.open("plan.md", "alpha")
      app.application.mainDocument = document
      app.advance(.zero)
      #expect(rename(app.folder.path("plan.md"), app.folder.path("final.md")) == 0)
      _ = app.agent.take()
      let (from, to) = (Array(app.folder.path("plan.md").utf8), Array(app.folder.path("final.md").utf8))
      app.report(.documentChanged(path: from, .moved(to: to)))
      app.advance(.milliseconds(300))
      #expect(document.displayName == "final.md" && app.agent.update?.title == "final.md")
      #expect(app.agent.requests.first == .closed(path: from))
      let isOpen = app.agent.requests.contains { if case .opened(to, _?) = $0 { true } else { false } }
      #expect(isOpen, "the new path is not open")
      #expect(
        app.agent.update?.userInfo[.text(NSUserActivityDocumentURLKey)]
          == .url("file://" + app.folder.path("final.md")))
    }

    @Test func s18b_releasingAnActivityInALivingProcessWithdrawsIt() {
      var activity: UserActivity? = UserActivity(activityType: "org.example.reading")
      activity?.becomeCurrent()
      app.advance(.zero)
      #expect(app.agent.update != nil)
      activity = nil
      #expect(app.agent.withdrawals == 1)
    }

    @Test func s21a_s21b_s23a_s23b_anUnmanagedActivityAsksItsDelegate() {
      let delegate = SavingDelegate()
      let activity = UserActivity()
      #expect(activity.activityType == "org.example.reading")
      activity.delegate = delegate
      activity.becomeCurrent()
      activity.needsSave = true
      app.advance(.milliseconds(300))
      #expect(delegate.saves == 1)
      #expect(app.agent.update?.userInfo == [.text("count"): .int(1)])
      #expect(!activity.needsSave)
      app.advance(.seconds(5))
      #expect(delegate.saves == 1)
      app.report(.continued(activity.id, ContinuationReceipt(device: "laptop")))
      #expect(delegate.continuations == 1 && activity.isValid)
    }
  }
}

@MainActor
private final class SavingDelegate: UserActivityDelegate {
  var saves = 0
  var continuations = 0

  func userActivityWillSave(_ userActivity: UserActivity) {
    saves += 1
    userActivity.userInfo = ["count": saves]
  }

  func userActivityWasContinued(_ userActivity: UserActivity) { continuations += 1 }
}
