// SPDX-License-Identifier: MIT

import ActivityExchange
public import ActivityModel
import ActivityWire

/// A pairing that waits for the other side.
public enum Pairing: Hashable, Sendable {
  /// This device invited and waits for an answer.
  case invited(PairingInvitation)
  /// This device joined and waits until the inviter's roster names it; its answer stays in the folder until
  /// then.
  case answered(RecordFile)

  /// What every synced folder's `.continuo` shall hold while the pairing waits, and no longer.
  public var file: RecordFile {
    switch self {
    case .invited(let invitation): invitation.file
    case .answered(let file): file
    }
  }
}

/// An invitation as its maker remembers it: good for one answer, for 24 hours.
public struct PairingInvitation: Hashable, Sendable {
  /// What the person carries to the other device.
  public let words: PairingWords
  /// When it ends, by this device's clock.
  public let expiresAt: WallTime
  /// The record for the folder.
  public let file: RecordFile
  let id: [UInt8]

  /// 24 hours.
  public static let lifetime: UInt64 = 24 * 3600
  /// By how much the clocks of two devices may differ before an invitation looks expired.
  static let skew: UInt64 = 600

  // invitation = { 1: ID, 2: words' entropy, 3: expires-at-ms, 4: file name, 5: record }
  var cbor: CBOR {
    .map([
      1: .bytes(id), 2: .bytes(words.entropy), 3: .unsigned(expiresAt.milliseconds), 4: .text(file.name),
      5: .bytes(file.bytes),
    ])
  }

  init(words: PairingWords, expiresAt: WallTime, file: RecordFile, id: [UInt8]) {
    self.words = words
    self.expiresAt = expiresAt
    self.file = file
    self.id = id
  }

  init(cbor: CBOR, ciphers: Ciphers) throws(ContinuityError) {
    let fields = try cbor.map("invitation")
    guard
      let words = PairingWords(
        entropy: try fields.required(2, field: "words").bytes("words"), ciphers: ciphers)
    else {
      throw CBOR.mismatch("words", expected: "16 bytes")
    }
    self.words = words
    id = try fields.required(1, field: "invitation").bytes("invitation")
    expiresAt = WallTime(milliseconds: try fields.required(3, field: "expiry").unsigned("expiry"))
    file = RecordFile(
      name: try fields.required(4, field: "file").text("file"),
      bytes: try fields.required(5, field: "record").bytes("record"))
  }
}

extension Identity {
  /// Begins a pairing; the words are for the person, `pairing.file` for the folders. A pairing of this device
  /// that still waits ends, and its words with it: remove its file first.
  ///
  /// Throws `pairingFailed` when the circle is full, or while this device itself still waits to be let in.
  public mutating func invite(
    at now: WallTime, sequence: UInt64, using generator: inout some RandomNumberGenerator
  ) throws(ContinuityError) -> PairingInvitation {
    guard !isRemoved else {
      throw Self.failure("circle", "This device was removed from its circle: invite from another one.")
    }
    guard isConfirmed else {
      throw Self.failure(
        "circle",
        "This device waits to be let into its circle; invite from there, or when the answer has come.")
    }
    guard circle.roster.devices.count < Roster.deviceLimit else {
      throw Self.failure("circle", "The circle has \(Roster.deviceLimit) devices; it takes no more.")
    }
    let words = PairingWords(using: &generator, ciphers: keys.ciphers)
    let content = InvitationContent(
      id: generator.bytes(16), inviter: keys.publicKeys, name: name, epoch: circle.currentEpoch,
      roster: circle.roster, expiresAt: now.adding(seconds: PairingInvitation.lifetime))
    let record = try SealedRecord.seal(
      content.encoded, kind: .invitation, sequence: sequence, by: keys, under: words.epochKey,
      using: &generator)
    let file = RecordFile(name: words.epochKey.fileName(.invitation, of: keys.publicKeys), bytes: record)
    let invitation = PairingInvitation(
      words: words, expiresAt: content.expiresAt, file: file, id: content.id)
    pairing = .invited(invitation)
    return invitation
  }

  /// Joins the circle of the one among `records` that the words open, and leaves this device's own. The
  /// inviter is returned to be shown; `pairing.file` is the answer for the folders.
  ///
  /// Throws `pairingFailed` with what to do. The subject tells whether waiting may help: `words` when no
  /// invitation for these words is here yet; else `expiry`, `inviter` (this device's own words), or the name
  /// of a device with which this one already shares another circle.
  public mutating func join(
    _ words: PairingWords, records: some Sequence<[UInt8]>, at now: WallTime, sequence: UInt64,
    using generator: inout some RandomNumberGenerator
  ) throws(ContinuityError) -> RosterDevice {
    guard let (record, content) = InvitationContent.first(in: records, words: words) else {
      throw Self.failure(
        "words",
        "No invitation for these words is in the folder yet: compare the words, or wait until it is in step."
      )
    }
    guard now <= content.expiresAt.adding(seconds: PairingInvitation.skew) else {
      throw Self.failure(
        "expiry", "The invitation has expired: make a new one, or set this computer's clock right.")
    }
    try checkMayLeave(for: content)
    // A removal is final: who comes back does so as another device.
    if isRemoved || content.roster.membership.removed.contains(id) {
      keys = try DeviceKeys(using: &generator, ciphers: keys.ciphers.suite)
    }
    let answer = AnswerContent(
      invitation: content.id, digest: keys.ciphers.suite.hash(record), joiner: keys.publicKeys, name: name)
    let bytes = try SealedRecord.seal(
      answer.encoded, kind: .invitation, sequence: sequence, by: keys, under: words.epochKey,
      using: &generator)
    let name = words.epochKey.fileName(.invitation, of: keys.publicKeys)
    circle = Circle(epochs: [content.epoch], roster: content.roster)
    bridges = []
    pairing = .answered(RecordFile(name: name, bytes: bytes))
    return RosterDevice(keys: content.inviter, name: content.name)
  }

  /// Lets in the device that answered this device's invitation, which is spent thereby. Afterwards the
  /// pairing's file is to be removed and the roster file to be written.
  ///
  /// Throws `invalidBytes` for a record that is no answer to it (the invitation goes on waiting) and
  /// `pairingFailed` when none waits any more: spent, cancelled or expired.
  public mutating func takeAnswer(
    _ record: [UInt8], at now: WallTime, using generator: inout some RandomNumberGenerator
  ) throws(ContinuityError) -> RosterDevice {
    guard case .invited(let invitation) = pairing else {
      throw Self.failure("invitation", "No invitation waits for an answer: make a new one.")
    }
    guard now <= invitation.expiresAt else {
      throw Self.failure("invitation", "The invitation has expired: make a new one.")
    }
    let answer = try AnswerContent(record: record, words: invitation.words)
    guard answer.invitation == invitation.id,
      answer.digest == keys.ciphers.suite.hash(invitation.file.bytes), answer.joiner.id != id
    else { throw CBOR.mismatch("answer", expected: "an answer to this device's invitation") }
    _ = try change(at: now, using: &generator) { (identity) throws(ContinuityError) in
      try identity.circle.roster.add(answer.joiner, name: answer.name, by: identity.keys, at: now)
      identity.pairing = nil
    }
    return RosterDevice(keys: answer.joiner, name: answer.name)
  }

  /// Ends a pairing that waits; its words are worth nothing afterwards. Remove its file first. False when
  /// none did.
  public mutating func cancelPairing() -> Bool {
    defer { pairing = nil }
    return pairing != nil
  }

  /// Ends an invitation that expired, like `cancelPairing`. False when there is none, or it still holds.
  public mutating func expirePairing(at now: WallTime) -> Bool {
    guard case .invited(let invitation) = pairing, now > invitation.expiresAt else { return false }
    return cancelPairing()
  }

  private func checkMayLeave(for content: InvitationContent) throws(ContinuityError) {
    guard content.inviter.id != id else {
      throw Self.failure("inviter", "These words were made on this device: type them on the other one.")
    }
    guard isConfirmed, let other = otherDevices.first, content.roster.circle != circle.roster.circle else {
      return
    }
    throw Self.failure(
      other.name,
      "This device already belongs to a circle with \(other.name): invite the other device from here."
    )
  }

  private static func failure(_ subject: String, _ sentence: String) -> ContinuityError {
    ContinuityError(.pairingFailed, subject: subject, description: sentence)
  }
}
