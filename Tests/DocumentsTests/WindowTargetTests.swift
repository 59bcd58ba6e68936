// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Testing
import UserActivities

extension OneApplicationAtATime {
  @MainActor
  @Suite("The window for a content")
  struct WindowTargetTests {
    let app = SampleApp()

    final class Page: Window {
      var restored: [String] = []
      var fronted = 0

      override func restoreUserActivityState(_ activity: UserActivity) {
        restored.append(activity.targetContentIdentifier ?? "")
      }

      override func makeKeyAndOrderFront(_ sender: Any?) {
        super.makeKeyAndOrderFront(sender)
        fronted += 1
      }
    }

    private func page(showing identifier: String? = nil) -> Page {
      let page = Page()
      if let identifier {
        let activity = UserActivity(activityType: SampleApp.type)
        activity.targetContentIdentifier = identifier
        page.userActivity = activity
      }
      return page
    }

    @Test func s8c_theWindowThatShowsItIsRestoredAndComesToTheFront() {
      let (first, second) = (page(showing: "trail-1"), page(showing: "trail-7"))
      first.makeMain()
      app.deliver(nil, content: "trail-7")
      #expect(second.restored == ["trail-7"] && second.fronted == 1 && second.isMainWindow)
      #expect(first.restored.isEmpty && app.agent.outcomes == [.opened])
    }

    @Test func s8c_oneThatPrefersItComesBeforeOneThatShowsItAndOneThatRefusesIsNeverChosen() {
      let (shows, prefers) = (page(showing: "trail-7"), page())
      prefers.activationConditions.prefersToActivateForTargetContentIdentifierPredicate =
        #Predicate { $0.starts(with: "trail-") }
      #expect(app.application.window(forTargetContentIdentifier: "trail-7") === prefers)
      prefers.activationConditions.canActivateForTargetContentIdentifierPredicate = .false
      #expect(app.application.window(forTargetContentIdentifier: "trail-7") === shows)
      shows.activationConditions.canActivateForTargetContentIdentifierPredicate =
        #Predicate { $0 != "trail-7" }
      #expect(app.application.window(forTargetContentIdentifier: "trail-7") == nil)
      app.deliver(nil, content: "trail-7")
      #expect(app.agent.outcomes == [.declined])
    }

    @Test func s8c_theMainWindowComesFirstAndAReleasedOneIsNoneAnyMore() {
      let older = page(showing: "trail-7")
      var newer: Page? = page(showing: "trail-7")
      newer?.makeMain()
      #expect(app.application.window(forTargetContentIdentifier: "trail-7") === newer)
      #expect(app.application.windows.count == 2)
      newer = nil
      #expect(app.application.windows.count == 1)
      #expect(app.application.window(forTargetContentIdentifier: "trail-7") === older)
    }

    @Test func s8c_ofADocumentsWindowsTheOneForItComesToTheFront() async throws {
      let document = try await app.open("plan.md", "alpha")
      let (top, end) = (page(), page())
      end.activationConditions.prefersToActivateForTargetContentIdentifierPredicate =
        #Predicate { $0 == "the end" }
      for window in [top, end] { document.addWindowController(WindowController(window: window)) }
      top.makeMain()
      app.deliver("plan.md", content: "the end")
      #expect(end.fronted == 1 && top.fronted == 0 && app.agent.outcomes == [.opened])
      // A window of another document does not come before the one that was opened.
      app.folder.write("todo.md", "beta")
      app.deliver("todo.md", content: "the end")
      #expect(end.fronted == 1)
    }
  }
}
