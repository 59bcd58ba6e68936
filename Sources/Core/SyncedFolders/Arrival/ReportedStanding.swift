// SPDX-License-Identifier: MIT

import ActivityModel

/// How the document stands, as was last reported, and whether that has to be told anew.
struct ReportedStanding: Hashable, Sendable {
  /// The last report; nil until the first look ended.
  private(set) var status: ArrivalStatus?
  /// Why the standing is what it is, where that does not follow from the standing alone.
  private(set) var circumstance = ArrivalFacts.Circumstance.plain
  /// The reference changed: how it stands is told anew, also when that is as before.
  private var owesReport = false

  var arrival: Arrival? { status?.arrival }

  /// The last report, unless it was about a former reference.
  var answer: ArrivalStatus? { owesReport ? nil : status }

  /// Whether the standing is one that time and the engine are expected to change.
  var isAwaited: Bool {
    switch arrival {
    case .current, .ahead: false
    default: true
    }
  }

  mutating func expectReport() { owesReport = true }

  /// Takes a report in: whether it is news.
  mutating func report(_ next: ArrivalStatus, _ circumstance: ArrivalFacts.Circumstance) -> Bool {
    self.circumstance = circumstance
    guard next != status || owesReport else { return false }
    owesReport = false
    status = next
    return true
  }
}
