// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

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
    ].map(\.encoded) + [SampleState.full(seed: 1).cbor.encoded]
  }

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
