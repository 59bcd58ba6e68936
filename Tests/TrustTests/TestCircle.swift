// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Testing
import TrustCiphers
import TestSamples

@testable import Trust

/// Devices and a clock for tests; folders are lists of records.
struct TestCircle {
  var generator: SeededGenerator
  let now = WallTime(milliseconds: 1_753_000_000_000)

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func device(_ name: String) throws -> Identity {
    try Identity.found(name: name, at: now, using: &generator, ciphers: StandardCiphers())
  }

  /// Two devices of one circle, both of which know it.
  mutating func pair() throws -> (desk: Identity, laptop: Identity) {
    var desk = try device("desk")
    var laptop = try device("laptop")
    try pair(&desk, with: &laptop)
    return (desk, laptop)
  }

  /// The whole pairing, through records only.
  mutating func pair(_ inviter: inout Identity, with joiner: inout Identity) throws {
    let invitation = try inviter.invite(at: now, sequence: 1, using: &generator)
    _ = try joiner.join(
      PairingWords(parsing: invitation.words.text), records: [invitation.file.bytes], at: now, sequence: 1,
      using: &generator)
    let answer = try #require(joiner.pairing?.file)
    _ = try inviter.takeAnswer(answer.bytes, at: now, using: &generator)
    // Where somebody was removed before, the newcomer is led to a key of its own.
    let bridges = try inviter.bridgeFiles(using: &generator) { () throws(ContinuityError) in 2 }
    for file in try bridges + [inviter.rosterFile(sequence: 2, using: &generator)] {
      guard let roster = try? joiner.open(file.bytes) else { continue }
      _ = try joiner.mergeRoster(roster.payload, at: now, using: &generator)
    }
    try #require(joiner.isConfirmed)
  }

  mutating func state(of device: Identity, _ payload: [UInt8] = [1, 2, 3], sequence: UInt64 = 9) throws
    -> [UInt8]
  {
    try device.stateFile(payload, sequence: sequence, using: &generator).bytes
  }
}

/// A record whose plaintext the caller chooses freely: what a hostile member, who has the key, could write.
func hostileRecord(header: RecordHeader, under epoch: EpochKey, plaintext: [UInt8]) throws -> [UInt8] {
  try header.bytes + #require(epoch.seal(plaintext, header: header))
}

/// What the seal of `record` hides.
func plaintext(of record: [UInt8], under epoch: EpochKey) throws -> [UInt8] {
  let header = try RecordHeader(record: record)
  return try #require(epoch.open(Array(record[60...]), header: header))
}
