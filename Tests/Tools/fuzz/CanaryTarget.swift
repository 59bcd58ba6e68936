// SPDX-License-Identifier: MIT

/// A planted fault: if the fuzzer does not find this one, it finds nothing.
///
/// The input that begins with the four letters reads one byte behind the memory that it has, which nobody but
/// Address Sanitizer notices; and they are found one after the other alone, by whoever sees branches.
struct CanaryTarget: FuzzTarget {
  static let name = "canary"
  static let longest = 16
  static let words: [[UInt8]] = []

  func seeds() -> [[UInt8]] { [[0]] }

  mutating func check(_ input: [UInt8]) throws {
    var place = 0
    for letter in "coal".utf8 {
      guard place < input.count, input[place] == letter else { return }
      place += 1
    }
    // One step too far.
    let behind = input.withUnsafeBufferPointer { bytes in bytes.baseAddress.map { $0[bytes.count] } }
    try expect(behind != nil && behind != 99, "the canary sang")
  }
}
