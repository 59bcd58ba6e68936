// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Observation
import Synchronization
import Testing
import UserActivities

extension OneApplicationAtATime {
  @MainActor
  @Suite("Responders and windows")
  struct ResponderTests {
    let app = SampleApp()
    private let reading = "org.example.reading"

    /// A window with a view in it, and a controller.
    private func window() -> (window: Window, view: Responder, controller: WindowController) {
      let (window, view) = (Window(), Responder())
      view.nextResponder = window
      window.makeFirstResponder(view)
      return (window, view, WindowController(window: window))
    }

    // MARK: Becoming current

    @Test func s30a_theFirstActivityFromTheFirstResponderUpBecomesCurrent() async throws {
      let document = try await app.open("plan.md", "alpha")
      let (window, view, controller) = window()
      document.addWindowController(controller)
      let (near, far) = (UserActivity(activityType: reading), UserActivity(activityType: reading))
      view.userActivity = near
      window.userActivity = far
      window.makeMain()
      #expect(near.isCurrent && window.firstResponder === view)
      view.userActivity = nil
      #expect(far.isCurrent)
      window.userActivity = nil
      controller.userActivity = UserActivity(activityType: reading)
      #expect(controller.userActivity?.isCurrent == true, "the controller follows its window in the chain")
      controller.userActivity = nil
      #expect(document.userActivity?.isCurrent == true)
    }

    @Test func s30a_anEndedActivityIsPassedOver() {
      let (window, view, controller) = window()
      let (ended, next) = (UserActivity(activityType: reading), UserActivity(activityType: reading))
      view.userActivity = ended
      controller.userActivity = next
      ended.invalidate()
      window.makeMain()
      #expect(next.isCurrent)
    }

    @Test func s30b_withoutOneThereTheDocumentOfTheWindowControllerGivesIts() async throws {
      let document = try await app.open("plan.md", "alpha")
      let (window, _, controller) = window()
      window.makeMain()
      #expect(document.userActivity?.isCurrent == false)
      document.addWindowController(controller)
      #expect(document.windowControllers.count == 1 && controller.document === document)
      #expect(document.userActivity?.isCurrent == true)
      #expect(DocumentController.shared.currentDocument === document)
      let other = try await app.open("next.md", "beta")
      other.addWindowController(controller)
      #expect(document.windowControllers.isEmpty && other.userActivity?.isCurrent == true)
      other.removeWindowController(controller)
      #expect(controller.document == nil && other.userActivity?.isCurrent == false)
    }

    @Test func s30c_itIsLookedAtAgainWhenThePersonGoesElsewhere() async throws {
      let (first, second) = (try await app.open("a.md", "a"), try await app.open("b.md", "b"))
      let (left, right) = (window(), window())
      first.addWindowController(left.controller)
      second.addWindowController(right.controller)
      left.window.makeMain()
      #expect(first.userActivity?.isCurrent == true)
      right.window.makeMain()
      #expect(second.userActivity?.isCurrent == true)
      // A focus elsewhere in the window.
      let panel = Responder()
      panel.userActivity = UserActivity(activityType: reading)
      right.window.makeFirstResponder(panel)
      #expect(panel.userActivity?.isCurrent == true)
      right.window.makeFirstResponder(nil)
      #expect(right.window.firstResponder === right.window)
      #expect(second.userActivity?.isCurrent == true)
      // An owner's activity, and a link of the chain.
      right.window.userActivity = UserActivity(activityType: reading)
      #expect(right.window.userActivity?.isCurrent == true)
      right.window.userActivity = nil
      right.window.makeFirstResponder(right.view)
      right.view.nextResponder = panel
      #expect(panel.userActivity?.isCurrent == true)
      app.application.mainWindow = nil
      #expect(panel.userActivity?.isCurrent == false && second.userActivity?.isCurrent == false)
    }

    @Test func s30c_aWindowThatIsReleasedIsNoLongerTheMainOne() async throws {
      let document = try await app.open("plan.md", "alpha")
      var window: Window? = Window()
      let controller = WindowController(window: window)
      document.addWindowController(controller)
      window?.makeMain()
      #expect(document.userActivity?.isCurrent == true)
      controller.window = nil
      window = nil
      #expect(app.application.mainWindow == nil)
      #expect(document.userActivity?.isCurrent == false)
    }

    @Test func s30d_withoutAWindowControllerTheAppDecidesAndKeepsItsChoice() async throws {
      let document = try await app.open("plan.md", "alpha")
      let window = Window()
      let own = UserActivity(activityType: reading)
      own.becomeCurrent()
      window.makeMain()
      window.makeFirstResponder(Responder())
      window.makeFirstResponder(nil)
      document.userActivity?.needsSave = true
      #expect(own.isCurrent)
      app.application.mainWindow = nil
      #expect(own.isCurrent)
    }

    @Test func s30d_whatTheAppMadeCurrentStaysUntilThePersonMoves() async throws {
      let document = try await app.open("plan.md", "alpha")
      let (window, _, controller) = window()
      document.addWindowController(controller)
      window.makeMain()
      let own = UserActivity(activityType: reading)
      own.becomeCurrent()
      let elsewhere = Responder()
      elsewhere.userActivity = UserActivity(activityType: reading)
      #expect(own.isCurrent, "another owner's activity is no reason to take it back")
      window.makeFirstResponder(nil)
      #expect(document.userActivity?.isCurrent == true)
    }

    @Test func aChainThatGoesInCirclesEnds() {
      let (window, view, _) = window()
      window.nextResponder = view
      window.makeMain()
      #expect(view.chainLengthIsBounded)
    }

    // MARK: Owners

    @Test func s31a_anOwnerThatLetsGoIsAskedNoMore() {
      let (first, second) = (Filler(), Filler())
      let activity = UserActivity(activityType: reading)
      (first.userActivity, second.userActivity) = (activity, activity)
      activity.becomeCurrent()
      activity.needsSave = true
      app.advance(.milliseconds(300))
      #expect(first.rounds == 1 && second.rounds == 1)
      first.userActivity = nil
      activity.needsSave = true
      app.advance(.milliseconds(300))
      #expect(first.rounds == 1 && second.rounds == 2 && activity.isValid)
    }

    @Test func s31b_theLastOwnerThatLetsGoOrIsReleasedEndsTheActivity() async throws {
      let activity = UserActivity(activityType: reading)
      var first: Responder? = Responder()
      let second = Responder()
      first?.userActivity = activity
      second.userActivity = activity
      first = nil
      #expect(first == nil && activity.isValid)
      second.userActivity = nil
      #expect(!activity.isValid)

      var owner: Responder? = Responder()
      let released = UserActivity(activityType: reading)
      owner?.userActivity = released
      owner = nil
      #expect(owner == nil && !released.isValid)

      let document = try await app.open("plan.md", "alpha")
      let shared = try #require(document.userActivity)
      second.userActivity = shared
      document.close()
      #expect(shared.isValid)
      second.userActivity = UserActivity(activityType: reading)
      #expect(!shared.isValid)
    }

    @Test func s31b_anActivityThatNobodyOwnedIsNotEndedByThis() {
      let activity = UserActivity(activityType: reading)
      let owner = Responder()
      owner.userActivity = nil
      #expect(activity.isValid)
    }

    @Test func s31c_anOwnersActivityCanBeObserved() async throws {
      let app = SampleApp(isSynced: false)
      let document = try await app.open("plan.md", "alpha")
      let changes = Mutex(0)
      func observe() {
        withObservationTracking {
          _ = document.userActivity
        } onChange: {
          changes.withLock { $0 += 1 }
        }
      }
      observe()
      app.report(.roots([app.folder.root]))
      #expect(changes.withLock { $0 } == 1 && document.userActivity != nil)
      observe()
      app.report(.roots([app.folder.root]))
      #expect(changes.withLock { $0 } == 1, "the same activity is no change")
      app.report(.roots([]))
      #expect(changes.withLock { $0 } == 2 && document.userActivity == nil)
    }

    @Test func s32a_eachOwnerGetsItsCallbackOnceWhereverItStands() async throws {
      let document = try await app.open("plan.md", "alpha")
      let activity = try #require(document.userActivity)
      let (window, _, controller) = window()
      document.addWindowController(controller)
      let (view, filler) = (Filler(), Filler())
      view.nextResponder = filler
      // The document stands in the chain too.
      filler.nextResponder = document
      for owner in [view, filler, document] as [Responder] {
        owner.userActivity = nil
        owner.userActivity = activity.isValid ? activity : nil
      }
      let shared = UserActivity(activityType: SampleApp.type)
      for owner in [view, filler, document] as [Responder] { owner.userActivity = shared }
      view.userActivity = shared
      window.makeFirstResponder(view)
      window.makeMain()
      shared.needsSave = true
      app.advance(.milliseconds(300))
      #expect(view.rounds == 1 && filler.rounds == 1)
      let info = try #require(app.agent.update?.userInfo)
      #expect(info[.text("rounds")] == .int(1) && info[.text("line")] == .int(1))
      #expect(info[.text(NSUserActivityDocumentURLKey)] != nil)
    }
  }
}

/// A responder that counts how often it is asked.
@MainActor
private final class Filler: Responder {
  private(set) var rounds = 0

  override func updateUserActivityState(_ activity: UserActivity) {
    rounds += 1
    activity.addUserInfoEntries(from: ["rounds": rounds])
  }
}

extension Responder {
  fileprivate var chainLengthIsBounded: Bool { chainLength <= 1024 }
}
