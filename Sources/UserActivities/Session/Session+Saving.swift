// SPDX-License-Identifier: MIT

import ActivityExchange
package import ActivityModel
import ActivityWire

// Rounds and saved activities, as a session performs them.
extension Session {
  /// Offers the state that a round gave, or tells why not; an earlier offer, of a state that is no more, ends
  /// then. The saved file's descriptor is the session's to close.
  func offer(_ activity: UserActivity, _ snapshot: ActivitySnapshot, saved: SavedFile?) {
    let isWanted = snapshot.flags.contains(.handoff) || snapshot.isToBeKept
    let obstacle = isWanted ? snapshot.obstacle : nil
    activity.tell(obstacle: obstacle)
    activity.tellSize(of: snapshot)
    activity.tellIndexing()
    if let obstacle {
      let withheld = OwnActivity(snapshot, reason: obstacle.description)
      return handle(.withheld(withheld), descriptor: saved?.descriptor)
    }
    handle(.published(snapshot, saved: saved?.mark), descriptor: saved?.descriptor)
    if snapshot.isToBeKept, snapshot.expiry > snapshot.changedAt {
      handle(.keeps(snapshot.forKeeping, .random()))
    }
  }

  /// Asks the agent to delete this app's saved activities, all of them for nil; `done` is called once, later.
  package func deleteSaved(
    _ identifiers: [String]?, then done: @escaping @MainActor (ContinuityError?) -> Void
  ) {
    let bytes = identifiers?.reduce(0) { $0 + $1.utf8.count } ?? 0
    guard (identifiers?.count ?? 0) <= 1024, bytes <= 32 * 1024 else {
      let error = ContinuityError(
        .invalidRequest, subject: "identifiers",
        "\(identifiers?.count ?? 0) identifiers of \(bytes) bytes are too many for one deletion: delete at "
          + "most 1,024 of 32,768 bytes at a time.")
      Task { @MainActor in done(error) }
      return
    }
    let request = RequestID.random()
    deletions[request] = done
    handle(.deletesSaved(request, identifiers: identifiers))
  }

  /// How many deletions wait for their answer.
  package var pendingDeletions: Int { deletions.count }

  func ended(_ request: RequestID, _ error: ContinuityError?) {
    if let done = deletions.removeValue(forKey: request) {
      Task { @MainActor in done(error) }
    } else if let error {
      ActivityLog.error("An activity was not saved for search. \(error.description)")
    }
  }
}
