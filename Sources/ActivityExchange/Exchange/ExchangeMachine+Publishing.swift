// SPDX-License-Identifier: MIT

import ActivityModel

extension ExchangeMachine {
  /// The record is written at once when the last one is old enough, else when it is: the last state counts.
  mutating func publishIfDue(at now: Instant, wall: WallTime, _ actions: inout [Action]) {
    if let renewal = publishing.renewal, renewal <= now, !publishing.stated.isEmpty {
      publishing.isDue = true
    }
    endExpired(wall: wall)
    guard publishing.isDue else { return }
    if let earliest = publishing.earliest, now < earliest { return }
    let state = state(wall: wall)
    publishing = Publishing(
      isDue: false, earliest: now + timing.publishInterval, renewal: now + timing.renewal,
      stated: Set(state.activities.map(\.id)))
    actions.append(.publish(state))
  }

  /// The next moment at which something is due without an event.
  func nextMoment(at now: Instant, wall: WallTime) -> Instant? {
    var next: Instant?
    func add(_ moment: Instant) { next = min(next ?? moment, moment) }
    for continuation in continuations.values where continuation.phase.hasDeadline {
      add(continuation.deadline)
    }
    if publishing.isDue, let earliest = publishing.earliest { add(earliest) }
    if let renewal = publishing.renewal, !publishing.stated.isEmpty { add(renewal) }
    if let expiry = nextExpiry, expiry > wall {
      let pause = Int64(clamping: expiry.milliseconds - wall.milliseconds)
      add(now + .milliseconds(pause))
    }
    for orphan in orphans.values { add(orphan.until) }
    for held in remote.values { if let end = held.endsAt { add(end) } }
    for activity in local.values where activity.client == nil {
      if let end = activity.endsAt { add(end) }
    }
    return next
  }

  /// What expires is not offered any more (semantics 9), also while its app stays connected and nobody
  /// touches it; what was left open is forgotten then.
  private mutating func endExpired(wall: WallTime) {
    for (id, activity) in local where activity.snapshot.expiry <= wall {
      if publishing.stated.contains(id) { publishing.isDue = true }
      if activity.client == nil { local[id] = nil }
    }
  }

  /// The next time at which something that is offered, here or by others, expires.
  private var nextExpiry: WallTime? {
    var next = showing?.expiry
    for activity in publishing.stated {
      guard let expiry = local[activity]?.snapshot.expiry else { continue }
      next = min(next ?? expiry, expiry)
    }
    return next
  }

  mutating func publishAnew() -> [Action] {
    publishing.isDue = true
    return []
  }

  /// There is no later: what waits for the least time between two records is written now.
  mutating func publishWhatWaits() -> [Action] {
    publishing.earliest = nil
    return []
  }

  mutating func retryPublishing(at now: Instant) -> [Action] {
    publishing.isDue = true
    publishing.earliest = now + timing.publishRetry
    return []
  }

  /// What this device says of itself now.
  private mutating func state(wall: WallTime) -> DeviceState {
    var state = DeviceState(issuedAt: wall, bootNonce: bootNonce)
    claims.removeAll { $0.at.adding(seconds: DeviceState.lifetimeLimit) < wall }
    claims = Array(claims.suffix(32))
    state.claims = claims
    state.acknowledgements = remote.mapValues(\.sequence)
    state.activities = recordedActivities(wall: wall)
    return state
  }
}
