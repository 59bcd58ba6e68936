// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import Trust

/// Writes what this device says, its state and the circle's roster, into every folder, and tells what is
/// missing there. Loop thread only.
final class RecordPublisher {
  private let ports: AgentPorts
  private let store: StateStore
  private let folders: FolderRegistry
  private let problems: RecordProblems
  private let twins: TwinGuard
  /// Told of each state that was sealed: it comes back from each folder.
  private let onSealed: (RecordFile, OpenedRecord, DeviceState) -> Void
  /// The links over which records go, beside the folders.
  var links: () -> [any Transport] = { [] }
  /// What this device says of itself; nil while it has said nothing in this run.
  private(set) var current: RecordFile?
  /// What of that lies in the folders: links may be ahead of them.
  private var laid: RecordFile?
  /// The number of the state that was said last, and when; nil while nothing was said in this run.
  private(set) var said: (sequence: UInt64, at: WallTime)?
  /// Activities that the last record could not carry, and why.
  private(set) var leftOut: [ActivityID: Reason] = [:]
  /// Which records do not come to whom, as the records that come say.
  private(set) var gaps: RecordGaps
  private var roster: RecordFile?
  /// The parts of what this device keeps for search that were said in this run.
  private var lists: [Int: RecordFile] = [:]
  /// The rosters for those who have a former key only.
  private var bridges: [RecordFile] = []
  /// Folders that did not take what this device said, and why.
  private var unsupplied: [RootNumber: ContinuityError] = [:]

  init(
    _ ports: AgentPorts, store: StateStore, folders: FolderRegistry, problems: RecordProblems,
    twins: TwinGuard, onSealed: @escaping (RecordFile, OpenedRecord, DeviceState) -> Void
  ) {
    self.ports = ports
    self.store = store
    self.folders = folders
    self.problems = problems
    self.twins = twins
    self.onSealed = onSealed
    gaps = RecordGaps(own: store.id)
  }

  // MARK: The state

  /// Makes `state` the record of this device on every link, and in every folder that is there, unless it is
  /// for links alone; a folder that does not take it is supplied later. Throws what the agent's own disk
  /// refuses.
  func publish(_ state: DeviceState, onLinksAlone: Bool = false) throws(ContinuityError) {
    try store.saveHistories()
    var state = state
    state.acknowledgements[store.id] = twins.seen
    let (payload, dropped) = state.recordPayload()
    leftOut = Dictionary(dropped.map { ($0.activity, $0.reason.cause) }) { first, _ in first }
    problems[.dropped] =
      dropped.isEmpty
      ? nil : .told("\(dropped.count) activities do not fit the record and are not offered.")
    try store.rememberOwnRecord(payload)
    // Nobody of the circle would believe it, and whoever has its former key could read it.
    guard !store.isRemoved, !twins.isCopied else { return }
    let file = try sealed(payload, of: state)
    current = file
    ports.observer.reached(.writing)
    say(file)
    if !onLinksAlone { lay() }
  }

  /// Lays what was said last into every folder that is there.
  func lay() {
    guard let current, !store.isRemoved, !twins.isCopied else { return }
    laid = current
    layIntoFolders(current)
  }

  /// What a device that is linked now has to know.
  var newest: [RecordFile] { bridges + [roster, current].compactMap { $0 } }

  private func sealed(_ payload: [UInt8], of state: DeviceState) throws(ContinuityError) -> RecordFile {
    var generator = ports.random
    let sequence = try store.nextSequence()
    twins.used(sequence)
    let file = try store.identity.stateFile(payload, sequence: sequence, using: &generator)
    said = (sequence, state.issuedAt)
    gaps.said(sequence)
    onSealed(file, store.identity.opened(own: payload, sequence: sequence), state)
    ports.observer.published(state, sequence: sequence, record: file.bytes)
    return file
  }

  /// Brings a folder that came back, or is new, up to date.
  func supply(_ root: RootNumber) {
    guard let presence = folders.presence(of: root) else { return }
    unsupplied[root] = nil
    let said = bridges + [roster, laid ?? current, store.identity.pairing?.file].compactMap { $0 }
    for file in said + listFiles { attempt(file, in: presence, root) }
  }

  /// Whether the folder holds this device's newest record as it was written. True as well where there is none
  /// to hold, or nobody can tell just now.
  func isIntact(in root: RootNumber) -> Bool {
    guard let presence = folders.presence(of: root), !store.isRemoved, !twins.isCopied else {
      return true
    }
    // A file that cannot be read now is looked at again at the next hint or scan.
    do throws(ContinuityError) {
      let found = try presence.records.record(store.fileName(.state))
      guard try knowsRoster(presence) else { return false }
      for file in listFiles where try presence.records.record(file.name) != file.bytes { return false }
      if let laid { return found == laid.bytes }
      // Nothing was said in this run yet: what was said last may not have reached the folder.
      guard let said = try store.ownRecordBytes() else { return true }
      guard let found else { return false }
      return try store.identity.open(found).payload == said
    } catch {
      return error.code != .invalidBytes
    }
  }

  /// Whether the folder holds what this device said last. Only for certain.
  func holdsOwnRecord(_ presence: FolderRegistry.Presence) -> Bool {
    do throws(ContinuityError) {
      guard let said = try store.ownRecordBytes() else { return false }
      guard let found = try presence.records.record(store.fileName(.state)) else { return false }
      if let laid { return found == laid.bytes }
      return try store.identity.open(found).payload == said
    } catch {
      return false
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
    let failures = layIntoFolders(file)
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
    try? root.presence?.transport.retract(store.fileName(.state))
    for name in listNames(of: store.identity) { try? root.presence?.transport.retract(name) }
    if let pairing = store.identity.pairing { try? root.presence?.transport.retract(pairing.file.name) }
  }

  // MARK: What is kept for search

  /// Tells a part of what this device keeps, through the folders alone. Throws what the agent's own disk
  /// refuses.
  func sayList(_ payload: [UInt8], part: Int) throws(ContinuityError) {
    var generator = ports.random
    let file = try store.identity.savedFile(
      payload, part: part, sequence: store.nextSequence(), using: &generator)
    lists[part] = file
    layIntoFolders(file)
  }

  /// Whether that part was said in this run: folders are supplied with it.
  func hasSaidList(_ part: Int) -> Bool { lists[part] != nil }

  private var listFiles: [RecordFile] { lists.sorted { $0.key < $1.key }.map(\.value) }

  private func listNames(of identity: Identity) -> [String] {
    store.state.saidLists.keys.sorted().map { identity.fileName(.saved($0)) }
  }

  /// Takes away what is sealed with another key than the present one.
  private func retractLists(of before: Identity) {
    for name in listNames(of: before) { retract(name) }
    lists = [:]
  }

  /// Everywhere.
  private func write(_ file: RecordFile) {
    say(file)
    layIntoFolders(file)
  }

  private func say(_ file: RecordFile) {
    // A link that takes nothing is at its end, and tells so itself.
    for link in links() { try? link.publish(file.bytes, named: file.name) }
  }

  @discardableResult
  private func layIntoFolders(_ file: RecordFile) -> [ContinuityError] {
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
      unsupplied[root] = error
      ports.log("a record could not be written: code \(error.code)")
      return error
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
    (current, laid) = (nil, nil)
  }

  /// Forgets what was said as the device that this one was.
  func beginAnew() {
    (current, laid, said, roster, bridges) = (nil, nil, nil, nil, [])
    lists = [:]
    gaps = RecordGaps(own: store.id)
  }

  /// Another device said what it has read.
  func heard(_ device: DeviceID, _ sequence: UInt64, _ state: DeviceState) {
    gaps.heard(device, saying: sequence, reading: state.acknowledgements, at: ports.now)
  }

  /// Why folders that are there did not take it, a sentence each.
  var failures: [String] {
    let present = Set(folders.roots.filter { $0.presence != nil }.map(\.number))
    return unsupplied.filter { present.contains($0.key) }.sorted { $0.key < $1.key }
      .map(\.value.description)
  }

  // MARK: The roster

  /// Tells the roster anew: somebody came or went. Also after this device was removed: it may be the only one
  /// to know what others must hear.
  func publishRoster() throws(ContinuityError) {
    var generator = ports.random
    bridges = try store.identity.bridgeFiles(using: &generator) { () throws(ContinuityError) in
      try store.nextSequence()
    }
    for file in bridges { write(file) }
    let file = try store.identity.rosterFile(sequence: store.nextSequence(), using: &generator)
    roster = file
    write(file)
  }

  /// Whether the folder holds the roster, where somebody was removed: whoever takes the news of it away gains
  /// time.
  private func knowsRoster(_ presence: FolderRegistry.Presence) throws(ContinuityError) -> Bool {
    guard hasLostDevices else { return true }
    guard let roster else { return false }
    for file in bridges + [roster] where try presence.records.record(file.name) != file.bytes {
      return false
    }
    return true
  }

  /// Whether the roster was told in this run, where somebody was removed.
  var hasToldRoster: Bool { roster != nil || !hasLostDevices }

  /// Whether somebody was removed from the circle, as far as is known here.
  private var hasLostDevices: Bool { !store.identity.circle.roster.membership.removed.isEmpty }

  /// Forgets what was sealed for a circle that this device left, and takes it away, the pairing's file
  /// included.
  func leaveCircle(of before: Identity) {
    for name in [before.fileName(.state), before.fileName(.roster)] { retract(name) }
    retractLists(of: before)
    if let pairing = before.pairing, pairing.file.name != store.identity.pairing?.file.name {
      retract(pairing.file.name)
    }
    (current, laid, roster, bridges) = (nil, nil, nil, [])
    gaps = RecordGaps(own: store.id)
  }

  /// Takes away what is sealed with a former key, or says something for a device that was removed. The roster
  /// under that key is replaced by the one that leads to the next key.
  func leaveEpoch(of before: Identity) {
    retract(before.fileName(.state))
    retractLists(of: before)
    (current, laid, roster) = (nil, nil, nil)
  }
}
