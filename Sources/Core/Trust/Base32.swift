// SPDX-License-Identifier: MIT

/// RFC 4648 base32 in lower case without padding: what file names and shown IDs are written in. Letters and
/// the digits 2 to 7 survive every file system and are hard to mistake for each other.
enum Base32 {
  private static let digits = Array<UInt8>("abcdefghijklmnopqrstuvwxyz234567".utf8)

  /// The first `count` digits of `bytes`, five bits each.
  /// `before` and `after` are put around them.
  static func text(
    _ bytes: [UInt8], count: Int, between before: String = "", and after: String = ""
  ) -> String {
    let digits = digits
    var text: [UInt8] = []
    text.reserveCapacity(before.utf8.count + count + after.utf8.count)
    text += before.utf8
    // The bits that were read of the bytes and are not written yet.
    var (bits, waiting, place) = (0, 0, 0)
    for _ in 0..<count {
      if waiting < 5 {
        bits = (bits & 31) << 8 | Int(Self.byte(place, of: bytes))
        (waiting, place) = (waiting + 8, place + 1)
      }
      waiting -= 5
      text.append(digits[bits >> waiting & 31])
    }
    text += after.utf8
    return String(decoding: text, as: UTF8.self)
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
