// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Testing
import TestSamples

@testable import Trust

@Suite struct PairingTests {
  @Test func twoDevicesReadEachOtherAfterPairing() throws {
    var circle = TestCircle(seed: 20)
    let (desk, laptop) = try circle.pair()
    #expect(try laptop.open(circle.state(of: desk)).device == desk.id)
    #expect(try desk.open(circle.state(of: laptop)).device == laptop.id)
    #expect(desk.otherDevices.map(\.name) == ["laptop"] && laptop.otherDevices.map(\.name) == ["desk"])
    #expect(desk.pairing == nil && laptop.pairing == nil && laptop.isConfirmed)
  }

  @Test func theJoinerReadsTheCircleWhileTheInviterIsOff() throws {
    var circle = TestCircle(seed: 21)
    var desk = try circle.device("desk")
    var laptop = try circle.device("laptop")
    let invitation = try desk.invite(at: circle.now, sequence: 1, using: &circle.generator)
    let record = try circle.state(of: desk)
    let inviter = try laptop.join(
      invitation.words, records: [invitation.file.bytes], at: circle.now, sequence: 1,
      using: &circle.generator)
    #expect(inviter.name == "desk" && inviter.keys.fingerprint == desk.keys.publicKeys.fingerprint)
    #expect(try laptop.open(record).device == desk.id)
    #expect(!laptop.isConfirmed && laptop.pairing?.file.name.hasPrefix("i-") == true)
    #expect(throws: ContinuityError.self) { try desk.open(circle.state(of: laptop)) }
  }

  @Test func aThirdDeviceLearnsOfTheNewcomerFromTheInvitersRoster() throws {
    var circle = TestCircle(seed: 22)
    var (desk, laptop) = try circle.pair()
    var tablet = try circle.device("tablet")
    try circle.pair(&laptop, with: &tablet)
    let record = try circle.state(of: tablet)
    let early = try #require(throws: ContinuityError.self) { try desk.open(record) }
    #expect(early.subject == "signer")
    let roster = try desk.open(laptop.rosterFile(sequence: 7, using: &circle.generator).bytes)
    #expect(roster.kind == .roster)
    #expect(
      try desk.mergeRoster(roster.payload, at: circle.now, using: &circle.generator).joined.map(\.name) == [
        "tablet"
      ])
    #expect(try desk.open(record).device == tablet.id)
    #expect(try desk.mergeRoster(roster.payload, at: circle.now, using: &circle.generator).joined.isEmpty)
    #expect(tablet.otherDevices.count == 2)
  }

  @Test func anInvitationIsSpentByItsFirstAnswer() throws {
    var circle = TestCircle(seed: 23)
    var desk = try circle.device("desk")
    let invitation = try desk.invite(at: circle.now, sequence: 1, using: &circle.generator)
    let answers = try ["laptop", "thief"].map { name in
      var joiner = try circle.device(name)
      _ = try joiner.join(
        invitation.words, records: [invitation.file.bytes], at: circle.now, sequence: 1,
        using: &circle.generator)
      return try #require(joiner.pairing?.file.bytes)
    }
    #expect(try desk.takeAnswer(answers[0], at: circle.now, using: &circle.generator).name == "laptop")
    let error = #expect(throws: ContinuityError.self) {
      try desk.takeAnswer(answers[1], at: circle.now, using: &circle.generator)
    }
    #expect(error?.code == .pairingFailed)
    #expect(desk.otherDevices.map(\.name) == ["laptop"])
  }

  @Test func anInvitationEndsAfterADayOrWhenCancelled() throws {
    var circle = TestCircle(seed: 24)
    var desk = try circle.device("desk")
    var laptop = try circle.device("laptop")
    let invitation = try desk.invite(at: circle.now, sequence: 1, using: &circle.generator)
    let late = circle.now.adding(seconds: 24 * 3600 + 601)
    let expired = #expect(throws: ContinuityError.self) {
      try laptop.join(
        invitation.words, records: [invitation.file.bytes], at: late, sequence: 1, using: &circle.generator)
    }
    #expect(expired?.description.contains("expired") == true)
    _ = try laptop.join(
      invitation.words, records: [invitation.file.bytes], at: circle.now, sequence: 1,
      using: &circle.generator)
    let answer = try #require(laptop.pairing?.file.bytes)
    var lateDesk = desk
    #expect(throws: ContinuityError.self) {
      try lateDesk.takeAnswer(answer, at: late, using: &circle.generator)
    }
    #expect(!lateDesk.expirePairing(at: circle.now) && lateDesk.expirePairing(at: late))
    #expect(desk.cancelPairing() && !desk.cancelPairing())
    #expect(throws: ContinuityError.self) {
      try desk.takeAnswer(answer, at: circle.now, using: &circle.generator)
    }
  }

  @Test func aClockTenYearsBehindPairsAndOneTenYearsAheadIsToldInASentence() throws {
    var circle = TestCircle(seed: 32)
    let tenYears: UInt64 = 10 * 365 * 24 * 3600
    var desk = try circle.device("desk")
    var laptop = try circle.device("laptop")
    let before = laptop
    let invitation = try desk.invite(at: circle.now, sequence: 1, using: &circle.generator)
    let ahead = #expect(throws: ContinuityError.self) {
      try laptop.join(
        invitation.words, records: [invitation.file.bytes], at: circle.now.adding(seconds: tenYears),
        sequence: 1, using: &circle.generator)
    }
    #expect(ahead?.subject == "expiry" && ahead?.description.contains("set this computer's clock") == true)
    #expect(laptop == before)
    let behind = WallTime(milliseconds: circle.now.milliseconds - tenYears * 1000)
    _ = try laptop.join(
      invitation.words, records: [invitation.file.bytes], at: behind, sequence: 1, using: &circle.generator)
    let answer = try #require(laptop.pairing?.file.bytes)
    _ = try desk.takeAnswer(answer, at: circle.now, using: &circle.generator)
    _ = try laptop.mergeRoster(desk.circle.roster.encoded, at: behind, using: &circle.generator)
    #expect(try desk.open(circle.state(of: laptop)).device == laptop.id)
    // What it states counts as well: a name, and a removal.
    try laptop.rename(to: "travel", at: behind)
    var tablet = try circle.device("tablet")
    try circle.pair(&desk, with: &tablet)
    _ = try laptop.mergeRoster(desk.circle.roster.encoded, at: behind, using: &circle.generator)
    _ = try laptop.revoke(tablet.id, lastGoodSequence: 1, at: behind, using: &circle.generator)
    _ = try desk.mergeRoster(laptop.circle.roster.encoded, at: circle.now, using: &circle.generator)
    #expect(desk.circle.roster.devices.map(\.name).sorted() == ["desk", "travel"])
    #expect(desk.circle.currentEpoch == laptop.circle.currentEpoch && desk.circle.currentEpoch.number == 2)
  }

  @Test func otherWordsOpenNothing() throws {
    var circle = TestCircle(seed: 25)
    var desk = try circle.device("desk")
    var laptop = try circle.device("laptop")
    let before = laptop
    let invitation = try desk.invite(at: circle.now, sequence: 1, using: &circle.generator)
    let noise = [[], [UInt8](repeating: 0, count: 588), try circle.state(of: desk), invitation.file.bytes]
    #expect(throws: ContinuityError.self) {
      try laptop.join(
        PairingWords(using: &circle.generator), records: noise, at: circle.now, sequence: 1,
        using: &circle.generator)
    }
    #expect(laptop == before)
    _ = try laptop.join(
      invitation.words, records: noise, at: circle.now, sequence: 1, using: &circle.generator)
  }

  @Test func whatIsNoAnswerLeavesTheInvitationWaiting() throws {
    var circle = TestCircle(seed: 26)
    var desk = try circle.device("desk")
    let old = try desk.invite(at: circle.now, sequence: 1, using: &circle.generator)
    var laptop = try circle.device("laptop")
    _ = try laptop.join(
      old.words, records: [old.file.bytes], at: circle.now, sequence: 1, using: &circle.generator)
    let stale = try #require(laptop.pairing?.file.bytes)
    let invitation = try desk.invite(at: circle.now, sequence: 2, using: &circle.generator)
    for record in [stale, invitation.file.bytes, try circle.state(of: desk), []] {
      let error = #expect(throws: ContinuityError.self) {
        try desk.takeAnswer(record, at: circle.now, using: &circle.generator)
      }
      #expect(error?.code == .invalidBytes)
    }
    #expect(desk.pairing == .invited(invitation))
  }

  // Who knows the words can put another invitation in its place; the answer tells which one was read.
  @Test func anAnswerToAnExchangedInvitationIsRefused() throws {
    var circle = TestCircle(seed: 27)
    var desk = try circle.device("desk")
    let invitation = try desk.invite(at: circle.now, sequence: 1, using: &circle.generator)
    let thief = try circle.device("thief")
    let content = InvitationContent(
      id: invitation.id, inviter: thief.keys.publicKeys, name: "desk", epoch: thief.circle.currentEpoch,
      roster: thief.circle.roster, expiresAt: invitation.expiresAt)
    let exchanged = try SealedRecord.seal(
      content.encoded, kind: .invitation, sequence: 1, by: thief.keys, under: invitation.words.epochKey,
      using: &circle.generator)
    var laptop = try circle.device("laptop")
    _ = try laptop.join(
      invitation.words, records: [exchanged], at: circle.now, sequence: 1, using: &circle.generator)
    let answer = try #require(laptop.pairing?.file.bytes)
    let error = #expect(throws: ContinuityError.self) {
      try desk.takeAnswer(answer, at: circle.now, using: &circle.generator)
    }
    #expect(error?.subject == "answer")
  }

  @Test func anInviterWhoDoesNotBelongToTheCircleIsRefused() throws {
    var circle = TestCircle(seed: 28)
    let desk = try circle.device("desk")
    let thief = try circle.device("thief")
    let words = PairingWords(using: &circle.generator)
    let content = InvitationContent(
      id: [UInt8](repeating: 1, count: 16), inviter: thief.keys.publicKeys, name: "desk",
      epoch: desk.circle.currentEpoch, roster: desk.circle.roster, expiresAt: circle.now)
    let record = try SealedRecord.seal(
      content.encoded, kind: .invitation, sequence: 1, by: thief.keys, under: words.epochKey,
      using: &circle.generator)
    #expect(throws: ContinuityError.self) { try InvitationContent(record: record, words: words) }
  }

  @Test func aDeviceWithOthersDoesNotLeaveThemSilently() throws {
    var circle = TestCircle(seed: 29)
    var (desk, laptop) = try circle.pair()
    var stranger = try circle.device("stranger")
    let foreign = try stranger.invite(at: circle.now, sequence: 1, using: &circle.generator)
    let error = #expect(throws: ContinuityError.self) {
      try laptop.join(
        foreign.words, records: [foreign.file.bytes], at: circle.now, sequence: 2, using: &circle.generator)
    }
    #expect(error?.subject == "desk")
    let own = try desk.invite(at: circle.now, sequence: 3, using: &circle.generator)
    #expect(throws: ContinuityError.self) {
      try desk.join(
        own.words, records: [own.file.bytes], at: circle.now, sequence: 4, using: &circle.generator)
    }
  }

  @Test func aDeviceThatWaitsToBeLetInCannotInviteButMayTryAgain() throws {
    var circle = TestCircle(seed: 30)
    var desk = try circle.device("desk")
    var laptop = try circle.device("laptop")
    for round: UInt64 in 1...2 {
      let invitation = try desk.invite(at: circle.now, sequence: round, using: &circle.generator)
      _ = try laptop.join(
        invitation.words, records: [invitation.file.bytes], at: circle.now, sequence: round,
        using: &circle.generator)
      #expect(throws: ContinuityError.self) {
        try laptop.invite(at: circle.now, sequence: 9, using: &circle.generator)
      }
    }
    let answer = try #require(laptop.pairing?.file.bytes)
    #expect(try desk.takeAnswer(answer, at: circle.now, using: &circle.generator).id == laptop.id)
  }
}
