// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

// Saved activities: semantics 11. Nothing is answered before it is on the disk.
extension AgentCore {
  func save(_ snapshot: ActivitySnapshot, _ request: RequestID, from connection: any ClientChannel) {
    changeSaved(request, connection) { $0.save(snapshot, of: $1, at: ports.wall) }
  }

  func deleteSaved(_ identifiers: [String]?, _ request: RequestID, from connection: any ClientChannel) {
    changeSaved(request, connection) { $0.delete(identifiers, of: $1) }
  }

  private func changeSaved(
    _ request: RequestID, _ connection: any ClientChannel,
    _ change: (inout SavedActivities, _ appID: String) -> Void
  ) {
    guard let appID = clients[connection.number]?.manifest?.appID else { return }
    var failure: ContinuityError?
    do throws(ContinuityError) {
      try store.changeSaved { change(&$0, appID) }
    } catch {
      failure = error
    }
    connection.send(.report(.kept(request, failure)))
    expireSaved()
  }

  /// Removes what has expired, now and whenever something does; looked at once an hour at least, for the
  /// civil clock may be set, and the machine may sleep.
  func expireSaved() {
    ports.scheduler.cancel(savedTimer)
    savedTimer = nil
    let wall = ports.wall
    do throws(ContinuityError) {
      try store.changeSaved { $0.removeExpired(at: wall) }
    } catch {
      ports.log("expired activities could not be removed: code \(error.code)")
    }
    guard let next = store.saved.nextExpiry else { return }
    let pause = next > wall ? Int64(clamping: next.milliseconds - wall.milliseconds) : 60_000
    savedTimer = ports.scheduler.schedule(at: ports.now + min(.milliseconds(pause), .seconds(3600))) {
      [weak self] in
      self?.expireSaved()
    }
  }
}
