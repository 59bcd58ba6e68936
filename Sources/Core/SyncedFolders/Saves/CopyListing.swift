// SPDX-License-Identifier: MIT

import ActivityModel

/// When the conflict copies beside an open document are listed, and whether they are now.
struct CopyListing: Hashable, Sendable {
  private var dueAt: Instant?
  private var isUnderWay = false

  /// The next moment at which a listing may begin.
  var nextMoment: Instant? { isUnderWay ? nil : dueAt }

  /// Lists at `moment`, unless a listing is due already.
  mutating func request(at moment: Instant) { dueAt = dueAt ?? moment }

  /// Begins a listing if one is due, and none is under way: whether it did.
  mutating func beginIfDue(at now: Instant) -> Bool {
    guard let dueAt, dueAt <= now, !isUnderWay else { return false }
    begin()
    return true
  }

  /// Begins a listing, which answers every request before it.
  mutating func begin() {
    dueAt = nil
    isUnderWay = true
  }

  /// The answer came: whether it was asked for.
  mutating func end() -> Bool {
    defer { isUnderWay = false }
    return isUnderWay
  }
}
