// SPDX-License-Identifier: MIT

/// The codes, ciphers and signatures on which the rules of this room stand. The product's are those of
/// swift-crypto; a world of tests may put quick codes of the same sizes in their place.
///
/// Total and deterministic but for `wrap`: what is not possible is nil or false. Safe from any thread.
public protocol CipherSuite: Sendable {
  /// SHA-256: 32 bytes.
  func hash(_ bytes: [UInt8]) -> [UInt8]
  /// HKDF-SHA-256: 32 bytes.
  func derive(_ material: [UInt8], salt: [UInt8], info: String) -> [UInt8]
  /// HMAC-SHA-256: 32 bytes.
  func code(_ message: [UInt8], under key: [UInt8]) -> [UInt8]
  /// The Ed25519 public key of a seed: both 32 bytes.
  func signingKey(ofSeed seed: [UInt8]) -> [UInt8]?
  /// The X25519 public key of a seed: both 32 bytes.
  func agreementKey(ofSeed seed: [UInt8]) -> [UInt8]?
  /// The signature of a message by the owner of a seed: 64 bytes.
  func signature(of message: [UInt8], bySeed seed: [UInt8]) -> [UInt8]?
  /// Whether the owner of the public key signed the message.
  func isValid(_ signature: [UInt8], of message: [UInt8], by key: [UInt8]) -> Bool
  /// ChaCha20-Poly1305: as many bytes as the text, and 16 behind them. The key has 32 bytes, the nonce 12.
  func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]) -> [UInt8]?
  /// What was sealed with that key, nonce and header; nil when anything of it was changed.
  func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]) -> [UInt8]?
  /// HPKE (RFC 9180, X25519, HKDF-SHA-256, ChaCha20-Poly1305): seals 32 secret bytes to the owner of a public
  /// agreement key, as 80 bytes, each time others.
  func wrap(_ secret: [UInt8], for key: [UInt8], info: [UInt8]) -> [UInt8]?
  /// The secret bytes, for the owner of the seed; nil when they were sealed to somebody else, or changed.
  func unwrap(_ wrapped: [UInt8], withSeed seed: [UInt8], info: [UInt8]) -> [UInt8]?
}

/// The suite that a value was made with, kept beside it. All values of one device have the same, so it counts
/// nothing when two of them are compared.
struct Ciphers: Hashable, Sendable {
  let suite: any CipherSuite

  init(_ suite: any CipherSuite) { self.suite = suite }

  static func == (left: Self, right: Self) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
