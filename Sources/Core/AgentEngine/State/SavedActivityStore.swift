// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

/// The activities that apps have saved: semantics 11. Nothing is answered before it is on the disk. Loop
/// thread only.
final class SavedActivityStore {
  private let ports: AgentPorts
  private let store: StateStore
  private let clients: ConnectedClients
  private var timer: TimerNumber?

  init(ports: AgentPorts, store: StateStore, clients: ConnectedClients) {
    self.ports = ports
    self.store = store
    self.clients = clients
  }

  /// Keeps the activity, and answers the request.
  func save(_ snapshot: ActivitySnapshot, _ request: RequestID, from connection: any ClientChannel) {
    change(request, connection) { $0.save(snapshot, of: $1, at: ports.wall) }
  }

  /// Deletes the app's activities of these identifiers, nil for all, and answers the request.
  func delete(_ identifiers: [String]?, _ request: RequestID, from connection: any ClientChannel) {
    change(request, connection) { $0.delete(identifiers, of: $1) }
  }

  /// Nothing is removed any more when it expires.
  func stop() { ports.scheduler.cancel(timer) }

  private func change(
    _ request: RequestID, _ connection: any ClientChannel,
    _ change: (inout SavedActivities, _ appID: String) -> Void
  ) {
    guard let appID = clients.manifest(of: connection.number)?.appID else { return }
    var failure: ContinuityError?
    do throws(ContinuityError) {
      try store.changeSaved { change(&$0, appID) }
    } catch {
      failure = error
    }
    connection.send(.report(.kept(request, failure)))
    expire()
  }

  /// Removes what has expired, now and whenever something does; looked at once an hour at least, for the
  /// civil clock may be set, and the machine may sleep.
  func expire() {
    ports.scheduler.cancel(timer)
    timer = nil
    let wall = ports.wall
    do throws(ContinuityError) {
      try store.changeSaved { $0.removeExpired(at: wall) }
    } catch {
      ports.log("expired activities could not be removed: code \(error.code)")
    }
    guard let next = store.saved.nextExpiry else { return }
    let pause = next > wall ? Int64(clamping: next.milliseconds - wall.milliseconds) : 60_000
    timer = ports.scheduler.schedule(at: ports.now + min(.milliseconds(pause), .seconds(3600))) {
      [weak self] in
      self?.expire()
    }
  }
}
