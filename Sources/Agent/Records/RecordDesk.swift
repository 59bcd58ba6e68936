// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import CLinux
import Crypto
import FolderAccess
import FolderTransport
import Trust

/// Writes this device's records into every folder and believes those of other devices, in the order of
/// records.md 4: seal and signature first, then the high-water mark, and only then the content.
/// Loop thread only.
final class RecordDesk {
  /// What a collected record turned out to be.
  enum News {
    /// The state of another device, newer than all before it or seen for the first time in this run.
    case state(DeviceID, name: String, sequence: UInt64, DeviceState)
    /// The circle grew by these devices.
    case roster([RosterDevice])
    /// This device's invitation was answered.
    case joined(RosterDevice)
    /// Others know higher numbers of this device than it did: what it says now they would not believe.
    case setBack
  }

  private let store: StateStore
  private let folders: FolderRegistry
  private(set) var current: RecordFile?
  private var roster: RecordFile?
  private var sentences: [String: String] = [:]
  /// Folders that did not take what this device said, and why.
  private var unsupplied: [RootNumber: String] = [:]

  init(store: StateStore, folders: FolderRegistry) {
    self.store = store
    self.folders = folders
    folders.identityFileName = { [store] in store.identity.fileName(.folder) }
  }

  /// Sentences about what a person should know.
  var problems: [String] {
    let present = Set(folders.roots.filter { $0.presence != nil }.map(\.number))
    return sentences.sorted { $0.key < $1.key }.map(\.value)
      + unsupplied.filter { present.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
  }

  // MARK: Writing

  /// Makes `state` the record of this device in every folder that is there; a folder that does not take it is
  /// supplied later. Throws what the agent's own disk refuses.
  func publish(_ state: DeviceState) throws(ContinuityError) {
    try store.saveHistories()
    let (payload, dropped) = state.recordPayload()
    sentences["dropped"] =
      dropped.isEmpty ? nil : "\(dropped.count) activities do not fit the record and are not offered."
    try store.rememberOwnRecord(payload)
    var generator = SystemRandomNumberGenerator()
    let file = try store.identity.stateFile(
      payload, sequence: store.nextSequence(), using: &generator)
    current = file
    continuo_pause_point(6)
    write(file)
  }

  /// Tells the roster anew: somebody came.
  func publishRoster() throws(ContinuityError) {
    var generator = SystemRandomNumberGenerator()
    let file = try store.identity.rosterFile(sequence: store.nextSequence(), using: &generator)
    roster = file
    write(file)
  }

  /// Brings a folder that came back, or is new, up to date.
  func supply(_ root: RootNumber) {
    guard let presence = folders.root(root)?.presence else { return }
    unsupplied[root] = nil
    for file in [roster, current, store.identity.pairing?.file].compactMap({ $0 }) {
      attempt(file, in: presence, root)
    }
  }

  /// Whether the folder holds this device's newest record as it was written. True as well where there is none
  /// to hold, or nobody can tell just now.
  func isIntact(in root: RootNumber) -> Bool {
    guard let presence = folders.root(root)?.presence else { return true }
    // A file that cannot be read now is looked at again at the next hint or scan.
    do throws(ContinuityError) {
      let name = store.identity.fileName(.state)
      let limit = Int(RecordHeader.recordSizes.max() ?? 0)
      let found = try presence.records.read(name, limit: limit)
      if let current { return found == current.bytes }
      // Nothing was said in this run yet: what was said last may not have reached the folder.
      guard let said = try store.ownRecordBytes() else { return true }
      guard let found else { return false }
      return try store.identity.open(found).payload == said
    } catch {
      return error.code != .invalidBytes
    }
  }

  /// Whether a folder has yet to be supplied.
  var hasUnsupplied: Bool { !unsupplied.isEmpty }

  /// Supplies the folders that did not take what they were given: the disk may have room again.
  func supplyAgain() {
    for root in unsupplied.keys.sorted() {
      if folders.root(root) == nil { unsupplied[root] = nil } else { supply(root) }
    }
  }

  /// Lays the waiting pairing's file into every folder. Throws when not one took it.
  func publishPairing() throws(ContinuityError) {
    guard let file = store.identity.pairing?.file else { return }
    let failures = write(file)
    if let failure = failures.first, failures.count == folders.roots.count(where: { $0.presence != nil }) {
      throw failure
    }
  }

  /// Takes a file of this device out of every folder. What cannot be removed is harmless: it is void.
  func retract(_ name: String) {
    for root in folders.roots { try? root.presence?.transport.retract(name) }
  }

  /// Takes what this device said out of one folder. What cannot be removed expires.
  func retractAll(from root: FolderRegistry.Root) {
    try? root.presence?.transport.retract(store.identity.fileName(.state))
    if let pairing = store.identity.pairing { try? root.presence?.transport.retract(pairing.file.name) }
  }

  /// Forgets what was sealed for a circle that this device left, and takes it away, the pairing's file
  /// included.
  func leaveCircle(of before: Identity) {
    for name in [before.fileName(.state), before.fileName(.roster)] { retract(name) }
    if let pairing = before.pairing, pairing.file.name != store.identity.pairing?.file.name {
      retract(pairing.file.name)
    }
    current = nil
    roster = nil
  }

  @discardableResult
  private func write(_ file: RecordFile) -> [ContinuityError] {
    folders.roots.compactMap { root in root.presence.flatMap { attempt(file, in: $0, root.number) } }
  }

  @discardableResult
  private func attempt(
    _ file: RecordFile, in presence: FolderRegistry.Presence, _ root: RootNumber
  ) -> ContinuityError? {
    do throws(ContinuityError) {
      try presence.transport.publish(file.bytes, named: file.name)
      return nil
    } catch {
      unsupplied[root] = error.description
      AgentLog.note("a record could not be written: code \(error.code)")
      return error
    }
  }

  // MARK: Reading

  /// What is new in the folder's records. `isComplete` is false when this device's own disk refused what must
  /// be durable first: nothing of such a record was believed, and it is to be collected again.
  func collect(_ transport: FolderTransport) -> (news: [News], isComplete: Bool) {
    transport.expectedNames = expectedNames
    var news: [News] = []
    var isComplete = true
    var refused: [String: Int] = [:]
    for bytes in transport.collect() {
      do throws(ContinuityError) {
        try take(bytes, into: &news)
      } catch {
        refused[error.subject, default: 0] += 1
        if error.code != .invalidBytes { isComplete = false }
      }
    }
    for (step, count) in refused.sorted(by: { $0.key < $1.key }) {
      AgentLog.note("\(count) files in a record folder are no records of this circle: \(step)")
    }
    if !isComplete { transport.forget() }
    return (news, isComplete)
  }

  private var expectedNames: Set<String> {
    let circle = store.identity.circle
    return Set(
      circle.roster.devices.flatMap { device in
        [.roster, .state].map { circle.currentEpoch.fileName($0, of: device.keys) }
      })
  }

  private func take(_ bytes: [UInt8], into news: inout [News]) throws(ContinuityError) {
    let header = try RecordHeader(record: bytes)
    if header.kind == .invitation {
      if let joined = try answer(bytes) { news.append(.joined(joined)) }
      return
    }
    // Of a device that is not in the roster yet: read again when the roster has grown.
    let record = try store.identity.open(bytes)
    guard record.device != store.identity.id else { return news += try noteOwn(record.sequence) }
    guard try isNewest(record, bytes) else { return }
    switch record.kind {
    case .state: news += try state(of: record)
    case .roster: news += try roster(of: record)
    case .invitation: break
    }
  }

  private func state(of record: OpenedRecord) throws(ContinuityError) -> [News] {
    let state = try DeviceState(recordPayload: record.payload)
    let setBack = try state.acknowledgements[store.identity.id].map(noteOwn) ?? []
    let name = store.identity.circle.roster[record.device]?.name ?? ""
    return setBack + [.state(record.device, name: name, sequence: record.sequence, state)]
  }

  private func roster(of record: OpenedRecord) throws(ContinuityError) -> [News] {
    let waited = store.identity.pairing
    let newcomers = try store.changeIdentity { (identity) throws(ContinuityError) in
      try identity.mergeRoster(record.payload)
    }
    if let waited, store.identity.pairing == nil { retract(waited.file.name) }
    return newcomers.isEmpty ? [] : [.roster(newcomers)]
  }

  private func answer(_ bytes: [UInt8]) throws(ContinuityError) -> RosterDevice? {
    guard case .invited(let invitation) = store.identity.pairing, bytes != invitation.file.bytes else {
      return nil
    }
    let joiner: RosterDevice
    do {
      joiner = try store.changeIdentity { (identity) throws(ContinuityError) in
        try identity.takeAnswer(bytes, at: .now)
      }
    } catch {
      // Somebody else's invitation or answer, or one that comes too late, is none; a full disk is another
      // matter.
      if error.code == .invalidBytes || error.code == .pairingFailed { return nil }
      throw error
    }
    retract(invitation.file.name)
    return joiner
  }

  /// Durable before anybody hears of the record. An equal number with other bytes is the sign of a clone.
  private func isNewest(_ record: OpenedRecord, _ bytes: [UInt8]) throws(ContinuityError) -> Bool {
    let key = AgentState.HighWaterKey(device: record.device, kind: UInt64(record.kind.rawValue))
    let found = RecordLedger.Mark(sequence: record.sequence, hash: Array(SHA256.hash(data: bytes)))
    let mark = store.state.highWater[key].map { RecordLedger.Mark(sequence: $0.sequence, hash: $0.hash) }
    switch RecordLedger.verdict(on: found, after: mark) {
    case .newest: break
    case .known: return true
    case .outdated: return false
    case .clone:
      sentences["clone"] =
        "Two computers use the identity of one device: pair the copy anew, as a device of its own."
      return false
    }
    try store.change {
      $0.highWater[key] = AgentState.HighWaterMark(sequence: found.sequence, hash: found.hash)
    }
    return true
  }

  private func noteOwn(_ sequence: UInt64) throws(ContinuityError) -> [News] {
    guard try store.skipSequences(through: sequence) else { return [] }
    sentences["rollback"] =
      "This device's records were set back (a restored backup?); they go on above \(sequence)."
    return [.setBack]
  }
}
