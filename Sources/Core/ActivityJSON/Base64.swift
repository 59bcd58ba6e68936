// SPDX-License-Identifier: MIT

// Base 64 with the letters and the padding of RFC 4648, section 4.
extension [UInt8] {
  private static let base64Letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// What each letter stands for; 255 for what is none.
  private static let base64Digits = base64Letters.enumerated().reduce(
    into: [UInt8](repeating: 255, count: 256)
  ) {
    $0[Int($1.element)] = UInt8($1.offset)
  }

  /// The bytes in base 64.
  var base64: String {
    var text: [UInt8] = []
    text.reserveCapacity((count + 2) / 3 * 4)
    for start in stride(from: 0, to: count, by: 3) {
      let group = self[start..<Swift.min(start + 3, count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(
          place <= group.count ? Self.base64Letters[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes that a text in base 64 stands for; nil for anything else, also for one without its padding.
  init?(base64 text: String) {
    let letters = Array(text.utf8)
    guard letters.count % 4 == 0 else { return nil }
    let padding = letters.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    self = []
    reserveCapacity(letters.count / 4 * 3)
    var bits: UInt32 = 0
    for (index, letter) in letters.dropLast(padding).enumerated() {
      let digit = Self.base64Digits[Int(letter)]
      guard digit < 64 else { return nil }
      bits = bits << 6 | UInt32(digit)
      // Each letter after the first of four ends a byte.
      if index % 4 > 0 { append(UInt8(truncatingIfNeeded: bits >> (6 - 2 * UInt32(index % 4)))) }
    }
  }
}
