// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Foundation
import Testing
import UserActivities

extension OneApplicationAtATime {
  @MainActor
  @Suite("The activity object")
  struct ActivityObjectTests {
    let app = SampleApp()

    @Test func s1a_theTypeIsFixedForLife() {
      let activity = UserActivity(activityType: "org.example.reading")
      #expect(activity.activityType == "org.example.reading" && activity.isValid)
      activity.becomeCurrent()
      app.advance(.zero)
      activity.invalidate()
      #expect(activity.activityType == "org.example.reading")
      #expect(app.agent.update?.type == "org.example.reading")
    }

    @Test func s1b_withoutATypeTheFirstDeclaredOneIsTaken() {
      #expect(UserActivity().activityType == "org.example.reading")
    }

    @Test func s1c_withoutATypeAnActivityIsInvalidFromBirthLoggedAndSaysWhy() {
      let before = CapturedLog.entries("The activity has no type").count
      let activity = UserActivity(activityType: "")
      #expect(!activity.isValid)
      #expect(CapturedLog.entries("The activity has no type").count == before + 1)
      let error = #expect(throws: ContinuityError.self) { try activity.validate() }
      #expect(error?.description.contains("NSUserActivityTypes") == true)
      activity.becomeCurrent()
      app.advance(.seconds(5))
      #expect(!activity.isCurrent && app.agent.update == nil)
    }

    @Test func s2a_s2b_beforeAnythingIsSet() {
      let activity = UserActivity(activityType: "org.example.reading")
      #expect(activity.keywords == [] && activity.contentAttributeSet == nil)
      #expect(activity.requiredUserInfoKeys == nil && activity.title == nil && activity.userInfo == nil)
      #expect(activity.webpageURL == nil && activity.referrerURL == nil && activity.expirationDate == nil)
      #expect(activity.targetContentIdentifier == nil && activity.persistentIdentifier == nil)
      #expect(activity.isEligibleForHandoff)
      #expect(!activity.isEligibleForSearch && !activity.isEligibleForPublicIndexing)
      #expect(!activity.isEligibleForPrediction && !activity.supportsContinuationStreams)
      #expect(!activity.needsSave)
    }

    @Test func s3c_theErrorReachesTheDelegateTheLogAndWhoeverValidates() throws {
      let (activity, delegate) = current("org.example.strange")
      activity.userInfo = ["odd": Character("x"), "good": 1]
      app.advance(.seconds(2))
      #expect(app.agent.update?.userInfo == [.text("good"): .int(1)])
      #expect(delegate.omitted.map(\.subject) == ["odd"])
      let error = #expect(throws: ContinuityError.self) { try activity.validate() }
      #expect(error == delegate.omitted.first)
      activity.userInfo = ["odd \(activity.id)": Character("x"), "good": 2]
      app.advance(.seconds(2))
      activity.title = "again"
      app.advance(.seconds(2))
      #expect(CapturedLog.entries("odd \(activity.id)").count == 1)
    }

    @Test func s5a_aTypedPayloadTravels() throws {
      let (activity, _) = current("org.example.reading")
      app.advance(.seconds(2))
      try activity.setTypedPayload(Place(line: 7, names: ["a", "ü"]))
      #expect(activity.needsSave)
      app.advance(.seconds(2))
      let arrived = UserActivity(continuing: try #require(app.agent.update), documentURL: nil)
      #expect(try arrived.typedPayload(Place.self) == Place(line: 7, names: ["a", "ü"]))
      try activity.setTypedPayload(12)
      #expect(try activity.typedPayload(Int.self) == 12)
    }

    @Test func s5b_aMissingPayloadIsToldFromAnUnreadableOne() throws {
      let activity = UserActivity(activityType: "org.example.reading")
      let missing = #expect(throws: ContinuityError.self) { try activity.typedPayload(Place.self) }
      #expect(missing?.code == .typedPayloadMissing)
      try activity.setTypedPayload(["line": "seven"])
      let unreadable = #expect(throws: ContinuityError.self) { try activity.typedPayload(Place.self) }
      #expect(unreadable?.code == .typedPayloadUnreadable)
      #expect(unreadable?.description.contains("line") == true)
      #expect(throws: ContinuityError.self) { try activity.setTypedPayload(Double.nan) }
      #expect(try activity.typedPayload([String: String].self) == ["line": "seven"])
    }

    @Test func s6a_theLivePayloadIsNeverFiltered() {
      let (activity, _) = current("org.example.reading")
      activity.userInfo = ["a": 1, "b": 2]
      app.advance(.seconds(2))
      #expect(app.agent.update?.requiredUserInfoKeys == nil)
      activity.requiredUserInfoKeys = ["a"]
      activity.webpageURL = URL(string: "https://example.org/")
      app.advance(.seconds(2))
      #expect(app.agent.update?.requiredUserInfoKeys == ["a"])
      #expect(app.agent.update?.userInfo == [.text("a"): .int(1), .text("b"): .int(2)])
    }

    @Test func s6d_aMissingRequiredKeyEndsTheOfferAndIsToldOnce() throws {
      let (activity, delegate) = current("org.example.required")
      activity.userInfo = ["line": 1]
      app.advance(.seconds(2))
      #expect(app.agent.update != nil)
      let key = "page \(activity.id)"
      activity.requiredUserInfoKeys = ["line", key]
      for round in 0..<3 {
        activity.userInfo = ["line": round]
        app.advance(.seconds(2))
      }
      #expect(app.agent.withdrawals == 1)
      #expect(delegate.refused.map(\.subject) == [key])
      #expect(CapturedLog.entries(key).count == 1)
      let error = #expect(throws: ContinuityError.self) { try activity.validate() }
      #expect(error == delegate.refused.first)
      _ = app.agent.take()
      activity.addUserInfoEntries(from: [key: 2])
      app.advance(.seconds(2))
      #expect(app.agent.update?.userInfo.count == 2)
      try activity.validate()
    }

    @Test func s7a_publicIndexingNeedsRequiredKeysOrAWebPage() {
      let (activity, _) = current("org.example.indexing.\(UUID())")
      activity.isEligibleForPublicIndexing = true
      let flags = { () -> ActivityFlags in
        activity.needsSave = true
        app.advance(.seconds(2))
        return app.agent.update?.flags ?? []
      }
      #expect(!flags().contains(.publicIndexing))
      #expect(!flags().contains(.publicIndexing))
      #expect(CapturedLog.entries(activity.activityType).count == 1)
      activity.webpageURL = URL(string: "https://example.org/")
      #expect(flags().contains(.publicIndexing))
      activity.webpageURL = nil
      activity.requiredUserInfoKeys = []
      #expect(!flags().contains(.publicIndexing))
      activity.userInfo = ["a": 1]
      activity.requiredUserInfoKeys = ["a"]
      #expect(flags().contains(.publicIndexing))
    }

    @Test func s8a_theTargetContentTravelsAndAsksForNoRound() {
      let (activity, _) = current("org.example.reading")
      app.advance(.seconds(2))
      activity.targetContentIdentifier = "chapter-3"
      #expect(!activity.needsSave)
      activity.needsSave = true
      app.advance(.seconds(2))
      #expect(app.agent.update?.targetContentIdentifier == "chapter-3")
    }

    @Test func s8b_whatIsSetOutsideARoundAsksForOne() throws {
      let changes: [(UserActivity) -> Void] = [
        { $0.title = "t" }, { $0.keywords = ["k"] }, { $0.webpageURL = URL(string: "https://example.org/") },
        { $0.userInfo = ["a": 1] }, { $0.addUserInfoEntries(from: ["b": 1]) },
        { try? $0.setTypedPayload(1) },
      ]
      for change in changes {
        let activity = UserActivity(activityType: "org.example.reading")
        change(activity)
        #expect(activity.needsSave)
      }
      let (activity, delegate) = current("org.example.reading")
      delegate.onSave = { activity in for change in changes { change(activity) } }
      activity.needsSave = true
      app.advance(.seconds(2))
      #expect(delegate.saves == 1 && !activity.needsSave)
    }

    @Test func s12a_aWebPageTravelsUnmodified() throws {
      for text in [
        "https://example.org/a%2Fb;c?q=%20x&r=1+2&&#frag?/ment", "http://user@example.org:8080/%C3%BC",
      ] {
        let (activity, _) = current("org.example.reading")
        activity.webpageURL = URL(string: text)
        app.advance(.seconds(2))
        let arrived = UserActivity(continuing: try #require(app.agent.update), documentURL: nil)
        #expect(app.agent.update?.webpageURL == text && arrived.webpageURL?.absoluteString == text)
      }
    }

    @Test func s16b_becomingCurrentAfterTheEndDoesNothingAndIsLoggedOnce() {
      let activity = UserActivity(activityType: "org.example.ended.\(UUID())")
      activity.becomeCurrent()
      activity.invalidate()
      for _ in 0..<3 { activity.becomeCurrent() }
      app.advance(.seconds(2))
      #expect(!activity.isCurrent && app.agent.update == nil)
      #expect(CapturedLog.entries(activity.activityType).count == 1)
    }

    @Test func contentAttributesTravelAndAreCopiedIn() throws {
      let (activity, delegate) = current("org.example.reading")
      let set = SearchableItemAttributeSet(contentType: "public.text")
      (set.title, set.contentDescription, set.keywords) = ("Plan", "What to do", ["work", "plan"])
      set["pageCount"] = 12
      set["odd"] = Character("x")
      activity.contentAttributeSet = set
      set.title = "changed afterwards"
      app.advance(.seconds(2))
      let arrived = UserActivity(continuing: try #require(app.agent.update), documentURL: nil)
      let read = try #require(arrived.contentAttributeSet)
      #expect(read.title == "Plan" && read.contentType == "public.text")
      #expect(read.contentDescription == "What to do" && read.keywords == ["work", "plan"])
      #expect(read["pageCount"] as? Int == 12 && read["odd"] == nil && read.displayName == nil)
      #expect(delegate.omitted.map(\.description).first?.contains("contentAttributeSet.odd") == true)
    }

    private struct Place: Codable, Equatable {
      var line: Int
      var names: [String]
    }

    private func current(_ type: String) -> (UserActivity, ListeningDelegate) {
      let activity = UserActivity(activityType: type)
      let delegate = ListeningDelegate()
      activity.delegate = delegate
      activity.becomeCurrent()
      delegate.kept = activity
      return (activity, delegate)
    }
  }
}

/// Writes down what an activity tells, and keeps it for the test's length.
@MainActor
final class ListeningDelegate: UserActivityDelegate {
  private(set) var saves = 0
  private(set) var continuations = 0
  private(set) var omitted: [ContinuityError] = []
  private(set) var refused: [ContinuityError] = []
  private(set) var streams: [(InputStream, OutputStream)] = []
  var onSave: ((UserActivity) -> Void)?
  var kept: UserActivity?

  func userActivityWillSave(_ userActivity: UserActivity) {
    saves += 1
    onSave?(userActivity)
  }
  func userActivityWasContinued(_ userActivity: UserActivity) { continuations += 1 }
  func userActivity(_ userActivity: UserActivity, didOmit error: ContinuityError) { omitted.append(error) }
  func userActivity(_ userActivity: UserActivity, wasNotOffered error: ContinuityError) {
    refused.append(error)
  }
  func userActivity(
    _ userActivity: UserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
  ) { streams.append((inputStream, outputStream)) }
}
