// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import Trust

/// Writes this device's records into every folder and believes those of other devices, in the order of
/// records.md 2 and 7: seal and signature first, then the high-water mark, and only then the content.
/// Loop thread only.
final class DeviceRecords {
  /// What a collected record turned out to be.
  enum News {
    /// The state of another device, newer than all before it or seen for the first time in this run.
    case state(DeviceID, name: String, sequence: UInt64, DeviceState)
    /// Others know more of the circle than this device did.
    case roster(RosterNews)
    /// This device's invitation was answered.
    case joined(RosterDevice, hasNewKey: Bool)
    /// Others know higher numbers of this device than it did: what it says now they would not believe. Or
    /// another computer left this identity to this device.
    case setBack
  }

  let ports: AgentPorts
  let store: StateStore
  private let folders: FolderRegistry
  var current: RecordFile?
  var roster: RecordFile?
  /// The rosters for those who have a former key only.
  var bridges: [RecordFile] = []
  var sentences: [String: String] = [:]
  /// Whether another computer uses this device's identity.
  var twins: TwinWatch
  let bootNonce: [UInt8]
  /// Under which names the circle's devices write, as of so many changes of the identity.
  private var knownNames: (changes: Int, names: Set<String>)?
  private var opened = OpenedRecords()
  /// Folders that did not take what this device said, and why.
  private var unsupplied: [RootNumber: ContinuityError] = [:]

  init(_ ports: AgentPorts, store: StateStore, folders: FolderRegistry, bootNonce: [UInt8]) {
    self.ports = ports
    self.store = store
    self.folders = folders
    self.bootNonce = bootNonce
    twins = TwinWatch(bootNonce: bootNonce, isCopied: store.state.copied == store.identity.id)
    if twins.isCopied { sentences["twins"] = Self.isCopied }
    folders.identityFileName = { [store] in store.fileName(.folder) }
    folders.holdsOwnRecord = { [weak self] in self?.holdsOwnRecord($0) ?? false }
  }

  /// Sentences about what a person should know.
  var problems: [String] {
    let present = Set(folders.roots.filter { $0.presence != nil }.map(\.number))
    return sentences.sorted { $0.key < $1.key }.map(\.value)
      + unsupplied.filter { present.contains($0.key) }.sorted { $0.key < $1.key }
      .map(\.value.description)
  }

  // MARK: Writing

  /// Makes `state` the record of this device in every folder that is there; a folder that does not take it is
  /// supplied later. Throws what the agent's own disk refuses.
  func publish(_ state: DeviceState) throws(ContinuityError) {
    try store.saveHistories()
    var state = state
    state.acknowledgements[store.id] = twins.seen
    let (payload, dropped) = state.recordPayload()
    sentences["dropped"] =
      dropped.isEmpty ? nil : "\(dropped.count) activities do not fit the record and are not offered."
    try store.rememberOwnRecord(payload)
    // Nobody of the circle would believe it, and whoever has its former key could read it.
    guard !store.isRemoved, !twins.isCopied else { return }
    let file = try sealed(payload, of: state)
    current = file
    ports.observer.reached(.writing)
    write(file)
  }

  func sealed(_ payload: [UInt8], of state: DeviceState) throws(ContinuityError) -> RecordFile {
    var generator = ports.random
    let sequence = try store.nextSequence()
    twins.used(sequence)
    let file = try store.identity.stateFile(payload, sequence: sequence, using: &generator)
    opened.record(
      sealed: file.bytes, as: store.identity.opened(own: payload, sequence: sequence), telling: state,
      changes: store.identityChanges, ciphers: ports.ciphers)
    ports.observer.published(state, sequence: sequence, record: file.bytes)
    return file
  }

  /// Brings a folder that came back, or is new, up to date.
  func supply(_ root: RootNumber) {
    guard let presence = folders.root(root)?.presence else { return }
    unsupplied[root] = nil
    for file in bridges + [roster, current, store.identity.pairing?.file].compactMap({ $0 }) {
      attempt(file, in: presence, root)
    }
  }

  /// Whether the folder holds this device's newest record as it was written. True as well where there is none
  /// to hold, or nobody can tell just now.
  func isIntact(in root: RootNumber) -> Bool {
    guard let presence = folders.root(root)?.presence, !store.isRemoved, !twins.isCopied else {
      return true
    }
    // A file that cannot be read now is looked at again at the next hint or scan.
    do throws(ContinuityError) {
      let name = store.fileName(.state)
      let limit = Int(RecordHeader.recordSizes.max() ?? 0)
      let found = try presence.records.read(name, limit: limit)
      guard try knowsRoster(presence) else { return false }
      if let current { return found == current.bytes }
      // Nothing was said in this run yet: what was said last may not have reached the folder.
      guard let said = try store.ownRecordBytes() else { return true }
      guard let found else { return false }
      return try store.identity.open(found).payload == said
    } catch {
      return error.code != .invalidBytes
    }
  }

  /// Whether the folder holds what this device said last. Only for certain.
  private func holdsOwnRecord(_ presence: FolderRegistry.Presence) -> Bool {
    do throws(ContinuityError) {
      guard let said = try store.ownRecordBytes() else { return false }
      let limit = Int(RecordHeader.recordSizes.max() ?? 0)
      guard let found = try presence.records.read(store.fileName(.state), limit: limit) else {
        return false
      }
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
    try? root.presence?.transport.retract(store.fileName(.state))
    if let pairing = store.identity.pairing { try? root.presence?.transport.retract(pairing.file.name) }
  }

  @discardableResult
  func write(_ file: RecordFile) -> [ContinuityError] {
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

  // MARK: Reading

  /// What is new in the folder's records. `isComplete` is false when it is to be collected again: something
  /// could not be read, or this device's own disk refused what must be durable first, and nothing of such a
  /// record was believed.
  ///
  /// `isRest` goes on with what the last call had no time for.
  func collect(_ transport: FolderTransport, isRest: Bool = false) -> (news: [News], isComplete: Bool) {
    transport.expectedNames = expectedNames
    var news: [News] = []
    var isComplete = true
    var refused: [String: Int] = [:]
    for bytes in isRest ? transport.collectRest() : transport.collect() {
      do throws(ContinuityError) {
        try receive(bytes, into: &news)
      } catch {
        let isForeign = error.subject == "version" && !isOfThisCircle(bytes)
        refused[isForeign ? "circle" : error.subject, default: 0] += 1
        if error.code != .invalidBytes { isComplete = false }
      }
    }
    if !isRest { sentences["version"] = nil }
    if refused["version"] != nil {
      sentences["version"] =
        "Another device of the circle runs a newer Continuo: what it says is not understood; update."
    }
    for (step, count) in refused.sorted(by: { $0.key < $1.key }) {
      ports.log("\(count) files in a record folder are no records of this circle: \(step)")
    }
    if !isComplete { transport.forget() }
    return (news, isComplete && transport.isComplete)
  }

  /// Whether the bytes have the mark of this circle where a record has it, whatever its version: else anybody
  /// who writes anything into the folder would have people look for a newer release.
  private func isOfThisCircle(_ bytes: [UInt8]) -> Bool {
    guard let tag = RecordHeader.circleTag(ofAnyVersion: bytes) else { return false }
    return store.identity.circle.epochs.contains { $0.circleTag == tag }
  }

  private var expectedNames: Set<String> {
    if let known = knownNames, known.changes == store.identityChanges { return known.names }
    let circle = store.identity.circle
    let names = Set(
      circle.roster.devices.flatMap { device in
        [circle.currentEpoch.fileName(.state, of: device.keys)]
          + circle.epochs.suffix(4).map { $0.fileName(.roster, of: device.keys) }
      })
    knownNames = (store.identityChanges, names)
    return names
  }

  private func receive(_ bytes: [UInt8], into news: inout [News]) throws(ContinuityError) {
    let header = try RecordHeader(record: bytes)
    if header.kind == .invitation {
      let epoch = store.identity.circle.currentEpoch
      if let joined = try answer(bytes) {
        news.append(.joined(joined, hasNewKey: store.identity.circle.currentEpoch != epoch))
      }
      return
    }
    // Of a device that is not in the roster yet: read again when the roster has grown.
    let read = try opened.record(
      bytes, header: header, changes: store.identityChanges, ciphers: ports.ciphers
    ) { (bytes) throws(ContinuityError) in try store.identity.open(bytes) }
    guard read.opened.device != store.id else { return news += try noteOwn(read) }
    guard try isNewest(read, bytes) else { return }
    switch read.opened.kind {
    case .state: news += try state(of: read)
    case .roster: if let grown = try roster(of: read) { news.append(.roster(grown)) }
    case .invitation: break
    }
  }

  private func state(of read: ReadRecord) throws(ContinuityError) -> [News] {
    let record = read.opened
    var state = try read.state()
    // What a removed device continued before it was lost is true; it offers nothing.
    if store.identity.circle.roster[record.device] == nil { state.activities = [] }
    if try hasOutlived(record, state) { state.activities = [] }
    let setBack = try state.acknowledgements[store.id].map(noteAcknowledged) ?? []
    let name = store.shownName(of: record.device) ?? ""
    return setBack + [.state(record.device, name: name, sequence: record.sequence, state)]
  }

  /// Durable before anybody hears of the record. An equal number with other bytes is the sign of a clone.
  private func isNewest(_ read: ReadRecord, _ bytes: [UInt8]) throws(ContinuityError) -> Bool {
    let record = read.opened
    let key = AgentState.HighWaterKey(device: record.device, kind: UInt64(record.kind.rawValue))
    let found = RecordLedger.Mark(sequence: record.sequence, hash: read.hash, epoch: record.epoch)
    let mark = store.state.highWater[key].map {
      RecordLedger.Mark(sequence: $0.sequence, hash: $0.hash, epoch: $0.epoch)
    }
    switch RecordLedger.verdict(on: found, after: mark) {
    case .newest: break
    case .known:
      ports.observer.acceptedAgain(record, bytes: bytes)
      return true
    case .outdated: return false
    case .clone:
      ports.observer.saysClone(record.device)
      sentences["clone"] =
        "Two computers use the identity of one device: run `continuo reset` on the one that is the copy."
      return false
    }
    try store.change {
      $0.highWater[key] = AgentState.HighWaterMark(
        sequence: found.sequence, hash: found.hash, epoch: found.epoch)
    }
    ports.observer.accepted(record, bytes: bytes)
    return true
  }

  /// Whether a record that its device dates far ahead has been here for its lifetime. The exchange ends one
  /// that comes to its end while this agent runs; this holds across restarts.
  private func hasOutlived(_ record: OpenedRecord, _ state: DeviceState) throws(ContinuityError) -> Bool {
    let (now, skew, device) = (ports.wall, ExchangeMachine.Timing().clockSkew, record.device)
    guard now.adding(seconds: skew) < state.issuedAt else {
      if store.state.early[device] != nil { try store.change { $0.early[device] = nil } }
      return false
    }
    guard let known = store.state.early[device], known.sequence == record.sequence else {
      try store.change {
        $0.early[device] = AgentState.EarlyRecord(sequence: record.sequence, arrivedAt: now)
      }
      return false
    }
    return known.arrivedAt.adding(seconds: state.lifetime + skew) < now
  }

  static let isCopied = Reason.copied.sentence
}
