// SPDX-License-Identifier: MIT

/// The SHA-256 of a document's saved bytes: what a version *is*. Size and dates are only hints.
public struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Nil unless there are exactly 32 bytes.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    self.bytes = Array(bytes)
  }

  /// 64 lower-case hexadecimal digits.
  public var description: String { bytes.hexadecimal }

  /// The first 6 bytes, as lineages carry them.
  public var prefix: DigestPrefix { DigestPrefix(of: self) }
}

/// Six bytes of a digest: enough to recognise an ancestor among the 256 that a lineage holds.
public struct DigestPrefix: Hashable, Sendable, Comparable {
  private let value: UInt64

  /// The prefix of `digest`.
  public init(of digest: ContentDigest) {
    value = digest.bytes.prefix(6).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Nil unless there are exactly 6 bytes.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 6 else { return nil }
    value = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The six bytes.
  public var bytes: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> (40 - 8 * $0)) } }

  /// Orders as the bytes do.
  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}
