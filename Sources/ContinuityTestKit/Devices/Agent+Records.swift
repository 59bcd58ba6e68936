// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import SyncedFolders

// Records: written, read, and believed in the order of records.md 4.
extension Agent {
  static let records: [[UInt8]] = [Array(".continuo".utf8)]

  static func state(_ payload: [UInt8]) -> DeviceState? {
    do throws(ContinuityError) {
      return try DeviceState(recordPayload: payload)
    } catch {
      return nil
    }
  }

  /// False when this device's own disk refused it.
  func publish(_ state: DeviceState) throws -> Bool {
    efforts += 1
    try device.operate()
    guard !device.storeIsFull else { return false }
    if historiesAreDirty { device.store.histories = histories }
    historiesAreDirty = false
    var state = state
    state.acknowledgements[device.id] = twins.seen
    let payload = state.recordPayload().bytes
    try device.operate()
    device.store.ownRecord = payload
    guard !isOut, !twins.isCopied else { return true }
    return try lay(payload, state)
  }

  /// False when it could not be sealed.
  private func lay(_ payload: [UInt8], _ state: DeviceState) throws -> Bool {
    let sequence = try nextSequence()
    twins.used(sequence)
    guard
      let record = world.sealing.seal(
        payload, by: device.identity, sequence: sequence, using: &world.random)
    else { return false }
    world.count(.records)
    world.note(record)
    let content = world.contents.wholeRecord(record)
    current = content
    let carried = world.opened(content)?.state?.claims ?? []
    world.judge { $0.published(device, sequence, record, state, carried: carried) }
    try write(content, to: device.recordPath)
    return true
  }

  func nextSequence() throws -> UInt64 {
    if let needed = counter.neededReservation {
      try device.operate()
      device.store.reserved = needed
      counter.reserve(needed)
    }
    return counter.take()
  }

  /// Lays the record into the folder by a temporary file; a folder that does not take it is supplied later.
  func write(_ record: Content, to path: [[UInt8]]) throws {
    guard presence != nil else { return }
    let random = Array(RequestID(using: &world.random).bytes.prefix(12)).hexadecimal
    let temporary = Self.records + [Array("\(random)~".utf8)]
    do {
      try device.operate()
      let inode = try folder.make(temporary)
      try folder.write(record.text, record.size, to: inode, from: .empty)
      folder.close(inode)
      try device.operate()
      try folder.synchronize(inode)
      try device.operate()
      try folder.rename(temporary, path)
      try device.operate()
      try folder.synchronize(inode)
      isUnsupplied = false
    } catch let error as FileError {
      isUnsupplied = true
      world.note(error == .noSpace ? 1 : 2)
      try? folder.unlink(temporary)
    }
    world.oracle.wrote(device, path)
    world.remember(path, record)
    for engine in world.engines { engine.noticed(device.number) }
  }

  /// Whether the folder holds this device's newest record as it was written.
  private var isIntact: Bool {
    guard !isOut, !twins.isCopied else { return true }
    guard rosterIsIntact else { return false }
    let found = folder.content(at: device.recordPath)
    if let current { return found == current }
    guard let said = device.store.ownRecord else { return true }
    return found.flatMap(world.opened)?.payload == said
  }

  private func keepOwnRecord(_ event: OwnRecordMachine.Event) throws {
    guard presence != nil else { return }
    for action in ownRecord.handle(event, at: device.now) {
      switch action {
      case .look: if !folder.isFailing { try keepOwnRecord(.looked(isIntact: isIntact)) }
      case .write:
        if !rosterIsIntact, currentRoster == nil { try tellRoster() }
        if current == nil { try feed(.audienceChanged) } else { try supply() }
      case .wake(let moment):
        ownRecordTimers += 1
        let number = ownRecordTimers
        guard let moment else { continue }
        device.schedule(.presence, at: moment) { [self] in
          if !isDead, ownRecordTimers == number { try keepOwnRecord(.timer) }
        }
      }
    }
  }

  func supply() throws {
    guard presence != nil, current != nil || currentRoster != nil else { return }
    isUnsupplied = false
    if let currentRoster { try write(currentRoster, to: device.rosterPath) }
    if let current { try write(current, to: device.recordPath) }
  }

  // MARK: Reading

  /// Many hints of one moment lead to one reading.
  func scheduleCollect() {
    guard !collectIsDue else { return }
    collectIsDue = true
    world.schedule(.presence, device.number, after: 0) { [self] in
      collectIsDue = false
      if !isDead { try collect() }
    }
  }

  func collect() throws {
    guard let presence, recordFolder == presence else { return }
    let isComplete = try readRecords(in: presence)
    if !folder.isFailing { try keepOwnRecord(.looked(isIntact: isIntact)) }
    guard !isComplete, !recollectIsDue else { return }
    recollectIsDue = true
    device.schedule(.presence, at: device.now + .seconds(30)) { [self] in
      recollectIsDue = false
      if !isDead { scheduleCollect() }
    }
  }

  /// Reads what is not known yet; false when something of it could not be taken.
  private func readRecords(in presence: Int) throws -> Bool {
    let changes = folder.inodes[presence].changes
    // The real agent looks at each file; the same would come of it.
    if knownChanges == changes, !folder.isFailing { return true }
    var read = SortedTable<[UInt8], FileStamp>()
    var isComplete = true
    var isRead = !folder.isFailing
    let entries = folder.inodes[presence].entries
    var place = 0
    for (name, found) in zip(entries.keys, entries.values) where !folder.inodes[found].isFolder {
      // A record that is believed may lead to a new one of this device, under the same name.
      let isAsListed = folder.inodes[presence].changes == changes
      guard let inode = isAsListed ? found : folder.inodes[presence].entries[name] else { continue }
      let stamp = folder.stamp(inode)
      guard RecordHeader.recordSizes.contains(Int(stamp.size)), !folder.isFailing else { continue }
      if known.value(of: name, from: &place) == stamp {
        read.append(name, stamp)
        continue
      }
      efforts += 1
      // Written within one tick of the clock, the next change might not show in the stamp.
      if Int64(world.time) - stamp.changed >= 20_000_000 { read.append(name, stamp) } else { isRead = false }
      if let record = world.opened(folder.inodes[inode].content), try !take(record) { isComplete = false }
    }
    known = isComplete ? read : SortedTable()
    knownChanges = isComplete && isRead ? changes : nil
    return isComplete && !folder.isFailing
  }

  /// False when this device's own disk refused what must be durable first.
  private func take(_ record: OpenedRecord) throws -> Bool {
    guard record.device != device.id else { return try noteOwn(record) }
    guard isBelieved(record) else { return true }
    if let statements = record.roster { return try take(statements) }
    let hash = record.code.bigEndianBytes
    let mark = RecordLedger.Mark(sequence: record.sequence, hash: hash)
    switch RecordLedger.verdict(on: mark, after: device.store.marks[record.device]) {
    case .newest:
      try device.operate()
      guard !device.storeIsFull else { return false }
      device.store.marks[record.device] = mark
      world.judge { $0.accepted(device, record.code, record.device, record.sequence) }
    case .known:
      let before = device.store.marks[record.device]?.hash
      if before != hash { world.violate(.monotone, "a clone's record was taken for one that was known") }
    case .outdated: return true
    case .clone:
      world.judge { $0.saysClone(device, record.device) }
      return true
    }
    guard var state = record.state else { return true }
    if let seen = state.acknowledgements[device.id], !twins.isCopied, try !goOn(above: seen) { return false }
    // What a removed device continued before it was lost is true; it offers nothing.
    if device.store.circle?.members.contains(record.device) == false { state.activities = [] }
    let isRecord = { (activity: ActivitySnapshot) in
      activity.document.map { DocumentResolver.isRecord($0.path) } ?? false
    }
    if state.activities.contains(where: isRecord) { state.activities.removeAll(where: isRecord) }
    try feed(.received(record.device, name: world.name(of: record.device), sequence: record.sequence, state))
    return true
  }

  /// False when this device's own disk refused what must be durable first.
  private func noteOwn(_ record: OpenedRecord) throws -> Bool {
    guard let state = record.state else {
      return twins.isCopied ? true : try goOn(above: record.sequence)
    }
    let sighting = TwinWatch.Sighting(sequence: record.sequence, state, of: device.id)
    let isNews = counter.reservation(toSkip: record.sequence) != nil
    var changed = twins
    let finding = changed.handle(sighting, isNews: isNews, wall: device.wall)
    if finding != .known, device.storeIsFull { return false }
    twins = changed
    switch finding {
    case .known: return true
    case .setBack: return try goOn(above: record.sequence)
    case .released:
      device.store.isCopied = false
      return try goOn(above: record.sequence)
    case .copied:
      world.judge { $0.saysClone(device, device.id) }
      device.store.isCopied = true
      try skip(through: record.sequence)
      var last = DeviceState(issuedAt: device.wall, bootNonce: bootNonce)
      last.acknowledgements[device.id] = twins.seen
      _ = try lay(last.recordPayload().bytes, last)
      current = nil
      return true
    }
  }

  private func skip(through sequence: UInt64) throws {
    guard let needed = counter.reservation(toSkip: sequence) else { return }
    try device.operate()
    device.store.reserved = needed
    counter.reserve(needed)
    counter.skip(through: sequence)
  }

  private func goOn(above sequence: UInt64) throws -> Bool {
    guard let needed = counter.reservation(toSkip: sequence) else { return true }
    try device.operate()
    guard !device.storeIsFull else { return false }
    device.store.reserved = needed
    counter.reserve(needed)
    counter.skip(through: sequence)
    try feed(.audienceChanged)
    return true
  }
}
