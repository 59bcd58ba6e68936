// SPDX-License-Identifier: MIT

/// A number of bytes as people read it: powers of 1,000, as file managers count.
enum ByteCount {
  static func text(_ bytes: UInt64) -> String {
    switch bytes {
    case 0..<1000: "\(bytes) bytes"
    case ..<1_000_000: "\(bytes / 1000) kB"
    case ..<1_000_000_000: "\(bytes / 1_000_000) MB"
    default: "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
    }
  }
}
