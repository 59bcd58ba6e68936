// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import FolderAccess
import SyncedFolders
import Trust

/// The agent's durable files, and what they hold. Every change is on the disk before anybody acts on it.
/// Loop thread only.
final class StateStore {
  /// Why the last change could not be written; nil when it was.
  private(set) var problem: String?
  /// What a damaged file took along that the agent can do without.
  private(set) var losses: [String] = []
  private let directory: OwnDirectory
  private(set) var identity: Identity
  private(set) var state: AgentState
  private(set) var histories: DocumentHistories
  private(set) var saved = SavedActivities()
  private var usedSequences: UInt64
  private var historiesAreDirty = false

  private enum File {
    static let identity = "identity"
    static let state = "state"
    static let histories = "histories"
    static let record = "own-state"
    static let saved = "saved-activities"
  }

  /// Reads what is there, or begins anew under `deviceName`.
  ///
  /// Throws `agentUnavailable` when keys or counters cannot be read: beginning anew silently would lose the
  /// circle.
  init(directory: OwnDirectory, deviceName: String) throws(ContinuityError) {
    self.directory = directory
    directory.removeLeftovers()
    let limit = 16 << 20
    state =
      try Self.read(directory, File.state, limit) { (bytes) throws(ContinuityError) in
        try AgentState(decoding: bytes)
      } ?? AgentState()
    histories = DocumentHistories()
    let known = try Self.read(directory, File.identity, limit) { (bytes) throws(ContinuityError) in
      try Identity(encoded: bytes)
    }
    var generator = SystemRandomNumberGenerator()
    if let known {
      identity = known
    } else {
      identity = try Identity.found(name: deviceName, at: .now, using: &generator)
    }
    usedSequences = state.reservedSequence
    if known == nil { try directory.replace(File.identity, with: identity.encoded) }
    readHistories(limit)
    readSaved(limit)
  }

  private func readSaved(_ limit: Int) {
    do throws(ContinuityError) {
      let known = try Self.read(directory, File.saved, limit) { (bytes) throws(ContinuityError) in
        try SavedActivities(decoding: bytes)
      }
      saved = known ?? SavedActivities()
    } catch {
      losses.append("The activities that apps had saved for search were damaged: open their documents again.")
    }
  }

  private func readHistories(_ limit: Int) {
    do throws(ContinuityError) {
      let known = try Self.read(directory, File.histories, limit) { (bytes) throws(ContinuityError) in
        try DocumentHistories(decoding: bytes)
      }
      histories = known ?? DocumentHistories()
    } catch {
      losses.append(
        "The documents' histories were damaged and begin anew: an older copy may be told as diverged "
          + "for a while."
      )
    }
  }

  /// What this device last said of itself, for `ExchangeMachine.restored`; nil when it said nothing, or that
  /// is damaged.
  func ownRecord() -> DeviceState? {
    do throws(ContinuityError) {
      return try Self.read(directory, File.record, 1 << 20) { (bytes) throws(ContinuityError) in
        try DeviceState(recordPayload: bytes)
      }
    } catch {
      losses.append("What this device offered before the last start was damaged: open those documents again.")
      return nil
    }
  }

  func rememberOwnRecord(_ payload: [UInt8]) throws(ContinuityError) {
    try write(File.record, payload)
  }

  private func write(_ name: String, _ bytes: [UInt8]) throws(ContinuityError) {
    do throws(ContinuityError) {
      try directory.replace(name, with: bytes)
      problem = nil
    } catch {
      problem = error.description
      throw error
    }
  }

  /// Changes the identity; in memory only once it is on the disk.
  func changeIdentity<Result>(
    _ change: (inout Identity) throws(ContinuityError) -> Result
  ) throws(ContinuityError) -> Result {
    var changed = identity
    let result = try change(&changed)
    if changed != identity {
      try write(File.identity, changed.encoded)
      identity = changed
    }
    return result
  }

  /// Changes the state; in memory only once it is on the disk.
  func change(_ change: (inout AgentState) -> Void) throws(ContinuityError) {
    var changed = state
    change(&changed)
    guard changed != state else { return }
    try write(File.state, changed.encoded)
    state = changed
  }

  /// Changes what apps have saved; in memory only once it is on the disk.
  func changeSaved(_ change: (inout SavedActivities) -> Void) throws(ContinuityError) {
    var changed = saved
    change(&changed)
    guard changed != saved else { return }
    try write(File.saved, changed.encoded)
    saved = changed
  }

  /// The next sequence number; blocks are reserved durably before the first of them is used.
  func nextSequence() throws(ContinuityError) -> UInt64 {
    if usedSequences >= state.reservedSequence {
      try change { $0.reservedSequence = usedSequences + AgentState.sequenceBlock }
    }
    defer { usedSequences += 1 }
    return usedSequences
  }

  /// Somebody saw a higher number of ours than we know of: we were set back (threat T03), and go on above it.
  /// A number that no counter reaches is somebody's mistake, and would end ours.
  func skipSequences(through seen: UInt64) throws(ContinuityError) -> Bool {
    guard seen >= usedSequences, seen < 1 << 62 else { return false }
    try change { $0.reservedSequence = max($0.reservedSequence, seen + 1) }
    usedSequences = seen + 1
    return true
  }

  func changeHistory(of place: DocumentHistories.Place, _ change: (inout DocumentHistory) -> Void) {
    let before = histories[place]
    var changed = before
    change(&changed)
    guard changed != before else { return }
    histories[place] = changed
    historiesAreDirty = true
  }

  /// Histories are written with the next record, which needs them: a crash before loses a link of a lineage.
  func saveHistories() throws(ContinuityError) {
    guard historiesAreDirty else { return }
    try write(File.histories, histories.encoded)
    historiesAreDirty = false
  }

  /// The folder turned out to have been given another ID elsewhere; its documents keep their past.
  func moveHistories(from old: FolderID, to new: FolderID) {
    if histories.move(from: old, to: new) { historiesAreDirty = true }
  }

  private static func read<Value>(
    _ directory: OwnDirectory, _ name: String, _ limit: Int,
    _ decode: ([UInt8]) throws(ContinuityError) -> Value
  ) throws(ContinuityError) -> Value? {
    guard let bytes = try directory.read(name, limit: limit) else { return nil }
    do {
      return try decode(bytes)
    } catch {
      throw ContinuityError(
        .agentUnavailable, subject: name,
        "\(directory.displayPath)/\(name) is damaged (\(error.description)) "
          + "Restore it from a backup, or move the directory away to begin as a new device.")
    }
  }
}
