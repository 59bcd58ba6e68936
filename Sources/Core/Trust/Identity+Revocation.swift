// SPDX-License-Identifier: MIT

import ActivityExchange
public import ActivityModel
import ActivityWire

/// The roster as it was when a key was replaced. Sealed with that key, it tells those who missed the change
/// who is out and what the next key is, and whoever is out nothing that came later.
struct EpochBridge: Hashable, Sendable {
  let epoch: EpochKey
  let roster: [UInt8]

  // bridge = [epoch key, roster as bytes]
  var cbor: CBOR { .array([epoch.cbor, .bytes(roster)]) }

  init(epoch: EpochKey, roster: [UInt8]) {
    self.epoch = epoch
    self.roster = roster
  }

  init(cbor: CBOR, ciphers: Ciphers) throws(ContinuityError) {
    let pair = try cbor.array("bridge", count: 2)
    epoch = try EpochKey(cbor: pair[0], ciphers: ciphers)
    roster = try pair[1].bytes("roster")
  }
}

/// What a roster record changed.
public struct RosterNews: Hashable, Sendable {
  /// Devices that are new to this one.
  public var joined: [RosterDevice] = []
  /// Devices that belong no more, removed or let in by a removed one.
  public var left: [RosterDevice] = []
  /// New records are sealed with another key.
  public var hasNewKey = false
  /// This device's roster is to be told anew: it knows more than before.
  public var isGrown = false
  /// An open invitation ended, with its key: the file to be removed.
  public var endedPairing: RecordFile?

  /// Of a roster that told nothing new.
  public init() {}
}

extension Identity {
  private static let bridgeLimit = 16
  private static let epochLimit = 64

  /// Takes a device, or this one itself, out of the circle for good, and makes a new key for the rest.
  /// `lastGoodSequence` is the number of the newest record of it that was believed here.
  ///
  /// Afterwards the roster files are to be written, and the state under its new name. Throws
  /// `invalidRequest` when one of the two does not belong, or the roster is full.
  public mutating func revoke(
    _ device: DeviceID, lastGoodSequence: UInt64, at now: WallTime,
    using generator: inout some RandomNumberGenerator
  ) throws(ContinuityError) -> RosterNews {
    try change(at: now, using: &generator) { (identity) throws(ContinuityError) in
      try identity.circle.roster.remove(
        device, lastGoodSequence: lastGoodSequence, by: identity.keys, at: now)
    }
  }

  /// Takes in the payload of another device's roster record.
  ///
  /// Ends an answered pairing when the roster now names this device, takes over the circle's new key, and
  /// makes one where nobody has made one for all that belong. Throws `invalidBytes` and changes nothing when
  /// the payload is no roster of this circle.
  public mutating func mergeRoster(
    _ payload: [UInt8], at now: WallTime, using generator: inout some RandomNumberGenerator
  ) throws(ContinuityError) -> RosterNews {
    // Mostly all devices know the same, whose statements were checked when they were learnt.
    let isKnown = payload == circle.roster.encoded
    let other = isKnown ? circle.roster : try Roster(encoded: payload, ciphers: keys.ciphers)
    return try change(at: now, using: &generator) { (identity) throws(ContinuityError) in
      guard !isKnown else { return }
      let epoch = identity.circle.currentEpoch.number
      _ = try identity.circle.roster.merge(other, epoch: epoch)
      identity.learnEpoch(of: other)
    }
  }

  /// A key that lost against another one of its time is kept for reading: devices that took it over leave
  /// word under it of what came after. The key in use stays the last one.
  private mutating func learnEpoch(of other: Roster) {
    guard let sealed = other.epoch, sealed != circle.roster.epoch, circle.epochs.count < Self.epochLimit,
      let place = circle.epochs.firstIndex(where: { $0.number >= sealed.number }),
      let epoch = sealed.opened(with: keys, circle: circle.roster.circle), !circle.epochs.contains(epoch)
    else { return }
    circle.epochs.insert(epoch, at: place)
  }

  /// The rosters for those who have a former key only; written before `rosterFile`, with lower numbers.
  /// Throws what `sequence` throws, and `invalidRequest` for a roster that no record holds.
  public func bridgeFiles(
    using generator: inout some RandomNumberGenerator,
    sequence: () throws(ContinuityError) -> UInt64
  ) throws(ContinuityError) -> [RecordFile] {
    var files: [RecordFile] = []
    for bridge in bridges {
      let bytes = try SealedRecord.seal(
        bridge.roster, kind: .roster, sequence: sequence(), by: keys, under: bridge.epoch, using: &generator)
      files.append(RecordFile(name: bridge.epoch.fileName(.roster, of: keys.publicKeys), bytes: bytes))
    }
    return files
  }

  /// Whom the device of that ID let in and who belongs still, by ID.
  public func devicesLetIn(by device: DeviceID) -> [RosterDevice] {
    let admitted = circle.roster.membership.admitted
    return circle.roster.devices.filter { $0.id != device && admitted[$0.id]?.contains(device) ?? false }
  }

  /// Changes the roster, and sees to the keys that follow from it; changes nothing when that fails.
  mutating func change(
    at now: WallTime, using generator: inout some RandomNumberGenerator,
    _ body: (inout Identity) throws(ContinuityError) -> Void
  ) throws(ContinuityError) -> RosterNews {
    var changed = self
    try body(&changed)
    let former = changed.circle.currentEpoch
    changed.takeOverEpoch()
    if changed.needsNewEpoch {
      let epoch = EpochKey(number: changed.nextEpoch, using: &generator, ciphers: keys.ciphers)
      try changed.circle.roster.renew(epoch, by: keys, at: now)
      changed.circle.epochs.append(epoch)
    }
    var news = RosterNews()
    if changed.circle.currentEpoch != former { news.hasNewKey = true }
    if news.hasNewKey { changed.build(from: former) }
    changed.endPairing(&news)
    let (before, after) = (circle.roster.devices, changed.circle.roster.devices)
    let (idsBefore, idsAfter) = (Set(before.map(\.id)), Set(after.map(\.id)))
    news.joined = after.filter { !idsBefore.contains($0.id) }
    news.left = before.filter { !idsAfter.contains($0.id) }
    news.isGrown = changed.circle.roster != circle.roster || changed.circle.epochs != circle.epochs
    self = changed
    return news
  }

  /// The words of an invitation hold the former key, and those of a removed device let nobody in.
  private mutating func endPairing(_ news: inout RosterNews) {
    switch pairing {
    case .answered: if isConfirmed { pairing = nil }
    case .invited(let invitation) where news.hasNewKey || isRemoved:
      news.endedPairing = invitation.file
      pairing = nil
    default: break
    }
  }

  private mutating func takeOverEpoch() {
    guard let sealed = circle.roster.epoch, sealed.number >= circle.currentEpoch.number,
      let epoch = sealed.opened(with: keys, circle: circle.roster.circle), !circle.epochs.contains(epoch)
    else { return }
    circle.epochs.append(epoch)
  }

  /// Whether the key in use is known to others than those who belong, or not to all of these. Without any
  /// removal the founding key stays: who is let in gets it with the invitation.
  private var needsNewEpoch: Bool {
    guard isConfirmed else { return false }
    guard let sealed = circle.roster.epoch else {
      return !circle.roster.membership.removed.isEmpty || circle.currentEpoch.number > 1
    }
    return Set(sealed.keys.keys) != circle.roster.membership.members
      || sealed.number < circle.currentEpoch.number
  }

  private var nextEpoch: UInt32 {
    min(max(circle.currentEpoch.number, circle.roster.epoch?.number ?? 1), SealedEpoch.highest - 1) + 1
  }

  /// Leaves what those need who have only the keys that were in use since `former`.
  private mutating func build(from former: EpochKey) {
    let payload = circle.roster.encoded
    let first = circle.epochs.lastIndex(of: former) ?? 0
    for epoch in circle.epochs[first...].dropLast() {
      bridges.append(EpochBridge(epoch: epoch, roster: payload))
    }
    bridges = Array(bridges.suffix(Self.bridgeLimit))
    circle.epochs = Array(circle.epochs.suffix(Self.epochLimit))
  }
}
