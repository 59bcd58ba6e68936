// SPDX-License-Identifier: MIT

import ActivityModel

/// What the sentences about an awaited document are made of.
struct ArrivalFacts: Hashable, Sendable {
  /// Why the standing is what it is, where that does not follow from the standing alone.
  enum Circumstance: Hashable, Sendable {
    case plain
    case replaced
    case writing
    /// A large file of so many bytes, which is not the awaited size.
    case otherSize(UInt64)
    case reading(UInt64, of: UInt64)
    case unreadable(String)
  }

  var reference: DocumentReference
  var deviceName: String
  var folder: ArrivalMachine.FolderPresence
  /// The last report.
  var status: ArrivalStatus?
  var waitingSince: Instant?
  /// Where the document was found instead of under the reference's own path.
  var moved: RelativePath?
  /// The size of a file that a writer in place is making longer.
  var growing: UInt64?
  /// How much an engine's unfinished copy holds.
  var partial: UInt64?
  var copies: [ConflictCopy]
  /// Whether a merge left both versions in the file that was read last.
  var isMarked: Bool

  /// How many bytes of the awaited version are here.
  func received(for arrival: Arrival, _ circumstance: Circumstance) -> UInt64 {
    let size = reference.version.size
    if case .reading(let bytes, of: size) = circumstance { return bytes }
    switch arrival {
    case .current: return size
    case .behind, .missing: return min(max(partial ?? 0, growing ?? 0), size)
    default: return 0
    }
  }
}
