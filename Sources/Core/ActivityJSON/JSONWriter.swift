// SPDX-License-Identifier: MIT

import ActivityModel

/// Writes values as UTF-8 in one line (RFC 8259), members in the order of the bytes of their names.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let flag): bytes += (flag ? "true" : "false").utf8
    case .int(let number): bytes += String(number).utf8
    case .double(let number): write(number)
    case .text(let text): write(text)
    case .array(let elements): write(elements, between: "[", and: "]") { $0.write($1) }
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      write(sorted, between: "{", and: "}") {
        $0.write($1.key)
        $0.bytes.append(UInt8(ascii: ":"))
        $0.write($1.value)
      }
    }
  }

  private mutating func write<Element>(
    _ elements: [Element], between start: Unicode.Scalar, and end: Unicode.Scalar,
    each: (inout JSONWriter, Element) -> Void
  ) {
    bytes.append(UInt8(ascii: start))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      each(&self, element)
    }
    bytes.append(UInt8(ascii: end))
  }

  /// Null stands for what JSON has no number for.
  private mutating func write(_ number: Double) {
    if let whole = Int64(exactly: number) {
      // All digits, for the shortest form with an exponent is read as another whole number.
      bytes += String(whole).utf8
    } else if number.isFinite {
      bytes += number.description.utf8
    } else {
      bytes += "null".utf8
    }
  }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += #"\""#.utf8
      case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
      case 0x08: bytes += #"\b"#.utf8
      case 0x09: bytes += #"\t"#.utf8
      case 0x0A: bytes += #"\n"#.utf8
      case 0x0C: bytes += #"\f"#.utf8
      case 0x0D: bytes += #"\r"#.utf8
      case 0..<0x20: bytes += (#"\u00"# + [byte].hexadecimal).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
