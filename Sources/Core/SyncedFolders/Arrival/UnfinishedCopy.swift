// SPDX-License-Identifier: MIT

import ActivityModel

/// A sync engine's temporary file of a document: how much it holds, and when it is measured (semantics 46).
struct UnfinishedCopy: Hashable, Sendable {
  /// How many bytes it holds; nil when there is none.
  private(set) var bytes: UInt64?
  /// When it was measured, when it is again, and whether it is now.
  private var measuredAt: Instant?
  private var measureAt: Instant?
  private var isMeasuring = false

  var nextMoment: Instant? { measureAt }

  func isDue(at now: Instant) -> Bool { measureAt.map { $0 <= now } ?? false }

  /// Asks for a measurement, at most one in an interval: true when it is due now.
  mutating func request(every interval: Duration, at now: Instant) -> Bool {
    let next = measuredAt.map { $0 + interval } ?? now
    if next > now { measureAt = next }
    return next <= now
  }

  /// Whether to measure now: unless that is not `wanted`, or under way. Another one is not scheduled then.
  mutating func begin(wanted: Bool, at now: Instant) -> Bool {
    measureAt = nil
    guard wanted, !isMeasuring else { return false }
    isMeasuring = true
    measuredAt = now
    return true
  }

  mutating func receive(_ found: UInt64?) {
    isMeasuring = false
    bytes = found
  }

  /// Nothing tells of single writes to it: while it is there and a person waits it is measured again at
  /// `moment`.
  mutating func schedule(at moment: Instant?) { measureAt = bytes == nil ? nil : moment }

  mutating func forget() { bytes = nil }
}
