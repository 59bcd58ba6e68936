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
    handle(.asksStreams(request, delivery: delivery))
    return request
  }

  func receive(_ report: StreamsReport, of request: RequestID, _ descriptor: Descriptor?) {
    switch report {
    case .prepared: break  // the other end, which the `AppSession` keeps
    case .opened: if let descriptor { queue(.openedStreams(request, descriptor)) }
    case .offered(let activity, let device):
      guard let descriptor, let held = activities[activity] else { return }
      queue(.receivedStreams(request, activity, held.document, device: device, descriptor))
    case .ended: queue(.endedStreams(request, nil, kept: descriptor))
    case .failed(let error): queue(.endedStreams(request, error, kept: descriptor))
    }
  }
}
