// SPDX-License-Identifier: MIT

import Synchronization
package import Trust

/// Ciphers that verify each signature once, and none that they made themselves: all devices of a world, and
/// the next worlds, look at the same ones. Whether a signature is valid follows from what is compared here,
/// whole. Safe from any thread.
package struct RememberingCiphers: CipherSuite {
  private struct Question: Hashable {
    var signature: [UInt8]
    var message: [UInt8]
    var key: [UInt8]

    /// All bytes at once: an array of them is hashed one by one.
    func hash(into hasher: inout Hasher) {
      for part in [signature, message, key] { part.withUnsafeBytes { hasher.combine(bytes: $0) } }
    }
  }

  /// What signs with one seed, and the key that verifies it.
  private struct SigningKey: Sendable {
    var verifying: [UInt8]
    var sign: Signer
  }

  private static let limit = 4096

  /// What was found once. Shared by all copies.
  private final class Memory<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
    // With room for all at once: a table that grows hashes everything in it anew.
    private let answers = Mutex<[Question: Answer]>(Dictionary(minimumCapacity: RememberingCiphers.limit))

    func answer(to question: Question, _ find: () -> Answer?) -> Answer? {
      if let known = answers.withLock({ $0[question] }) { return known }
      guard let found = find() else { return nil }
      remember(found, as: question)
      return found
    }

    func remember(_ answer: Answer, as question: Question) {
      answers.withLock { answers in
        if answers.count >= RememberingCiphers.limit { answers.removeAll(keepingCapacity: true) }
        answers[question] = answer
      }
    }
  }

  /// Signs a message with one seed.
  package typealias Signer = @Sendable (_ message: [UInt8]) -> [UInt8]?

  private let base: any CipherSuite
  private let signer: @Sendable (_ seed: [UInt8]) -> Signer?
  private let verified = Memory<Question, Bool>()
  private let keys = Memory<[UInt8], SigningKey>()

  /// Asks `base` whatever was not asked before. `signer` gives what signs as `base` does with a seed, and is
  /// asked once for each, for a signing key takes as long to find as a signature.
  package init(_ base: any CipherSuite, signer: @escaping @Sendable (_ seed: [UInt8]) -> Signer?) {
    self.base = base
    self.signer = signer
  }

  package func isValid(_ signature: [UInt8], of message: [UInt8], by key: [UInt8]) -> Bool {
    verified.answer(to: Question(signature: signature, message: message, key: key)) {
      base.isValid(signature, of: message, by: key)
    } ?? false
  }

  package func hash(_ bytes: [UInt8]) -> [UInt8] { base.hash(bytes) }

  package func derive(_ material: [UInt8], salt: [UInt8], info: String) -> [UInt8] {
    base.derive(material, salt: salt, info: info)
  }

  package func code(_ message: [UInt8], under key: [UInt8]) -> [UInt8] { base.code(message, under: key) }

  package func signingKey(ofSeed seed: [UInt8]) -> [UInt8]? { key(ofSeed: seed)?.verifying }

  package func agreementKey(ofSeed seed: [UInt8]) -> [UInt8]? { base.agreementKey(ofSeed: seed) }

  package func signature(of message: [UInt8], bySeed seed: [UInt8]) -> [UInt8]? {
    guard let key = key(ofSeed: seed), let signature = key.sign(message) else { return nil }
    verified.remember(true, as: Question(signature: signature, message: message, key: key.verifying))
    return signature
  }

  private func key(ofSeed seed: [UInt8]) -> SigningKey? {
    keys.answer(to: seed) {
      guard let verifying = base.signingKey(ofSeed: seed), let sign = signer(seed) else { return nil }
      return SigningKey(verifying: verifying, sign: sign)
    }
  }

  package func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]) -> [UInt8]? {
    base.seal(text, key: key, nonce: nonce, header: header)
  }

  package func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]) -> [UInt8]? {
    base.open(sealed, key: key, nonce: nonce, header: header)
  }

  package func wrap(_ secret: [UInt8], for key: [UInt8], info: [UInt8]) -> [UInt8]? {
    base.wrap(secret, for: key, info: info)
  }

  package func unwrap(_ wrapped: [UInt8], withSeed seed: [UInt8], info: [UInt8]) -> [UInt8]? {
    base.unwrap(wrapped, withSeed: seed, info: info)
  }
}
