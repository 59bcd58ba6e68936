// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Testing
import TestSamples

@testable import Trust

@Suite struct SealedRecordTests {
  @Test(arguments: [0, 1, 428, 429, 940, 941, 4012, 4013, 16_300, 16_301, 65_452])
  func payloadsOfEverySizeComeBack(_ size: Int) throws {
    var circle = TestCircle(seed: 1)
    let (desk, laptop) = try circle.pair()
    let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    let record = try circle.state(of: desk, payload, sequence: 42)
    #expect(RecordHeader.recordSizes.contains(record.count))
    let opened = try laptop.open(record)
    #expect(
      opened
        == OpenedRecord(
          device: desk.id, kind: .state, epoch: 1, circleTag: desk.circle.currentEpoch.circleTag,
          sequence: 42,
          payload: payload))
    #expect(try desk.open(record) == opened)
  }

  @Test func aPayloadThatFitsNoSizeIsRefused() throws {
    var circle = TestCircle(seed: 2)
    let desk = try circle.device("desk")
    #expect(throws: ContinuityError.self) { try circle.state(of: desk, [UInt8](repeating: 0, count: 65_453)) }
    #expect(throws: ContinuityError.self) { try circle.state(of: desk, sequence: 0) }
  }

  @Test func everyPrefixOfARecordIsRefused() throws {
    var circle = TestCircle(seed: 3)
    let (desk, laptop) = try circle.pair()
    let record = try circle.state(of: desk, [UInt8](repeating: 1, count: 700))
    for length in 0..<record.count {
      #expect(throws: ContinuityError.self) { try laptop.open(Array(record.prefix(length))) }
    }
    #expect(throws: ContinuityError.self) { try laptop.open(record + [0]) }
  }

  // Threat T01. Each byte in turn, so that no byte of the smallest record is left out.
  @Test func twentyThousandMutationsAreRefused() throws {
    var circle = TestCircle(seed: 4)
    let (desk, laptop) = try circle.pair()
    let record = try circle.state(of: desk)
    var accepted = 0
    for round in 0..<20_000 {
      var mutated = record
      mutated[round % record.count] ^= UInt8.random(in: 1...255, using: &circle.generator)
      // Every refusal is good here, whatever its reason.
      if (try? laptop.open(mutated)) != nil { accepted += 1 }
    }
    #expect(accepted == 0)
  }

  @Test func aRecordOfAnotherCircleIsRefused() throws {
    var circle = TestCircle(seed: 5)
    let (desk, _) = try circle.pair()
    let stranger = try circle.device("stranger")
    let error = try #require(throws: ContinuityError.self) { try stranger.open(circle.state(of: desk)) }
    #expect(error.subject == "circle")
  }

  @Test func aRecordOfAnotherEpochIsRefused() throws {
    var circle = TestCircle(seed: 6)
    let (desk, laptop) = try circle.pair()
    var ahead = desk
    ahead.circle.epochs = [EpochKey(number: 2, using: &circle.generator, ciphers: standard)]
    #expect(throws: ContinuityError.self) { try laptop.open(circle.state(of: ahead)) }
    let sameKey = try #require(
      EpochKey(number: 2, secret: desk.circle.currentEpoch.secret, ciphers: standard))
    ahead.circle.epochs = [sameKey]
    let error = try #require(throws: ContinuityError.self) { try laptop.open(circle.state(of: ahead)) }
    #expect(error.subject == "circle")
  }

  @Test func aSignerOutsideTheRosterIsRefused() throws {
    var circle = TestCircle(seed: 7)
    let (desk, laptop) = try circle.pair()
    var thief = try circle.device("thief")
    thief.circle = desk.circle
    let error = try #require(throws: ContinuityError.self) { try laptop.open(circle.state(of: thief)) }
    #expect(error.subject == "signer")
  }

  @Test func aMemberCannotSignForAnother() throws {
    var circle = TestCircle(seed: 8)
    let (desk, laptop) = try circle.pair()
    let epoch = desk.circle.currentEpoch
    let record = try circle.state(of: laptop)
    var content = try plaintext(of: record, under: epoch)
    content.replaceSubrange(0..<16, with: desk.id.bytes)
    let forged = try hostileRecord(header: RecordHeader(record: record), under: epoch, plaintext: content)
    let error = try #require(throws: ContinuityError.self) { try laptop.open(forged) }
    #expect(error.subject == "signature")
  }

  // Threat T02: with the circle's key a member can open and seal again, but not under another header.
  @Test func aSignedPayloadCannotBeSealedAgainUnderAnotherSequenceKindOrNonce() throws {
    var circle = TestCircle(seed: 9)
    let (desk, laptop) = try circle.pair()
    let epoch = desk.circle.currentEpoch
    let record = try circle.state(of: desk, sequence: 5)
    let content = try plaintext(of: record, under: epoch)
    var headers = Array(repeating: try RecordHeader(record: record), count: 3)
    headers[0].sequence = 6
    headers[1].kind = .roster
    headers[2].random[0] ^= 1
    for header in headers {
      let forged = try hostileRecord(header: header, under: epoch, plaintext: content)
      let error = #expect(throws: ContinuityError.self) { try laptop.open(forged) }
      #expect(error?.subject == "signature")
    }
  }

  @Test func aLengthBeyondTheRecordAndPaddingThatHoldsSomethingAreRefused() throws {
    var circle = TestCircle(seed: 10)
    let (desk, laptop) = try circle.pair()
    let epoch = desk.circle.currentEpoch
    let header = try RecordHeader(record: circle.state(of: desk))
    for (offset, byte, subject) in [(16, 0x80, "length"), (18, 0x02, "length"), (447, 0x01, "padding")] {
      var unsigned = try plaintext(of: circle.state(of: desk), under: epoch).dropLast(64)
      unsigned[offset] |= UInt8(byte)
      let signature = try desk.keys.signature(
        for: Array("continuo/record/v1\0".utf8) + header.bytes + unsigned)
      let forged = try hostileRecord(header: header, under: epoch, plaintext: unsigned + signature)
      let error = #expect(throws: ContinuityError.self) { try laptop.open(forged) }
      #expect(error?.subject == subject)
    }
  }

  @Test func anInvitationSealedWithTheEpochKeyIsNotTaken() throws {
    var circle = TestCircle(seed: 11)
    let (desk, laptop) = try circle.pair()
    let record = try desk.seal([1], kind: .invitation, sequence: 1, using: &circle.generator)
    #expect(throws: ContinuityError.self) { try laptop.open(record) }
  }

  @Test func aRecordOfALaterVersionSaysThatItsDeviceIsNewer() throws {
    var circle = TestCircle(seed: 12)
    let (desk, laptop) = try circle.pair()
    var record = try circle.state(of: desk)
    record[8] = 2
    let error = #expect(throws: ContinuityError.self) { try laptop.open(record) }
    #expect(error?.subject == "version")
  }

  // Threat T28: nothing of what the person works on can be read in the folder.
  @Test func aThousandTitlesCannotBeFoundInTheSealedBytes() throws {
    var circle = TestCircle(seed: 13)
    let (desk, _) = try circle.pair()
    for _ in 0..<1000 {
      let letters = Array("abcdefghijklmnopqrstuvwxyz ")
      let title = String(
        (0..<Int.random(in: 6...40, using: &circle.generator)).map { _ in
          letters.randomElement(using: &circle.generator) ?? "a"
        })
      var state = DeviceState(issuedAt: circle.now, bootNonce: [UInt8](repeating: 0, count: 16))
      var snapshot = ActivitySnapshot(
        id: ActivityID(using: &circle.generator), type: "public.text-editing", appID: "org.continuo.edit",
        changedAt: circle.now)
      snapshot.title = title
      state.activities = [snapshot]
      let payload = state.recordPayload().bytes
      let record = try circle.state(of: desk, payload)
      #expect(payload.contains(title) && !record.contains(title) && !record.contains("public.text"))
    }
  }

  @Test func aFileNameIsOpaqueAndChangesWithTheEpoch() throws {
    var circle = TestCircle(seed: 14)
    let (desk, laptop) = try circle.pair()
    let name = desk.fileName(.state)
    #expect(name.wholeMatch(of: /d-[a-z2-7]{26}\.rec/) != nil)
    #expect(desk.fileName(.folder).wholeMatch(of: /f-[a-z2-7]{26}\.id/) != nil)
    #expect(desk.fileName(.roster).wholeMatch(of: /r-[a-z2-7]{26}\.rst/) != nil)
    #expect(name == laptop.circle.currentEpoch.fileName(.state, of: desk.keys.publicKeys))
    #expect(name != laptop.fileName(.state))
    let next = EpochKey(number: 2, using: &circle.generator, ciphers: standard)
    #expect(name != next.fileName(.state, of: desk.keys.publicKeys))
  }
}

extension [UInt8] {
  /// Whether the bytes of `text` stand anywhere among these.
  func contains(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard count >= wanted.count, let first = wanted.first else { return false }
    return indices.dropLast(wanted.count - 1).contains {
      self[$0] == first && self[$0...].starts(with: wanted)
    }
  }
}
