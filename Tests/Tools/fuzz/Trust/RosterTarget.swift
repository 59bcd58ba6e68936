// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Trust

/// Rosters of hostile bytes, and of members that say what they like: nobody comes in without a signature, and
/// all come to the same circle, whoever learns what first.
struct RosterTarget: FuzzTarget {
  static let name = "roster"
  static let longest = 1536
  static let words = CBORWords.all

  private let worlds: Worlds<RosterWorld>

  init() throws { worlds = try Worlds { try RosterWorld(ciphers: $0) } }

  /// All signatures of a roster that is taken in are checked, which takes milliseconds with the product's.
  private static let inputsForOneReal: UInt64 = 256
  /// A history in which all tell all in the end costs a millisecond.
  private static let inputsForOneHistory: UInt64 = 8

  func seeds() throws -> [[UInt8]] {
    worlds.quickSeeds { world, choice in
      world.rosters.map { choice(0) + $0 }
        + (0..<3).flatMap { roster in
          [[], [1], [2], [0, 1], [1, 2, 3]].map { left in
            choice(1) + [roster, UInt8(left.count)] + left + Mutations.seed([])
          }
        }
        + [[0, 1], [0, 9, 1, 2], [3, 10, 0, 7, 13, 1], [6, 15, 22, 0, 1, 2, 3, 4, 5]].map { choice(2) + $0 }
    }
  }

  func check(_ input: [UInt8]) throws {
    var reader = InputReader(input)
    let choice = Worlds<RosterWorld>.Choice(&reader, of: 3, realOneOf: Self.inputsForOneReal)
    let world = worlds[choice]
    switch choice.deed {
    case 0: try world.checkPayload(reader.rest)
    case 1:
      let payload = RosterWorld.without(
        statements: { Set(reader.counted()) }, of: world.rosters[reader.choice(of: world.rosters.count)])
      try world.checkPayload(Mutations(&reader).applied(to: payload))
    default: try world.checkHistory(&reader, isWhole: choice.code % Self.inputsForOneHistory == 0)
    }
  }
}

/// A circle, and what its devices said of it.
private struct RosterWorld {
  let circle: SampleCircle
  private let ciphers: any CipherSuite
  /// Rosters that are whole, of which inputs take statements.
  let rosters: [[UInt8]]
  private let removed: Set<DeviceID>

  init(ciphers: any CipherSuite) throws {
    self.ciphers = ciphers
    var circle = try SampleCircle(ciphers: ciphers)
    self.circle = circle
    let whole = circle.desk.circle.roster.encoded
    let phone = circle.phone.id
    _ = try circle.desk.rename(to: "writing desk", at: circle.now)
    let renamed = circle.desk.circle.roster.encoded
    _ = try circle.desk.revoke(phone, lastGoodSequence: 3, at: circle.now, using: &circle.generator)
    rosters = [whole, renamed, circle.desk.circle.roster.encoded]
    removed = [phone]
  }

  /// The roster without some of its statements.
  static func without(statements left: () -> Set<UInt8>, of roster: [UInt8]) -> [UInt8] {
    let left = left()
    guard case .map(var fields)? = try? CBOR(decoding: roster, limits: .message),
      case .array(let statements)? = fields[3]
    else { return roster }
    fields[3] = .array(
      statements.enumerated().filter { !left.contains(UInt8(clamping: $0.offset)) }.map(\.element))
    return CBOR.map(fields).encoded
  }

  func checkPayload(_ payload: [UInt8]) throws {
    var own = circle
    var laptop = circle.laptop
    guard (try? own.tell(payload, to: &laptop)) != nil else {
      return try expect(!rosters.contains(payload), "a roster that was written is refused")
    }
    let all = [circle.desk, circle.laptop, circle.phone].map(\.keys.publicKeys)
    try expect(
      laptop.circle.roster.devices.allSatisfy { all.contains($0.keys) }, "a device came in that nobody let in"
    )
    try expect(
      removed.isSuperset(of: laptop.circle.roster.removedDevices.map(\.device.id)),
      "a device went that nobody removed")
    try expect(laptop.isConfirmed, "a device is out that nobody removed")
    // What nothing changed is as it was.
    guard laptop != circle.laptop else { return }
    let kept = try? Identity(encoded: laptop.encoded, ciphers: ciphers)
    try expect(kept == laptop, "an identity is another one when read again")
    let roster = laptop.circle.roster
    _ = try? own.tell(payload, to: &laptop)
    try expect(laptop.circle.roster == roster, "a roster that is known changes something")
  }
}

extension RosterWorld {
  /// What members do to each other, in the order of the input; then all learn all. Of what is no whole
  /// history only the beginning.
  func checkHistory(_ reader: inout InputReader, isWhole: Bool) throws {
    var circle = circle
    var devices = [circle.desk, circle.laptop, circle.phone]
    var time = circle.now
    for _ in 0..<(isWhole ? 12 : 2) where !reader.isAtEnd {
      let (actor, deed, other) = (reader.choice(of: 3), reader.choice(of: 4), reader.choice(of: 3))
      // Clocks differ, and go back.
      time = WallTime(milliseconds: circle.now.milliseconds + UInt64(reader.byte()))
      let id = devices[other].id
      switch deed {
      case 0:
        _ = try? devices[actor].revoke(id, lastGoodSequence: 5, at: time, using: &circle.generator)
      case 1: _ = try? devices[actor].rename(to: "device \(other)", at: time)
      default: try? circle.tell(devices[other].circle.roster.encoded, to: &devices[actor])
      }
    }
    for device in devices { try Self.checkMembers(of: device) }
    if isWhole { try Self.checkAgreement(of: &devices, in: &circle) }
  }

  private static func checkMembers(of device: Identity) throws {
    let members = Set(device.circle.roster.devices.map(\.id))
    try expect(device.isConfirmed == members.contains(device.id), "a device disagrees about itself")
    let removed = device.circle.roster.removedDevices.map(\.device.id)
    try expect(members.isDisjoint(with: removed), "a device is in and out")
  }

  private static func checkAgreement(of devices: inout [Identity], in circle: inout SampleCircle) throws {
    // One hears of all others, and they of it, until there is no news; who makes a new key has some.
    for _ in 0..<4 {
      let known = devices.map(\.circle.roster)
      for other in 1..<3 { try? circle.tell(devices[other].circle.roster.encoded, to: &devices[0]) }
      for other in 1..<3 { try? circle.tell(devices[0].circle.roster.encoded, to: &devices[other]) }
      if devices.map(\.circle.roster) == known { break }
    }
    let members = devices.map { Set($0.circle.roster.devices.map(\.id)) }
    try expect(Set(members).count == 1, "devices that know all disagree who belongs")
    for device in devices { try checkMembers(of: device) }
    let keys = devices.filter(\.isConfirmed).map(\.circle.currentEpoch)
    try expect(Set(keys).count <= 1, "devices that know all use different keys")
  }
}
