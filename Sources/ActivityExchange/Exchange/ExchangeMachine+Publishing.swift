// SPDX-License-Identifier: MIT

import ActivityModel

extension ExchangeMachine {
  /// The record is written at once when the last one is old enough, else when it is: the last state counts.
  mutating func publishIfDue(at now: Instant, wall: WallTime) -> [Action] {
    if let renewal = publishing.renewal, renewal <= now, !local.isEmpty { publishing.isDue = true }
    guard publishing.isDue else { return [] }
    if let earliest = publishing.earliest, now < earliest { return [] }
    publishing = Publishing(
      isDue: false, earliest: now + timing.publishInterval, renewal: now + timing.renewal)
    return [.publish(state(wall: wall))]
  }

  /// The next moment at which something is due without an event.
  var nextMoment: Instant? {
    var moments = continuations.values.filter(\.phase.hasDeadline).map(\.deadline)
    if publishing.isDue, let earliest = publishing.earliest { moments.append(earliest) }
    if let renewal = publishing.renewal, !local.isEmpty { moments.append(renewal) }
    moments += orphans.values.map(\.until)
    moments += local.values.compactMap { $0.client == nil ? $0.endsAt : nil }
    return moments.min()
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
