// SPDX-License-Identifier: MIT

package import ActivityExchange
public import ActivityModel
import ActivityWire

/// A device of the circle.
public struct RosterDevice: Hashable, Sendable {
  /// Its public keys; the ID and the fingerprint follow from them.
  public let keys: DevicePublicKeys
  /// What the person calls it; cleaned for display, not unique, no authority.
  public let name: String

  /// The device's ID.
  public var id: DeviceID { keys.id }
}

/// A device that was taken out of the circle.
public struct RemovedDevice: Hashable, Sendable {
  /// Its keys and its last name.
  public let device: RosterDevice
  /// When, by the clock of the device that removed it.
  public let at: WallTime
  /// The device that removed it: itself, when it left.
  public let remover: RosterDevice
}

/// The signed statements that make a circle out of devices. It only grows, so that devices that exchange
/// rosters in any order come to the same one; of several statements of one device about another, the one that
/// counts is kept.
///
/// Who belongs is what `CircleMembership` says. A statement of a kind that this version does not know makes
/// it refuse the whole roster, whose meaning it would miss.
public struct Roster: Hashable, Sendable {
  /// Sixteen random bytes of the founding, part of each signature: a statement means nothing in another
  /// circle.
  public let circle: [UInt8]
  /// The signing key whose owner founded the circle.
  public let foundingKey: [UInt8]
  private(set) var statements: Set<RosterStatement>
  /// Who belongs, and who let whom in: what the statements amount to.
  package private(set) var membership: CircleMembership
  private var known: [DeviceID: RosterDevice] = [:]
  /// The devices, by ID.
  public private(set) var devices: [RosterDevice] = []

  /// The most devices of a circle.
  public static let deviceLimit = 32
  static let statementLimit = 256
  /// What is left of the statements is for removals: whoever fills a roster with additions prevents none.
  static let additionLimit = 160
  /// By how much a key's number may be ahead: who could name any would leave the others none.
  static let epochStride: UInt32 = 1 << 16

  /// The devices that were taken out, by ID.
  public var removedDevices: [RemovedDevice] {
    statements.sorted().reversed().reduce(into: [DeviceID: RemovedDevice]()) { removed, statement in
      guard case .removed(let id, _) = statement.content, let device = known[id],
        let remover = known[statement.signer]
      else { return }
      removed[id] = RemovedDevice(device: device, at: statement.at, remover: remover)
    }
    .sorted { $0.key < $1.key }.map(\.value)
  }

  /// The device of that ID; nil when it does not belong to the circle.
  public subscript(_ id: DeviceID) -> RosterDevice? { membership.members.contains(id) ? known[id] : nil }

  /// Whether the device belongs to the circle.
  func holds(_ id: DeviceID) -> Bool { membership.members.contains(id) && known.keys.contains(id) }

  /// When somebody last gave the device a name, by the clocks of those who did.
  func lastNaming(of id: DeviceID) -> WallTime? {
    statements.filter { $0.addition?.keys.id == id }.map(\.at).max()
  }

  /// Whoever may have signed a record: a device of the circle, or one that was.
  func signer(_ id: DeviceID) -> RosterDevice? {
    membership.members.contains(id) || membership.removed.contains(id) ? known[id] : nil
  }

  /// The newest key that a device of the circle made for the others.
  var epoch: SealedEpoch? {
    statements.lazy.compactMap { if case .epoch(let epoch) = $0.content { epoch } else { nil } }.first
  }

  /// A circle of one device.
  init(
    foundedBy keys: DeviceKeys, name: String, at now: WallTime,
    using generator: inout some RandomNumberGenerator
  ) throws(ContinuityError) {
    circle = generator.bytes(16)
    foundingKey = keys.publicKeys.signing
    statements = []
    membership = CircleMembership(founder: keys.id)
    try add(keys.publicKeys, name: name, by: keys, at: now)
  }

  /// States, signed with `keys`, that the device of `device` belongs to the circle.
  ///
  /// Throws `pairingFailed` when the circle is full, the signer does not belong to it, or the device was
  /// removed from it.
  mutating func add(
    _ device: DevicePublicKeys, name: String, by keys: DeviceKeys, at now: WallTime
  ) throws(ContinuityError) {
    guard self[device.id] != nil || membership.members.count < Self.deviceLimit else { throw Self.full }
    guard membership.members.contains(keys.id) else {
      throw ContinuityError(
        .pairingFailed, subject: name, description: "Only a device of the circle can add \(name) to it.")
    }
    guard !membership.removed.contains(device.id) else {
      throw ContinuityError(
        .pairingFailed, subject: name,
        description:
          "\(name) was removed from the circle for good; it comes back with a new key: `continuo join` there."
      )
    }
    try state(.added(device, name: Self.cleaned(name)), at: now, by: keys)
  }

  /// States, signed with `keys`, that a device belongs no more, its records above `lastGoodSequence` count no
  /// more, and whom it let in stays.
  ///
  /// Throws `invalidRequest` when one of the two does not belong, or the roster is full.
  mutating func remove(
    _ device: DeviceID, lastGoodSequence: UInt64, by keys: DeviceKeys, at now: WallTime
  ) throws(ContinuityError) {
    guard self[device] != nil, self[keys.id] != nil else {
      throw ContinuityError(
        .invalidRequest, subject: "device",
        description: "Only a device of the circle is removed, and by one of them.")
    }
    // One that is out itself stays a link to those whom it let in and who stay.
    let kept = membership.admitted.filter { $0.value.contains(device) }.keys
    let removal = CircleMembership.Removal(
      lastGoodSequence: lastGoodSequence, kept: Set(kept).subtracting([device]))
    try state(.removed(device, removal), at: now, by: keys)
  }

  /// States, signed with `keys`, which key the devices of the circle use from now on.
  mutating func renew(_ epoch: EpochKey, by keys: DeviceKeys, at now: WallTime) throws(ContinuityError) {
    let sealed = try SealedEpoch(epoch, to: devices.map(\.keys), circle: circle)
    try state(.epoch(sealed), at: now, by: keys)
  }

  private mutating func state(
    _ content: RosterStatement.Content, at now: WallTime, by keys: DeviceKeys
  ) throws(ContinuityError) {
    var grown = self
    grown.statements.insert(try RosterStatement(content, at: now, by: keys, in: scope))
    try grown.settle()
    self = grown
  }

  /// Takes in what another roster of the same circle knows; false when it changed nothing. Where all of it
  /// would be too much the removals are taken in alone. `epoch` is the number of the key in use.
  ///
  /// Throws `invalidBytes` for a roster of another circle and `pairingFailed` for one above the limits;
  /// nothing is taken in then.
  mutating func merge(_ other: Roster, epoch: UInt32) throws(ContinuityError) -> Bool {
    guard other.circle == circle, other.foundingKey == foundingKey else {
      throw CBOR.mismatch("roster", expected: "statements of this circle")
    }
    let news = other.statements.filter { statement in
      guard case .epoch(let sealed) = statement.content else { return true }
      return sealed.number <= min(epoch, SealedEpoch.highest) + Self.epochStride
    }
    // What is known is settled.
    guard !news.isSubset(of: statements) else { return false }
    var merged = self
    merged.statements.formUnion(news)
    do throws(ContinuityError) {
      try merged.settle()
    } catch {
      merged = self
      merged.statements.formUnion(
        news.filter { statement in
          guard case .removed = statement.content else { return false }
          return membership.known.contains(statement.signer)
        })
      try merged.settle()
    }
    defer { self = merged }
    return merged.statements != statements
  }

  /// A name to give a device: cleaned for display, never empty, and one that every release accepts.
  static func cleaned(_ name: String) -> String {
    let clean = DisplayText.shown(RecordText.sanitised(name), byteLimit: nameLimit)
    return clean.isEmpty ? "device" : clean
  }

  /// Whether records may name a device so. Names that devices were given by the first releases stay readable.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && RecordText.isClean(name, byteLimit: nameLimit)
  }

  static let nameLimit = 64

  private static let full = ContinuityError(
    .pairingFailed, subject: "circle",
    description: "The circle has \(deviceLimit) devices, or had too many; it takes no more.")

  private var scope: RosterStatement.Scope { .init(circle: circle, foundingKey: foundingKey) }

  // Works out who belongs, and what is worth keeping: the same in whatever order it was learnt.
  private mutating func settle() throws(ContinuityError) {
    var kept: [RosterStatement.Subject: RosterStatement] = [:]
    for statement in statements {
      if let other = kept[statement.subject], !statement.replaces(other) { continue }
      kept[statement.subject] = statement
    }
    membership = CircleMembership(founder: membership.founder)
    membership.insert(kept.values.compactMap(\.membership))
    let epochs = kept.values.filter { $0.isEpoch && membership.members.contains($0.signer) }
    statements = Set(kept.values.filter { !$0.isEpoch })
    if let newest = epochs.max(by: { $1.replaces($0) }) { statements.insert(newest) }
    let ordered = statements.sorted()
    nameDevices(by: ordered)
    guard known[membership.founder] != nil else {
      throw CBOR.mismatch("roster", expected: "a founding device")
    }
    guard membership.members.count <= Self.deviceLimit, statements.count <= Self.statementLimit,
      statements.count(where: { $0.addition != nil }) <= Self.additionLimit,
      cbor(of: ordered).encodedSize <= SealedRecord.payloadLimit
    else { throw Self.full }
  }

  private mutating func nameDevices(by ordered: [RosterStatement]) {
    known = [:]
    for statement in ordered where membership.known.contains(statement.signer) {
      guard let (keys, name) = statement.addition else { continue }
      // The name that somebody gave it whose word counts, else any.
      let counts = membership.admitted[keys.id]?.contains(statement.signer) ?? false
      if counts || known[keys.id] == nil {
        known[keys.id] = RosterDevice(keys: keys, name: DisplayText.shown(name))
      }
    }
    devices = membership.members.sorted().compactMap { known[$0] }
  }
}

extension Roster {
  // roster = { 1: circle (16), 2: founding key, 3: [statement] ascending }
  static let limits = CBOR.Limits(depth: 8, entries: 256, items: 8192, bytes: SealedRecord.payloadLimit)

  /// The payload of a roster record.
  package var encoded: [UInt8] { cbor.encoded }

  var cbor: CBOR { cbor(of: statements.sorted()) }

  private func cbor(of ordered: [RosterStatement]) -> CBOR {
    .map([1: .bytes(circle), 2: .bytes(foundingKey), 3: .array(ordered.map(\.cbor))])
  }

  /// The roster that the payload of a roster record holds. Every signature is checked.
  ///
  /// Throws `invalidBytes`; with subject `version` when a newer Continuo wrote statements unknown here.
  init(encoded bytes: [UInt8], ciphers: Ciphers) throws(ContinuityError) {
    try self.init(cbor: CBOR(decoding: bytes, limits: Self.limits), ciphers: ciphers)
  }

  init(cbor: CBOR, ciphers: Ciphers) throws(ContinuityError) {
    let fields = try cbor.map("roster")
    guard fields.count == 3 else { throw CBOR.mismatch("roster", expected: "three fields") }
    circle = try fields.required(1, field: "circle").bytes("circle")
    foundingKey = try fields.required(2, field: "founding key").bytes("founding key")
    guard circle.count == 16, foundingKey.count == 32,
      let founder = DeviceID(bytes: ciphers.suite.hash(foundingKey).prefix(16))
    else { throw CBOR.mismatch("roster", expected: "a circle") }
    membership = CircleMembership(founder: founder)
    let entries = try fields.required(3, field: "statements").array("statements")
    guard entries.count <= Self.statementLimit else { throw Self.full }
    var decoded: [RosterStatement] = []
    for entry in entries { decoded.append(try RosterStatement(cbor: entry, ciphers: ciphers)) }
    guard zip(decoded, decoded.dropFirst()).allSatisfy(<) else {
      throw CBOR.mismatch("statements", expected: "ascending statements")
    }
    statements = Set(decoded)
    try settle()
    for statement in decoded {
      guard let signer = known[statement.signer], membership.known.contains(statement.signer),
        statement.isSigned(by: signer.keys, in: scope)
      else { throw CBOR.mismatch("statements", expected: "signatures of devices of the circle") }
    }
  }
}
