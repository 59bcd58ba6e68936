// SPDX-License-Identifier: MIT

import Crypto
import FoundationEssentials
import Trust

/// The product's codes, ciphers and signatures, by swift-crypto.
package struct StandardCiphers: CipherSuite {
  private static let hpke = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
  private static let encapsulatedSize = 32
  private static let tagSize = 16

  /// They have no state.
  package init() {}

  package func hash(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

  package func derive(_ material: [UInt8], salt: [UInt8], info: String) -> [UInt8] {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: material), salt: salt, info: Array(info.utf8), outputByteCount: 32
    ).withUnsafeBytes { Array($0) }
  }

  package func code(_ message: [UInt8], under key: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
  }

  package func signingKey(ofSeed seed: [UInt8]) -> [UInt8]? {
    (try? Curve25519.Signing.PrivateKey(rawRepresentation: seed)).map {
      Array($0.publicKey.rawRepresentation)
    }
  }

  package func agreementKey(ofSeed seed: [UInt8]) -> [UInt8]? {
    (try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: seed)).map {
      Array($0.publicKey.rawRepresentation)
    }
  }

  package func signature(of message: [UInt8], bySeed seed: [UInt8]) -> [UInt8]? {
    Self.signer(ofSeed: seed)?(message)
  }

  /// What signs messages with one seed, whose key is found once; nil for what is no seed.
  package static func signer(ofSeed seed: [UInt8]) -> (@Sendable (_ message: [UInt8]) -> [UInt8]?)? {
    guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else { return nil }
    return { message in (try? key.signature(for: message)).map { Array($0) } }
  }

  package func isValid(_ signature: [UInt8], of message: [UInt8], by key: [UInt8]) -> Bool {
    guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key) else { return false }
    return key.isValidSignature(signature, for: message)
  }

  package func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]) -> [UInt8]? {
    guard let nonce = try? ChaChaPoly.Nonce(data: nonce),
      let box = try? ChaChaPoly.seal(
        text, using: SymmetricKey(data: key), nonce: nonce, authenticating: header)
    else { return nil }
    return Array(box.ciphertext) + Array(box.tag)
  }

  package func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Self.tagSize, let nonce = try? ChaChaPoly.Nonce(data: nonce),
      let box = try? ChaChaPoly.SealedBox(
        nonce: nonce, ciphertext: sealed.dropLast(Self.tagSize), tag: sealed.suffix(Self.tagSize)),
      let text = try? ChaChaPoly.open(box, using: SymmetricKey(data: key), authenticating: header)
    else { return nil }
    return Array(text)
  }

  package func wrap(_ secret: [UInt8], for key: [UInt8], info: [UInt8]) -> [UInt8]? {
    guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: key),
      var sender = try? HPKE.Sender(recipientKey: key, ciphersuite: Self.hpke, info: Data(info)),
      let ciphertext = try? sender.seal(Data(secret))
    else { return nil }
    return Array(sender.encapsulatedKey) + Array(ciphertext)
  }

  package func unwrap(_ wrapped: [UInt8], withSeed seed: [UInt8], info: [UInt8]) -> [UInt8]? {
    guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: seed),
      var recipient = try? HPKE.Recipient(
        privateKey: key, ciphersuite: Self.hpke, info: Data(info),
        encapsulatedKey: Data(wrapped.prefix(Self.encapsulatedSize))),
      let secret = try? recipient.open(Data(wrapped.dropFirst(Self.encapsulatedSize)))
    else { return nil }
    return Array(secret)
  }
}
