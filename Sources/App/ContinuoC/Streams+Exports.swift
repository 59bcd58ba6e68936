// SPDX-License-Identifier: MIT

public import CContinuo
import Embedding

/// Asks the app that an activity came from for streams.
@c(continuo_streams_open)
public func continuoStreamsOpen(
  _ session: continuo_session, _ continuation: continuo_continuation,
  _ streams: UnsafeMutablePointer<continuo_streams>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    guard let streams else { throw .null("streams") }
    let request = try host.delivery(continuation)
    streams.pointee = host.streams.handle(of: embedded.openStreams(to: request))
  }
}
