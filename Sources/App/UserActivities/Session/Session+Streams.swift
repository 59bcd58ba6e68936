// SPDX-License-Identifier: MIT

import ActivityExchange
package import ActivityModel
import AppSession
package import Foundation
import LinuxSystem

// Continuation streams, as a session hands them out (semantics 24).
extension Session {
  /// Asks the app that an activity came from for streams, by its delivery's ID; `done` is called once, later.
  package func openStreams(
    to delivery: RequestID, then done: @escaping @MainActor (OpenedStreams) -> Void
  ) {
    let request = RequestID.random()
    askedStreams[request] = done
    handle(.asksStreams(request, delivery: delivery))
  }

  /// Takes news of a pair; the descriptor is the session's.
  func receive(_ report: StreamsReport, of request: RequestID, _ descriptor: Descriptor?) {
    switch report {
    case .prepared: keptEnds[request] = descriptor
    case .opened:
      guard let asker = askedStreams.removeValue(forKey: request) else { return }
      guard let descriptor else { return answer(asker, OpenedStreams(.failure(Self.noSocket))) }
      let pair = ContinuationStreams(over: descriptor)
      streams[request] = pair.ends
      answer(asker, OpenedStreams(.success((pair.input, pair.output))))
    case .offered(let id, _):
      guard let descriptor else { return }
      streams[request] = activity(id)?.takeStreams(over: descriptor)
    case .ended: end(request, because: nil)
    case .failed(let error): end(request, because: error)
    }
  }

  /// Closes what is kept of a pair, after the reason is noted: whoever reads to the end finds out why.
  private func end(_ request: RequestID, because error: ContinuityError?) {
    defer { keptEnds[request] = nil }
    if let asker = askedStreams.removeValue(forKey: request) {
      return answer(asker, OpenedStreams(.failure(error ?? Self.declined)))
    }
    let ends = streams.removeValue(forKey: request)
    if let error { ends?.fail(error) }
  }

  /// Not before whoever asked has gone on.
  private func answer(_ asker: @escaping @MainActor (OpenedStreams) -> Void, _ opened: OpenedStreams) {
    Task { @MainActor in asker(opened) }
  }

  private static let declined = ContinuityError(
    .connectionUnavailable, subject: "streams",
    description: "The app on the other device ended the streams at once.")

  private static let noSocket = ContinuityError(
    .connectionUnavailable, subject: "streams",
    description: "Too many files are open in this app: close some, and ask again.")
}

/// What asking for streams gives.
package struct OpenedStreams: @unchecked Sendable {  // made and taken on the main actor, and had by one alone
  package let result: Result<(input: InputStream, output: OutputStream), ContinuityError>

  init(_ result: Result<(input: InputStream, output: OutputStream), ContinuityError>) { self.result = result }
}
