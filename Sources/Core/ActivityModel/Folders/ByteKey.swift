// SPDX-License-Identifier: MIT

/// Bytes as a key of a table: an array of bytes is hashed byte by byte.
package struct ByteKey: Hashable, Sendable {
  /// The bytes.
  package let bytes: [UInt8]

  /// These bytes.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// All bytes at once.
  package func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
