// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import Synchronization
import Testing
import UserActivities

@testable import Documents

extension OneApplicationAtATime {
  /// What the delegate is told, and what the framework shows when it implements nothing.
  @MainActor
  @Suite("Answers of a continuation")
  struct AnsweringTests {
    let app = SampleApp()
    private let will = "will " + SampleApp.type
    private let begin = "begin " + SampleApp.type
    private let end = "end " + SampleApp.type

    private func fail(
      _ error: ContinuityError = ContinuityError(.versionNeverArrived, description: "It never came.")
    ) {
      let request = beginWaiting()
      app.report(.fail(request, error))
    }

    private func beginWaiting() -> RequestID {
      let snapshot = ActivitySnapshot(
        id: .random(), type: SampleApp.type, appID: "x", changedAt: WallTime(milliseconds: 1))
      let offer = Offer(
        id: OfferID(device: .random(), activity: snapshot.id), deviceName: "desktop", snapshot: snapshot,
        folderName: "", status: ArrivalStatus(.missing))
      app.report(.offers([offer]))
      return app.application.continueOffer(offer.id)
    }

    @Test func s36a_willContinueComesAtOnceWithTheTypeOnly() {
      _ = beginWaiting()
      #expect(app.calls == [will])
    }

    @Test func s36b_theFrameworkShowsFeedbackUnlessTheAppDoes() {
      let request = beginWaiting()
      #expect(app.presented == [begin])
      app.takes = true
      app.report(.willContinue(request, offer: app.application.offers[0]))
      app.deliver(nil)
      // The second continuation cancelled the first.
      #expect(app.presented == [begin, end, begin, end])

      let showing = SampleApp()
      showing.showsFeedback = true
      showing.deliver(nil)
      #expect(showing.presented.isEmpty)
    }

    @Test func s36b_s43a_anAppThatImplementsNothingGetsFeedbackAndErrorsOfTheFramework() {
      let silent = SilentApp()
      app.application.delegate = silent
      fail()
      #expect(app.presented == [begin, end, "error"])
      #expect(app.errors.map(\.code) == [.versionNeverArrived])
      app.application.delegate = nil
      fail()
      #expect(app.presented == [begin, end, "error", begin, end, "error"])
      #expect(app.calls.isEmpty)
    }

    @Test func s43a_anAppThatImplementsDidFailPresentsItItself() {
      fail()
      #expect(app.calls == [will, "fail"])
      #expect(app.presented == [begin, end])
    }

    @Test func s43a_anAppThatImplementsNothingIsShownADocumentThatCannotBeRead() throws {
      let silent = SilentApp()
      app.application.delegate = silent
      try Data([0xff, 0xfe]).write(to: app.folder.url("plan.md"))
      app.deliver("plan.md")
      #expect(app.presented == [begin, end, "error"])
      #expect(app.agent.outcomes == [.failed])
    }

    @Test func s37a_anAppThatLeavesContinuingToTheFrameworkHearsOfItsFailureOnce() throws {
      let failing = FailureApp()
      app.application.delegate = failing
      try Data([0xff, 0xfe]).write(to: app.folder.url("plan.md"))
      app.deliver("plan.md")
      #expect(failing.errors.map(\.code) == [.documentUnreadable])
      #expect(app.presented == [begin, end])
    }

    @Test func s38b_aCancelledContinuationIsNeverPresented() {
      let silent = SilentApp()
      app.application.delegate = silent
      let first = beginWaiting()
      app.application.cancelContinuation(first)
      #expect(app.presented == [begin, end])
      fail(ContinuityError(.userCancelled, description: "Cancelled elsewhere."))
      #expect(app.presented == [begin, end, begin, end])
    }

    @Test func s38b_anAppThatEndsCancelsWhatStillWaits() {
      let request = beginWaiting()
      app.application.terminate()
      #expect(app.agent.requests.last == .cancel(request))
      #expect(app.calls == [will, "fail"] && app.errors.map(\.code) == [.userCancelled])
      #expect(app.application.continuation == nil)
    }

    @Test func withoutAPresenterTheLogSaysIt() {
      #expect(CapturedLog.isOn)
      let before = (
        begun: CapturedLog.entries("is being continued").count, CapturedLog.entries("It never came").count
      )
      let silent = SilentApp()
      app.application.delegate = silent
      app.application.presenter = nil
      fail()
      let begun = CapturedLog.entries("is being continued")
      #expect(begun.count == before.begun + 1)
      #expect(begun.last == "debug: An activity of type \(SampleApp.type) is being continued.")
      #expect(CapturedLog.entries("It never came").count == before.1 + 1)
    }

    // MARK: The restoration handler

    @Test func s42a_aDelegateMayLeaveTheHandlerAlone() {
      app.takes = true
      app.deliver(nil)
      app.keptHandler = nil
      #expect(app.agent.outcomes == [.handled])
    }

    @Test func s42d_aSecondCallIsLoggedAndRestoresNothing() throws {
      #expect(CapturedLog.isOn)
      let before = CapturedLog.entries("restorationHandler").count
      app.takes = true
      app.deliver(nil)
      let handler = try #require(app.keptHandler)
      let file = TextFile()
      handler([])
      handler([file])
      #expect(file.line == 1)
      let entries = CapturedLog.entries("restorationHandler").dropFirst(before)
      #expect(entries.count == 1 && entries.last?.contains("a second time") == true)
      #expect(entries.last?.hasPrefix("error: ") == true)
    }

    @Test func s42d_aCallFromAnotherThreadIsLoggedAndTheHandlerStaysGood() async throws {
      #expect(CapturedLog.isOn)
      let before = CapturedLog.entries("restorationHandler").count
      app.takes = true
      app.deliver(nil)
      let handler = try #require(app.keptHandler)
      // Swift keeps such a call from being written; code that is older than actors does this.
      let escaped = unsafeBitCast(handler, to: (@Sendable ([any UserActivityRestoring]) -> Void).self)
      await withCheckedContinuation { done in
        Thread.detachNewThread {
          escaped([])
          done.resume()
        }
      }
      let file = TextFile()
      handler([file])
      let entries = CapturedLog.entries("restorationHandler").dropFirst(before)
      #expect(file.line == 3 && entries.count == 1 && entries.last?.contains("another thread") == true)
    }

    // MARK: Errors

    @Test func s43b_codesHaveApplesNumbersAndDomain() {
      let codes: [ContinuityError.Code] = [
        .handoffFailed, .connectionUnavailable, .remoteTimedOut, .userInfoTooLarge, .userCancelled,
      ]
      #expect(codes.map(\.rawValue) == [4608, 4609, 4610, 4611, 3072])
      let error =
        ContinuityError(.connectionUnavailable, description: "No agent answers.") as any Error as NSError
      #expect(error.domain == NSCocoaErrorDomain && error.code == 4609)
      #expect(error.localizedDescription == "No agent answers.")
      #expect(
        (ContinuityError(.userCancelled, description: "") as NSError).code
          == CocoaError.userCancelled.rawValue)
    }

    @Test func s43c_oursStandAboveApplesAndWithinTheRangeOfUserActivities() {
      let ours: [ContinuityError.Code] = [
        .documentMissing, .documentDiverged, .versionNeverArrived, .folderUnknown, .declined,
        .changedWhileOpening, .documentUnreadable, .invalidRequest, .invalidManifest, .invalidBytes,
        .folderUnavailable, .pairingFailed, .agentUnavailable,
      ]
      #expect(ours.prefix(5).map(\.rawValue) == [4621, 4622, 4623, 4624, 4625])
      #expect(Set(ours).count == ours.count)
      #expect(ours.allSatisfy { (4621...4863).contains($0.rawValue) })
    }
  }
}

/// An app that implements nothing of the protocol.
@MainActor
private final class SilentApp: ApplicationDelegate {}

/// An app that only wants to know of failures.
@MainActor
private final class FailureApp: ApplicationDelegate {
  private(set) var errors: [ContinuityError] = []

  func application(
    _ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error
  ) {
    if let error = error as? ContinuityError { errors.append(error) }
  }
}
