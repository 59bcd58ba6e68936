// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Testing

@testable import Trust

/// Who is at the other end of a link (threats T14 and T15).
@Suite struct LinkProofTests {
  private static let exporter = [UInt8](repeating: 7, count: 32)

  private func refusal(
    of proof: [UInt8], by device: Identity, as role: LinkProof.Role = .dialler, expected: DeviceID? = nil,
    under epoch: EpochKey? = nil, exporter: [UInt8] = exporter
  ) -> String? {
    do throws(ContinuityError) {
      _ = try device.peer(
        provedBy: proof, as: role, expected: expected, under: epoch ?? device.circle.currentEpoch,
        exporter: exporter)
      return nil
    } catch {
      return error.code == .invalidBytes ? error.subject : "\(error.code)"
    }
  }

  private func proof(
    of device: Identity, for peer: Identity, as role: LinkProof.Role = .dialler
  ) throws -> [UInt8] {
    try device.linkProof(for: peer.id, as: role, under: device.circle.currentEpoch, exporter: Self.exporter)
  }

  @Test func bothEndsKnowEachOther() throws {
    var circle = TestCircle(seed: 1)
    let (desk, laptop) = try circle.pair()
    for role in LinkProof.Role.allCases {
      let proof = try proof(of: desk, for: laptop, as: role)
      #expect(proof.count == LinkProof.size)
      #expect(refusal(of: proof, by: laptop, as: role) == nil)
      #expect(refusal(of: proof, by: laptop, as: role, expected: desk.id) == nil)
      #expect(refusal(of: proof, by: laptop, as: role.other) == "signature", "a proof that is reflected")
    }
  }

  @Test func eachPartOfWhatIsSignedCounts() throws {
    var circle = TestCircle(seed: 2)
    var (desk, laptop) = try circle.pair()
    var tablet = try circle.device("tablet")
    try circle.pair(&desk, with: &tablet)
    let roster = try laptop.open(desk.rosterFile(sequence: 8, using: &circle.generator).bytes)
    _ = try laptop.mergeRoster(roster.payload, at: circle.now, using: &circle.generator)
    let proof = try proof(of: desk, for: laptop)
    var other = Self.exporter
    other[31] ^= 1
    #expect(refusal(of: proof, by: laptop, exporter: other) == "signature")
    #expect(refusal(of: proof, by: tablet) == "signature", "a proof for another device")
    #expect(refusal(of: proof, by: laptop, expected: tablet.id) == "peer")
    let number = laptop.circle.currentEpoch.number
    let twin = EpochKey(number: number, using: &circle.generator, ciphers: laptop.keys.ciphers)
    #expect(refusal(of: proof, by: laptop, under: twin) == "signature", "another key of the same number")
    // A member that says another's name.
    let posing = tablet.id.bytes + proof.suffix(64)
    #expect(refusal(of: posing, by: laptop) == "signature")
    for index in proof.indices {
      var changed = proof
      changed[index] ^= 0x10
      #expect(["signature", "signer"].contains(refusal(of: changed, by: laptop)), "byte \(index)")
    }
  }

  @Test func neitherStrangersNorThoseThatWereRemovedNorThisDeviceItself() throws {
    var circle = TestCircle(seed: 3)
    var (desk, laptop) = try circle.pair()
    let stranger = try circle.device("stranger")
    let own = try proof(of: desk, for: laptop)
    #expect(refusal(of: own, by: desk) == "self")
    #expect(refusal(of: own, by: stranger, under: desk.circle.currentEpoch) == "signer")
    let epoch = desk.circle.currentEpoch
    let theirs = try proof(of: laptop, for: desk)
    #expect(refusal(of: theirs, by: desk) == nil)
    _ = try desk.revoke(laptop.id, lastGoodSequence: 0, at: circle.now, using: &circle.generator)
    #expect(refusal(of: theirs, by: desk, under: epoch) == "signer")
    let roster = try laptop.open(
      #require(try desk.bridgeFiles(using: &circle.generator) { () throws(ContinuityError) in 9 }.first).bytes
    )
    _ = try laptop.mergeRoster(roster.payload, at: circle.now, using: &circle.generator)
    #expect(laptop.isRemoved && refusal(of: own, by: laptop, under: epoch) == "circle")
  }

  @Test func nothingIsSignedForWhoIsNotInTheCircle() throws {
    var circle = TestCircle(seed: 4)
    let (desk, laptop) = try circle.pair()
    let stranger = try circle.device("stranger")
    let epoch = desk.circle.currentEpoch
    for (peer, exporter) in [
      (desk.id, Self.exporter), (stranger.id, Self.exporter), (laptop.id, []),
      (laptop.id, Self.exporter + [0]),
    ] {
      #expect(throws: ContinuityError.self) {
        try desk.linkProof(for: peer, as: .dialler, under: epoch, exporter: exporter)
      }
    }
  }

  @Test func aProofOfAnotherLengthIsRefused() throws {
    var circle = TestCircle(seed: 5)
    let (desk, laptop) = try circle.pair()
    let proof = try proof(of: desk, for: laptop)
    for length in 0..<proof.count {
      #expect(refusal(of: Array(proof.prefix(length)), by: laptop) == "length")
    }
    #expect(refusal(of: proof + [0], by: laptop) == "length")
    #expect(refusal(of: proof, by: laptop, exporter: []) == "length")
  }

  @Test func whatIsSignedIsNothingElseThatADeviceSigns() throws {
    var circle = TestCircle(seed: 6)
    let (desk, laptop) = try circle.pair()
    let signed = LinkProof.signed(
      .dialler, own: desk.id, peer: laptop.id, under: desk.circle.currentEpoch, exporter: Self.exporter)
    #expect(signed.count == 16 + 1 + 16 + 16 + 16 + 32)
    #expect(String(decoding: signed.prefix(16), as: UTF8.self) == "continuo/lan/v1\0")
    #expect(throws: ContinuityError.self) { try laptop.open(signed) }
  }

  @Test func keysDifferByReceiverPeriodAndEpoch() throws {
    var circle = TestCircle(seed: 7)
    let (desk, laptop) = try circle.pair()
    let epoch = desk.circle.currentEpoch
    let twin = EpochKey(number: epoch.number, using: &circle.generator, ciphers: desk.keys.ciphers)
    let keys = [
      epoch.linkKey(to: desk.id, period: 1), epoch.linkKey(to: laptop.id, period: 1),
      epoch.linkKey(to: desk.id, period: 2), twin.linkKey(to: desk.id, period: 1),
    ]
    #expect(Set(keys).count == 4 && keys.allSatisfy { $0.count == 32 })
    #expect(laptop.circle.currentEpoch.linkKey(to: desk.id, period: 1) == keys[0])
    #expect(EpochKey.linkContext(of: desk.id, period: 1) == desk.id.bytes + [0, 0, 0, 0, 0, 0, 0, 1])
  }
}
