// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import TestSamples

/// The decoder below all formats: what it accepts is canonical, within its limits, and ends where it says.
struct CBORTarget: FuzzTarget {
  static let name = "cbor"
  static let longest = 4096
  static let words = CBORWords.all

  func seeds() throws -> [[UInt8]] {
    [
      CBOR.array([1, .negative(4), .text("Grüße"), .bytes([1, 2]), .null, .bool(true), .double(0.5)]),
      .map([1: .array([]), 24: .unsigned(256), 65536: .unsigned(.max)]),
      (0..<8).reduce(CBOR.null) { value, _ in .array([value]) },
      .array((0..<30).map { .unsigned($0) }),
    ].map(\.encoded) + [RecordSamples.state(seed: 1).cbor.encoded] + Self.refused
  }

  /// What is nearly right, for each rule of the subset.
  private static let refused: [[UInt8]] = [
    // Integers that are longer than needed.
    [0x18, 0x05], [0x19, 0, 1], [0x1a, 0, 0, 0, 1], [0x1b, 0, 0, 0, 0, 0, 0, 0, 1], [0x38, 1], [0x58, 1, 7],
    // Keys out of order, twice, or no numbers.
    [0xa2, 2, 0, 1, 0], [0xa2, 1, 0, 1, 0], [0xa1, 0x61, 0x61, 0],
    // Indefinite lengths, tags, and values that are not used.
    [0x9f, 0xff], [0xbf, 0xff], [0x5f, 0xff], [0xc0, 0], [0xf7], [0xf8, 0x20], [0xfa, 0, 0, 0, 0],
    [0xfb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0], [0xfb, 0xff, 0xf0, 0, 0, 0, 0, 0, 0],
    // Text that is no UTF-8; ends before and behind the value.
    [0x61, 0xff], [0x62, 0xc0, 0x80], [0x63, 0xed, 0xa0, 0x80], [0x82, 0], [0x42, 0], [0, 0],
    // Too deep, and more than there is.
    [UInt8](repeating: 0x81, count: 9) + [0], [0x9b] + [UInt8](repeating: 0xff, count: 8),
  ]

  func check(_ input: [UInt8]) throws {
    guard let value = try? CBOR(decoding: input) else { return }
    try expect(value.encoded == input, "an accepted value is encoded in other bytes")
    try expect(value.encodedSize == input.count, "encodedSize is not the size of encoded")
    try expect((try? CBOR(decoding: input, limits: .message)) == value, "larger limits refuse it")
    try expect((try? CBOR(decoding: input.dropLast())) == nil, "a value is whole without its last byte")
    try expect((try? CBOR(decoding: input + [0])) == nil, "a byte behind the value is taken")
    let tight = CBOR.Limits(depth: 8, entries: 256, items: 2048, bytes: input.count - 1)
    try expect((try? CBOR(decoding: input, limits: tight)) == nil, "the limit of bytes does not hold")
  }
}

/// Words that values in CBOR are made of.
enum CBORWords {
  static let all: [[UInt8]] = [
    [0xf4], [0xf5], [0xf6], [0xfb, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0], [0x18, 0x18], [0x19, 0x01, 0x00],
    [0x1a, 0, 1, 0, 0], [0x1b, 0, 0, 0, 1, 0, 0, 0, 0], [0x1b] + [UInt8](repeating: 0xff, count: 8), [0x20],
    [0x3b] + [UInt8](repeating: 0xff, count: 8), [0x50] + [UInt8](repeating: 2, count: 16),
    [0x58, 0x20] + [UInt8](repeating: 9, count: 32), [0x60], [0x63, 0x61, 0x2f, 0x62], [0x80], [0x81], [0x82],
    [0x83], [0x84], [0x85], [0xa0], [0xa1], [0xa2], [0x9f], [0xbf], [0xff], [0xc0], [0x42, 0x2e, 0x2e],
    [0x41, 0x2e], [0x64, 0xe2, 0x80, 0xae, 0x61], [0xfb, 0x7f, 0xf0, 0, 0, 0, 0, 0, 0],
  ]
}
