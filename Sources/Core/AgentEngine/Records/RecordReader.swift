// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import Trust

/// Believes the records of other devices, in the order of records.md 2 and 7: seal and signature first, then
/// the high-water mark, and only then the content. Loop thread only.
final class RecordReader {
  private let ports: AgentPorts
  private let store: StateStore
  private let problems: RecordProblems
  private let twins: TwinGuard
  private let publisher: RecordPublisher
  private let opened: OpenedRecords
  /// Devices whose last record, dated far ahead, has been here for its lifetime and held activities.
  private(set) var outlived: Set<DeviceID> = []
  /// Under which names the circle's devices write, as of so many changes of the identity.
  private var knownNames: (changes: Int, names: Set<String>)?

  init(
    _ ports: AgentPorts, store: StateStore, problems: RecordProblems, twins: TwinGuard,
    publisher: RecordPublisher, opened: OpenedRecords
  ) {
    self.ports = ports
    self.store = store
    self.problems = problems
    self.twins = twins
    self.publisher = publisher
    self.opened = opened
  }

  /// What is new in the folder's records. `isComplete` is false when it is to be collected again: something
  /// could not be read, or this device's own disk refused what must be durable first, and nothing of such a
  /// record was believed.
  ///
  /// `isRest` goes on with what the last call had no time for.
  func collect(_ transport: FolderTransport, isRest: Bool = false) -> (
    news: [DeviceRecords.News], isComplete: Bool
  ) {
    transport.expectedNames = expectedNames
    var news: [DeviceRecords.News] = []
    var isComplete = true
    var refused: [String: Int] = [:]
    if !isRest { transport.beginReading() }
    for bytes in isRest ? transport.collectRest() : transport.collect() {
      do throws(ContinuityError) {
        if let device = try receive(bytes, into: &news) { transport.noteHeard(device) }
      } catch {
        let isForeign = error.subject == "version" && !isOfThisCircle(bytes)
        if error.subject == "version", !isForeign {
          transport.noteNewer()
        } else if error.code == .invalidBytes {
          transport.noteRefused()
        }
        refused[isForeign ? "circle" : error.subject, default: 0] += 1
        if error.code != .invalidBytes { isComplete = false }
      }
    }
    if !isRest { problems[.version] = nil }
    if refused["version"] != nil {
      problems[.version] = .newerFormat
    }
    for (step, count) in refused.sorted(by: { $0.key < $1.key }) {
      ports.log("\(count) files in a record folder are no records of this circle: \(step)")
    }
    if !isComplete { transport.forget() }
    return (news, isComplete && transport.isComplete)
  }

  /// What is new in what came over a link. Records that this device's own disk refused to remember stay with
  /// the link, which `isComplete` tells. `isForged` where something is signed by another device than is at
  /// the other end.
  func collect(_ link: LinkTransport) -> (news: [DeviceRecords.News], isComplete: Bool, isForged: Bool) {
    var news: [DeviceRecords.News] = []
    var (isComplete, isForged) = (true, false)
    for bytes in link.collect() {
      do throws(ContinuityError) {
        _ = try receive(bytes, by: link.device, into: &news)
      } catch {
        ports.log("a record that came over a link was refused: \(error.subject)")
        if error.subject == "version" { problems[.version] = .newerFormat }
        if error.subject == Self.linkStep { isForged = true }
        if error.code != .invalidBytes {
          link.keep(bytes)
          isComplete = false
        }
      }
    }
    return (news, isComplete, isForged)
  }

  private static let linkStep = "link"

  /// Whether the bytes have the mark of this circle where a record has it, whatever its version: else anybody
  /// who writes anything into the folder would have people look for a newer release.
  private func isOfThisCircle(_ bytes: [UInt8]) -> Bool {
    guard let tag = RecordHeader.circleTag(ofAnyVersion: bytes) else { return false }
    return store.identity.circle.epochs.contains { $0.circleTag == tag }
  }

  private var expectedNames: Set<String> {
    if let known = knownNames, known.changes == store.identityChanges { return known.names }
    let circle = store.identity.circle
    let kinds = [.state] + (0..<SavedActivityList.partCount).map { RecordFileKind.saved($0) }
    let names = Set(
      circle.roster.devices.flatMap { device in
        circle.currentEpoch.fileNames(kinds, of: device.keys)
          + circle.epochs.suffix(4).map { $0.fileName(.roster, of: device.keys) }
      })
    knownNames = (store.identityChanges, names)
    return names
  }

  /// Returns which other device says it, believed or not; nil where it is this one's, or an invitation. What
  /// came over a link is signed by the device there, `speaker`, and pairing stays with folders.
  private func receive(
    _ bytes: [UInt8], by speaker: DeviceID? = nil, into news: inout [DeviceRecords.News]
  ) throws(ContinuityError) -> DeviceID? {
    let header = try RecordHeader(record: bytes)
    if header.kind == .invitation, speaker == nil {
      let epoch = store.identity.circle.currentEpoch
      if let joined = try answer(bytes) {
        news.append(.joined(joined, hasNewKey: store.identity.circle.currentEpoch != epoch))
      }
      return nil
    }
    // Of a device that is not in the roster yet: read again when the roster has grown.
    let read = try opened.record(
      bytes, header: header, changes: store.identityChanges, ciphers: ports.ciphers
    ) { (bytes) throws(ContinuityError) in try store.identity.open(bytes) }
    guard speaker.map({ $0 == read.opened.device }) ?? true else {
      throw ContinuityError(
        .invalidBytes, subject: Self.linkStep,
        description: "The record is signed by another device than the one that says it.")
    }
    guard read.opened.device != store.id else {
      let isSetBack = try twins.noteOwn(read) { () throws(ContinuityError) in
        try publisher.sayLastWord(twins.bootNonce)
      }
      news += isSetBack ? [.setBack] : []
      return nil
    }
    guard try isNewest(read, bytes) else { return read.opened.device }
    switch read.opened.kind {
    case .state: news += try state(of: read)
    case .roster: if let grown = try roster(of: read) { news.append(.roster(grown)) }
    case .firstSaved, .secondSaved, .thirdSaved, .lastSaved: news += try saved(of: read.opened)
    case .invitation: break
    }
    return read.opened.device
  }

  private func state(of read: ReadRecord) throws(ContinuityError) -> [DeviceRecords.News] {
    let record = read.opened
    var state = try read.state()
    // What a removed device continued before it was lost is true; it offers nothing.
    if store.identity.circle.roster[record.device] == nil { state.activities = [] }
    publisher.heard(record.device, record.sequence, state)
    let isOver = try hasOutlived(record, state)
    if isOver, !state.activities.isEmpty {
      outlived.insert(record.device)
    } else {
      outlived.remove(record.device)
    }
    if isOver { state.activities = [] }
    let isSetBack = try state.acknowledgements[store.id].map(twins.noteAcknowledged) ?? false
    let name = store.shownName(of: record.device) ?? ""
    return (isSetBack ? [.setBack] : []) + [
      .state(
        record.device, name: name, sequence: record.sequence, sealedFor: record.circleTag, state)
    ]
  }

  private func saved(of record: OpenedRecord) throws(ContinuityError) -> [DeviceRecords.News] {
    guard let part = record.kind.savedPart else { return [] }
    let list = try SavedActivityList(recordPayload: record.payload)
    return [.saved(record.device, part: part, sequence: record.sequence, list)]
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
      problems[.clone] = .deviceCopied(device: nil)
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

  private func roster(of read: ReadRecord) throws(ContinuityError) -> RosterNews? {
    let before = store.identity
    let news = try read.isMerged ? RosterNews() : merge(read)
    if let waited = before.pairing, store.identity.pairing == nil { publisher.retract(waited.file.name) }
    if news.hasNewKey || store.identity.isRemoved { publisher.leaveEpoch(of: before) }
    return news.isGrown ? news : nil
  }

  private func merge(_ read: ReadRecord) throws(ContinuityError) -> RosterNews {
    let news = try store.changeIdentity { (identity) throws(ContinuityError) in
      var generator = ports.random
      return try identity.mergeRoster(read.opened.payload, at: ports.wall, using: &generator)
    }
    // Where that changed the identity, this is forgotten with all other records.
    read.isMerged = true
    return news
  }

  private func answer(_ bytes: [UInt8]) throws(ContinuityError) -> RosterDevice? {
    guard case .invited(let invitation) = store.identity.pairing, bytes != invitation.file.bytes else {
      return nil
    }
    let joiner: RosterDevice
    let before = store.identity
    do {
      joiner = try store.changeIdentity { (identity) throws(ContinuityError) in
        var generator = ports.random
        return try identity.takeAnswer(bytes, at: ports.wall, using: &generator)
      }
    } catch {
      // Somebody else's invitation or answer, or one that comes too late, is none; a full disk is another
      // matter.
      if error.code == .invalidBytes || error.code == .pairingFailed { return nil }
      throw error
    }
    publisher.retract(invitation.file.name)
    if store.identity.circle.currentEpoch != before.circle.currentEpoch { publisher.leaveEpoch(of: before) }
    return joiner
  }
}
