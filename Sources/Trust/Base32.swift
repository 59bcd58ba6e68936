// SPDX-License-Identifier: MIT

/// RFC 4648 base32 in lower case without padding: what file names and shown IDs are written in. Letters and
/// the digits 2 to 7 survive every file system and are hard to mistake for each other.
enum Base32 {
  private static let digits = Array<UInt8>("abcdefghijklmnopqrstuvwxyz234567".utf8)

  /// The first `count` digits of `bytes`, five bits each.
  static func text(_ bytes: [UInt8], count: Int) -> String {
    let digits = (0..<count).map { position in
      (0..<5).reduce(0) { value, offset in value << 1 | bit(position * 5 + offset, of: bytes) }
    }
    return String(decoding: digits.map { Self.digits[$0] }, as: UTF8.self)
  }

  private static func bit(_ index: Int, of bytes: [UInt8]) -> Int {
    index / 8 < bytes.count ? Int(bytes[index / 8] >> UInt8(7 - index % 8)) & 1 : 0
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
