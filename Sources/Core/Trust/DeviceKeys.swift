// SPDX-License-Identifier: MIT

public import ActivityModel
import ActivityWire

/// A device's two private keys: one signs records and roster statements, one receives epoch keys.
///
/// Printing it prints the device's ID and nothing secret.
public struct DeviceKeys: Hashable, Sendable {
  let signingSeed: [UInt8]
  let agreementSeed: [UInt8]
  /// The public halves.
  public let publicKeys: DevicePublicKeys

  /// Fresh keys. Give a system generator, except where bytes must be reproducible. Throws `invalidBytes` when
  /// the ciphers make no keys.
  public init(
    using generator: inout some RandomNumberGenerator, ciphers: any CipherSuite
  ) throws(ContinuityError) {
    try self.init(
      signingSeed: generator.bytes(32), agreementSeed: generator.bytes(32), ciphers: Ciphers(ciphers))
  }

  /// Keys from their 32-byte seeds; throws `invalidBytes` when they are no keys.
  init(signingSeed: [UInt8], agreementSeed: [UInt8], ciphers: Ciphers) throws(ContinuityError) {
    guard let signingKey = ciphers.suite.signingKey(ofSeed: signingSeed),
      let agreementKey = ciphers.suite.agreementKey(ofSeed: agreementSeed)
    else { throw CBOR.mismatch("device key", expected: "two seeds of 32 bytes") }
    let bound = DevicePublicKeys.bound(agreementKey)
    guard let binding = ciphers.suite.signature(of: bound, bySeed: signingSeed) else {
      throw CBOR.mismatch("device key", expected: "a key that signs")
    }
    self.signingSeed = signingSeed
    self.agreementSeed = agreementSeed
    publicKeys = try DevicePublicKeys(
      signing: signingKey, agreement: agreementKey, binding: binding, ciphers: ciphers)
  }

  /// The device's ID.
  public var id: DeviceID { publicKeys.id }

  var ciphers: Ciphers { publicKeys.ciphers }

  /// The Ed25519 signature of `message`: 64 bytes. Throws `invalidBytes` where the seed is none.
  package func signature(for message: [UInt8]) throws(ContinuityError) -> [UInt8] {
    guard let signature = ciphers.suite.signature(of: message, bySeed: signingSeed) else {
      throw CBOR.mismatch("device key", expected: "a key that signs")
    }
    return signature
  }

  /// Equal when the seeds are.
  public static func == (left: Self, right: Self) -> Bool {
    (left.signingSeed, left.agreementSeed) == (right.signingSeed, right.agreementSeed)
  }

  /// By the public keys, which follow from the seeds.
  public func hash(into hasher: inout Hasher) { hasher.combine(publicKeys) }
}

extension DeviceKeys: CustomStringConvertible, CustomReflectable {
  /// The device's ID.
  public var description: String { "DeviceKeys(\(id))" }
  /// Nothing, so that no dump shows a seed.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A device's public keys, the second signed by the first: no other member can exchange the key to which
/// someone's epoch keys are sealed.
public struct DevicePublicKeys: Hashable, Sendable {
  /// Ed25519, 32 bytes.
  public let signing: [UInt8]
  /// X25519, 32 bytes.
  public let agreement: [UInt8]
  /// The first 16 bytes of SHA-256 of the signing key.
  public let id: DeviceID
  let binding: [UInt8]
  let ciphers: Ciphers

  fileprivate init(
    signing: [UInt8], agreement: [UInt8], binding: [UInt8], ciphers: Ciphers
  ) throws(ContinuityError) {
    guard signing.count == 32, agreement.count == 32, binding.count == 64,
      let id = DeviceID(bytes: ciphers.suite.hash(signing).prefix(16))
    else { throw CBOR.mismatch("device keys", expected: "two keys of 32 bytes and a signature") }
    self.signing = signing
    self.agreement = agreement
    self.binding = binding
    self.id = id
    self.ciphers = ciphers
  }

  /// What two screens show for a person to compare: 8 groups of 4 base32 characters, the first 160 bits of
  /// SHA-256 of the signing key. The ID is the first 128 of them.
  public var fingerprint: String {
    let digits = Array(Base32.text(ciphers.suite.hash(signing), count: 32).uppercased())
    return stride(from: 0, to: 32, by: 4).map { String(digits[$0..<$0 + 4]) }.joined(separator: "-")
  }

  /// Whether `signature` is this device's over `message`.
  func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    ciphers.suite.isValid(signature, of: message, by: signing)
  }

  fileprivate static func bound(_ agreement: [UInt8]) -> [UInt8] {
    Array("continuo/device/v1\0".utf8) + agreement
  }

  // keys = { 1: signing key, 2: agreement key, 3: signature of the first over the second }
  var cbor: CBOR { .map([1: .bytes(signing), 2: .bytes(agreement), 3: .bytes(binding)]) }

  init(cbor: CBOR, ciphers: Ciphers) throws(ContinuityError) {
    let fields = try cbor.map("device keys")
    try self.init(
      signing: try fields.required(1, field: "signing key").bytes("signing key"),
      agreement: try fields.required(2, field: "agreement key").bytes("agreement key"),
      binding: try fields.required(3, field: "key binding").bytes("key binding"), ciphers: ciphers)
    guard fields.count == 3, isValid(binding, for: Self.bound(agreement)) else {
      throw CBOR.mismatch("device keys", expected: "a second key that the first one signed")
    }
  }
}
