// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import Testing
import UserActivities

extension OneApplicationAtATime {
  @MainActor
  @Suite("Saved activities, on the app's side")
  struct SavedActivityTests {
    let app = SampleApp()

    private var saves: [ActivitySnapshot] {
      app.agent.requests.compactMap { if case .save(_, let snapshot) = $0 { snapshot } else { nil } }
    }

    private var deletions: [(RequestID, [String]?)] {
      app.agent.requests.compactMap { request in
        if case .deleteSaved(let id, let identifiers) = request { (id, identifiers) } else { nil }
      }
    }

    @Test func s11a_eachPublishedRoundOfASearchableActivityIsSaved() {
      let activity = UserActivity(activityType: "org.example.reading")
      activity.isEligibleForSearch = true
      activity.userInfo = ["page": 1, "scratch": 2]
      activity.becomeCurrent()
      app.advance(.seconds(2))
      #expect(saves == [], "it has no identifier yet")
      activity.persistentIdentifier = "book-1"
      activity.requiredUserInfoKeys = ["page"]
      activity.needsSave = true
      app.advance(.seconds(2))
      #expect(saves.map(\.persistentIdentifier) == ["book-1"])
      #expect(saves.first?.userInfo == [.text("page"): .int(1)])
      activity.isEligibleForHandoff = false
      app.advance(.seconds(2))
      #expect(app.agent.withdrawals == 1 && saves.count == 2, "search does not need Handoff")
      activity.expirationDate = Date(timeIntervalSince1970: 1)
      activity.needsSave = true
      app.advance(.seconds(2))
      #expect(saves.count == 2, "an expired one is not kept")
    }

    @Test func s11b_deletingAnswersWhenTheAgentHas() async throws {
      let (told, tell) = AsyncStream<Void>.makeStream()
      UserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["a", "b"]) { tell.yield() }
      let (request, identifiers) = try #require(deletions.first)
      #expect(identifiers == ["a", "b"])
      app.report(.kept(request, nil))
      app.report(.kept(request, nil))
      tell.finish()
      for await _ in told { break }
    }

    @Test func s11b_withoutAnAgentItWaitsAndIsSaidAgain() async throws {
      app.disconnect()
      async let deletion: Void = UserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["a"])
      await waitUntil { app.pendingDeletions != 0 }
      #expect(deletions.isEmpty)
      app.connect()
      #expect(deletions.count == 1)
      app.disconnect()
      app.connect()
      #expect(deletions.count == 2 && Set(deletions.map(\.0)).count == 1)
      app.report(.kept(try #require(deletions.first).0, nil))
      try await deletion
      app.disconnect()
      app.connect()
      #expect(deletions.count == 2)
    }

    @Test func s11b_afterHalfAMinuteWithoutAnAnswerItFails() async throws {
      app.disconnect()
      async let outcome = failure()
      await waitUntil { app.pendingDeletions != 0 }
      app.advance(.seconds(30))
      #expect(await outcome?.code == .connectionUnavailable)
      app.connect()
      #expect(deletions.isEmpty)
    }

    @Test func s11b_whatTheDiskRefusedIsThrown() async throws {
      async let outcome = failure()
      await waitUntil { app.pendingDeletions != 0 }
      let full = ContinuityError(.agentUnavailable, description: "The disk is full.")
      app.report(.kept(try #require(deletions.first).0, full))
      #expect(await outcome == full)
    }

    @Test func tooManyIdentifiersAtOnceAreRefused() async {
      let error = await #expect(throws: ContinuityError.self) {
        try await UserActivity.deleteSavedUserActivities(
          withPersistentIdentifiers: (0..<2000).map { "\($0)" })
      }
      #expect(error?.code == .invalidRequest && deletions.isEmpty)
    }

    private func failure() async -> ContinuityError? {
      do throws(ContinuityError) {
        try await UserActivity.deleteAllSavedUserActivities()
        return nil
      } catch {
        return error
      }
    }
  }
}
