// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import TestSamples
import Testing
import TrustCiphers

@testable import Trust

/// The file in which a device goes to another computer, and what is left where it was.
@Suite struct MovingDeviceTests {
  private struct Sample {
    var circle: TestCircle
    let moving: MovingDevice
    let file: [UInt8]
    let words: PairingWords

    init(seed: UInt64) throws {
      circle = TestCircle(seed: seed)
      let (desk, _) = try circle.pair()
      moving = MovingDevice(
        identity: desk, state: Array("folders and numbers".utf8), record: Array("said last".utf8),
        home: Array("/home/anna".utf8))
      (file, words) = try moving.sealed(using: &circle.generator)
    }
  }

  private func refusal(_ file: [UInt8], _ words: PairingWords) -> String? {
    do throws(ContinuityError) {
      _ = try MovingDevice(file: file, words: words)
      return nil
    } catch {
      return error.subject
    }
  }

  @Test func itsWordsAsTheyAreTypedOpenIt() throws {
    let sample = try Sample(seed: 80)
    let typed = try PairingWords(parsing: sample.words.text.uppercased())
    #expect(try MovingDevice(file: sample.file, words: typed) == sample.moving)
    let silent = MovingDevice(identity: sample.moving.identity, state: [], record: nil, home: [])
    var generator = SeededGenerator(seed: 1)
    let (file, words) = try silent.sealed(using: &generator)
    #expect(try MovingDevice(file: file, words: words) == silent)
  }

  @Test func otherWordsOpenNothing() throws {
    let sample = try Sample(seed: 81)
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<200 {
      #expect(refusal(sample.file, PairingWords(using: &generator)) == "words")
    }
    let invitation = sample.words.epochKey
    #expect(invitation.open(Array(sample.file.dropFirst(56)), header: try header(sample)) == nil)
  }

  /// Any header of a record: the words of a file are no words of an invitation.
  private func header(_ sample: Sample) throws -> RecordHeader {
    RecordHeader(
      kind: .invitation, circleTag: sample.words.circleTag, epoch: 0, sequence: 1,
      random: [UInt8](sample.file[16..<32]), sealedLength: UInt32(sample.file.count - 56))
  }

  @Test func eachChangedByteAndEachMissingOneIsRefused() throws {
    let sample = try Sample(seed: 82)
    var places = Array(0..<600) + Array(sample.file.count - 64..<sample.file.count)
    places += stride(from: 600, to: sample.file.count, by: 997)
    for place in places {
      var changed = sample.file
      changed[place] ^= 1 << UInt8(place % 8)
      #expect(refusal(changed, sample.words) != nil, "byte \(place)")
    }
    for count in Array(0..<80) + [600, sample.file.count - 1] {
      let torn = refusal(Array(sample.file.prefix(count)), sample.words)
      #expect(torn == (count < 16 ? "kind" : "length"), "\(count) bytes")
    }
    #expect(refusal(sample.file + [0], sample.words) == "length")
    #expect(refusal(Array("any other file, of whatever length".utf8), sample.words) == "kind")
    var newer = sample.file
    newer[15] = 2
    #expect(refusal(newer, sample.words) == "version")
  }

  @Test func aStrangerLearnsNothingFromTheFile() throws {
    let sample = try Sample(seed: 83)
    let identity = sample.moving.identity
    let secrets = [
      identity.keys.signingSeed, identity.keys.agreementSeed, identity.keys.publicKeys.signing,
      identity.keys.publicKeys.agreement, identity.id.bytes, identity.circle.currentEpoch.circleTag,
      identity.circle.roster.circle, Array("desk".utf8), Array("laptop".utf8), sample.moving.home,
      Array("folders".utf8), sample.words.entropy,
    ]
    for secret in secrets {
      #expect(!contains(sample.file, secret), "\(secret) can be read in the file")
    }
    // Neither does its length tell how many devices or folders there are.
    var circle = TestCircle(seed: 84)
    let alone = MovingDevice(
      identity: try circle.device("desk"), state: [UInt8](repeating: 7, count: 9000), record: nil, home: [])
    #expect(try alone.sealed(using: &circle.generator).file.count == sample.file.count)
    // What is sealed has no pattern: each value of a byte comes about as often as any other.
    var counts = [Int](repeating: 0, count: 256)
    for byte in sample.file.dropFirst(56) { counts[Int(byte)] += 1 }
    #expect(counts.allSatisfy { (150...370).contains($0) }, "\(counts)")
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: part) }
  }

  @Test func noTwoFilesAreAlike() throws {
    var sample = try Sample(seed: 85)
    let (file, words) = try sample.moving.sealed(using: &sample.circle.generator)
    #expect(words != sample.words && file.dropFirst(16) != sample.file.dropFirst(16))
    #expect(refusal(file, sample.words) == "words")
  }

  @Test func printingShowsNoSecret() throws {
    let sample = try Sample(seed: 86)
    var text = ""
    dump(sample.moving, to: &text)
    text += "\(sample.moving) \(String(reflecting: sample.moving))"
    #expect(!text.contains("folders") && text.contains(sample.moving.identity.id.description))
    #expect(!text.contains(sample.moving.identity.keys.signingSeed.map(String.init).joined(separator: ", ")))
  }

  @Test func whatIsLeftOfADeviceIsNoIdentityAndHoldsNoKey() throws {
    let sample = try Sample(seed: 87)
    let left = MovedDevice(sample.moving.identity, at: sample.circle.now)
    #expect(MovedDevice(encoded: left.encoded) == left && left.name == "desk")
    #expect(throws: ContinuityError.self) { try Identity(encoded: left.encoded) }
    #expect(MovedDevice(encoded: sample.moving.identity.encoded) == nil)
    #expect(MovedDevice(encoded: []) == nil)
    let keys = sample.moving.identity.keys
    for secret in [keys.signingSeed, keys.agreementSeed] { #expect(!contains(left.encoded, secret)) }
  }

  @Test func whoMayMoveAndWhoMayYield() throws {
    var circle = TestCircle(seed: 88)
    var (desk, laptop) = try circle.pair()
    let new = try circle.device("new")
    try desk.checkMayMove()
    try new.checkMayYield(to: desk)
    let known = #expect(throws: ContinuityError.self) { try laptop.checkMayYield(to: new) }
    #expect(known?.subject == "desk" && known?.description.contains("continuo revoke") == true)
    let same = #expect(throws: ContinuityError.self) { try desk.checkMayYield(to: desk) }
    #expect(same?.subject == "device")
    // Whoever waits to be let in, or was removed, has nothing that could go on elsewhere.
    let invitation = try desk.invite(at: circle.now, sequence: 9, using: &circle.generator)
    var joiner = new
    _ = try joiner.join(
      invitation.words, records: [invitation.file.bytes], at: circle.now, sequence: 1,
      using: &circle.generator)
    #expect(throws: ContinuityError.self) { try joiner.checkMayMove() }
    #expect(throws: ContinuityError.self) { try joiner.checkMayYield(to: desk) }
    _ = try laptop.revoke(laptop.id, lastGoodSequence: 9, at: circle.now, using: &circle.generator)
    #expect(throws: ContinuityError.self) { try laptop.checkMayMove() }
    try laptop.checkMayYield(to: desk)
  }
}
