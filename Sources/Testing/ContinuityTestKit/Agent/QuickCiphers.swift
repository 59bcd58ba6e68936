// SPDX-License-Identifier: MIT

import Trust

/// Quick codes of real sizes in place of the product's ciphers: a keyed code of 64 bits, stretched. Whoever
/// has not the key in this world makes nothing that another takes for sealed or signed; it keeps nothing
/// secret from a reader of the bytes. Nor does a comparison tell how much of a code was right: a fuzzer that
/// watches comparisons would learn to sign.
package struct QuickCiphers: CipherSuite {
  package init() {}

  package func hash(_ bytes: [UInt8]) -> [UInt8] { Self.stretched(QuickCode.code(bytes[...], 1), to: 32) }

  package func derive(_ material: [UInt8], salt: [UInt8], info: String) -> [UInt8] {
    let key = QuickCode.code(salt[...], 2) ^ QuickCode.code(Array(info.utf8)[...], 3)
    return Self.stretched(QuickCode.code(material[...], key), to: 32)
  }

  package func code(_ message: [UInt8], under key: [UInt8]) -> [UInt8] {
    Self.stretched(QuickCode.code(message[...], QuickCode.code(key[...], 4)), to: 32)
  }

  package func signingKey(ofSeed seed: [UInt8]) -> [UInt8]? {
    Self.stretched(QuickCode.code(seed[...], 5), to: 32)
  }

  package func agreementKey(ofSeed seed: [UInt8]) -> [UInt8]? {
    Self.stretched(QuickCode.code(seed[...], 6), to: 32)
  }

  package func signature(of message: [UInt8], bySeed seed: [UInt8]) -> [UInt8]? {
    signingKey(ofSeed: seed).map { Self.signature(message, $0) }
  }

  package func isValid(_ signature: [UInt8], of message: [UInt8], by key: [UInt8]) -> Bool {
    Self.isSame(signature[...], Self.signature(message, key))
  }

  private static func signature(_ message: [UInt8], _ key: [UInt8]) -> [UInt8] {
    stretched(QuickCode.code(message[...], QuickCode.code(key[...], 7)), to: 64)
  }

  package func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]) -> [UInt8]? {
    text + Self.tag(text[...], key, nonce, header)
  }

  package func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Self.tagSize,
      Self.isSame(sealed.suffix(Self.tagSize), Self.tag(sealed.dropLast(Self.tagSize), key, nonce, header))
    else { return nil }
    return Array(sealed.dropLast(Self.tagSize))
  }

  private static let tagSize = 16

  private static func tag(
    _ text: ArraySlice<UInt8>, _ key: [UInt8], _ nonce: [UInt8], _ header: [UInt8]
  ) -> [UInt8] {
    let seed = QuickCode.code(key[...], QuickCode.code(nonce[...], QuickCode.code(header[...], 8)))
    return stretched(QuickCode.code(text, seed), to: tagSize)
  }

  package func wrap(_ secret: [UInt8], for key: [UInt8], info: [UInt8]) -> [UInt8]? {
    guard secret.count == 32, key.count == 32 else { return nil }
    let mask = Self.mask(key, info)
    let hidden = zip(secret, Self.stretched(mask, to: 32)).map { $0 ^ $1 }
    let code = Self.stretched(QuickCode.code(secret[...], mask), to: 16)
    return [UInt8](repeating: 0, count: 32) + hidden + code
  }

  package func unwrap(_ wrapped: [UInt8], withSeed seed: [UInt8], info: [UInt8]) -> [UInt8]? {
    guard wrapped.count == 80, let key = agreementKey(ofSeed: seed) else { return nil }
    let mask = Self.mask(key, info)
    let secret = zip(wrapped[32..<64], Self.stretched(mask, to: 32)).map { $0 ^ $1 }
    let code = Self.stretched(QuickCode.code(secret[...], mask), to: 16)
    return Self.isSame(wrapped[64...], code) ? secret : nil
  }

  private static func mask(_ key: [UInt8], _ info: [UInt8]) -> UInt64 {
    QuickCode.code(key[...], QuickCode.code(info[...], 9))
  }

  private static func isSame(_ left: ArraySlice<UInt8>, _ right: [UInt8]) -> Bool {
    left.count == right.count && QuickCode.code(left, 10) == QuickCode.code(right[...], 10)
  }

  private static func stretched(_ code: UInt64, to count: Int) -> [UInt8] {
    var seed = code
    // Grown, for an array of a given size asks the runtime for its type.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for _ in 0..<count / 8 {
      withUnsafeBytes(of: Randomness.splitMix(&seed).littleEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}

/// A hash of bytes under a key, for worlds in which nobody looks for collisions.
enum QuickCode {
  /// Sixteen bytes at a time.
  static func code(_ bytes: ArraySlice<UInt8>, _ key: UInt64) -> UInt64 {
    var code = key ^ 0xcbf2_9ce4_8422_2325 ^ UInt64(bytes.count)
    bytes.withUnsafeBytes { bytes in
      var index = 0
      while index + 16 <= bytes.count {
        let left = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let right = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self))
        let product = (code ^ left).multipliedFullWidth(by: right ^ 0xa076_1d64_78bd_642f)
        code = product.high ^ product.low &+ code
        index += 16
      }
      while index < bytes.count {
        code = (code ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3
        index += 1
      }
    }
    return Randomness.mixed(code)
  }
}
