// SPDX-License-Identifier: MIT

/// 64-bit FNV-1a of values, in order: for rows of a database, where SQLite does not see a flipped bit, and
/// for names that are made of others. No secret, and no protection from who wants two values alike.
public struct Checksum: Sendable {
  /// Of what was added so far.
  public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Of nothing.
  public init() {}

  /// So many bits that all bytes reach: the last ones hardly reach the highest bits of the value itself.
  public func mixed(bits: Int) -> UInt64 { (value &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - bits) }

  /// Takes in bytes, and how many they are.
  public mutating func add(_ bytes: [UInt8]) {
    add(UInt64(bytes.count))
    for byte in bytes { add(byte) }
  }

  /// Takes in a number.
  public mutating func add(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
}
