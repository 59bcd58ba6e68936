// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Testing
import TestSamples

@testable import Trust

@Suite struct IdentityTests {
  @Test func anIdentityComesBackFromItsFileInEveryStateOfPairing() throws {
    var circle = TestCircle(seed: 50)
    var desk = try circle.device("desk")
    var laptop = try circle.device("laptop")
    #expect(try Identity(encoded: desk.encoded) == desk)
    let invitation = try desk.invite(at: circle.now, sequence: 1, using: &circle.generator)
    _ = try laptop.join(
      invitation.words, records: [invitation.file.bytes], at: circle.now, sequence: 1,
      using: &circle.generator)
    desk = try Identity(encoded: desk.encoded)
    laptop = try Identity(encoded: laptop.encoded)
    let answer = try #require(laptop.pairing?.file)
    _ = try desk.takeAnswer(answer.bytes, at: circle.now, using: &circle.generator)
    #expect(try Identity(encoded: desk.encoded) == desk)
    let roster = try laptop.open(desk.rosterFile(sequence: 2, using: &circle.generator).bytes)
    _ = try laptop.mergeRoster(roster.payload, at: circle.now, using: &circle.generator)
    #expect(try Identity(encoded: laptop.encoded).isConfirmed)
  }

  @Test func damagedKeyFilesAreRefusedWithoutATrap() throws {
    var circle = TestCircle(seed: 51)
    let desk = try circle.device("desk")
    let bytes = desk.encoded
    for length in 0..<bytes.count {
      #expect(throws: ContinuityError.self) { try Identity(encoded: Array(bytes.prefix(length))) }
    }
    for _ in 0..<1000 {
      var mutated = bytes
      mutated[Int.random(in: mutated.indices, using: &circle.generator)] ^=
        UInt8.random(in: 1...255, using: &circle.generator)
      // Seeds and names may change unnoticed, which file systems answer for; a trap would end the test
      // process.
      _ = try? Identity(encoded: mutated)
    }
  }

  @Test func theDeviceIDIsThePrefixOfTheKeysHashAndItsShownForm() throws {
    let keys = try DeviceKeys(
      signingSeed: [UInt8](repeating: 1, count: 32), agreementSeed: [UInt8](repeating: 2, count: 32),
      ciphers: standard)
    // Computed with Python's cryptography package from the same seed.
    #expect(keys.id.description == "34750f98bd59fcfc946da45aaabe933b")
    #expect(keys.publicKeys.fingerprint.wholeMatch(of: /([A-Z2-7]{4}-){7}[A-Z2-7]{4}/) != nil)
  }

  @Test func printingShowsNoSecret() throws {
    var circle = TestCircle(seed: 52)
    var desk = try circle.device("desk")
    let invitation = try desk.invite(at: circle.now, sequence: 1, using: &circle.generator)
    var text = "\(desk) \(invitation)"
    dump(desk, to: &text)
    for secret in [desk.keys.signingSeed, desk.circle.currentEpoch.secret, invitation.words.entropy] {
      #expect(!text.contains(secret.hexadecimal))
      #expect(!text.contains(secret.prefix(4).map { "\($0)" }.joined(separator: ", ")))
      #expect(!text.contains("- \(secret[0])\n    - \(secret[1])\n"))
    }
    #expect(!text.contains(invitation.words.text.prefix(12)))
  }

  @Test func randomBytesAreRefusedByEveryDoor() throws {
    var circle = TestCircle(seed: 53)
    var desk = try circle.device("desk")
    for _ in 0..<2000 {
      let bytes = circle.generator.bytes(Int.random(in: 0...700, using: &circle.generator))
      #expect(throws: ContinuityError.self) { try desk.open(bytes) }
      #expect(throws: ContinuityError.self) { try Identity(encoded: bytes) }
      #expect(throws: ContinuityError.self) {
        try desk.mergeRoster(bytes, at: circle.now, using: &circle.generator)
      }
    }
  }
}
