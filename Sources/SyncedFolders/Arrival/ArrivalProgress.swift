// SPDX-License-Identifier: MIT

import ActivityModel

/// How much is here, and how much of it was read (semantics 46).
extension ArrivalMachine {
  /// A reading is under way. Whoever believes the file current or ahead goes on doing so until it ended.
  mutating func takeReading(_ bytes: UInt64) {
    guard look == .hashing, !isOutdated, let seen else { return }
    switch status?.arrival {
    case .current, .ahead: return
    default: report(.behind, .reading(min(bytes, seen.stamp.size), of: seen.stamp.size))
    }
  }

  mutating func take(partial bytes: UInt64?, at now: Instant) {
    isMeasuring = false
    partial = bytes
    guard isAwaited else { return }
    // Nothing tells of single writes to it: while somebody waits it is looked at again.
    measureAt = bytes != nil && waitingSince != nil ? now + timing.measuring : nil
    reportAgain()
  }

  /// Something happened beside the document, or somebody waits: perhaps an engine is bringing it.
  mutating func measureSoon(at now: Instant) {
    guard case .here = folder, isAwaited, reference.version.size > timing.measuredSize else { return }
    let next = measuredAt.map { $0 + timing.measuring } ?? now
    if next <= now { measure(at: now) } else { measureAt = next }
  }

  mutating func measure(at now: Instant) {
    measureAt = nil
    guard case .here = folder, isAwaited, !isMeasuring else { return }
    isMeasuring = true
    measuredAt = now
    actions.append(.measure)
  }

  /// The look under way is about another file: what it waits for may stop.
  mutating func outdate() {
    isOutdated = look != .none
    if look == .hashing || look == .searching { actions.append(.cancel) }
  }
}
