// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire

/// "This device belongs", "this device belongs no more", or "this is the circle's new key": signed by a
/// device of the circle.
struct RosterStatement: Hashable, Sendable, Comparable {
  enum Content: Hashable, Sendable {
    case added(DevicePublicKeys, name: String)
    case removed(DeviceID, CircleMembership.Removal)
    case epoch(SealedEpoch)
  }

  /// What it says. An object, for a roster handles its statements far more often than it reads them.
  private final class Parts: Sendable {
    let content: Content
    let at: WallTime
    let signer: DeviceID
    let signature: [UInt8]
    /// The encoded content, moment and signer: what is signed, and what orders statements of one moment.
    /// Kept, because a roster is put in order each time that it is read, merged or written.
    let bytes: [UInt8]

    init(_ content: Content, at: WallTime, signer: DeviceID, signature: [UInt8], bytes: [UInt8]) {
      (self.content, self.at, self.signer, self.signature, self.bytes) = (
        content, at, signer, signature, bytes
      )
    }
  }

  private let parts: Parts
  var content: Content { parts.content }
  var at: WallTime { parts.at }
  var signer: DeviceID { parts.signer }
  var signature: [UInt8] { parts.signature }
  private var bytes: [UInt8] { parts.bytes }

  /// The circle for which a statement is made: part of each signature.
  struct Scope {
    let circle: [UInt8]
    let foundingKey: [UInt8]
  }

  init(_ content: Content, at now: WallTime, by keys: DeviceKeys, in scope: Scope) throws(ContinuityError) {
    let bytes = Self.bytes(content, now, keys.id)
    parts = Parts(
      content, at: now, signer: keys.id, signature: try keys.signature(for: Self.signed(bytes, scope)),
      bytes: bytes)
  }

  func isSigned(by keys: DevicePublicKeys, in scope: Scope) -> Bool {
    keys.isValid(signature, for: Self.signed(bytes, scope))
  }

  /// The device that is let in, with its keys; nil for other statements.
  var addition: (keys: DevicePublicKeys, name: String)? {
    if case .added(let keys, let name) = content { (keys, name) } else { nil }
  }

  /// What the statement means for who belongs; nil for a new key.
  var membership: CircleMembership.Statement? {
    switch content {
    case .added(let keys, _): .added(keys.id, by: signer)
    case .removed(let device, let removal): .removed(device, by: signer, removal)
    case .epoch: nil
    }
  }

  /// Whether it is about a new key.
  var isEpoch: Bool { if case .epoch = content { true } else { false } }

  /// Of the statements of one subject only one stays: a roster holds what its devices say now.
  var subject: Subject {
    switch content {
    case .added(let keys, _): Subject(kind: Self.added, signer: signer, device: keys.id)
    case .removed(let device, _): Subject(kind: Self.removed, signer: signer, device: device)
    case .epoch: Subject(kind: Self.epoch, signer: signer, device: nil)
    }
  }

  struct Subject: Hashable {
    let kind: UInt64
    let signer: DeviceID
    let device: DeviceID?
  }

  /// Which of two statements of one subject stays, whoever learns which one first: the later name, the
  /// earlier removal, the higher epoch.
  func replaces(_ other: Self) -> Bool {
    switch (content, other.content) {
    case (.removed, .removed): self < other
    case (.epoch(let own), .epoch(let others)) where own.number != others.number: own.number > others.number
    default: other < self
    }
  }

  /// By time, then as the encoded statements (`cbor`) are ordered, whose first difference is the content's
  /// length: of several statements about one device the last one names it.
  static func < (left: Self, right: Self) -> Bool {
    if left.at != right.at { return left.at < right.at }
    if left.bytes.count != right.bytes.count { return left.bytes.count < right.bytes.count }
    if left.bytes != right.bytes { return left.bytes.lexicographicallyPrecedes(right.bytes) }
    return left.signature.lexicographicallyPrecedes(right.signature)
  }

  /// Equal when the encoded statements are: content, moment and signer follow from `bytes`.
  static func == (left: Self, right: Self) -> Bool {
    left.signature == right.signature && left.bytes == right.bytes
  }

  /// By the signature, which is another one for each content.
  func hash(into hasher: inout Hasher) { signature.withUnsafeBytes { hasher.combine(bytes: $0) } }

  private static func signed(_ content: [UInt8], _ scope: Scope) -> [UInt8] {
    Array("continuo/roster/v1\0".utf8) + scope.circle + scope.foundingKey + content
  }
}

extension RosterStatement {
  // statement = { 1: content as bytes, 2: signature }
  // content   = { 1: 1 added,   2: device keys, 3: name, 4: at-ms, 5: signer's device ID }
  //           | { 1: 2 removed, 2: device ID, 3: last good sequence, 4: at-ms, 5: signer's device ID,
  //               6: [device ID] ascending: whom it had let in and who stays }
  //           | { 1: 3 epoch,   2: number, 3: [[device ID, sealed key (80)]] ascending, 4: at-ms,
  //               5: signer's device ID }
  private static let added: UInt64 = 1
  private static let removed: UInt64 = 2
  private static let epoch: UInt64 = 3
  private static let limits = CBOR.Limits(depth: 8, entries: 256, items: 2048, bytes: 48 * 1024)

  var cbor: CBOR { .map([1: .bytes(bytes), 2: .bytes(signature)]) }

  private static func bytes(_ content: Content, _ at: WallTime, _ signer: DeviceID) -> [UInt8] {
    var fields: CBORMap = [4: .unsigned(at.milliseconds), 5: .bytes(signer.bytes)]
    switch content {
    case .added(let keys, let name):
      fields[1] = .unsigned(added)
      fields[2] = keys.cbor
      fields[3] = .text(name)
    case .removed(let device, let removal):
      fields[1] = .unsigned(removed)
      fields[2] = .bytes(device.bytes)
      fields[3] = .unsigned(removal.lastGoodSequence)
      fields[6] = .array(removal.kept.sorted().map { .bytes($0.bytes) })
    case .epoch(let sealed):
      fields[1] = .unsigned(epoch)
      fields[2] = .unsigned(UInt64(sealed.number))
      fields[3] = .array(
        sealed.keys.sorted { $0.key < $1.key }.map { .array([.bytes($0.key.bytes), .bytes($0.value)]) })
    }
    return CBOR.map(fields).encoded
  }

  init(cbor: CBOR, ciphers: Ciphers) throws(ContinuityError) {
    let fields = try cbor.map("statement")
    let signature = try fields.required(2, field: "signature").bytes("signature")
    let bytes = try fields.required(1, field: "content").bytes("content")
    let said = try CBOR(decoding: bytes, limits: Self.limits).map("statement")
    let kind = try said.required(1, field: "kind").unsigned("kind")
    let content: Content
    let count: Int
    switch kind {
    case Self.added: (content, count) = (try Self.addition(said, ciphers), 5)
    case Self.removed: (content, count) = (try Self.removal(said), 6)
    case Self.epoch: (content, count) = (.epoch(try SealedEpoch(said)), 5)
    default:
      throw ContinuityError(
        .invalidBytes, subject: "version",
        description: "The circle's roster was written by a newer Continuo; update this one.")
    }
    let at = WallTime(milliseconds: try said.required(4, field: "time").unsigned("time"))
    let signer: DeviceID = try said.required(5, field: "signer").identifier("signer")
    guard fields.count == 2, said.count == count, signature.count == 64 else {
      throw CBOR.mismatch("statement", expected: "the fields of its kind and a signature")
    }
    // These fields and no others: encoding them again would give the same bytes.
    parts = Parts(content, at: at, signer: signer, signature: signature, bytes: bytes)
  }

  private static func addition(
    _ fields: CBORMap, _ ciphers: Ciphers
  ) throws(ContinuityError) -> Content {
    let name = try fields.required(3, field: "device name").text("device name")
    guard Roster.isName(name) else { throw CBOR.mismatch("statement", expected: "a clean name") }
    return .added(
      try DevicePublicKeys(cbor: fields.required(2, field: "device keys"), ciphers: ciphers), name: name)
  }

  private static func removal(_ fields: CBORMap) throws(ContinuityError) -> Content {
    var kept: [DeviceID] = []
    for entry in try fields.required(6, field: "kept devices").array("kept devices") {
      kept.append(try entry.identifier("kept device"))
    }
    guard zip(kept, kept.dropFirst()).allSatisfy(<) else {
      throw CBOR.mismatch("kept devices", expected: "ascending devices")
    }
    return .removed(
      try fields.required(2, field: "device").identifier("device"),
      CircleMembership.Removal(
        lastGoodSequence: try fields.required(3, field: "last sequence").unsigned("last sequence"),
        kept: Set(kept)))
  }
}
