// SPDX-License-Identifier: MIT

package import ActivityModel
package import AgentClient
import Dispatch
import LinuxSystem

/// Ties an `AgentClient` to the main queue and to a session: reads and writes when it is time.
@MainActor
package final class AgentConnection {
  package let client: AgentClient
  private weak var session: Session?
  private var reader: (any DispatchSourceRead)?
  private var writer: (any DispatchSourceWrite)?

  package init(session: Session, places: AgentPlaces, startsAgent: Bool = true) {
    self.session = session
    client = AgentClient(places: places, startsAgent: startsAgent)
    session.link = client
    client.didReceive = { [weak session] report, descriptor in
      MainActor.assumeIsolated {
        if let session {
          session.receive(report, descriptor: descriptor)
        } else if let descriptor {
          BorrowedDescriptor(descriptor).close()
        }
      }
    }
    client.connectionDidChange = { [weak self] isUp in
      MainActor.assumeIsolated { self?.connectionDidChange(isUp) }
    }
    client.outputDidStall = { [weak self] in MainActor.assumeIsolated { self?.watchForRoom() } }
  }

  /// Connects, and keeps trying until `end`.
  package func start() {
    session?.connect()
  }

  /// Sends what waits, for at most `limit`, and closes. Nothing is withdrawn.
  package func close(within limit: Duration) {
    client.flush(for: limit)
    session?.link = nil
    client.disconnect()
  }

  package var lastError: ContinuityError? { client.lastError }

  private func connectionDidChange(_ isUp: Bool) {
    if isUp {
      watchForInput()
    } else {
      reader?.cancel()
      reader = nil
      stopWriting()
    }
    session?.linkDidChange(isUp: isUp)
  }

  private func watchForInput() {
    let watched = Self.duplicate(client.descriptor)
    let source = DispatchSource.makeReadSource(fileDescriptor: watched, queue: .main)
    source.setEventHandler { @Sendable [weak self] in
      MainActor.assumeIsolated { self?.client.readable() }
    }
    source.setCancelHandler { @Sendable in BorrowedDescriptor(watched).close() }
    source.activate()
    reader = source
  }

  private func watchForRoom() {
    guard writer == nil, client.isConnected else { return }
    let watched = Self.duplicate(client.descriptor)
    let source = DispatchSource.makeWriteSource(fileDescriptor: watched, queue: .main)
    source.setEventHandler { @Sendable [weak self] in
      MainActor.assumeIsolated {
        self?.client.writable()
        if self?.client.wantsToWrite == false { self?.stopWriting() }
      }
    }
    source.setCancelHandler { @Sendable in BorrowedDescriptor(watched).close() }
    source.activate()
    writer = source
  }

  private func stopWriting() {
    writer?.cancel()
    writer = nil
  }

  /// The sources watch duplicates: a descriptor may be closed only after its source was cancelled, and the
  /// client closes its own at once.
  private static func duplicate(_ descriptor: Int32) -> Int32 {
    (try? BorrowedDescriptor(descriptor).duplicate(from: 0))?.release() ?? -1
  }
}
