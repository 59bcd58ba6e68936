// SPDX-License-Identifier: MIT

import Foundation

/// Bytes that are no UTF-8, in a text that is: each is one scalar of Unicode's last private plane, from
/// U+10FF80 on, and a byte again in the file. A file that holds such scalars itself has their bytes kept one
/// by one, so that nothing is taken for what it is not.
enum ForeignBytes {
  private static let first: UInt32 = 0x10_FF00

  /// Whether `scalar` stands for a byte, in a text that has such.
  static func isStand(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= first + 0x80 }

  /// `bytes` as UTF-8, and how many of them were none; those are counted that stand for themselves now.
  static func hidden(in bytes: Data) -> (text: Data, count: Int) {
    var text = Data(capacity: bytes.count + bytes.count / 2)
    var count = 0
    bytes.withUnsafeBytes { buffer in
      var index = 0
      while index < buffer.count {
        let length = sequence(buffer, at: index)
        if length > 0 {
          text.append(contentsOf: buffer[index..<(index + length)])
          index += length
        } else {
          text.append(contentsOf: stand(for: buffer[index]))
          index += 1
          count += 1
        }
      }
    }
    return (text, count)
  }

  /// The file's bytes for a text of `hidden(in:)`, as it has become.
  static func shown(in text: Data) -> Data {
    var bytes = Data(capacity: text.count)
    text.withUnsafeBytes { buffer in
      var index = 0
      while index < buffer.count {
        if let byte = byte(buffer, at: index) {
          bytes.append(byte)
          index += 4
        } else {
          bytes.append(buffer[index])
          index += 1
        }
      }
    }
    return bytes
  }

  /// The length of the character that begins there; 0 when none does, or one that stands for a byte.
  private static func sequence(_ buffer: UnsafeRawBufferPointer, at index: Int) -> Int {
    let lead = buffer[index]
    if lead < 0x80 { return 1 }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard (0xC2...0xF4).contains(lead), index + length <= buffer.count else { return 0 }
    let slice = UnsafeRawBufferPointer(rebasing: buffer[index..<(index + length)])
    guard let read = String(validating: slice, as: UTF8.self), let scalar = read.unicodeScalars.first,
      !isStand(scalar)
    else { return 0 }
    return length
  }

  private static func stand(for byte: UInt8) -> [UInt8] {
    [0xF4, 0x8F, 0xBC | (byte >> 6), 0x80 | (byte & 0x3F)]
  }

  private static func byte(_ buffer: UnsafeRawBufferPointer, at index: Int) -> UInt8? {
    guard index + 4 <= buffer.count, buffer[index] == 0xF4, buffer[index + 1] == 0x8F,
      buffer[index + 2] & 0xFE == 0xBE
    else { return nil }
    return buffer[index + 2] << 6 | buffer[index + 3] & 0x3F
  }
}
