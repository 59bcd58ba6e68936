// SPDX-License-Identifier: MIT

import ActivityModel

/// When this device's next record is written, where, and what the last one offered.
///
/// Links take a record in milliseconds, a folder's engine in seconds: what is said on links at once lies in
/// the folders once the last record there is old enough.
struct RecordSchedule: Hashable, Sendable {
  /// Where a record is due.
  enum Duty: Hashable, Sendable {
    /// A new one, on links and in folders.
    case everywhere
    /// A new one, on links alone.
    case links
    /// The one that links have, in folders.
    case folders
  }

  /// What the last record says is not what is to be said.
  private var isOutdated = false
  /// Folders have not what is to be said.
  private var isOwed = false
  private var earliest: Instant?
  private var earliestOnLinks: Instant?
  private var renewal: Instant?
  /// Whether any device is linked.
  var isLinked = false
  /// What the last record offered.
  private(set) var stated: Set<ActivityID> = []

  /// The next moment at which a record is written without an event.
  var nextMoment: Instant? {
    (isOwed ? earliest : nil).orEarlier(isLinked && isOutdated ? earliestOnLinks : nil)
      .orEarlier(stated.isEmpty ? nil : renewal)
  }

  /// The last run of this device wrote a record that offers these.
  mutating func restore(stated activities: Set<ActivityID>) { stated = activities }

  /// Something changed that the record tells.
  mutating func request() { (isOutdated, isOwed) = (true, true) }

  /// A record that offers something is written again when it is old.
  mutating func requestRenewal(at now: Instant) {
    if let renewal, renewal <= now, !stated.isEmpty { request() }
  }

  /// The record could not be written.
  mutating func retry(at moment: Instant) {
    request()
    (earliest, earliestOnLinks) = (moment, moment)
  }

  /// There is no later: what waits for the least time between two records is written now.
  mutating func stopWaiting() { earliest = nil }

  /// What is written now: at once when the last one is old enough, else when it is. Nil for nothing.
  func duty(at now: Instant) -> Duty? {
    if isOwed, earliest.map({ $0 <= now }) ?? true { return isOutdated ? .everywhere : .folders }
    return isLinked && isOutdated && (earliestOnLinks.map { $0 <= now } ?? true) ? .links : nil
  }

  /// What was said on links is laid into folders now.
  mutating func lay(_ timing: ExchangeMachine.Timing, at now: Instant) {
    isOwed = false
    earliest = now + timing.publishInterval
  }

  /// A record that offers these is written now.
  mutating func record(
    stated activities: Set<ActivityID>, for duty: Duty, _ timing: ExchangeMachine.Timing, at now: Instant
  ) {
    isOutdated = false
    earliestOnLinks = now + timing.linkInterval
    if duty == .everywhere { lay(timing, at: now) }
    renewal = now + timing.renewal
    stated = activities
  }
}
