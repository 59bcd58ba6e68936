// SPDX-License-Identifier: MIT

import ActivityModel

/// The wait of a person for a version: since when, until when, and when the path is looked at without a hint.
struct ArrivalWait: Hashable, Sendable {
  /// When the wait began; nil while nobody waits.
  private(set) var since: Instant?
  private var deadline: Instant?
  private var recheckAt: Instant?

  /// The next moment at which the wait asks for something.
  var nextMoment: Instant? { deadline.orEarlier(recheckAt) }

  /// Waits for `limit` from now, and rechecks after `recheck`. A wait under way began when it began.
  mutating func begin(for limit: Duration, recheck: Duration, at now: Instant) {
    since = since ?? now
    deadline = now + limit
    recheckAt = now + recheck
  }

  mutating func end() { self = ArrivalWait() }

  func isOver(at now: Instant) -> Bool { deadline.map { $0 <= now } ?? false }

  /// Whether the path is to be looked at again now; if so, the next recheck is after `interval`.
  mutating func recheck(every interval: Duration, at now: Instant) -> Bool {
    guard let recheckAt, recheckAt <= now else { return false }
    self.recheckAt = now + interval
    return true
  }
}
