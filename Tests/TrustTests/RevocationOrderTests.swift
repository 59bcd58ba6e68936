// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing
import TestSamples

@testable import Trust

/// Statements that members and a thief sign at once, none knowing of the others', in every order in which
/// they can be learnt, with the product's own keys: the circle is the same in the end.
@Suite struct RevocationOrderTests {
  /// Four devices, of which the laptop is stolen, and rosters that each tell a little more than `before`.
  private struct Race {
    let before: Roster
    var rosters: [Roster] = []
    let devices: [Identity]

    init(_ circle: inout TestCircle) throws {
      var (desk, laptop) = try circle.pair()
      var tablet = try circle.device("tablet")
      var phone = try circle.device("phone")
      try circle.pair(&desk, with: &tablet)
      try circle.pair(&laptop, with: &phone)
      _ = try desk.mergeRoster(laptop.circle.roster.encoded, at: circle.now, using: &circle.generator)
      let roster = desk.circle.roster.encoded
      var devices = [desk, laptop, tablet, phone]
      for index in devices.indices {
        _ = try devices[index].mergeRoster(roster, at: circle.now, using: &circle.generator)
      }
      self.devices = devices
      before = desk.circle.roster
      #expect(before.devices.count == 4 && devices.allSatisfy { $0.circle.roster == before })
    }

    /// What one device, by its number, states on its own; kept as it travels.
    mutating func state(_ device: Int, _ change: (inout Roster, DeviceKeys) throws -> Void) throws {
      var roster = before
      try change(&roster, devices[device].keys)
      rosters.append(try Roster(encoded: roster.encoded))
    }
  }

  private static func forEachOrder<Element>(of elements: [Element], _ body: ([Element]) throws -> Void)
    rethrows
  {
    var elements = elements
    // Heap's algorithm: each order differs from the last by one exchange.
    func permute(_ count: Int) throws {
      guard count > 1 else { return try body(elements) }
      for index in 0..<count {
        try permute(count - 1)
        if index < count - 1 { elements.swapAt(count.isMultiple(of: 2) ? index : 0, count - 1) }
      }
    }
    try permute(elements.count)
  }

  /// How many orders there were; each led to the same roster, and no removal was ever taken back.
  private func orders(of race: Race) throws -> (count: Int, end: Roster) {
    var ends: Set<Roster> = []
    var count = 0
    try Self.forEachOrder(of: race.rosters) { order in
      var roster = race.before
      for told in order {
        let removed = roster.membership.removed
        _ = try roster.merge(told, epoch: 1)
        #expect(roster.membership.removed.isSuperset(of: removed), "a removal was taken back")
      }
      ends.insert(roster)
      count += 1
    }
    #expect(ends.count == 1, "\(ends.count) circles came of \(count) orders")
    return (count, try #require(ends.first))
  }

  @Test func sevenStatementsOfMembersAndAThiefLeadToOneCircleInAll5040Orders() throws {
    var circle = TestCircle(seed: 80)
    var race = try Race(&circle)
    let now = circle.now.adding(seconds: 60)
    let (accomplice, watch) = (try circle.device("accomplice"), try circle.device("watch"))
    let (desk, laptop, tablet, phone) = (race.devices[0], race.devices[1], race.devices[2], race.devices[3])
    // The laptop let the phone in, and desk keeps it.
    try race.state(0) { try $0.remove(laptop.id, lastGoodSequence: 9, by: $1, at: now) }
    try race.state(3) { try $0.remove(laptop.id, lastGoodSequence: 7, by: $1, at: now) }
    try race.state(1) {
      try $0.add(accomplice.keys.publicKeys, name: "desk", by: $1, at: now)
      try $0.add(desk.keys.publicKeys, name: "stolen", by: $1, at: now.adding(seconds: 5))
    }
    try race.state(1) {
      try $0.add(accomplice.keys.publicKeys, name: "desk", by: $1, at: now)
      try $0.remove(tablet.id, lastGoodSequence: 1, by: accomplice.keys, at: now)
    }
    try race.state(2) { try $0.add(watch.keys.publicKeys, name: "watch", by: $1, at: now) }
    try race.state(3) { try $0.add(phone.keys.publicKeys, name: "mobile", by: $1, at: now) }
    try race.state(0) { try $0.add(desk.keys.publicKeys, name: "desktop", by: $1, at: now) }
    let (count, end) = try orders(of: race)
    #expect(count == 5040)
    #expect(end[laptop.id] == nil && end[accomplice.id] == nil, "a thief belongs")
    #expect(end[tablet.id] == nil, "a removal is final, whoever signed it")
    #expect(end[desk.id] != nil && end[phone.id]?.name == "mobile")
    #expect(end.membership.lastGoodSequence(of: laptop.id) == 7)
  }

  @Test func fiveStatementsDrawnAtRandomLeadToOneCircleInAllOrdersOfFortyRaces() throws {
    var total = 0
    for seed in UInt64(0)..<40 {
      var circle = TestCircle(seed: 100 + seed)
      var race = try Race(&circle)
      for _ in 0..<5 {
        let (signer, subject) = (
          Int.random(in: 0..<4, using: &circle.generator),
          race.devices.randomElement(using: &circle.generator) ?? race.devices[0]
        )
        let now = circle.now.adding(seconds: UInt64.random(in: 0..<3, using: &circle.generator))
        let newcomer = try DeviceKeys(using: &circle.generator)
        switch Int.random(in: 0..<4, using: &circle.generator) {
        case 0: try race.state(signer) { try $0.add(newcomer.publicKeys, name: "new", by: $1, at: now) }
        case 1:
          try race.state(signer) {
            try $0.add(subject.keys.publicKeys, name: "name \(seed)", by: $1, at: now)
          }
        case 2:
          // Let in, and put to use at once.
          try race.state(signer) {
            try $0.add(newcomer.publicKeys, name: "new", by: $1, at: now)
            try $0.remove(subject.id, lastGoodSequence: seed, by: newcomer, at: now)
          }
        default: try race.state(signer) { try $0.remove(subject.id, lastGoodSequence: seed, by: $1, at: now) }
        }
      }
      let (count, end) = try orders(of: race)
      total += count
      #expect(end.membership.members.isDisjoint(with: end.membership.removed))
    }
    #expect(total == 40 * 120)
  }

  /// With the keys that come of it: desk, tablet and phone hear of two removals, of what the thief lets in,
  /// and of a new name, each in another order; then of each other.
  @Test func whoeverLearnsWhatFirstAllAgreeOnOneKeyThatTheThiefDoesNotHave() throws {
    var circle = TestCircle(seed: 81)
    var race = try Race(&circle)
    let now = circle.now.adding(seconds: 60)
    let accomplice = try circle.device("accomplice")
    let (laptop, phone) = (race.devices[1], race.devices[3])
    try race.state(0) { try $0.remove(laptop.id, lastGoodSequence: 9, by: $1, at: now) }
    try race.state(2) { try $0.remove(laptop.id, lastGoodSequence: 5, by: $1, at: now) }
    try race.state(1) { try $0.add(accomplice.keys.publicKeys, name: "desk", by: $1, at: now) }
    try race.state(3) { try $0.add(phone.keys.publicKeys, name: "mobile", by: $1, at: now) }
    var orders: [[[UInt8]]] = []
    Self.forEachOrder(of: race.rosters.map(\.encoded)) { orders.append($0) }
    for index in orders.indices {
      var devices = [race.devices[0], race.devices[2], race.devices[3]]
      for (number, step) in [1, 7, 11].enumerated() {
        for told in orders[(index * step + number * 5) % orders.count] {
          _ = try devices[number].mergeRoster(told, at: now, using: &circle.generator)
        }
      }
      var rounds = 0
      while Set(devices.map(\.circle.currentEpoch)).count > 1 || Set(devices.map(\.circle.roster)).count > 1 {
        rounds += 1
        try #require(rounds < 10, "order \(index): they do not agree")
        for reader in devices.indices {
          for teller in devices.indices where teller != reader {
            let told = devices[teller].circle.roster.encoded
            _ = try devices[reader].mergeRoster(told, at: now, using: &circle.generator)
          }
        }
      }
      #expect(devices[0].circle.roster.devices.count == 3 && devices[0].circle.currentEpoch.number > 1)
      let news = try circle.state(of: devices[index % 3])
      for device in devices { #expect(try device.open(news).payload == [1, 2, 3]) }
      var thief = laptop
      for device in devices {
        _ = try thief.mergeRoster(device.circle.roster.encoded, at: now, using: &circle.generator)
      }
      #expect(throws: ContinuityError.self, "order \(index)") { try thief.open(news) }
    }
    #expect(orders.count == 24)
  }
}
