// SPDX-License-Identifier: MIT

import ActivityExchange
package import ActivityModel

/// What the desktop's rules make of a file.
package struct ContentTypes: Hashable, Sendable {
  /// The MIME type first, then those declared ones that it is a kind of, nearest first; empty when unknown.
  package var names: [String] = []
  /// Why nobody could tell.
  package var failure: ContinuityError?

  package init(names: [String] = [], failure: ContinuityError? = nil) {
    self.names = names
    self.failure = failure
  }
}

extension Session {
  /// Asks the agent of what MIME type the file is; unknown after 2 s, and at once without an agent. Give at
  /// most `AgentRequest.contentSampleLimit` first bytes.
  package func contentTypes(name: [UInt8], beginning: [UInt8]) async -> ContentTypes {
    let request = RequestID.random()
    return await withCheckedContinuation { asker in
      asked[request] = { answer in
        guard case .contentTypes(let names, let failure) = answer else { return }
        asker.resume(returning: ContentTypes(names: names, failure: failure))
      }
      handle(.asks(request, .contentType(name: name, beginning: beginning)))
    }
  }
}
