// SPDX-License-Identifier: MIT

import ActivityModel
import Synchronization
import Trust

/// Who lives in a world: devices of one circle, and a thief who heard an invitation's words.
struct SimulatedCircle {
  /// In the order of their names.
  private(set) var devices: [Identity] = []
  /// Has the circle's key and is in no roster; nil where none could be made.
  private(set) var thief: Identity?

  /// Worlds of one to six devices that let each other in in turn are all alike.
  private static let usual: [SimulatedCircle?] = (0...6).map { count in
    var random = Randomness(seed: 0xc1c1)
    return try? SimulatedCircle(names(count), ciphers: QuickCiphers(), using: &random) { _ in 0 }
  }

  static func names(_ count: Int) -> [String] { (0..<count).map { "device \($0)" } }

  /// So many devices that the first one let in, with quick ciphers.
  static func usual(_ count: Int) -> SimulatedCircle? {
    usual.indices.contains(count) ? usual[count] : nil
  }

  /// How many circles there are whose devices let each other in alike: each has keys and IDs of its own.
  static let keySets: UInt64 = 16

  /// What circles of histories are made from.
  private struct Kind: Hashable {
    var hosts: [Int]
    var seed: UInt64
    var isReal: Bool
  }

  private static let made = Mutex<[Kind: SimulatedCircle]>([:])

  /// A circle in which the device behind the first was let in by `hosts[0]`, and so on. It is made once, for
  /// pairing takes as long as a good part of a history. `ciphers` are the product's; nil means quick ones.
  static func known(hosts: [Int], seed: UInt64, ciphers: (any CipherSuite)?) -> SimulatedCircle? {
    let kind = Kind(hosts: hosts, seed: seed, isReal: ciphers != nil)
    if let circle = made.withLock({ $0[kind] }) { return circle }
    var random = Randomness(seed: seed)
    let circle = try? SimulatedCircle(
      names(hosts.count + 1), ciphers: ciphers ?? QuickCiphers(), using: &random
    ) { hosts[$0 - 1] }
    if let circle { made.withLock { $0[kind] = circle } }
    return circle
  }

  /// Pairs devices of these names; each but the first is let in by the earlier one that `inviter` says.
  /// Throws what pairing throws.
  init(
    _ names: [String], ciphers: any CipherSuite, using random: inout Randomness,
    inviter: (Int) -> Int
  ) throws(ContinuityError) {
    for (number, name) in names.enumerated() {
      var device = try Identity.found(name: name, at: Self.moment, using: &random, ciphers: ciphers)
      if number > 0 {
        let host = inviter(number)
        var inviting = devices[host]
        try Self.pair(&inviting, &device, ciphers, &random)
        devices[host] = inviting
      }
      devices.append(device)
    }
    guard var first = devices.first else { return }
    for device in devices.dropFirst() { try Self.merge(device, into: &first, &random) }
    devices[0] = first
    for number in devices.indices.dropFirst() { try Self.merge(first, into: &devices[number], &random) }
    // A full circle takes nobody in, whatever was stolen.
    guard devices.count < Roster.deviceLimit else { return }
    var thief = try Identity.found(name: "thief", at: Self.moment, using: &random, ciphers: ciphers)
    let invitation = try first.invite(at: Self.moment, sequence: 1, using: &random)
    _ = try thief.join(
      invitation.words, records: [invitation.file.bytes], at: Self.moment, sequence: 1, using: &random)
    self.thief = thief
  }

  private static let moment = WallTime(milliseconds: 1_700_000_000_000)

  /// `joiner` belongs to the circle of `host` afterwards.
  static func pair(
    _ host: inout Identity, _ joiner: inout Identity, _ ciphers: any CipherSuite, _ random: inout Randomness,
    at now: WallTime = moment
  ) throws(ContinuityError) {
    let invitation = try host.invite(at: now, sequence: 1, using: &random)
    _ = try joiner.join(
      invitation.words, records: [invitation.file.bytes], at: now, sequence: 1, using: &random)
    guard let answer = joiner.pairing?.file else { return }
    _ = try host.takeAnswer(answer.bytes, at: now, using: &random)
    try merge(host, into: &joiner, &random)
  }

  private static func merge(
    _ source: Identity, into other: inout Identity, _ random: inout Randomness
  ) throws(ContinuityError) {
    let roster = try source.rosterFile(sequence: 1, using: &random).bytes
    _ = try other.mergeRoster(other.open(roster).payload, at: moment, using: &random)
  }
}
