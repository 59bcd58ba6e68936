// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem
import Testing
import UserActivities

extension OneApplicationAtATime {
  @MainActor
  @Suite("Large payloads, and streams instead of them")
  struct PayloadLimitTests {
    let app = SampleApp()
    let delegate = ListeningDelegate()
    let activity: UserActivity

    init() {
      activity = UserActivity(activityType: "org.example.large.\(UUID())")
      activity.delegate = delegate
      activity.becomeCurrent()
    }

    private var log: [String] { CapturedLog.entries(activity.activityType) }

    @Test func s10a_above3KiBThereIsAWarningUntilItIsSmallAgain() throws {
      activity.userInfo = ["small": 1, "text": String(repeating: "x", count: 3000)]
      app.advance(.seconds(2))
      #expect(log == [])
      for count in [3100, 4000] {
        activity.userInfo = ["small": 1, "text": String(repeating: "x", count: count)]
        app.advance(.seconds(2))
      }
      #expect(log.count == 1 && log[0].hasPrefix("warning") && log[0].contains("“text” (3103 bytes)"))
      #expect(app.agent.update?.userInfo.count == 2 && delegate.refused == [])
      try activity.validate()
      activity.userInfo = [:]
      app.advance(.seconds(2))
      try activity.setTypedPayload(String(repeating: "x", count: 4000))
      app.advance(.seconds(2))
      #expect(log.count == 2 && log[1].contains("typed payload"))
    }

    @Test func s10b_above16KiBItIsNotOfferedAndAnEarlierOfferEnds() throws {
      activity.userInfo = ["line": 1]
      app.advance(.seconds(2))
      #expect(app.agent.update != nil)
      activity.userInfo = [
        "line": 2, "medium": Data(count: 5000), "large": Data(count: 12_000), "text": "abc",
      ]
      app.advance(.seconds(2))
      #expect(app.agent.withdrawals == 1)
      let error = try #require(delegate.refused.first)
      #expect(error.code == .userInfoTooLarge && error.code.rawValue == 4611)
      #expect(error.description.contains("largest are “large” (12003 bytes), “medium” (5003 bytes)"))
      #expect(error.description.contains("continuation streams"))
      #expect(CapturedLog.entries(error.description).count >= 1)
      #expect(throws: error) { try activity.validate() }
      _ = app.agent.take()
      app.disconnect()
      app.connect()
      #expect(app.agent.update == nil)
      activity.userInfo = ["line": 3]
      app.advance(.seconds(2))
      #expect(app.agent.update?.userInfo == [.text("line"): .int(3)])
      #expect(delegate.refused.count == 1)
    }

    @Test func s10b_theWholePayloadCounts() throws {
      activity.userInfo = ["a": Data(count: 6000)]
      try activity.setTypedPayload(String(repeating: "b", count: 6000))
      app.advance(.seconds(2))
      #expect(app.agent.update != nil && delegate.refused == [])
      let set = SearchableItemAttributeSet()
      set["thumbnailData"] = Data(count: 6000)
      activity.contentAttributeSet = set
      activity.needsSave = true
      app.advance(.seconds(2))
      #expect(app.agent.withdrawals == 1)
      #expect(delegate.refused.first?.description.contains("the content attributes") == true)
    }

    @Test func whatBreaksAnotherLimitIsToldAndNotSent() {
      let faults: [(UserActivity) -> Void] = [
        { $0.keywords = Set((0..<65).map { "word \($0)" }) },
        { $0.persistentIdentifier = String(repeating: "i", count: 1025) },
        { $0.webpageURL = URL(string: "https://example.org/" + String(repeating: "p", count: 4096)) },
      ]
      for fault in faults {
        let activity = UserActivity(activityType: "org.example.limits")
        let listener = ListeningDelegate()
        activity.delegate = listener
        activity.becomeCurrent()
        fault(activity)
        activity.needsSave = true
        app.advance(.seconds(2))
        #expect(app.agent.update?.id != activity.id)
        #expect(listener.refused.map(\.code) == [.invalidRequest])
        #expect(listener.refused.first?.description.contains("cannot travel") == true)
      }
    }

    @Test func s24a_streamsComeOnlyWhileTheyAreSupported() throws {
      let (end, other) = try UnixSocket.pair()
      #expect(activity.takeStreams(over: end) == nil)
      activity.supportsContinuationStreams = true
      #expect(activity.takeStreams(over: end) != nil)
      activity.supportsContinuationStreams = false
      #expect(activity.takeStreams(over: end) == nil)
      let (input, output) = try #require(delegate.streams.first)
      #expect(delegate.streams.count == 1)
      #expect(input.streamStatus == .notOpen && output.streamStatus == .notOpen)
      output.open()
      #expect(output.write([7], maxLength: 1) == 1)
      var bytes: [UInt8] = [0, 0]
      #expect(try other.read(into: &bytes) == 1 && bytes[0] == 7)
      app.advance(.seconds(2))
      #expect(app.agent.update?.flags.contains(.streams) == false)
      activity.supportsContinuationStreams = true
      activity.needsSave = true
      app.advance(.seconds(2))
      #expect(app.agent.update?.flags.contains(.streams) == true)
    }

    @Test func s24b_onlyADeliveredActivityOfAnAppWithStreamsMayAsk() async throws {
      activity.supportsContinuationStreams = true
      let own = await #expect(throws: ContinuityError.self) { try await streams(of: activity) }
      #expect(own?.code == .invalidRequest && own?.description.contains("delivered") == true)
      let without = await #expect(throws: ContinuityError.self) {
        try await streams(of: delivered(withStreams: false))
      }
      #expect(without?.code == .invalidRequest)
      #expect(without?.description.contains("supportsContinuationStreams") == true)
    }

    @Test func s24c_streamsLeadToTheSourceAndFailWithTheReason() async throws {
      let delivery = RequestID.random()
      var got: (input: InputStream?, output: OutputStream?, error: (any Error)?)?
      func ask() -> RequestID? {
        got = nil
        delivered(withStreams: true, as: delivery).getContinuationStreams { got = ($0, $1, $2) }
        #expect(got == nil, "later")
        return app.agent.take().lazy.compactMap { request -> RequestID? in
          if case .openStreams(let request, to: delivery) = request { request } else { nil }
        }.first
      }
      func answered() async { await waitUntil { got != nil } }
      let reason = ContinuityError(.connectionUnavailable, subject: "streams", description: "No link.")
      app.report(.streams(try #require(ask()), .failed(reason)))
      await answered()
      #expect(got?.input == nil && got?.output == nil && got?.error as? ContinuityError == reason)

      let request = try #require(ask())
      let (end, other) = try UnixSocket.pair()
      app.report(.streams(request, .prepared), descriptor: try other.duplicate().release())
      app.report(.streams(request, .opened), descriptor: end.release())
      await answered()
      let (input, output) = (try #require(got?.input), try #require(got?.output))
      #expect(got?.error == nil && input.streamStatus == .notOpen && output.streamStatus == .notOpen)
      input.open()
      output.open()
      try other.writeAll([7])
      // The network process dies: that alone is no end.
      other.close()
      var byte: UInt8 = 0
      #expect(output.hasSpaceAvailable && output.write([1], maxLength: 1) == 1)
      // What came before is read, and then the reason is there.
      app.report(.streams(request, .failed(reason)))
      #expect(output.write([1], maxLength: 1) == -1 && output.streamError as? ContinuityError == reason)
      #expect(input.read(&byte, maxLength: 1) == 1 && byte == 7)
      #expect(input.read(&byte, maxLength: 1) == -1 && input.streamError as? ContinuityError == reason)

      // Without an agent nobody is asked, and nobody waits.
      _ = ask()
      app.disconnect()
      await answered()
      #expect((got?.error as? ContinuityError)?.code == .connectionUnavailable)
    }

    private func streams(of activity: UserActivity) async throws {
      _ = try await activity.continuationStreams()
    }

    private func delivered(withStreams: Bool, as delivery: RequestID? = nil) -> UserActivity {
      var snapshot = ActivitySnapshot(
        id: .random(), type: "org.example.reading", appID: "org.example.editor",
        changedAt: WallTime(milliseconds: 1))
      if withStreams { snapshot.flags.insert(.streams) }
      return UserActivity(continuing: snapshot, documentURL: nil, delivery: delivery)
    }
  }
}
