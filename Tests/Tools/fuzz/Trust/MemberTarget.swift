// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Trust
import TestSamples

/// What a member, who has the circle's key, can make of another member's records: nothing that opens. And
/// what it signs itself opens as its own, whatever that says.
struct MemberTarget: FuzzTarget {
  static let name = "member"
  static let longest = 1024
  static let words = CBORWords.all

  private let worlds: Worlds<MemberWorld>

  init() throws { worlds = try Worlds { try MemberWorld(ciphers: $0) } }

  func seeds() throws -> [[UInt8]] {
    let changes: [[(place: Int, bits: UInt8)]] = [
      [], [(9, 3)], [(28, 1)], [(39, 1)], [(60, 1)], [(78, 1)], [(79, 1)], [(80, 1)], [(83, 1)], [(90, 4)],
      [(571, 0x80)], [(540, 1)],
    ]
    let state = RecordSamples.state(seed: 5).recordPayload().bytes
    return worlds.seeds { world, choice in
      var seeds = changes.flatMap { change in [0, 1].map { choice($0) + Mutations.seed(change) } }
      for payload in [[], state, world.circle.desk.circle.roster.encoded] {
        for kind in 0..<UInt8(RecordKind.allCases.count) { seeds.append(choice(2) + [kind] + payload) }
      }
      return seeds
    }
  }

  func check(_ input: [UInt8]) throws {
    var choices = InputReader(input)
    let choice = Worlds<MemberWorld>.Choice(&choices, of: 3)
    var world = worlds[choice]
    if choice.deed < world.records.count {
      let record = world.records[choice.deed]
      try world.checkForged(Mutations(&choices).applied(to: record.header.bytes + record.text))
    } else {
      try world.checkOwn(
        kind: RecordKind.allCases[choices.choice(of: RecordKind.allCases.count)], choices.rest)
    }
  }
}

/// A circle, and two records of its laptop.
private struct MemberWorld {
  private(set) var circle: SampleCircle
  let records: [BareRecord]

  init(ciphers: any CipherSuite) throws {
    circle = try SampleCircle(ciphers: ciphers)
    let sealed = [
      try circle.record([1, 2, 3]), try circle.record(circle.desk.circle.roster.encoded, kind: .roster),
    ]
    let epoch = circle.desk.circle.currentEpoch
    records = try sealed.map { try BareRecord($0, under: epoch) }
  }

  /// Sealed anew by whoever has the key, over the signature that was there.
  func checkForged(_ bytes: [UInt8]) throws {
    let text = Array(bytes.dropFirst(RecordHeader.size))
    let tag = [UInt8](repeating: 0, count: 16)
    guard let header = try? RecordHeader(record: Array(bytes.prefix(RecordHeader.size)) + text + tag) else {
      return
    }
    let bare = BareRecord(header: header, text: text)
    let record = try bare.sealed(under: circle.desk.circle.currentEpoch)
    let isOpened = (try? circle.desk.open(record)) != nil
    try expect(
      isOpened == records.contains(bare), "a record opens that was changed after its signature, or not")
  }

  mutating func checkOwn(kind: RecordKind, _ payload: [UInt8]) throws {
    guard let record = try? circle.record(payload, kind: kind) else { return }
    let opened = try? circle.desk.open(record)
    guard kind != .invitation else {
      return try expect(opened == nil, "an invitation is taken for a record of the circle")
    }
    try expect(
      opened?.device == circle.laptop.id && opened?.payload == payload && opened?.kind == kind
        && opened?.sequence == 9,
      "a record opens as another one than was signed")
  }
}
