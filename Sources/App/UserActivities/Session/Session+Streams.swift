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

  /// Takes news of a pair; the descriptor is the session's. The other end of one that ends is closed after
  /// the reason is noted: whoever reads to the end finds out why.
  func receive(_ report: StreamsReport, of request: RequestID, _ descriptor: Descriptor?) {
    switch report {
    case .prepared: break  // the other end, which the `AppSession` keeps
    case .opened:
      guard let descriptor, let asker = askedStreams.removeValue(forKey: request) else { return }
      let pair = ContinuationStreams(over: descriptor)
      streams[request] = pair.ends
      answer(asker, OpenedStreams(.success((pair.input, pair.output))))
    case .offered(let id, _):
      guard let descriptor else { return }
      streams[request] = activity(id)?.takeStreams(over: descriptor)
    case .ended: streams[request] = nil
    case .failed(let error):
      withExtendedLifetime(descriptor) {
        if let asker = askedStreams.removeValue(forKey: request) {
          answer(asker, OpenedStreams(.failure(error)))
        } else {
          streams.removeValue(forKey: request)?.fail(error)
        }
      }
    }
  }

  /// Not before whoever asked has gone on.
  private func answer(_ asker: @escaping @MainActor (OpenedStreams) -> Void, _ opened: OpenedStreams) {
    Task { @MainActor in asker(opened) }
  }
}

/// What asking for streams gives.
package struct OpenedStreams: @unchecked Sendable {  // made and taken on the main actor, and had by one alone
  package let result: Result<(input: InputStream, output: OutputStream), ContinuityError>

  init(_ result: Result<(input: InputStream, output: OutputStream), ContinuityError>) { self.result = result }
}
