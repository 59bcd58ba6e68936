// SPDX-License-Identifier: MIT

import ActivityModel

extension ExchangeMachine {
  /// The record is written at once when the last one is old enough, else when it is: the last state counts.
  mutating func publishIfDue(at now: Instant, wall: WallTime) -> [Action] {
    if let renewal = publishing.renewal, renewal <= now, !publishing.stated.isEmpty {
      publishing.isDue = true
    }
    endExpired(wall: wall)
    guard publishing.isDue else { return [] }
    if let earliest = publishing.earliest, now < earliest { return [] }
    let state = state(wall: wall)
    publishing = Publishing(
      isDue: false, earliest: now + timing.publishInterval, renewal: now + timing.renewal,
      stated: Set(state.activities.map(\.id)))
    return [.publish(state)]
  }

  /// The next moment at which something is due without an event.
  func nextMoment(at now: Instant, wall: WallTime) -> Instant? {
    var moments = continuations.values.filter(\.phase.hasDeadline).map(\.deadline)
    if publishing.isDue, let earliest = publishing.earliest { moments.append(earliest) }
    if let renewal = publishing.renewal, !publishing.stated.isEmpty { moments.append(renewal) }
    if let expiry = nextExpiry, expiry > wall {
      let pause = Int64(clamping: expiry.milliseconds - wall.milliseconds)
      moments.append(now + .milliseconds(pause))
    }
    moments += orphans.values.map(\.until)
    moments += local.values.compactMap { $0.client == nil ? $0.endsAt : nil }
    return moments.min()
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
    let here = publishing.stated.compactMap { local[$0]?.snapshot.expiry }
    let there = shown.values.joined().compactMap { offer in
      snapshot(of: offer.id)?.expiry.adding(seconds: timing.clockSkew)
    }
    return (here + there).min()
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
