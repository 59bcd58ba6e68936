// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import Trust

/// This device's own records, as they come back: set back to a backup, or copied to another computer. Loop
/// thread only.
final class TwinGuard {
  /// What this run of the agent says in each record.
  let bootNonce: [UInt8]
  private let ports: AgentPorts
  private let store: StateStore
  private let problems: RecordProblems
  private var twins: TwinWatch

  init(_ ports: AgentPorts, store: StateStore, problems: RecordProblems, bootNonce: [UInt8]) {
    self.ports = ports
    self.store = store
    self.problems = problems
    self.bootNonce = bootNonce
    twins = TwinWatch(bootNonce: bootNonce, isCopied: store.state.copied == store.identity.id)
    if twins.isCopied { problems[.twins] = .copied }
  }

  /// Whether another computer uses this device's identity.
  var isCopied: Bool { twins.isCopied }

  /// The highest number of this device that another run used beside this one; nil when none was seen.
  var seen: UInt64? { twins.seen }

  /// This run used the number.
  func used(_ sequence: UInt64) { twins.used(sequence) }

  /// Forgets what was heard of the device that this one was.
  func beginAnew() { twins = TwinWatch(bootNonce: bootNonce) }

  /// A member may say any number of this device: it is believed so far that this device is heard again after
  /// a restored backup, but it is no evidence of one, and nobody can bring the counter to its end with it.
  /// Returns whether what was said has to be said again.
  func noteAcknowledged(_ sequence: UInt64) throws(ContinuityError) -> Bool {
    let farthest = store.state.reservedSequence + Self.farthestJump
    guard !twins.isCopied, sequence < farthest else { return false }
    return try store.skipSequences(through: sequence)
  }

  /// A record of this device was read. `sayLastWord` is called where another computer turns out to be this
  /// device, too. Returns whether what was said has to be said again.
  func noteOwn(
    _ read: ReadRecord, sayLastWord: () throws(ContinuityError) -> Void
  ) throws(ContinuityError) -> Bool {
    let record = read.opened
    guard record.kind == .state, let state = try? read.state() else {
      guard !twins.isCopied else { return false }
      return try store.skipSequences(through: record.sequence)
    }
    let sighting = TwinWatch.Sighting(sequence: record.sequence, state: state, of: store.id)
    var changed = twins
    let finding = changed.handle(sighting, isNews: store.isUnused(record.sequence), wall: ports.wall)
    switch finding {
    case .known: break
    case .setBack, .released: try store.skipSequences(through: record.sequence)
    case .copied:
      let id = store.identity.id
      try store.change { $0.copied = id }
      try store.skipSequences(through: record.sequence)
    }
    twins = changed
    switch finding {
    case .known: return false
    case .setBack:
      problems[.rollback] = .told(
        "This device's records were set back (a restored backup?); they go on above \(record.sequence).")
      return true
    case .released:
      try store.change { $0.copied = nil }
      problems[.twins] = nil
      return true
    case .copied:
      problems[.rollback] = nil
      problems[.twins] = .copied
      ports.observer.saysClone(store.identity.id)
      ports.log("another computer uses this device's identity: nothing is published any more")
      try sayLastWord()
      return false
    }
  }

  /// So much above this device's own numbers no lost counter was, and no sum of such jumps ends it.
  private static let farthestJump: UInt64 = 1 << 32
}
