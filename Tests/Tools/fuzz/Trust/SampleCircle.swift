// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Trust
import TrustCiphers
import TestSamples

/// Three devices with the product's own keys: a desk that let a laptop and a phone in.
struct SampleCircle {
  var generator = SeededGenerator(seed: 7)
  let now = WallTime(milliseconds: 1_753_000_000_000)
  var desk: Identity
  var laptop: Identity
  var phone: Identity

  /// Throws what the product does where it makes no keys or lets nobody in.
  init() throws {
    let ciphers = StandardCiphers()
    desk = try .found(name: "desk", at: now, using: &generator, ciphers: ciphers)
    laptop = try .found(name: "laptop", at: now, using: &generator, ciphers: ciphers)
    phone = try .found(name: "phone", at: now, using: &generator, ciphers: ciphers)
    laptop = try letIn(laptop)
    phone = try letIn(phone)
    var told = laptop
    try tell(desk.circle.roster.encoded, to: &told)
    laptop = told
  }

  /// The whole pairing, by the desk.
  private mutating func letIn(_ device: Identity) throws -> Identity {
    var device = device
    let invitation = try desk.invite(at: now, sequence: 1, using: &generator)
    _ = try device.join(
      invitation.words, records: [invitation.file.bytes], at: now, sequence: 1, using: &generator)
    _ = try desk.takeAnswer(device.pairing?.file.bytes ?? [], at: now, using: &generator)
    try tell(desk.circle.roster.encoded, to: &device)
    return device
  }

  /// Throws what `mergeRoster` does.
  mutating func tell(_ roster: [UInt8], to device: inout Identity) throws {
    _ = try device.mergeRoster(roster, at: now, using: &generator)
  }

  /// A record of the laptop. Throws what `seal` does.
  mutating func record(
    _ payload: [UInt8] = RecordSamples.state(seed: 4).recordPayload().bytes, kind: RecordKind = .state
  ) throws -> [UInt8] {
    try laptop.seal(payload, kind: kind, sequence: 9, using: &generator)
  }
}
