// SPDX-License-Identifier: MIT

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

/// The signed statements that make a circle out of devices. It only grows: a statement once learnt stays, so
/// that devices that exchange rosters in any order come to the same set.
///
/// A device belongs when statements lead to it from the founding key. Statements about leaving and about new
/// epochs are kinds of their own, to come; version 1 knows "added" only and refuses a roster with others,
/// whose meaning it would miss.
public struct Roster: Hashable, Sendable {
  /// Sixteen random bytes of the founding, part of each signature: a statement means nothing in another
  /// circle.
  public let circle: [UInt8]
  /// The signing key whose owner founded the circle.
  public let foundingKey: [UInt8]
  private var statements: Set<RosterStatement>
  private var members: [DeviceID: RosterDevice] = [:]

  /// The most devices of a circle.
  public static let deviceLimit = 32
  static let statementLimit = 256

  /// The devices, by ID.
  public var devices: [RosterDevice] { members.values.sorted { $0.id < $1.id } }

  /// The device of that ID; nil when it does not belong to the circle.
  public subscript(_ id: DeviceID) -> RosterDevice? { members[id] }

  /// A circle of one device.
  init(
    foundedBy keys: DeviceKeys, name: String, at now: WallTime,
    using generator: inout some RandomNumberGenerator
  ) throws(ContinuityError) {
    circle = generator.bytes(16)
    foundingKey = keys.publicKeys.signing
    statements = []
    try add(keys.publicKeys, name: name, by: keys, at: now)
  }

  /// States, signed with `keys`, that the device of `device` belongs to the circle.
  ///
  /// Throws `pairingFailed` when the circle is full or the signer does not belong to it.
  mutating func add(
    _ device: DevicePublicKeys, name: String, by keys: DeviceKeys, at now: WallTime
  ) throws(ContinuityError) {
    guard members[device.id] != nil || members.count < Self.deviceLimit else {
      throw Self.full
    }
    guard members[keys.id] != nil || keys.publicKeys.signing == foundingKey else {
      throw ContinuityError(
        .pairingFailed, subject: name, "Only a device of the circle can add \(name) to it.")
    }
    var grown = self
    grown.statements.insert(
      try RosterStatement(
        adding: device, name: Self.cleaned(name), at: now, by: keys, circle: circle, foundingKey: foundingKey)
    )
    try grown.settle()
    self = grown
  }

  /// Takes in what another roster of the same circle knows; the devices that are new thereby.
  ///
  /// Throws `invalidBytes` for a roster of another circle or above the limits; nothing is taken in then.
  mutating func merge(_ other: Roster) throws(ContinuityError) -> [RosterDevice] {
    guard other.circle == circle, other.foundingKey == foundingKey else {
      throw CBOR.mismatch("roster", "statements of this circle")
    }
    var merged = self
    merged.statements.formUnion(other.statements)
    try merged.settle()
    let known = members
    self = merged
    return devices.filter { known[$0.id] == nil }
  }

  /// A name for display: cleaned, and never empty.
  static func cleaned(_ name: String) -> String {
    let clean = DisplayText.sanitised(name, byteLimit: nameLimit)
    return clean.isEmpty ? "device" : clean
  }

  static let nameLimit = 64

  private static let full = ContinuityError(
    .pairingFailed, subject: "circle", "The circle has \(deviceLimit) devices; it takes no more.")

  // Works out who belongs: the founder's own statement first, then whatever members state, until nothing is
  // new.
  private mutating func settle() throws(ContinuityError) {
    guard statements.count <= Self.statementLimit else { throw Self.full }
    let ordered = statements.sorted()
    var found: [DeviceID: RosterDevice] = [:]
    var grew = true
    while grew {
      let signers = found.mapValues(\.keys.signing)
      found = [:]
      for statement in ordered where accepts(statement, signers: signers) {
        found[statement.device.id] = RosterDevice(keys: statement.device, name: statement.name)
      }
      grew = found.count > signers.count
    }
    guard found.count <= Self.deviceLimit else { throw Self.full }
    guard !found.isEmpty else { throw CBOR.mismatch("roster", "a founding device") }
    members = found
  }

  private func accepts(_ statement: RosterStatement, signers: [DeviceID: [UInt8]]) -> Bool {
    signers[statement.signer] != nil
      || (statement.signer == statement.device.id && statement.device.signing == foundingKey)
  }
}

extension Roster {
  // roster = { 1: circle (16), 2: founding key, 3: [statement] ascending }
  static let limits = CBOR.Limits(depth: 8, entries: 256, items: 8192, bytes: SealedRecord.payloadLimit)

  /// The payload of a roster record.
  var encoded: [UInt8] { cbor.encoded }

  var cbor: CBOR {
    .map([1: .bytes(circle), 2: .bytes(foundingKey), 3: .array(statements.sorted().map(\.cbor))])
  }

  /// The roster that the payload of a roster record holds. Every signature is checked.
  ///
  /// Throws `invalidBytes`; with subject `version` when a newer Continuo wrote statements unknown here.
  init(encoded bytes: [UInt8]) throws(ContinuityError) {
    try self.init(cbor: CBOR(decoding: bytes, limits: Self.limits))
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let fields = try cbor.map("roster")
    guard fields.count == 3 else { throw CBOR.mismatch("roster", "three fields") }
    circle = try fields.required(1, "circle").bytes("circle")
    foundingKey = try fields.required(2, "founding key").bytes("founding key")
    guard circle.count == 16, foundingKey.count == 32 else { throw CBOR.mismatch("roster", "a circle") }
    let entries = try fields.required(3, "statements").array("statements")
    guard entries.count <= Self.statementLimit else { throw Self.full }
    var decoded: [RosterStatement] = []
    for entry in entries { decoded.append(try RosterStatement(cbor: entry)) }
    guard zip(decoded, decoded.dropFirst()).allSatisfy(<) else {
      throw CBOR.mismatch("statements", "ascending statements")
    }
    statements = Set(decoded)
    try settle()
    try checkSignatures(decoded)
  }

  private func checkSignatures(_ statements: [RosterStatement]) throws(ContinuityError) {
    for statement in statements {
      guard let signer = self[statement.signer],
        statement.isSigned(by: signer.keys, circle: circle, foundingKey: foundingKey)
      else { throw CBOR.mismatch("statements", "signatures of devices of the circle") }
    }
  }
}

/// "This device belongs", signed by one that does.
struct RosterStatement: Hashable, Sendable, Comparable {
  let device: DevicePublicKeys
  let name: String
  let at: WallTime
  let signer: DeviceID
  let signature: [UInt8]

  init(
    adding device: DevicePublicKeys, name: String, at now: WallTime, by keys: DeviceKeys, circle: [UInt8],
    foundingKey: [UInt8]
  ) throws(ContinuityError) {
    self.device = device
    self.name = name
    at = now
    signer = keys.id
    let content = Self.content(device, name: name, at: now, signer: keys.id)
    signature = try keys.signature(for: Self.signed(content, circle: circle, foundingKey: foundingKey))
  }

  func isSigned(by keys: DevicePublicKeys, circle: [UInt8], foundingKey: [UInt8]) -> Bool {
    let content = Self.content(device, name: name, at: at, signer: signer)
    return keys.isValid(signature, for: Self.signed(content, circle: circle, foundingKey: foundingKey))
  }

  // statement = { 1: content, 2: signature }
  // content   = { 1: kind (1 added), 2: device keys, 3: name, 4: at-ms, 5: signer's device ID }, as bytes
  var cbor: CBOR {
    .map([1: .bytes(Self.content(device, name: name, at: at, signer: signer)), 2: .bytes(signature)])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let fields = try cbor.map("statement")
    signature = try fields.required(2, "signature").bytes("signature")
    let content = try CBOR(decoding: fields.required(1, "content").bytes("content")).map("statement")
    guard try content.required(1, "kind").unsigned("kind") == Self.added else {
      throw ContinuityError(
        .invalidBytes, subject: "version",
        "The circle's roster was written by a newer Continuo; update this one.")
    }
    device = try DevicePublicKeys(cbor: content.required(2, "device keys"))
    name = try content.required(3, "device name").text("device name")
    at = WallTime(milliseconds: try content.required(4, "time").unsigned("time"))
    signer = try content.required(5, "signer").identifier("signer")
    guard fields.count == 2, content.count == 5, name == Roster.cleaned(name), signature.count == 64 else {
      throw CBOR.mismatch("statement", "a clean name and a signature")
    }
  }

  /// By time, then by bytes: of several statements about one device the last one names it.
  static func < (left: Self, right: Self) -> Bool {
    left.at == right.at ? left.cbor.encoded.lexicographicallyPrecedes(right.cbor.encoded) : left.at < right.at
  }

  private static let added: UInt64 = 1

  private static func content(
    _ device: DevicePublicKeys, name: String, at: WallTime, signer: DeviceID
  ) -> [UInt8] {
    CBOR.map([
      1: .unsigned(added), 2: device.cbor, 3: .text(name), 4: .unsigned(at.milliseconds),
      5: .bytes(signer.bytes),
    ]).encoded
  }

  private static func signed(_ content: [UInt8], circle: [UInt8], foundingKey: [UInt8]) -> [UInt8] {
    Array("continuo/roster/v1\0".utf8) + circle + foundingKey + content
  }
}
