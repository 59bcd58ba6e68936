// SPDX-License-Identifier: MIT

/// The SHA-256 of a document's saved bytes: what a version *is*. Size and dates are only hints.
public struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
  // Words, not an array: digests are compared and hashed all the time. And no vector, whose alignment
  // everything that holds a digest would have to keep.
  @usableFromInline let first: UInt64
  @usableFromInline let second: UInt64
  @usableFromInline let third: UInt64
  @usableFromInline let fourth: UInt64

  /// The 32 bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for word in [first, second, third, fourth] { bytes.append(bigEndian: word) }
    return bytes
  }

  /// Nil unless there are exactly 32 bytes.
  @inlinable public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    (first, second) = (bytes.bigEndianWord(0), bytes.bigEndianWord(8))
    (third, fourth) = (bytes.bigEndianWord(16), bytes.bigEndianWord(24))
  }

  /// 64 lower-case hexadecimal digits.
  public var description: String { bytes.hexadecimal }

  /// The first 6 bytes, as lineages carry them.
  public var prefix: DigestPrefix { DigestPrefix(of: self) }

  fileprivate var firstSixBytes: UInt64 { first >> 16 }
}

/// Six bytes of a digest: enough to recognise an ancestor among the 256 that a lineage holds.
public struct DigestPrefix: Hashable, Sendable, Comparable {
  @usableFromInline let value: UInt64

  /// The prefix of `digest`.
  public init(of digest: ContentDigest) {
    value = digest.firstSixBytes
  }

  /// Nil unless there are exactly 6 bytes.
  @inlinable public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 6 else { return nil }
    value = bytes.bigEndianWord(0, 6)
  }

  /// The six bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// Appends the six bytes: a lineage is one string of them.
  public func append(to bytes: inout [UInt8]) { bytes.append(bigEndian: value, count: 6) }

  /// Orders as the bytes do.
  @inlinable public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}
