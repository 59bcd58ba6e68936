// SPDX-License-Identifier: MIT

/// RFC 4648 base32 in lower case without padding: what file names and shown IDs are written in. Letters and
/// the digits 2 to 7 survive every file system and are hard to mistake for each other.
enum Base32 {
  private static let digits = Array<UInt8>("abcdefghijklmnopqrstuvwxyz234567".utf8)

  /// The first `count` digits of `bytes`, five bits each.
  static func text(_ bytes: [UInt8], count: Int) -> String {
    let digits = digits
    return String(unsafeUninitializedCapacity: count) { text in
      // The bits that were read of the bytes and are not written yet.
      var (bits, waiting, place) = (0, 0, 0)
      for index in 0..<count {
        if waiting < 5 {
          bits = (bits & 31) << 8 | Int(Self.byte(place, of: bytes))
          (waiting, place) = (waiting + 8, place + 1)
        }
        waiting -= 5
        text.initializeElement(at: index, to: digits[bits >> waiting & 31])
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
    bytes.reserveCapacity(count)
    while bytes.count < count {
      let word: UInt64 = next()
      for place in 0..<min(8, count - bytes.count) {
        bytes.append(UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64(place))))
      }
    }
    return bytes
  }
}
