// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
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
  }

  private let store: StateStore
  private let folders: FolderRegistry
  private(set) var current: RecordFile?
  private var roster: RecordFile?
  /// Sentences about what a person should know, by what they are about.
  private(set) var problems: [String: String] = [:]

  init(store: StateStore, folders: FolderRegistry) {
    self.store = store
    self.folders = folders
    folders.identityFileName = { [store] in store.identity.fileName(.folder) }
  }

  // MARK: Writing

  /// Makes `state` the record of this device in every folder that is there.
  ///
  /// Throws the first failure when not one folder took it.
  func publish(_ state: DeviceState) throws(ContinuityError) {
    try store.saveHistories()
    let (payload, dropped) = state.recordPayload()
    problems["dropped"] =
      dropped.isEmpty ? nil : "\(dropped.count) activities do not fit the record and are not offered."
    try store.rememberOwnRecord(payload)
    var generator = SystemRandomNumberGenerator()
    let file = try store.identity.stateFile(
      payload, sequence: store.nextSequence(), using: &generator)
    current = file
    try write(file)
  }

  /// Tells the roster anew: somebody came.
  func publishRoster() throws(ContinuityError) {
    var generator = SystemRandomNumberGenerator()
    let file = try store.identity.rosterFile(sequence: store.nextSequence(), using: &generator)
    roster = file
    try write(file)
  }

  /// Brings a folder that came back, or is new, up to date.
  func supply(_ presence: FolderRegistry.Presence) {
    var files = [current, roster].compactMap { $0 }
    if let pairing = store.identity.pairing { files.append(pairing.file) }
    for file in files { attempt(file, in: presence) }
  }

  /// Lays the waiting pairing's file into every folder.
  func publishPairing() throws(ContinuityError) {
    if let file = store.identity.pairing?.file { try write(file) }
  }

  /// Takes a file of this device out of every folder. What cannot be removed is harmless: it is void.
  func retract(_ name: String) {
    for root in folders.roots { try? root.presence?.transport.retract(name) }
  }

  /// Forgets what was sealed for a circle that this device left.
  func leaveCircle(stateFile: String, rosterFile: String) {
    retract(stateFile)
    retract(rosterFile)
    current = nil
    roster = nil
  }

  private func write(_ file: RecordFile) throws(ContinuityError) {
    let present = folders.roots.compactMap(\.presence)
    let failures = present.compactMap { attempt(file, in: $0) }
    if let failure = failures.first, failures.count == present.count { throw failure }
  }

  @discardableResult
  private func attempt(_ file: RecordFile, in presence: FolderRegistry.Presence) -> ContinuityError? {
    let place = presence.records.displayPath
    do throws(ContinuityError) {
      try presence.transport.publish(file.bytes, named: file.name)
      problems[place] = nil
      return nil
    } catch {
      problems[place] = error.description
      AgentLog.note("a record could not be written: code \(error.code)")
      return error
    }
  }

  // MARK: Reading

  /// What is new in the folder's records; `onlyNew` leaves out those that were believed before.
  func collect(_ transport: FolderTransport) -> [News] {
    var unknownSigner = false
    var news: [News] = []
    for bytes in transport.collect() {
      do throws(ContinuityError) {
        if try take(bytes, into: &news) { unknownSigner = true }
      } catch {
        AgentLog.note("a record was refused: \(error.subject)")
      }
    }
    let grew = news.contains { if case .roster = $0 { true } else { false } }
    if unknownSigner, grew {
      transport.forget()
      news += collect(transport)
    }
    return news
  }

  /// True when the record's signer is not in the roster yet.
  private func take(_ bytes: [UInt8], into news: inout [News]) throws(ContinuityError) -> Bool {
    let header = try RecordHeader(record: bytes)
    if header.kind == .invitation {
      if let joined = try answer(bytes) { news.append(.joined(joined)) }
      return false
    }
    let record: OpenedRecord
    do {
      record = try store.identity.open(bytes)
    } catch {
      if error.subject == "signer" { return true }
      throw error
    }
    guard record.device != store.identity.id else {
      try noteOwn(record.sequence)
      return false
    }
    guard try isNewest(record, bytes) else { return false }
    switch record.kind {
    case .state: news += try state(of: record)
    case .roster: news += try roster(of: record)
    case .invitation: break
    }
    return false
  }

  private func state(of record: OpenedRecord) throws(ContinuityError) -> [News] {
    let state = try DeviceState(recordPayload: record.payload)
    if let seen = state.acknowledgements[store.identity.id] { try noteOwn(seen) }
    let name = store.identity.circle.roster[record.device]?.name ?? ""
    return [.state(record.device, name: name, sequence: record.sequence, state)]
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
      // Somebody else's invitation or answer: none of ours.
      return nil
    }
    retract(invitation.file.name)
    return joiner
  }

  /// Durable before anybody hears of the record. An equal number with other bytes is the sign of a clone.
  private func isNewest(_ record: OpenedRecord, _ bytes: [UInt8]) throws(ContinuityError) -> Bool {
    let key = AgentState.HighWaterKey(device: record.device, kind: UInt64(record.kind.rawValue))
    let hash = Array(SHA256.hash(data: bytes))
    if let mark = store.state.highWater[key] {
      guard record.sequence >= mark.sequence else { return false }
      if record.sequence == mark.sequence {
        if hash != mark.hash {
          problems["clone"] =
            "Two computers use the identity of one device: pair the copy anew, as a device of its own."
        }
        return hash == mark.hash
      }
    }
    try store.change {
      $0.highWater[key] = AgentState.HighWaterMark(sequence: record.sequence, hash: hash)
    }
    return true
  }

  private func noteOwn(_ sequence: UInt64) throws(ContinuityError) {
    if try store.skipSequences(through: sequence) {
      problems["rollback"] =
        "This device's records were set back (a restored backup?); they go on above \(sequence)."
    }
  }
}
