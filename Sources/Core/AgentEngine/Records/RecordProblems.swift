// SPDX-License-Identifier: MIT

/// What a person should know of this device's records: a sentence for each cause that holds. Loop thread
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

  private var known: [Cause: String] = [:]

  /// The sentence for a cause; nil where it does not hold.
  subscript(cause: Cause) -> String? {
    get { known[cause] }
    set { known[cause] = newValue }
  }

  /// All of them, in order.
  var sentences: [String] { known.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value) }

  /// Nothing holds any more.
  func forget() { known = [:] }
}
