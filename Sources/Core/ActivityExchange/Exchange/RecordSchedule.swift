// SPDX-License-Identifier: MIT

import ActivityModel

/// When this device's next record is written, and what the last one offered.
struct RecordSchedule: Hashable, Sendable {
  private var isDue = false
  private var earliest: Instant?
  private var renewal: Instant?
  /// What the last record offered.
  private(set) var stated: Set<ActivityID> = []

  /// The next moment at which a record is written without an event.
  var nextMoment: Instant? {
    (isDue ? earliest : nil).orEarlier(stated.isEmpty ? nil : renewal)
  }

  /// The last run of this device wrote a record that offers these.
  mutating func restore(stated activities: Set<ActivityID>) { stated = activities }

  /// Something changed that the record tells.
  mutating func request() { isDue = true }

  /// A record that offers something is written again when it is old.
  mutating func requestRenewal(at now: Instant) {
    if let renewal, renewal <= now, !stated.isEmpty { isDue = true }
  }

  /// The record could not be written.
  mutating func retry(at moment: Instant) {
    isDue = true
    earliest = moment
  }

  /// There is no later: what waits for the least time between two records is written now.
  mutating func stopWaiting() { earliest = nil }

  /// Whether the record is written now: at once when the last one is old enough, else when it is.
  func isDue(at now: Instant) -> Bool { isDue && earliest.map { $0 <= now } ?? true }

  /// A record that offers these is written now.
  mutating func record(stated activities: Set<ActivityID>, _ timing: ExchangeMachine.Timing, at now: Instant)
  {
    isDue = false
    earliest = now + timing.publishInterval
    renewal = now + timing.renewal
    stated = activities
  }
}
