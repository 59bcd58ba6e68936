// SPDX-License-Identifier: MIT

import ActivityModel

/// What was read, and what it is called.
extension ArrivalMachine {
  /// Why the standing is what it is, where that does not follow from the standing alone.
  enum Circumstance: Hashable {
    case plain
    case replaced
    case writing
    /// A large file of so many bytes, which is not the awaited size.
    case otherSize(UInt64)
    case reading(UInt64, of: UInt64)
    case unreadable(String)
  }

  /// Judges the file that lies there when it was read already; what is known has changed, it has not.
  mutating func judgeAgain(at now: Instant) {
    guard look == .none, let hashed, hashed.stamp == seen?.stamp else { return }
    judge(hashed, at: now)
  }

  mutating func judge(_ reading: Reading, at now: Instant) {
    let standing = VersionOrder.standing(
      of: reading.digest, to: reference.version, history: history, ancestors: ancestors,
      isMoved: moved != nil)
    let isKnown = standing != .ahead || history.contains(reading.digest)
    guard standing != .diverged, isKnown else { return judgeUnknown(reading, standing, at: now) }
    copies = []
    report(standing)
  }

  /// Bytes that no history holds: somebody's version (R9), or a file that is just being written. Lying still
  /// tells.
  private mutating func judgeUnknown(_ reading: Reading, _ standing: Arrival, at now: Instant) {
    let rest = timing.settled - (reading.quiet + (now - reading.at))
    guard rest <= .zero else {
      lookAt = now + rest
      return reportWriting()
    }
    report(standing)
    guard standing == .diverged else { return }
    askForCopies()
    askForMarkers(in: reading.stamp)
  }

  /// The file is being written: no claim about it holds, what was waited for is still waited for.
  mutating func reportWriting() { report(.behind, .writing) }

  /// The same standing, told with what became known since; not how it stood to a former reference.
  mutating func reportAgain() {
    if let status = answer { report(status.arrival, circumstance) }
  }

  mutating func report(_ arrival: Arrival, _ circumstance: Circumstance = .plain) {
    self.circumstance = circumstance
    let next = ArrivalStatus(
      arrival, because: facts(of: arrival, circumstance).reason,
      received: received(for: arrival, circumstance),
      expected: reference.version.size)
    guard next != status || owesReport else { return }
    owesReport = false
    status = next
    actions.append(.report(next))
  }

  private func received(for arrival: Arrival, _ circumstance: Circumstance) -> UInt64 {
    if case .reading(let bytes, of: reference.version.size) = circumstance { return bytes }
    switch arrival {
    case .current: return reference.version.size
    case .behind, .missing:
      let written = seen.map { $0.isGrowing ? $0.stamp.size : 0 } ?? 0
      return min(max(partial ?? 0, written), reference.version.size)
    default: return 0
    }
  }
}
