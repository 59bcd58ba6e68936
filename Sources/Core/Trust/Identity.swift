// SPDX-License-Identifier: MIT

import ActivityExchange
public import ActivityModel
public import ActivityWire

/// Everything secret that a device's agent owns: its keys, the circle's keys and roster, and a pairing under
/// way. A value: whoever changes it writes `encoded` durably, mode 0600, before acting on the change.
///
/// High-water marks and the device's own counter are kept elsewhere.
public struct Identity: Hashable, Sendable {
  /// The device's keys; they stay when it joins another circle, unless that one had removed it.
  public internal(set) var keys: DeviceKeys
  /// What the person calls this device.
  public internal(set) var name: String
  /// The circle that the device founded or joined.
  public internal(set) var circle: Circle
  /// The pairing that waits for the other side; nil when none does.
  public internal(set) var pairing: Pairing?
  /// What those need who have a former key only, ascending.
  var bridges: [EpochBridge] = []

  /// A new device, and a circle of its own with this one device. Throws `invalidBytes` when the ciphers make
  /// no keys.
  public static func found(
    name: String, at now: WallTime, using generator: inout some RandomNumberGenerator,
    ciphers: any CipherSuite
  ) throws(ContinuityError) -> Identity {
    let keys = try DeviceKeys(using: &generator, ciphers: ciphers)
    let roster = try Roster(foundedBy: keys, name: name, at: now, using: &generator)
    let circle = Circle(
      epochs: [EpochKey(number: 1, using: &generator, ciphers: keys.ciphers)], roster: roster)
    return Identity(keys: keys, name: Roster.cleaned(name), circle: circle, pairing: nil)
  }

  /// The device's ID.
  public var id: DeviceID { keys.id }

  /// Whether the roster names this device: false from `join` until the inviter's answer has come back, and
  /// again once it was removed.
  public var isConfirmed: Bool { circle.roster.holds(id) }

  /// Whether this device was removed from its circle, or was let in by one that was and is not kept: it is to
  /// publish nothing any more, and comes back by `join` alone.
  public var isRemoved: Bool { !isConfirmed && circle.roster.membership.known.contains(id) }

  /// The devices of the circle but this one, by ID.
  public var otherDevices: [RosterDevice] { circle.roster.devices.filter { $0.id != id } }

  /// Whether the circle has no other device.
  public var isAlone: Bool {
    !circle.roster.membership.members.contains { $0 != id && circle.roster.holds($0) }
  }

  /// The name of this device's file of that kind, of the current epoch.
  public func fileName(_ kind: RecordFileKind) -> String {
    circle.currentEpoch.fileName(kind, of: keys.publicKeys)
  }

  /// The file that tells `payload` (see `DeviceState.recordPayload`) to the circle.
  ///
  /// `sequence` comes from the device's counter, reserved durably before this is called; the generator is the
  /// system's, except where bytes must be reproducible. Throws `invalidRequest` when `payload` is too long,
  /// or `sequence` is 0.
  public func stateFile(
    _ payload: [UInt8], sequence: UInt64, using generator: inout some RandomNumberGenerator
  ) throws(ContinuityError) -> RecordFile {
    RecordFile(
      name: fileName(.state), bytes: try seal(payload, kind: .state, sequence: sequence, using: &generator))
  }

  /// The file that tells a part of this device's saved activities to the circle; see `stateFile` for the
  /// numbers. Throws `invalidRequest` when `payload` is too long, or `sequence` is 0.
  public func savedFile(
    _ payload: [UInt8], part: Int, sequence: UInt64, using generator: inout some RandomNumberGenerator
  ) throws(ContinuityError) -> RecordFile {
    RecordFile(
      name: fileName(.saved(part)),
      bytes: try seal(payload, kind: RecordKind.saved[part], sequence: sequence, using: &generator))
  }

  /// The file that tells the roster to the circle: to be written again whenever the roster has grown. Throws
  /// `invalidRequest` when `sequence` is 0.
  public func rosterFile(
    sequence: UInt64, using generator: inout some RandomNumberGenerator
  ) throws(ContinuityError) -> RecordFile {
    let payload = circle.roster.encoded
    return RecordFile(
      name: fileName(.roster), bytes: try seal(payload, kind: .roster, sequence: sequence, using: &generator))
  }

  /// A record of this device under the current epoch key; throws `invalidRequest` when `payload` is too long.
  public func seal(
    _ payload: [UInt8], kind: RecordKind, sequence: UInt64, using generator: inout some RandomNumberGenerator
  ) throws(ContinuityError) -> [UInt8] {
    try SealedRecord.seal(
      payload, kind: kind, sequence: sequence, by: keys, under: circle.currentEpoch, using: &generator)
  }

  /// Opens a state or roster record of this circle, its own ones included.
  ///
  /// Throws `invalidBytes`; its subject tells the step that refused: a field of the header, `version` (a
  /// newer Continuo), `circle`, `seal`, `signer` (in no roster known here: read the rosters first; or
  /// removed), `signature`, `padding`. Of a removed device the states up to its last good one are opened, for
  /// what they claim: it offers nothing. The caller compares epoch and sequence with its high-water mark
  /// before it believes the payload.
  public func open(_ record: [UInt8]) throws(ContinuityError) -> OpenedRecord {
    let opened = try SealedRecord.open(record, under: circle.epochs) {
      device, kind, _ throws(ContinuityError) in
      guard kind != .invitation else { return nil }
      return device == id ? keys.publicKeys : circle.roster.signer(device)?.keys
    }
    if opened.device == id || circle.roster[opened.device] != nil { return opened }
    guard opened.kind == .state, circle.roster.membership.counts(opened.sequence, of: opened.device) else {
      throw ContinuityError(
        .invalidBytes, subject: "signer", description: "The record is signed by a device that was removed.")
    }
    return opened
  }

  /// What `open` makes of the state record that this device seals with that payload and number.
  package func opened(own payload: [UInt8], sequence: UInt64) -> OpenedRecord {
    OpenedRecord(
      device: id, kind: .state, epoch: circle.currentEpoch.number,
      circleTag: circle.currentEpoch.circleTag, sequence: sequence, payload: payload)
  }

  /// Gives this device another name, which the circle learns with the next roster file.
  ///
  /// It counts as later than every name that the device was given before, whatever the clocks of those who
  /// gave them said. Throws `pairingFailed` when the roster is full.
  public mutating func rename(to name: String, at now: WallTime) throws(ContinuityError) {
    if isConfirmed {
      let named = circle.roster.lastNaming(of: id)?.milliseconds ?? 0
      let later = WallTime(milliseconds: max(now.milliseconds, named == .max ? named : named + 1))
      try circle.roster.add(keys.publicKeys, name: name, by: keys, at: later)
    }
    self.name = Roster.cleaned(name)
  }

  /// What a device of the circle is called where a person has to tell it from the others: its name, and
  /// behind it the beginning of its ID where another device has that name, too. Nil for no device of the
  /// circle.
  public func shownName(of device: DeviceID) -> String? {
    // The roster lacks this device until the inviter has let it in.
    let own = RosterDevice(keys: keys.publicKeys, name: name)
    let all = [own] + otherDevices
    guard let found = all.first(where: { $0.id == device }) else { return nil }
    let lowercased = found.name.lowercased()
    guard all.contains(where: { $0.id != device && $0.name.lowercased() == lowercased }) else {
      return found.name
    }
    return "\(found.name) (\(found.keys.fingerprint.prefix(4)))"
  }
}

/// The devices that trust each other, and the keys that they share.
public struct Circle: Hashable, Sendable {
  /// The keys of the epochs that this device knows, ascending, at least one.
  public internal(set) var epochs: [EpochKey]
  /// Who belongs.
  public internal(set) var roster: Roster

  /// What new records are sealed with.
  public var currentEpoch: EpochKey { epochs[epochs.count - 1] }
}

extension Identity {
  // identity = { 1: signing seed, 2: agreement seed, 3: name, 4: [epoch key] ascending, 5: roster as bytes,
  //   6: invitation { 1: ID, 2: words, 3: expires-at-ms, 4: record }? , 7: answer { 1: name, 2: record }?,
  //   8: [[epoch key, roster as bytes]]? }
  private static let limits = CBOR.Limits(depth: 8, entries: 256, items: 1024, bytes: 4 << 20)

  /// The bytes of the key file. Secret.
  public var encoded: [UInt8] {
    var fields: CBORMap = [
      1: .bytes(keys.signingSeed), 2: .bytes(keys.agreementSeed), 3: .text(name),
      4: .array(circle.epochs.map(\.cbor)), 5: .bytes(circle.roster.encoded),
    ]
    switch pairing {
    case .invited(let invitation): fields[6] = invitation.cbor
    case .answered(let file): fields[7] = .map([1: .text(file.name), 2: .bytes(file.bytes)])
    case nil: break
    }
    if !bridges.isEmpty { fields[8] = .array(bridges.map(\.cbor)) }
    return CBOR.map(fields).encoded
  }

  /// The identity that the bytes of a key file hold. Throws `invalidBytes`.
  public init(encoded bytes: [UInt8], ciphers suite: any CipherSuite) throws(ContinuityError) {
    let ciphers = Ciphers(suite)
    let fields = try CBOR(decoding: bytes, limits: Self.limits).map("identity")
    keys = try DeviceKeys(
      signingSeed: try fields.required(1, field: "signing seed").bytes("signing seed"),
      agreementSeed: try fields.required(2, field: "agreement seed").bytes("agreement seed"),
      ciphers: ciphers)
    name = Roster.cleaned(try fields.required(3, field: "name").text("name"))
    var epochs: [EpochKey] = []
    for epoch in try fields.required(4, field: "epochs").array("epochs") {
      epochs.append(try EpochKey(cbor: epoch, ciphers: ciphers))
    }
    guard !epochs.isEmpty, zip(epochs, epochs.dropFirst()).allSatisfy({ $0.number <= $1.number }) else {
      throw CBOR.mismatch("epochs", expected: "ascending keys")
    }
    for bridge in try fields[8]?.array("bridges") ?? [] {
      bridges.append(try EpochBridge(cbor: bridge, ciphers: ciphers))
    }
    circle = Circle(
      epochs: epochs,
      roster: try Roster(encoded: fields.required(5, field: "roster").bytes("roster"), ciphers: ciphers))
    if let invitation = fields[6] {
      pairing = .invited(try PairingInvitation(cbor: invitation, ciphers: ciphers))
    } else if let answer = try fields[7]?.map("answer") {
      pairing = .answered(
        RecordFile(
          name: try answer.required(1, field: "answer").text("answer"),
          bytes: try answer.required(2, field: "answer").bytes("answer")))
    }
  }
}
