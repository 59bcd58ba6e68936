// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Testing
import TestSamples

@testable import Trust

@Suite struct RosterTests {
  @Test func rostersMergeToTheSameSetInAnyOrder() throws {
    var circle = TestCircle(seed: 40)
    var (desk, laptop) = try circle.pair()
    let tablet = try circle.device("tablet")
    let phone = try circle.device("phone")
    try desk.circle.roster.add(tablet.keys.publicKeys, name: "tablet", by: desk.keys, at: circle.now)
    try laptop.circle.roster.add(phone.keys.publicKeys, name: "phone", by: laptop.keys, at: circle.now)
    let fromDesk = desk.circle.roster.encoded
    #expect(
      try desk.mergeRoster(laptop.circle.roster.encoded, at: circle.now, using: &circle.generator).joined.map(
        \.name) == ["phone"])
    #expect(
      try laptop.mergeRoster(fromDesk, at: circle.now, using: &circle.generator).joined.map(\.name) == [
        "tablet"
      ])
    #expect(desk.circle.roster == laptop.circle.roster)
    #expect(try Roster(encoded: desk.circle.roster.encoded) == desk.circle.roster)
  }

  @Test("statements of one moment are in the order of their encoded bytes, as every release wrote them")
  func orderOfStatements() throws {
    var circle = TestCircle(seed: 46)
    var (desk, laptop) = try circle.pair()
    for length in [1, 2, 40, 60, 63] {
      let device = try circle.device("other")
      let name = String(repeating: "n", count: length)
      try desk.circle.roster.add(device.keys.publicKeys, name: name, by: desk.keys, at: circle.now)
      try laptop.circle.roster.add(device.keys.publicKeys, name: name, by: laptop.keys, at: circle.now)
    }
    try desk.circle.roster.remove(laptop.id, lastGoodSequence: 3, by: desk.keys, at: circle.now)
    _ = try desk.mergeRoster(laptop.circle.roster.encoded, at: circle.now, using: &circle.generator)
    let statements = desk.circle.roster.statements
    #expect(statements.count > 10 && Set(statements.map(\.at)).count == 1)
    let byBytes = statements.map(\.cbor.encoded).sorted { $0.lexicographicallyPrecedes($1) }
    #expect(statements.sorted().map(\.cbor.encoded) == byBytes)
  }

  @Test func onlyMembersCanAdd() throws {
    var circle = TestCircle(seed: 41)
    var desk = try circle.device("desk")
    let stranger = try circle.device("stranger")
    #expect(throws: ContinuityError.self) {
      try desk.circle.roster.add(stranger.keys.publicKeys, name: "x", by: stranger.keys, at: circle.now)
    }
  }

  @Test func statementsOfAnotherCircleAreRefused() throws {
    var circle = TestCircle(seed: 42)
    var desk = try circle.device("desk")
    let other = try circle.device("other")
    #expect(throws: ContinuityError.self) {
      try desk.mergeRoster(other.circle.roster.encoded, at: circle.now, using: &circle.generator)
    }
    #expect(desk.circle.roster.devices.count == 1)
  }

  @Test func aStatementMeansNothingInAnotherCircleOfTheSameFounder() throws {
    var circle = TestCircle(seed: 43)
    let desk = try circle.device("desk")
    let first = try Roster(foundedBy: desk.keys, name: "desk", at: circle.now, using: &circle.generator)
    let second = try Roster(foundedBy: desk.keys, name: "desk", at: circle.now, using: &circle.generator)
    guard case .map(var fields) = first.cbor, case .map(let others) = second.cbor else { return }
    _ = try Roster(cbor: .map(fields))
    fields[3] = others[3]
    #expect(throws: ContinuityError.self) { try Roster(cbor: .map(fields)) }
  }

  @Test func everyChangedByteOfARosterIsRefused() throws {
    var circle = TestCircle(seed: 44)
    let (desk, _) = try circle.pair()
    let bytes = desk.circle.roster.encoded
    for index in bytes.indices {
      var mutated = bytes
      mutated[index] ^= 1 << UInt8(index % 8)
      #expect(throws: ContinuityError.self, "byte \(index)") { try Roster(encoded: mutated) }
      #expect(throws: ContinuityError.self) { try Roster(encoded: Array(bytes.prefix(index))) }
    }
  }

  @Test func aCircleTakes32Devices() throws {
    var circle = TestCircle(seed: 45)
    var desk = try circle.device("desk")
    for number in 2...32 {
      let keys = try DeviceKeys(using: &circle.generator)
      try desk.circle.roster.add(keys.publicKeys, name: "device \(number)", by: desk.keys, at: circle.now)
    }
    let one = try DeviceKeys(using: &circle.generator)
    #expect(throws: ContinuityError.self) {
      try desk.circle.roster.add(one.publicKeys, name: "more", by: desk.keys, at: circle.now)
    }
    #expect(throws: ContinuityError.self) {
      try desk.invite(at: circle.now, sequence: 1, using: &circle.generator)
    }
    #expect(desk.circle.roster.devices.count == 32)
    let file = try desk.rosterFile(sequence: 1, using: &circle.generator)
    #expect(try Roster(encoded: desk.open(file.bytes).payload) == desk.circle.roster)
  }

  /// Two members let the last one in at once, neither knowing of the other's.
  @Test func aCircleOf33DevicesIsRefusedAndFindsTogetherWhenOneIsTakenOut() throws {
    var circle = TestCircle(seed: 50)
    var (desk, laptop) = try circle.pair()
    let keys = try (3...33).map { _ in try DeviceKeys(using: &circle.generator) }
    for (number, device) in keys.dropLast(2).enumerated() {
      try desk.circle.roster.add(
        device.publicKeys, name: "device \(number)", by: desk.keys, at: circle.now)
    }
    _ = try laptop.mergeRoster(desk.circle.roster.encoded, at: circle.now, using: &circle.generator)
    #expect(laptop.circle.roster.devices.count == 31)
    try desk.circle.roster.add(keys[29].publicKeys, name: "of the desk", by: desk.keys, at: circle.now)
    try laptop.circle.roster.add(keys[30].publicKeys, name: "of the laptop", by: laptop.keys, at: circle.now)
    let before = desk
    _ = try? desk.mergeRoster(laptop.circle.roster.encoded, at: circle.now, using: &circle.generator)
    #expect(desk == before && desk.circle.roster.devices.count == 32)
    #expect(try desk.open(circle.state(of: laptop)).device == laptop.id, "the others go on")
    _ = try desk.revoke(keys[0].id, lastGoodSequence: 1, at: circle.now, using: &circle.generator)
    for _ in 0..<2 {
      _ = try laptop.mergeRoster(desk.circle.roster.encoded, at: circle.now, using: &circle.generator)
      _ = try desk.mergeRoster(laptop.circle.roster.encoded, at: circle.now, using: &circle.generator)
    }
    #expect(desk.circle.roster == laptop.circle.roster && desk.circle.roster.devices.count == 32)
    #expect(desk.circle.currentEpoch == laptop.circle.currentEpoch)
  }

  @Test func theLatestStatementNamesADeviceAndNamesAreClean() throws {
    var circle = TestCircle(seed: 46)
    var (desk, laptop) = try circle.pair()
    try laptop.rename(to: "lap\u{202e}top\n of Jo", at: circle.now.adding(seconds: 5))
    #expect(laptop.name == "laptop of Jo")
    _ = try desk.mergeRoster(laptop.circle.roster.encoded, at: circle.now, using: &circle.generator)
    #expect(desk.circle.roster[laptop.id]?.name == "laptop of Jo")
    #expect(Roster.cleaned("\u{7}") == "device")
  }

  /// Whoever let a device in named it, too, by a clock that may be ahead.
  @Test func aDeviceRenamesItselfWhateverTheClocksSay() throws {
    var circle = TestCircle(seed: 47)
    var (desk, laptop) = try circle.pair()
    try laptop.rename(to: "travel", at: WallTime(milliseconds: 1))
    _ = try desk.mergeRoster(laptop.circle.roster.encoded, at: circle.now, using: &circle.generator)
    #expect(desk.circle.roster[laptop.id]?.name == "travel")
    try laptop.rename(to: "home", at: WallTime(milliseconds: 2))
    _ = try desk.mergeRoster(laptop.circle.roster.encoded, at: circle.now, using: &circle.generator)
    #expect(desk.circle.roster[laptop.id]?.name == "home")
    #expect(desk.circle.roster.devices.count == 2)
  }

  @Test func devicesOfOneNameAreShownWithTheBeginningOfTheirIDs() throws {
    var circle = TestCircle(seed: 48)
    var (desk, laptop) = try circle.pair()
    #expect(desk.shownName(of: laptop.id) == "laptop")
    try laptop.rename(to: desk.name.uppercased(), at: circle.now)
    _ = try desk.mergeRoster(laptop.circle.roster.encoded, at: circle.now, using: &circle.generator)
    let (own, other) = (desk.keys.publicKeys.fingerprint, laptop.keys.publicKeys.fingerprint)
    #expect(desk.shownName(of: laptop.id) == "\(desk.name.uppercased()) (\(other.prefix(4)))")
    #expect(desk.shownName(of: desk.id) == "\(desk.name) (\(own.prefix(4)))")
  }

  /// The roster does not hold this device before the inviter has let it in.
  @Test func aDeviceThatHasJustJoinedIsToldFromItsInviter() throws {
    var circle = TestCircle(seed: 49)
    var desk = try circle.device("vm")
    var laptop = try circle.device("vm")
    let invitation = try desk.invite(at: circle.now, sequence: 1, using: &circle.generator)
    _ = try laptop.join(
      invitation.words, records: [invitation.file.bytes], at: circle.now, sequence: 1,
      using: &circle.generator)
    #expect(laptop.shownName(of: laptop.id) == "vm (\(laptop.keys.publicKeys.fingerprint.prefix(4)))")
    #expect(laptop.shownName(of: desk.id) == "vm (\(desk.keys.publicKeys.fingerprint.prefix(4)))")
  }

  /// A name with a zero-width joiner, which the first release accepted: the statement is read, the name shown
  /// without.
  @Test func anOlderNameIsReadAndShownClean() throws {
    #expect(Roster.isName("lap\u{200d}top\u{200b}") && !Roster.isName("lap\ntop") && !Roster.isName(""))
    #expect(Roster.cleaned("lap\u{200d}top\u{200b}") == "laptop")
  }

  @Test func anAgreementKeyCannotBeExchangedByAnotherMember() throws {
    var circle = TestCircle(seed: 47)
    let (desk, laptop) = try circle.pair()
    guard case .map(var fields) = laptop.keys.publicKeys.cbor else { return }
    fields[2] = .bytes(desk.keys.publicKeys.agreement)
    #expect(throws: ContinuityError.self) { try DevicePublicKeys(cbor: .map(fields), ciphers: standard) }
  }
}
