// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Trust
import TrustCiphers
import ContinuityTestKit
import TestSamples

/// What a target tries its inputs on, twice: with quick ciphers, which find what is wrong with rules in a
/// fraction of the time, and with the product's for the inputs that ask for these.
struct Worlds<World> {
  private var quick: World
  private var real: World

  /// Throws what `make` does.
  init(_ make: (any CipherSuite) throws -> World) rethrows {
    (quick, real) = (try make(QuickCiphers()), try make(StandardCiphers()))
  }

  /// An input's first byte: what is done, one of so many things, and with which ciphers. One byte of sixteen
  /// asks for the product's.
  struct Choice {
    let deed: Int
    let isReal: Bool
    /// Of the whole input: decides what only some inputs are worth.
    let code: UInt64

    init(_ reader: inout InputReader, of count: Int) {
      code = FuzzTargets.code(of: reader.rest)
      let byte = Int(reader.byte())
      (deed, isReal) = (byte % 16 % count, byte >= 0xf0)
    }

    /// Of so many inputs, one is tried with the product's, whichever the fuzzer likes best: by a code of all
    /// its bytes.
    init(_ reader: inout InputReader, of count: Int, realOneOf inputs: UInt64) {
      code = FuzzTargets.code(of: reader.rest)
      // By other digits than those that decide the rest.
      isReal = (code >> 32) % inputs == 0
      deed = Int(reader.byte()) % 16 % count
    }

    /// What stands in front of a seed.
    static func seed(_ deed: UInt8, isReal: Bool) -> [UInt8] { [deed | (isReal ? 0xf0 : 0)] }
  }

  subscript(choice: Choice) -> World { choice.isReal ? real : quick }

  /// Seeds of the quick one, where the other understands them, too.
  func quickSeeds(_ make: (World, _ choice: (UInt8) -> [UInt8]) throws -> [[UInt8]]) rethrows -> [[UInt8]] {
    try make(quick) { Choice.seed($0, isReal: false) }
  }

  /// Seeds of both.
  func seeds(_ make: (World, _ choice: (UInt8) -> [UInt8]) throws -> [[UInt8]]) rethrows -> [[UInt8]] {
    try make(quick) { Choice.seed($0, isReal: false) } + make(real) { Choice.seed($0, isReal: true) }
  }
}

/// Three devices: a desk that let a laptop and a phone in.
struct SampleCircle {
  var generator = SeededGenerator(seed: 7)
  let now = WallTime(milliseconds: 1_753_000_000_000)
  var desk: Identity
  var laptop: Identity
  var phone: Identity

  /// With the product's own ciphers, unless others are named. Throws what the product does where it makes no
  /// keys or lets nobody in.
  init(ciphers: any CipherSuite = StandardCiphers()) throws {
    desk = try .found(name: "desk", at: now, using: &generator, ciphers: ciphers)
    laptop = try .found(name: "laptop", at: now, using: &generator, ciphers: ciphers)
    phone = try .found(name: "phone", at: now, using: &generator, ciphers: ciphers)
    laptop = try letIn(laptop)
    phone = try letIn(phone)
    var told = laptop
    try tell(desk.circle.roster.encoded, to: &told)
    laptop = told
  }

  /// The whole pairing, by the desk.
  private mutating func letIn(_ device: Identity) throws -> Identity {
    var device = device
    let invitation = try desk.invite(at: now, sequence: 1, using: &generator)
    _ = try device.join(
      invitation.words, records: [invitation.file.bytes], at: now, sequence: 1, using: &generator)
    _ = try desk.takeAnswer(device.pairing?.file.bytes ?? [], at: now, using: &generator)
    try tell(desk.circle.roster.encoded, to: &device)
    return device
  }

  /// Throws what `mergeRoster` does.
  mutating func tell(_ roster: [UInt8], to device: inout Identity) throws {
    _ = try device.mergeRoster(roster, at: now, using: &generator)
  }

  /// A record of the laptop. Throws what `seal` does.
  mutating func record(
    _ payload: [UInt8] = RecordSamples.state(seed: 4).recordPayload().bytes, kind: RecordKind = .state
  ) throws -> [UInt8] {
    try laptop.seal(payload, kind: kind, sequence: 9, using: &generator)
  }
}
