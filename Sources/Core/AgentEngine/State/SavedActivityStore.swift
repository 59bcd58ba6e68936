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
    change(request, connection) { (index, appID) throws(ContinuityError) in
      try index.save([SavedActivity(appID: appID, snapshot: snapshot)], at: ports.wall)
    }
  }

  /// Deletes the app's activities of these identifiers, nil for all, and answers the request.
  func delete(_ identifiers: [String]?, _ request: RequestID, from connection: any ClientChannel) {
    change(request, connection) { (index, appID) throws(ContinuityError) in
      try index.delete(identifiers, domains: nil, of: appID)
    }
  }

  /// Nothing is removed any more when it expires.
  func stop() { ports.scheduler.cancel(timer) }

  private func change(
    _ request: RequestID, _ connection: any ClientChannel,
    _ change: (any ActivityIndexing, _ appID: String) throws(ContinuityError) -> Void
  ) {
    guard let appID = clients.manifest(of: connection.number)?.appID else { return }
    var failure: ContinuityError?
    do throws(ContinuityError) {
      try change(store.savedActivities, appID)
    } catch {
      failure = error
    }
    connection.send(.report(.kept(request, failure)))
    schedule(store.savedActivities.nextExpiry)
  }

  /// Removes what has expired, now and whenever something does; looked at once an hour at least, for the
  /// civil clock may be set, and the machine may sleep.
  func expire() {
    do throws(ContinuityError) {
      try store.savedActivities.removeExpired(at: ports.wall)
    } catch {
      ports.log("expired activities could not be removed: code \(error.code)")
    }
    schedule(store.savedActivities.nextExpiry)
  }

  /// Those that have these words, or were saved last without any. Throws as `ActivityIndexing.search`.
  func find(_ words: String?, atMost limit: Int) throws(ContinuityError) -> [FoundActivity] {
    let (index, wall) = (store.savedActivities, ports.wall)
    let found =
      if let words {
        try index.search(words, of: nil, atMost: limit, at: wall)
      } else {
        try index.recent(of: nil, atMost: limit, at: wall)
      }
    return found.map(FoundActivity.init)
  }

  private func schedule(_ next: WallTime?) {
    ports.scheduler.cancel(timer)
    timer = nil
    guard let next else { return }
    let wall = ports.wall
    let pause = next > wall ? Int64(clamping: next.milliseconds - wall.milliseconds) : 60_000
    timer = ports.scheduler.schedule(at: ports.now + min(.milliseconds(pause), .seconds(3600))) {
      [weak self] in
      self?.expire()
    }
  }
}
