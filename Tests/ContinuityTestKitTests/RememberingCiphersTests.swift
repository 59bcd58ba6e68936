// SPDX-License-Identifier: MIT

import Trust
import Testing

@testable import ContinuityTestKit

@Suite("Ciphers that remember")
struct RememberingCiphersTests {
  private let seeds = [[UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32)]
  private let quick = QuickCiphers()

  @Test("What was signed here is valid for its message and its key alone, also for who did not sign it")
  func ownSignatures() throws {
    let quick = quick
    let ciphers = RememberingCiphers(quick) { seed in { quick.signature(of: $0, bySeed: seed) } }
    let keys = try seeds.map { try #require(ciphers.signingKey(ofSeed: $0)) }
    #expect(keys == seeds.compactMap { quick.signingKey(ofSeed: $0) })
    for round in 0..<2 {
      let signature = try #require(ciphers.signature(of: [7], bySeed: seeds[0]))
      #expect(signature == quick.signature(of: [7], bySeed: seeds[0]), "\(round)")
      #expect(ciphers.isValid(signature, of: [7], by: keys[0]))
      #expect(quick.isValid(signature, of: [7], by: keys[0]))
      #expect(!ciphers.isValid(signature, of: [8], by: keys[0]))
      #expect(!ciphers.isValid(signature, of: [7], by: keys[1]))
      #expect(!ciphers.isValid(signature.reversed(), of: [7], by: keys[0]))
    }
  }
}
