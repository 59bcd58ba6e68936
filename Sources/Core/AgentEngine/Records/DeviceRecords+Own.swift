// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import Trust

// This device's own records, as they come back: set back to a backup, or copied to another computer.
extension DeviceRecords {
  /// A member may say any number of this device: it is believed so far that this device is heard again after
  /// a restored backup, but it is no evidence of one, and nobody can bring the counter to its end with it.
  func noteAcknowledged(_ sequence: UInt64) throws(ContinuityError) -> [News] {
    let farthest = store.state.reservedSequence + Self.farthestJump
    guard !twins.isCopied, sequence < farthest else { return [] }
    return try store.skipSequences(through: sequence) ? [.setBack] : []
  }

  func noteOwn(_ read: ReadRecord) throws(ContinuityError) -> [News] {
    let record = read.opened
    guard record.kind == .state, let state = try? read.state() else {
      guard !twins.isCopied else { return [] }
      return try store.skipSequences(through: record.sequence) ? [.setBack] : []
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
    case .known: return []
    case .setBack:
      sentences["rollback"] =
        "This device's records were set back (a restored backup?); they go on above \(record.sequence)."
      return [.setBack]
    case .released:
      try store.change { $0.copied = nil }
      sentences["twins"] = nil
      return [.setBack]
    case .copied:
      sentences["rollback"] = nil
      sentences["twins"] = Self.isCopied
      ports.observer.saysClone(store.identity.id)
      ports.log("another computer uses this device's identity: nothing is published any more")
      try sayLastWord(bootNonce)
      return []
    }
  }

  /// A record without any activity: of a device that falls silent, or with the nonce of one that leaves its
  /// identity to another computer.
  func sayLastWord(_ nonce: [UInt8]) throws(ContinuityError) {
    if let seen = twins.seen { try store.skipSequences(through: seen) }
    var state = DeviceState(issuedAt: ports.wall, bootNonce: nonce)
    state.claims = store.ownRecord()?.claims ?? []
    state.acknowledgements[store.identity.id] = twins.seen
    write(try sealed(state.recordPayload().bytes, of: state))
    current = nil
  }

  /// Forgets what was said and heard as the device that this one was.
  func beginAnew() {
    (current, roster, bridges) = (nil, nil, [])
    twins = TwinWatch(bootNonce: bootNonce)
    sentences = [:]
  }

  /// So much above this device's own numbers no lost counter was, and no sum of such jumps ends it.
  private static let farthestJump: UInt64 = 1 << 32
}
