// SPDX-License-Identifier: MIT

package import ActivityModel
import ActivityWire
package import FolderAccess
import Glibc
import SyncedFolders
package import Trust
import TrustCiphers
import VersionHistory

/// The agent's durable files, and what they hold. Every change is on the disk before anybody acts on it.
/// Loop thread only.
package final class StateStore {
  /// Why the last changes could not be written; empty when they were.
  var problems: [String] { [problem, histories.problem].compactMap { $0 } }
  private var problem: String?
  /// What a damaged file took along that the agent can do without.
  package var losses: [String] { lost + histories.losses }
  private var lost: [String] = []
  private let directory: OwnDirectory
  package private(set) var identity: Identity
  private(set) var state: AgentState
  let histories: DocumentHistories
  /// Told of each document whose history was changed: other offers of it are judged by what is known now.
  var onHistoryChange: (DocumentHistories.Place) -> Void = { _ in }
  private(set) var saved = SavedActivities()
  private var usedSequences: UInt64

  private enum File {
    static let identity = "identity"
    static let state = "state"
    /// Where releases before 0013 kept the histories.
    static let formerHistories = "histories"
    static let record = "own-state"
    static let saved = "saved-activities"
  }

  /// Reads what is there, or begins anew under `deviceName`.
  ///
  /// Throws `agentUnavailable` when keys or counters cannot be read: beginning anew silently would lose the
  /// circle.
  package init(directory: OwnDirectory, deviceName: String) throws(ContinuityError) {
    self.directory = directory
    directory.removeLeftovers()
    let limit = 16 << 20
    state =
      try Self.read(directory, File.state, limit) { (bytes) throws(ContinuityError) in
        try AgentState(decoding: bytes)
      } ?? AgentState()
    histories = try DocumentHistories(directory: directory.displayPath)
    let known = try Self.read(directory, File.identity, limit) { (bytes) throws(ContinuityError) in
      try Identity(encoded: bytes, ciphers: StandardCiphers())
    }
    var generator = SystemRandomNumberGenerator()
    if let known {
      identity = known
    } else {
      identity = try Identity.found(name: deviceName, at: .now, using: &generator, ciphers: StandardCiphers())
    }
    usedSequences = state.reservedSequence
    if known == nil { try directory.replace(File.identity, with: identity.encoded) }
    takeFormerHistories(limit)
    readSaved(limit)
  }

  private func readSaved(_ limit: Int) {
    do throws(ContinuityError) {
      let known = try Self.read(directory, File.saved, limit) { (bytes) throws(ContinuityError) in
        try SavedActivities(decoding: bytes)
      }
      saved = known ?? SavedActivities()
    } catch {
      lost.append("The activities that apps had saved for search were damaged: open their documents again.")
    }
  }

  /// Takes over what an older release remembered, once: its file goes when the database has it.
  private func takeFormerHistories(_ limit: Int) {
    do throws(ContinuityError) {
      let known = try Self.read(directory, File.formerHistories, limit) { (bytes) throws(ContinuityError) in
        try FormerHistories(decoding: bytes)
      }
      guard let known else { return }
      for (place, history) in known.entries { histories.take(history, of: place) }
      try histories.save()
      try directory.remove(File.formerHistories)
    } catch {
      // A disk that refuses is told by `problems`; the file stays, and is taken over at the next start.
      guard error.code == .agentUnavailable || error.code == .invalidBytes else { return }
      let kept = "\(directory.displayPath)/\(File.formerHistories)"
      rename(kept, kept + ".damaged")
      lost.append(
        "The documents' histories of an older release were damaged and are kept as \(kept).damaged: an older "
          + "copy may be told as diverged for a while.")
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
      lost.append("What this device offered before the last start was damaged: open those documents again.")
      return nil
    }
  }

  /// What this device said last, encoded; nil when it never said anything.
  package func ownRecordBytes() throws(ContinuityError) -> [UInt8]? {
    try directory.read(File.record, limit: 1 << 20)
  }

  package func rememberOwnRecord(_ payload: [UInt8]) throws(ContinuityError) {
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

  /// Writes again what could not be written: the disk may have room by now.
  func retry() {
    if problem != nil { try? write(File.state, state.encoded) }  // A disk that still refuses says so again.
  }

  /// Changes the identity; in memory only once it is on the disk.
  package func changeIdentity<Result>(
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
  package func nextSequence() throws(ContinuityError) -> UInt64 {
    if usedSequences >= state.reservedSequence {
      try change { $0.reservedSequence = usedSequences + AgentState.sequenceBlock }
    }
    defer { usedSequences += 1 }
    return usedSequences
  }

  /// Somebody saw a higher number of ours than we know of: we were set back (threat T03), and go on above it.
  /// A number that no counter reaches is somebody's mistake, and would end ours.
  @discardableResult
  func skipSequences(through seen: UInt64) throws(ContinuityError) -> Bool {
    guard isUnused(seen) else { return false }
    try change { $0.reservedSequence = max($0.reservedSequence, seen + 1) }
    usedSequences = seen + 1
    return true
  }

  /// Whether no number so high was used here, and a counter can reach it.
  func isUnused(_ sequence: UInt64) -> Bool { sequence >= usedSequences && sequence < 1 << 62 }

  /// Changes a document's history, and tells who judges by it. It outlives this process at once, and a loss
  /// of power with the next record.
  func changeHistory(
    of place: DocumentHistories.Place, because sighting: VersionSighting,
    _ change: (inout DocumentHistory) -> Void
  ) {
    let before = histories[place]
    histories.change(place, because: sighting, at: .now, change)
    if histories[place] != before { onHistoryChange(place) }
  }

  /// A record needs the histories that it was made from: it is written after them.
  func saveHistories() throws(ContinuityError) { try histories.save() }

  /// The folder turned out to have been given another ID elsewhere; its documents keep their past.
  func moveHistories(from old: FolderID, to new: FolderID) { histories.move(from: old, to: new) }

  /// What this device's own record names was here: after a loss, histories begin with it.
  func recallHistories(from state: DeviceState) {
    for document in state.activities.compactMap(\.document) {
      let place = DocumentHistories.Place(folder: document.folder, path: document.path)
      histories.recall(document.version, of: place, at: .now)
    }
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
