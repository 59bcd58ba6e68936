// SPDX-License-Identifier: MIT

import ActivityModel

/// When a helper process that ended is started again: at once after a run of some length, then ever slower,
/// from 0.1 s to 30 s.
struct RestartPace {
  private var startedAt = Instant(nanoseconds: 0)
  /// How many short runs there were, one after the other.
  private(set) var failures = 0

  mutating func started(at now: Instant) { startedAt = now }

  /// How long the next start waits after the run that has ended.
  mutating func delay(endingAt now: Instant) -> Duration {
    failures = now - startedAt > .seconds(10) ? 0 : min(failures + 1, 9)
    return failures == 0 ? .zero : min(.milliseconds(50 << failures), .seconds(30))
  }
}
