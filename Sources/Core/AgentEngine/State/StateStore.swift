// SPDX-License-Identifier: MIT

package import ActivityModel
import ActivityExchange
import ActivityWire
import SyncedFolders
package import Trust

/// The agent's durable files, and what they hold. Every change is on the disk before anybody acts on it.
/// Loop thread only.
package final class StateStore {
  /// Why the last changes could not be written; empty when they were.
  var problems: [String] { [problem, histories.problem].compactMap { $0 } }
  private var problem: String?
  /// What a damaged file took along that the agent can do without.
  package var losses: [String] { lost + histories.losses + savedActivities.losses }
  private var lost: [String] = []
  private let ports: AgentPorts
  private var directory: any OwnFiles { ports.state }
  package private(set) var identity: Identity {
    didSet { (fileNames, shownNames, standing) = ([:], [:], nil) }
  }
  /// What is asked of the identity at each record: it has many parts to copy.
  private var standing: (id: DeviceID, isRemoved: Bool)?
  /// The names of this device's files, which follow from the identity.
  private var fileNames: [RecordFileKind: String] = [:]
  /// What devices are called, which follows from it as well; nil for none of the circle.
  private var shownNames: [DeviceID: String?] = [:]
  /// The device's ID.
  var id: DeviceID { known.id }
  /// Whether this device was removed from its circle.
  var isRemoved: Bool { known.isRemoved }

  private var known: (id: DeviceID, isRemoved: Bool) {
    let known = standing ?? (identity.id, identity.isRemoved)
    standing = known
    return known
  }

  /// How often the identity was changed since the start.
  private(set) var identityChanges = 0
  private(set) var state: AgentState
  package let histories: any VersionLog
  /// Told of each document whose history was changed: other offers of it are judged by what is known now.
  var onHistoryChange: (DocumentPlace) -> Void = { _ in }
  /// Told when keys or who belongs to the circle have changed.
  var onIdentityChange: () -> Void = {}
  /// What apps had kept for search.
  let savedActivities: any ActivityIndexing
  private var counter: SequenceCounter

  private static let fileLimit = 16 << 20
  /// This device went on to another computer: its keys are written nowhere any more.
  private var hasMoved = false

  private enum File {
    static let identity = "identity"
    static let state = "state"
    static let record = "own-state"
  }

  /// Reads what is there, or begins anew under `deviceName`.
  ///
  /// Throws `agentUnavailable` when keys or counters cannot be read: beginning anew silently would lose the
  /// circle. And where this device went on to another computer, unless a new one `mayReplaceMoved`.
  package init(
    _ ports: AgentPorts, deviceName: String, mayReplaceMoved: Bool = false
  ) throws(ContinuityError) {
    self.ports = ports
    let directory = ports.state
    directory.removeLeftovers(olderThan: .zero)
    let limit = Self.fileLimit
    state =
      try Self.read(directory, File.state, limit) { (bytes) throws(ContinuityError) in
        try AgentState(decoding: bytes)
      } ?? AgentState()
    histories = try ports.openVersionLog()
    savedActivities = try ports.openActivityIndex()
    let known = try Self.identity(in: directory, mayReplaceMoved: mayReplaceMoved, ciphers: ports.ciphers)
    var generator = ports.random
    if let known {
      identity = known
    } else {
      identity = try Identity.found(
        name: deviceName, at: ports.wall, using: &generator, ciphers: ports.ciphers)
    }
    counter = SequenceCounter(reserved: state.reservedSequence)
    if known == nil { try directory.replace(File.identity, with: identity.encoded, isShared: false) }
  }

  private static func identity(
    in directory: any OwnFiles, mayReplaceMoved: Bool, ciphers: any CipherSuite
  ) throws(ContinuityError) -> Identity? {
    if let moved = try movedDevice(in: directory) {
      if mayReplaceMoved { return nil }
      throw ContinuityError(
        .agentUnavailable, subject: moved.name,
        description: "\(moved.name) was moved to another computer with `continuo move-out`, and does not run "
          + "here any more: `continuo reset` makes this computer a new device.")
    }
    return try read(directory, File.identity, fileLimit) { (bytes) throws(ContinuityError) in
      try Identity(encoded: bytes, ciphers: ciphers)
    }
  }

  /// What is left here of a device that went on to another computer; nil where none did. Throws what reading
  /// the file throws.
  package static func movedDevice(in directory: any OwnFiles) throws(ContinuityError) -> MovedDevice? {
    try directory.read(File.identity, limit: fileLimit).flatMap(MovedDevice.init(encoded:))
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

  /// What this device said last, encoded; nil when it never said anything. Throws what reading the file
  /// throws.
  package func ownRecordBytes() throws(ContinuityError) -> [UInt8]? {
    try directory.read(File.record, limit: 1 << 20)
  }

  /// Keeps what this device says, encoded, before it is said. Throws what writing the file throws.
  package func rememberOwnRecord(_ payload: [UInt8]) throws(ContinuityError) {
    try write(File.record, payload)
  }

  private func write(_ name: String, _ bytes: [UInt8]) throws(ContinuityError) {
    do throws(ContinuityError) {
      try directory.replace(name, with: bytes, isShared: false)
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

  /// The name of this device's file of that kind, as `identity` says: asked for at each look at a folder.
  func fileName(_ kind: RecordFileKind) -> String {
    if let known = fileNames[kind] { return known }
    let name = identity.fileName(kind)
    fileNames[kind] = name
    return name
  }

  /// What a device of the circle is called, as `Identity.shownName` says.
  func shownName(of device: DeviceID) -> String? {
    if let known = shownNames[device] { return known }
    let name = identity.shownName(of: device)
    shownNames[device] = .some(name)
    return name
  }

  /// Changes the identity; in memory only once it is on the disk. Throws what `change` throws, and what the
  /// disk refuses; the identity is as it was then.
  package func changeIdentity<Result>(
    _ change: (inout Identity) throws(ContinuityError) -> Result
  ) throws(ContinuityError) -> Result {
    var changed = identity
    let result = try change(&changed)
    if changed != identity, !hasMoved {
      try write(File.identity, changed.encoded)
      let hasOtherMembers = changed.circle.roster.membership != identity.circle.roster.membership
      identity = changed
      identityChanges += 1
      if hasOtherMembers { ports.observer.learned(changed.circle.roster.membership) }
      onIdentityChange()
    }
    return result
  }

  /// Changes the state; in memory only once it is on the disk.
  func change(_ change: (inout AgentState) -> Void) throws(ContinuityError) {
    state = try written(File.state, state, changedBy: change) { $0.encoded }
  }

  /// What `change` makes of `known`, once it is on the disk.
  private func written<Value: Equatable>(
    _ name: String, _ known: Value, changedBy change: (inout Value) -> Void, encoded: (Value) -> [UInt8]
  ) throws(ContinuityError) -> Value {
    var changed = known
    change(&changed)
    if changed != known { try write(name, encoded(changed)) }
    return changed
  }

  /// Takes the keys away from this computer, for good: what stays says that the device went on elsewhere.
  /// Throws what the disk refuses; the keys are as they were then, unless `hasLeft`.
  func leave(at now: WallTime) throws(ContinuityError) {
    try write(File.identity, MovedDevice(identity, at: now).encoded)
    hasMoved = true
  }

  /// Whether the keys are gone from this computer; nil when nobody can tell just now.
  package var hasLeft: Bool? {
    do throws(ContinuityError) { return try Self.movedDevice(in: directory) != nil } catch { return nil }
  }

  /// The next sequence number; blocks are reserved durably before the first of them is used. Throws what the
  /// disk refuses; no number is used then.
  package func nextSequence() throws(ContinuityError) -> UInt64 {
    if let needed = counter.neededReservation {
      try change { $0.reservedSequence = needed }
      counter.reserve(needed)
    }
    return counter.advance()
  }

  /// Somebody saw a higher number of ours than we know of: we were set back (threat T03), and go on above it.
  /// A number that no counter reaches is somebody's mistake, and would end ours.
  @discardableResult
  func skipSequences(through seen: UInt64) throws(ContinuityError) -> Bool {
    guard let needed = counter.reservation(toSkip: seen) else { return false }
    try change { $0.reservedSequence = needed }
    counter.reserve(needed)
    counter.skip(through: seen)
    return true
  }

  /// Whether no number so high was used here, and a counter can reach it.
  func isUnused(_ sequence: UInt64) -> Bool { counter.reservation(toSkip: sequence) != nil }

  /// Changes a document's history, and tells who judges by it. It outlives this process at once, and a loss
  /// of power with the next record.
  func changeHistory(
    of place: DocumentPlace, because sighting: VersionSighting,
    _ change: (inout DocumentHistory) -> Void
  ) {
    let before = histories[place]
    histories.change(place, because: sighting, at: ports.wall, by: change)
    if histories[place] != before { onHistoryChange(place) }
  }

  /// A record needs the histories that it was made from: it is written after them.
  func saveHistories() throws(ContinuityError) { try histories.save() }

  /// The folder turned out to have been given another ID elsewhere; its documents keep their past.
  func moveHistories(from old: FolderID, to new: FolderID) { histories.move(from: old, to: new) }

  /// What this device's own record names was here: after a loss, histories begin with it.
  func recallHistories(from state: DeviceState, except copied: Set<DocumentPlace>) {
    for document in state.activities.compactMap(\.document) {
      let place = DocumentPlace(folder: document.folder, path: document.path)
      if copied.contains(place) { continue }
      histories.recall(document.version, of: place, at: ports.wall)
    }
  }

  private static func read<Value>(
    _ directory: any OwnFiles, _ name: String, _ limit: Int,
    _ decode: ([UInt8]) throws(ContinuityError) -> Value
  ) throws(ContinuityError) -> Value? {
    guard let bytes = try directory.read(name, limit: limit) else { return nil }
    do {
      return try decode(bytes)
    } catch {
      throw ContinuityError(
        .agentUnavailable, subject: name,
        description: "\(directory.displayPath)/\(name) is damaged (\(error.description)) "
          + "Restore it from a backup, or move the directory away to begin as a new device.")
    }
  }
}
