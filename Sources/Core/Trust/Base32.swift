// SPDX-License-Identifier: MIT

/// RFC 4648 base32 in lower case without padding: what file names and shown IDs are written in. Letters and
/// the digits 2 to 7 survive every file system and are hard to mistake for each other.
enum Base32 {
  private static let digits = Array<UInt8>("abcdefghijklmnopqrstuvwxyz234567".utf8)

  /// The first `count` digits of `bytes`, five bits each.
  static func text(_ bytes: [UInt8], count: Int) -> String {
    String(unsafeUninitializedCapacity: count) { text in
      for position in 0..<count {
        let (byte, shift) = (position * 5 / 8, position * 5 % 8)
        let pair = Int(Self.byte(byte, of: bytes)) << 8 | Int(Self.byte(byte + 1, of: bytes))
        text[position] = digits[pair >> (11 - shift) & 31]
      }
      return count
    }
  }

  private static func byte(_ index: Int, of bytes: [UInt8]) -> UInt8 {
    index < bytes.count ? bytes[index] : 0
  }
}

extension RandomNumberGenerator {
  /// So many bytes, the most significant of each number first.
  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let word: UInt64 = next()
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
    }
    return Array(bytes.prefix(count))
  }
}
