// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import Testing
import TestSamples

@testable import Trust

/// A device that is taken out of the circle: who belongs then, who can read, and who is believed.
@Suite struct RevocationTests {
  private func three(_ circle: inout TestCircle) throws -> (Identity, Identity, Identity) {
    var (desk, laptop) = try circle.pair()
    var tablet = try circle.device("tablet")
    try circle.pair(&desk, with: &tablet)
    _ = try laptop.mergeRoster(desk.circle.roster.encoded, at: circle.now, using: &circle.generator)
    return (desk, laptop, tablet)
  }

  private func revoke(
    _ device: DeviceID, by identity: inout Identity, in circle: inout TestCircle, after last: UInt64 = 20
  ) throws {
    _ = try identity.revoke(
      device, lastGoodSequence: last, at: circle.now.adding(seconds: 60), using: &circle.generator)
  }

  /// The roster files of a device, bridges first, as they lie in the folder.
  private func files(_ device: Identity, _ circle: inout TestCircle) throws -> [[UInt8]] {
    var sequence: UInt64 = 100
    let bridges = try device.bridgeFiles(using: &circle.generator) { () throws(ContinuityError) in
      sequence += 1
      return sequence
    }
    return try (bridges + [device.rosterFile(sequence: sequence + 1, using: &circle.generator)]).map(\.bytes)
  }

  /// Reads until nothing is new, as the agent does.
  private func read(_ files: [[UInt8]], _ device: inout Identity, _ circle: inout TestCircle) throws {
    var before: Identity
    repeat {
      before = device
      for file in files {
        guard let record = try? device.open(file) else { continue }
        _ = try device.mergeRoster(record.payload, at: circle.now, using: &circle.generator)
      }
    } while device != before
  }

  /// What `source` keeps in the folder reaches `device`.
  private func exchange(
    _ source: Identity, _ device: inout Identity, _ circle: inout TestCircle
  ) throws {
    let files = try files(source, &circle)
    try read(files, &device, &circle)
  }

  @Test func whoRemovesThoseThatItCameThroughStays() throws {
    var circle = TestCircle(seed: 59)
    let (desk, founded) = try circle.pair()
    var laptop = founded
    var tablet = try circle.device("tablet")
    try circle.pair(&laptop, with: &tablet)
    try revoke(laptop.id, by: &tablet, in: &circle)
    try revoke(desk.id, by: &tablet, in: &circle)
    #expect(tablet.isConfirmed)
    #expect(tablet.circle.roster.devices.map(\.name) == ["tablet"])
  }

  @Test func aRemovedDeviceReadsNothingNewAndIsNotBelieved() throws {
    var circle = TestCircle(seed: 60)
    var (desk, laptop, tablet) = try three(&circle)
    let early = try circle.state(of: laptop, sequence: 20)
    try revoke(laptop.id, by: &desk, in: &circle)
    try exchange(desk, &tablet, &circle)
    #expect(tablet.circle.roster.devices.map(\.name).sorted() == ["desk", "tablet"])
    #expect(tablet.circle.currentEpoch == desk.circle.currentEpoch)
    #expect(tablet.circle.currentEpoch.number == 2)

    let news = try circle.state(of: desk)
    #expect(try tablet.open(news).payload == [1, 2, 3])
    let unread = #expect(throws: ContinuityError.self) { try laptop.open(news) }
    #expect(unread?.subject == "circle")
    let late = try circle.state(of: laptop, sequence: 21)
    let refused = #expect(throws: ContinuityError.self) { try tablet.open(late) }
    #expect(refused?.subject == "signer")
    // What it had said before it was lost is opened, for its claims.
    #expect(try tablet.open(early).sequence == 20)
  }

  @Test func aRemovedDeviceLearnsItAndNothingThatCameLater() throws {
    var circle = TestCircle(seed: 61)
    var (desk, laptop, tablet) = try three(&circle)
    try revoke(laptop.id, by: &desk, in: &circle)
    var phone = try circle.device("phone")
    try circle.pair(&desk, with: &phone)
    let files = try files(desk, &circle)
    try read(files, &laptop, &circle)
    #expect(laptop.isRemoved && !laptop.isConfirmed)
    #expect(laptop.circle.roster[phone.id] == nil && laptop.circle.epochs.count == 1)
    try read(files, &tablet, &circle)
    try read(files, &phone, &circle)
    for device in [tablet, phone] {
      #expect(device.circle.roster == desk.circle.roster)
      #expect(device.circle.currentEpoch == desk.circle.currentEpoch)
    }
    #expect(throws: ContinuityError.self) {
      try laptop.invite(at: circle.now, sequence: 1, using: &circle.generator)
    }
  }

  @Test func thoseWhoTookOverDifferentKeysOfOneTimeFindTogether() throws {
    var circle = TestCircle(seed: 67)
    var (desk, laptop, tablet) = try three(&circle)
    var phone = try circle.device("phone")
    try circle.pair(&desk, with: &phone)
    for _ in 0..<2 {
      try exchange(desk, &laptop, &circle)
      try exchange(desk, &tablet, &circle)
    }
    // Laptop and phone remove each other at once; desk hears the one first, tablet the other.
    try revoke(phone.id, by: &laptop, in: &circle)
    try revoke(laptop.id, by: &phone, in: &circle)
    for source in [phone, laptop] { try exchange(source, &desk, &circle) }
    for source in [laptop, phone] { try exchange(source, &tablet, &circle) }
    #expect(desk.circle.currentEpoch != tablet.circle.currentEpoch)

    for _ in 0..<2 {
      try exchange(desk, &tablet, &circle)
      try exchange(tablet, &desk, &circle)
    }
    #expect(desk.circle.roster == tablet.circle.roster)
    #expect(desk.circle.currentEpoch == tablet.circle.currentEpoch)
    #expect(try tablet.open(circle.state(of: desk)).payload == [1, 2, 3])
    // Both that are out read nothing of it.
    for removed in [laptop, phone] {
      let unread = #expect(throws: ContinuityError.self) { try removed.open(circle.state(of: desk)) }
      #expect(unread?.subject == "circle")
    }
  }

  @Test func theThiefsRaceEndsTheSameWayInEveryOrder() throws {
    var circle = TestCircle(seed: 62)
    var (desk, laptop, tablet) = try three(&circle)
    // Desk removes the stolen laptop while that lets its owner in, removes the tablet, and names itself anew.
    let before = desk.circle.roster
    var thief = laptop
    try revoke(thief.id, by: &desk, in: &circle)
    let accomplice = try circle.device("accomplice")
    var rosters = [desk.circle.roster.encoded]
    try thief.circle.roster.add(
      accomplice.keys.publicKeys, name: "accomplice", by: thief.keys, at: circle.now)
    rosters.append(thief.circle.roster.encoded)
    try revoke(tablet.id, by: &laptop, in: &circle)
    rosters.append(laptop.circle.roster.encoded)
    try thief.circle.roster.add(thief.keys.publicKeys, name: "desk", by: thief.keys, at: circle.now)
    rosters.append(thief.circle.roster.encoded)
    var ends: Set<Roster> = []
    for order in orders(of: rosters) {
      var roster = before
      for bytes in order { _ = try roster.merge(Roster(encoded: bytes), epoch: 1) }
      #expect(roster[thief.id] == nil && roster[accomplice.id] == nil && roster[tablet.id] == nil)
      #expect(roster.devices.map(\.name) == ["desk"])
      // Keys are not part of who belongs; the newest is made by whoever belongs.
      #expect(try Roster(encoded: roster.encoded) == roster)
      ends.insert(roster)
    }
    #expect(ends.count == 1)
  }

  @Test func twoWhoRemoveAtOnceAgreeOnOneKey() throws {
    var circle = TestCircle(seed: 63)
    var (desk, laptop, tablet) = try three(&circle)
    var phone = try circle.device("phone")
    try circle.pair(&desk, with: &phone)
    let roster = desk.circle.roster.encoded
    _ = try laptop.mergeRoster(roster, at: circle.now, using: &circle.generator)
    _ = try tablet.mergeRoster(roster, at: circle.now, using: &circle.generator)
    // Desk removes the laptop, the tablet removes the phone; neither knows of the other.
    try revoke(laptop.id, by: &desk, in: &circle)
    try revoke(phone.id, by: &tablet, in: &circle)
    #expect(desk.circle.currentEpoch != tablet.circle.currentEpoch)
    for _ in 0..<3 {
      try exchange(desk, &tablet, &circle)
      try exchange(tablet, &desk, &circle)
    }
    #expect(desk.circle.roster == tablet.circle.roster)
    #expect(desk.circle.currentEpoch == tablet.circle.currentEpoch)
    #expect(desk.circle.roster.devices.map(\.id) == [desk.id, tablet.id].sorted())
    let news = try circle.state(of: tablet)
    for thief in [laptop, phone] { #expect(throws: ContinuityError.self) { try thief.open(news) } }
    #expect(try desk.open(news).epoch > 2)
  }

  @Test func aDeviceThatMissedTwoKeysIsLedToTheThird() throws {
    var circle = TestCircle(seed: 64)
    var (desk, laptop, tablet) = try three(&circle)
    var phone = try circle.device("phone")
    try circle.pair(&desk, with: &phone)
    try revoke(laptop.id, by: &desk, in: &circle)
    try revoke(phone.id, by: &desk, in: &circle)
    #expect(desk.circle.currentEpoch.number == 3)
    let saved = try Identity(encoded: desk.encoded)
    #expect(saved == desk)
    try exchange(saved, &tablet, &circle)
    #expect(tablet.circle.currentEpoch == desk.circle.currentEpoch)
  }

  @Test func aDeviceThatComesBackIsAnotherOne() throws {
    var circle = TestCircle(seed: 65)
    var (desk, laptop, _) = try three(&circle)
    let before = laptop.id
    try revoke(laptop.id, by: &desk, in: &circle)
    #expect(throws: ContinuityError.self) {
      try desk.circle.roster.add(
        laptop.keys.publicKeys, name: "laptop", by: desk.keys, at: circle.now)
    }
    let files = try files(desk, &circle)
    try read(files, &laptop, &circle)
    try circle.pair(&desk, with: &laptop)
    #expect(laptop.id != before && laptop.isConfirmed && !laptop.isRemoved)
    let removed = desk.circle.roster.removedDevices
    #expect(removed.map(\.device.id) == [before] && removed.map(\.remover.name) == ["desk"])
  }

  @Test func aRosterFullOfAdditionsTakesRemovals() throws {
    var circle = TestCircle(seed: 66)
    var (desk, laptop, tablet) = try three(&circle)
    for number in 4...32 {
      let (keys, signer) = (try DeviceKeys(using: &circle.generator), laptop.keys)
      try laptop.circle.roster.add(
        keys.publicKeys, name: "device \(number)", by: signer, at: circle.now)
    }
    let one = try circle.device("one more")
    try desk.circle.roster.add(one.keys.publicKeys, name: "one more", by: desk.keys, at: circle.now)
    try revoke(tablet.id, by: &desk, in: &circle)
    let removal = desk.circle.roster
    _ = try laptop.circle.roster.merge(removal, epoch: 1)
    #expect(laptop.circle.roster.membership.removed == [tablet.id])
  }

  @Test func aRosterFromTheFutureIsRefusedAsSuch() throws {
    var circle = TestCircle(seed: 67)
    let (before, laptop) = try circle.pair()
    var desk = before
    guard case .map(var fields) = laptop.circle.roster.cbor, case .array(var entries) = fields[3] else {
      return
    }
    let content = CBOR.map([1: 4, 2: 0, 4: .unsigned(circle.now.milliseconds), 5: .bytes(laptop.id.bytes)])
    entries.append(.map([1: .bytes(content.encoded), 2: .bytes([UInt8](repeating: 0, count: 64))]))
    fields[3] = .array(entries)
    let error = #expect(throws: ContinuityError.self) {
      try desk.mergeRoster(CBOR.map(fields).encoded, at: circle.now, using: &circle.generator)
    }
    #expect(error?.subject == "version" && error?.description.contains("newer Continuo") == true)
    #expect(desk == before)
  }

  private func orders<Element>(of elements: [Element]) -> [[Element]] {
    guard elements.count > 1 else { return [elements] }
    return elements.indices.flatMap { index -> [[Element]] in
      var rest = elements
      let first = rest.remove(at: index)
      return orders(of: rest).map { [first] + $0 }
    }
  }
}
