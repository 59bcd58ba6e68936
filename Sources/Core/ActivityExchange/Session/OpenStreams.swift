// SPDX-License-Identifier: MIT

import ActivityModel

/// Continuation streams on one app's side. What an app asked for is answered once, and every pair that it has
/// ends once: with the agent, too, which alone knows why.
struct OpenStreams: Hashable, Sendable {
  typealias Action = SessionMachine.Action

  /// What is asked for and not there yet.
  private var asked: Set<RequestID> = []
  /// The same, and what the app has.
  private var requests: Set<RequestID> = []

  mutating func ask(_ request: RequestID, to delivery: RequestID, isConnected: Bool) -> [Action] {
    guard isConnected else { return [.streams(request, .failed(Self.noAgent))] }
    requests.insert(request)
    asked.insert(request)
    return [.send(.openStreams(request, to: delivery))]
  }

  /// What nobody asked for any more is passed over.
  mutating func receive(_ request: RequestID, _ report: StreamsReport) -> [Action] {
    switch report {
    case .opened: guard asked.remove(request) != nil else { return [] }
    case .prepared, .offered: requests.insert(request)
    case .ended, .failed:
      let isAsked = asked.remove(request) != nil
      guard requests.remove(request) != nil else { return [] }
      if isAsked, report == .ended { return [.streams(request, .failed(Self.declined))] }
    }
    return [.streams(request, report)]
  }

  mutating func disconnect() -> [Action] {
    defer { (asked, requests) = ([], []) }
    return requests.sorted().map { .streams($0, .failed(Self.noAgent)) }
  }

  private static let declined = ContinuityError(
    .connectionUnavailable, subject: "streams",
    description: "The app on the other device ended the streams at once.")

  private static let noAgent = ContinuityError(
    .connectionUnavailable, subject: "streams", because: .agentUnreachable)
}
