// SPDX-License-Identifier: MIT

import ActivityExchange
package import ActivityModel
import AppSession

// Rounds and saved activities, as a session performs them.
extension Session {
  /// Offers the state that a round gave, or tells why not; an earlier offer, of a state that is no more, ends
  /// then.
  func offer(_ activity: UserActivity, _ snapshot: ActivitySnapshot, _ round: SaveRound) {
    let obstacle = app.offer(snapshot, saved: round.saved, again: round.again)
    activity.report(obstacle: obstacle)
    activity.tellSize(of: snapshot)
    activity.tellIndexing()
    if obstacle == nil { app.keep(snapshot, as: .random()) }
    arm()
  }

  /// Saves for another device, if the app does; the round that follows says what came of it.
  func save(_ id: ActivityID, _ request: RequestID, for device: String) {
    Task { @MainActor in
      do {
        guard let activity = activity(id) else { return handle(.refusesToSave(request, "")) }
        try await host?.save(activity, requestedBy: device)
        activity.markForRound()
        handle(.agreesToSave(request, isSaved: host != nil))
      } catch {
        handle(.refusesToSave(request, (error as? ContinuityError)?.description ?? "\(error)"))
      }
    }
  }

  /// Asks the agent to delete this app's saved activities, all of them for nil; `done` is called once, later.
  package func deleteSaved(
    _ identifiers: [String]?, then done: @escaping @MainActor (ContinuityError?) -> Void
  ) {
    let request = RequestID.random()
    asked[request] = { answer in
      if case .kept(let error) = answer { Task { @MainActor in done(error) } }
    }
    do throws(ContinuityError) {
      try app.deleteSaved(identifiers, as: request)
      arm()
    } catch {
      asked[request] = nil
      Task { @MainActor in done(error) }
    }
  }

  /// How many requests wait for their answer.
  package var pendingRequests: Int { asked.count }

  func answered(_ request: RequestID, _ answer: SessionMachine.Answer) {
    if let asker = asked.removeValue(forKey: request) {
      asker(answer)
    } else if case .kept(let error?) = answer {
      ActivityLog.error("An activity was not saved for search. \(error.description)")
    }
  }
}
