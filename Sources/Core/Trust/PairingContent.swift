// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

// Both contents travel in records of kind 3 under the key of the words; the signer need not be in a roster,
// because its keys stand in the content itself.
//
// invitation = { 1: 1, 2: invitation ID (16), 3: inviter's keys, 4: name, 5: epoch key, 6: roster as bytes,
//                7: expires-at-ms }
// answer     = { 1: 2, 2: invitation ID (16), 3: joiner's keys, 4: name,
//                5: SHA-256 of the invitation's record }

/// What an invitation gives to whoever knows the words.
struct InvitationContent: Hashable, Sendable {
  static let role: UInt64 = 1

  let id: [UInt8]
  let inviter: DevicePublicKeys
  let name: String
  let epoch: EpochKey
  let roster: Roster
  let expiresAt: WallTime

  var encoded: [UInt8] {
    CBOR.map([
      1: .unsigned(Self.role), 2: .bytes(id), 3: inviter.cbor, 4: .text(name), 5: epoch.cbor,
      6: .bytes(roster.encoded), 7: .unsigned(expiresAt.milliseconds),
    ]).encoded
  }

  /// The first of `records` that the words open as an invitation, with its content.
  static func first(
    in records: some Sequence<[UInt8]>, words: PairingWords
  ) -> (record: [UInt8], content: InvitationContent)? {
    for record in records {
      // What does not open is somebody else's: an answer, another pairing, damage.
      if let content = try? InvitationContent(record: record, words: words) { return (record, content) }
    }
    return nil
  }

  init(record: [UInt8], words: PairingWords) throws(ContinuityError) {
    let fields = try PairingContent.fields(of: record, words: words, role: Self.role, count: 7)
    let inviter = try DevicePublicKeys(cbor: fields.required(3, field: "keys"), ciphers: words.ciphers)
    let roster = try Roster(
      encoded: fields.required(6, field: "roster").bytes("roster"), ciphers: words.ciphers)
    guard roster[inviter.id] != nil else {
      throw CBOR.mismatch("invitation", expected: "an inviter that belongs to the circle")
    }
    self.init(
      id: try PairingContent.identifier(fields), inviter: inviter, name: try PairingContent.name(fields),
      epoch: try EpochKey(cbor: fields.required(5, field: "epoch key"), ciphers: words.ciphers),
      roster: roster,
      expiresAt: WallTime(milliseconds: try fields.required(7, field: "expiry").unsigned("expiry")))
  }

  init(
    id: [UInt8], inviter: DevicePublicKeys, name: String, epoch: EpochKey, roster: Roster, expiresAt: WallTime
  ) {
    self.id = id
    self.inviter = inviter
    self.name = name
    self.epoch = epoch
    self.roster = roster
    self.expiresAt = expiresAt
  }
}

/// What the joiner tells the inviter.
struct AnswerContent: Hashable, Sendable {
  static let role: UInt64 = 2

  let invitation: [UInt8]
  let digest: [UInt8]
  let joiner: DevicePublicKeys
  let name: String

  var encoded: [UInt8] {
    CBOR.map([
      1: .unsigned(Self.role), 2: .bytes(invitation), 3: joiner.cbor, 4: .text(name), 5: .bytes(digest),
    ]).encoded
  }

  init(invitation: [UInt8], digest: [UInt8], joiner: DevicePublicKeys, name: String) {
    self.invitation = invitation
    self.digest = digest
    self.joiner = joiner
    self.name = name
  }

  init(record: [UInt8], words: PairingWords) throws(ContinuityError) {
    let fields = try PairingContent.fields(of: record, words: words, role: Self.role, count: 5)
    self.init(
      invitation: try PairingContent.identifier(fields),
      digest: try fields.required(5, field: "digest").bytes("digest"),
      joiner: try DevicePublicKeys(cbor: fields.required(3, field: "keys"), ciphers: words.ciphers),
      name: try PairingContent.name(fields))
  }
}

/// What both contents have in common.
enum PairingContent {
  static func fields(
    of record: [UInt8], words: PairingWords, role: UInt64, count: Int
  ) throws(ContinuityError) -> CBORMap {
    let opened = try SealedRecord.open(record, under: [words.epochKey]) {
      _, kind, payload throws(ContinuityError) in
      guard kind == .invitation else { return nil }
      let keys = try decoded(payload).required(3, field: "keys")
      return try DevicePublicKeys(cbor: keys, ciphers: words.ciphers)
    }
    let fields = try decoded(opened.payload)
    guard fields[1] == .unsigned(role), fields.count == count else {
      throw CBOR.mismatch("pairing", expected: role == InvitationContent.role ? "an invitation" : "an answer")
    }
    return fields
  }

  static func identifier(_ fields: CBORMap) throws(ContinuityError) -> [UInt8] {
    let id = try fields.required(2, field: "invitation").bytes("invitation")
    guard id.count == 16 else { throw CBOR.mismatch("invitation", expected: "16 bytes") }
    return id
  }

  static func name(_ fields: CBORMap) throws(ContinuityError) -> String {
    let name = try fields.required(4, field: "name").text("name")
    guard Roster.isName(name) else { throw CBOR.mismatch("name", expected: "a clean name") }
    return name
  }

  private static func decoded(_ payload: [UInt8]) throws(ContinuityError) -> CBORMap {
    try CBOR(decoding: payload, limits: Roster.limits).map("pairing")
  }
}
