// SPDX-License-Identifier: MIT

import ActivityExchange
public import ActivityModel
import LinuxSystem

// Continuation streams (semantics 24): bytes go through sockets of the agents, not through the session.
extension EmbeddedSession {
  /// Asks the app that an activity came from for streams, by its continuation's ID. The ID that this gives is
  /// what `openedStreams` and `endedStreams` tell of: one of them follows, and the second at last.
  public func openStreams(to delivery: RequestID) -> RequestID {
    let request = RequestID.random()
    awaitedEnds.insert(request)
    handle(.asksStreams(request, delivery: delivery))
    return request
  }

  func receive(_ report: StreamsReport, of request: RequestID, _ descriptor: Descriptor?) {
    switch report {
    case .prepared: keptEnds[request] = descriptor
    case .opened:
      guard let descriptor else { return tellEnd(of: request, because: Self.noSocket) }
      queue(.openedStreams(request, descriptor))
    case .offered(let activity, let device):
      guard let descriptor, let held = activities[activity] else { return }
      awaitedEnds.insert(request)
      queue(.receivedStreams(request, activity, held.document, device: device, descriptor))
    case .ended: tellEnd(of: request, because: nil)
    case .failed(let error): tellEnd(of: request, because: error)
    }
  }

  /// Once; what is kept is closed after that.
  private func tellEnd(of request: RequestID, because error: ContinuityError?) {
    guard awaitedEnds.remove(request) != nil else {
      keptEnds[request] = nil
      return
    }
    queue(.endedStreams(request, error))
  }

  private static let noSocket = ContinuityError(
    .connectionUnavailable, subject: "streams",
    description: "Too many files are open in this app: close some, and ask again.")
}
