// SPDX-License-Identifier: MIT

import ActivityModel

/// What was seen of the file of an open document and what was read from it: decides when reading is worth it.
struct SavedFile: Sendable {
  /// What a sighting calls for.
  enum Step: Hashable, Sendable {
    /// Nothing was written since this reading.
    case isRead(FileReading)
    /// Another look then: the file has not lain still for long.
    case waits(Instant)
    /// Reading it now.
    case isUnread
  }

  private var seen: (stamp: FileStamp, since: Instant)?
  private var reading: FileReading?
  /// Readings in vain since the last one that succeeded.
  private var failures = 0

  mutating func see(_ stamp: FileStamp, _ timing: OpenDocumentMachine.Timing, at now: Instant) -> Step {
    let since = seen.flatMap { $0.stamp == stamp ? $0.since : nil } ?? now
    seen = (stamp, since)
    if let reading, reading.stamp == stamp {
      if reading.quiet >= stamp.tick { return .isRead(reading) }
      // Too young to be believed: it is read once more when it has lain still, not for each hint until then.
      let rest = timing.settled - reading.quiet(at: now)
      if rest > .zero { return .waits(now + rest) }
    }
    let settledAt = since + timing.settled
    return stamp.size > timing.throttledSize && settledAt > now ? .waits(settledAt) : .isUnread
  }

  mutating func record(_ reading: FileReading) {
    failures = 0
    self.reading = reading
  }

  /// The file changed while it was read. Returns how long to wait before the next reading.
  mutating func recordFailure(_ timing: OpenDocumentMachine.Timing) -> Duration {
    defer { failures += 1 }
    return min(timing.retry * (1 << min(failures, 10)), timing.longestRetry)
  }

  /// Nothing lies there now.
  mutating func forget() { (seen, reading) = (nil, nil) }
}
