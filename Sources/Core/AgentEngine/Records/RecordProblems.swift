// SPDX-License-Identifier: MIT

import ActivityModel

/// What a person should know of this device's records: a reason for each cause that holds. Loop thread
/// only.
final class RecordProblems {
  /// Why there is something to know; in this order it is told.
  enum Cause: Int {
    /// Two computers are one other device.
    case clone
    /// Activities do not fit the record.
    case dropped
    /// This device was set back.
    case rollback
    /// Two computers are this device.
    case twins
    /// Another device runs a newer release.
    case version
  }

  private var known: [Cause: Reason] = [:]

  /// What is said for a cause; nil where it does not hold.
  subscript(cause: Cause) -> Reason? {
    get { known[cause] }
    set { known[cause] = newValue }
  }

  /// All of them, in order.
  var reasons: [Reason] { known.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value) }

  /// Nothing holds any more.
  func forget() { known = [:] }
}
