// SPDX-License-Identifier: MIT

import ActivityModel

// The current activity and its save rounds: semantics 13-19 and 22.
extension SessionMachine {
  /// At most one is current (14); another one's offer ends. An ended activity never comes back (16).
  mutating func become(_ activity: ActivityID, at now: Instant) -> [Action] {
    guard !ended.contains(activity), current != activity else { return [] }
    let former = current.map { resign($0) } ?? []
    current = activity
    rounds[activity] = PendingRound(due: now, latest: now)
    return former
  }

  /// Acts only on the current one (15). The state stays, for the next time it becomes current.
  mutating func resign(_ activity: ActivityID) -> [Action] {
    guard current == activity else { return [] }
    current = nil
    return withdraw(activity) + endWithholding(activity)
  }

  mutating func end(_ activity: ActivityID) -> [Action] {
    guard ended.insert(activity).inserted else { return [] }
    let actions = resign(activity)
    rounds[activity] = nil
    running.remove(activity)
    return actions
  }

  /// Coalesces: each touch moves the round a quiet moment away, up to the latest moment (19).
  ///
  /// Comes with each key, so the usual case, that a round is pending, looks things up once. What has ended
  /// has no round.
  mutating func needSave(_ activity: ActivityID, at now: Instant) -> [Action] {
    let quiet = now + pace.quiet
    if let pending = rounds.index(forKey: activity) {
      rounds.values[pending].due = min(quiet, rounds.values[pending].latest)
    } else if !ended.contains(activity) {
      let latest = now + pace.latest
      rounds[activity] = PendingRound(due: min(quiet, latest), latest: latest)
    }
    return []
  }

  mutating func save(_ activity: ActivityID, notBefore moment: Instant, replacing: Bool = false) -> [Action] {
    guard !ended.contains(activity), replacing || rounds[activity] == nil else { return [] }
    rounds[activity] = PendingRound(due: moment, latest: moment)
    return []
  }

  mutating func begin(_ activity: ActivityID) -> [Action] {
    guard !ended.contains(activity) else { return [] }
    rounds[activity] = nil
    running.insert(activity)
    return []
  }

  /// Offered only while current, and while nothing of 17 is missing; else an earlier offer ends.
  mutating func publish(_ snapshot: ActivitySnapshot, _ saved: FileMark?) -> [Action] {
    running.remove(snapshot.id)
    if let saved { files.saved(snapshot, as: saved) }
    guard current == snapshot.id else { return [] }
    if let cause = snapshot.reasonWithheld { return withhold(OwnActivity(snapshot, because: cause)) }
    withheld[snapshot.id] = nil
    published[snapshot.id] = snapshot
    return say(.update(snapshot, saved: saved))
  }

  mutating func withdraw(_ activity: ActivityID) -> [Action] {
    published.removeValue(forKey: activity) == nil ? [] : say(.withdraw(activity))
  }
}

// What is current and not offered, with the reason for people (semantics 41).
extension SessionMachine {
  /// A round gave a state that cannot travel.
  mutating func withholdRound(of activity: OwnActivity) -> [Action] {
    running.remove(activity.id)
    return withhold(activity)
  }

  /// Told once for each reason; an earlier offer ends.
  mutating func withhold(_ activity: OwnActivity) -> [Action] {
    guard current == activity.id else { return [] }
    let ended = withdraw(activity.id)
    guard withheld[activity.id]?.cause != activity.cause else { return ended }
    withheld[activity.id] = activity
    return ended + say(.withheld(activity))
  }

  mutating func endWithholding(_ activity: ActivityID) -> [Action] {
    withheld.removeValue(forKey: activity) == nil ? [] : say(.withdraw(activity))
  }
}
