// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import TrustCiphers
import TestSamples

@testable import Trust

// These tests hold the product's own ciphers; the values are made with them.

let standard = Ciphers(StandardCiphers())

extension Identity {
  init(encoded bytes: [UInt8]) throws(ContinuityError) {
    try self.init(encoded: bytes, ciphers: StandardCiphers())
  }
}

extension DeviceKeys {
  init(using generator: inout some RandomNumberGenerator) throws(ContinuityError) {
    try self.init(using: &generator, ciphers: StandardCiphers())
  }
}

extension Roster {
  init(encoded bytes: [UInt8]) throws(ContinuityError) { try self.init(encoded: bytes, ciphers: standard) }
  init(cbor: CBOR) throws(ContinuityError) { try self.init(cbor: cbor, ciphers: standard) }
}

extension PairingWords {
  init(parsing typed: String) throws(ContinuityError) {
    try self.init(parsing: typed, ciphers: StandardCiphers())
  }

  init(using generator: inout some RandomNumberGenerator) {
    self.init(using: &generator, ciphers: standard)
  }
}
