// SPDX-License-Identifier: MIT

import ActivityModel

/// What a file was found to hold.
struct FileReading: Hashable, Sendable {
  var stamp: FileStamp
  var digest: ContentDigest
  /// How long the inode had lain still when it was read.
  var quiet: Duration
  /// When it was read.
  var at: Instant

  /// How long the inode has lain still by `now`, when nothing changed it since.
  func quiet(at now: Instant) -> Duration { quiet + (now - at) }

  /// `now` by the file system's clock.
  func fileTime(at now: Instant) -> Int64 {
    stamp.changed + Int64(clamping: quiet(at: now).nanoseconds)
  }
}

/// What was seen of the file at one path and what was read from it: decides when reading it is worth it.
struct FileReadings: Hashable, Sendable {
  /// A file as it was last seen.
  private struct Sighting: Hashable {
    var stamp: FileStamp
    /// When this stamp was seen first.
    var since: Instant
    /// Whether the same inode had other bytes before: a program writes in place.
    var isRewritten = false
    /// Whether it became longer since an earlier sighting.
    var isGrowing = false
  }

  private var seen: Sighting?
  private var hashed: FileReading?
  /// Readings in vain since the last one that succeeded.
  private var failures = 0

  /// The size of the file as it was last seen.
  var size: UInt64? { seen?.stamp.size }
  /// The same, when a writer in place is making it longer.
  var growingSize: UInt64? { seen.flatMap { $0.isGrowing ? $0.stamp.size : nil } }
  var isRewritten: Bool { seen?.isRewritten == true }
  /// The file of the last reading, as it was read.
  var readStamp: FileStamp? { hashed?.stamp }
  /// The last reading, if the file was seen as it was read.
  var ofSeenFile: FileReading? { hashed.flatMap { $0.stamp == seen?.stamp ? $0 : nil } }

  /// The last reading, if it stands for the bytes of the file with this stamp.
  func reading(for stamp: FileStamp) -> FileReading? {
    guard let hashed, hashed.stamp == stamp, hashed.quiet >= stamp.tick else { return nil }
    return hashed
  }

  mutating func see(_ stamp: FileStamp, at now: Instant) {
    guard let before = seen, before.stamp.isSameFile(as: stamp) else {
      seen = Sighting(stamp: stamp, since: now)
      return
    }
    guard before.stamp != stamp else { return }
    seen = Sighting(
      stamp: stamp, since: now, isRewritten: true,
      isGrowing: stamp.size > before.stamp.size || (before.isGrowing && stamp.size == before.stamp.size))
  }

  mutating func record(_ reading: FileReading) {
    failures = 0
    see(reading.stamp, at: reading.at)
    hashed = reading
  }

  /// The file changed while it was read. Returns how long to wait before the next reading.
  mutating func recordFailure(_ timing: ArrivalMachine.Timing) -> Duration {
    defer { failures += 1 }
    return backoff(timing.retry, limit: timing.longestRetry)
  }

  /// Nothing that can be read lies there now.
  mutating func forgetSighting() { seen = nil }

  /// Another path has another file.
  mutating func forget() { (seen, hashed) = (nil, nil) }

  /// Until when reading the file waits; nil when it is read at once.
  ///
  /// Reading 50 MB a thousand times while they are written helps nobody (R4): each reading in vain doubles
  /// the pause. A small file is read at once; a large one that came whole as soon as its stamp is old enough
  /// to stand for what is read, so that no later hint asks for it all again. One of another size is read only
  /// to tell an older version from a newer one, which has time.
  func pauseEnd(of stamp: FileStamp, expected: UInt64, _ timing: ArrivalMachine.Timing) -> Instant? {
    guard let seen, stamp.size > timing.throttledSize else { return nil }
    guard stamp.size == expected else { return seen.since + timing.settled }
    let pause = isRewritten ? backoff(timing.pause, limit: timing.longestRetry) : HashOutcome.tick
    return seen.since + pause
  }

  private func backoff(_ first: Duration, limit: Duration) -> Duration {
    min(first * (1 << min(failures, 10)), limit)
  }
}
