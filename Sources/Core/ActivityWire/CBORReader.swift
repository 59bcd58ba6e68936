// SPDX-License-Identifier: MIT

import ActivityModel

/// Reads one `CBOR` value strictly: what it accepts, `CBOR.encoded` writes back byte for byte.
struct CBORReader {
  private let bytes: [UInt8]
  private let limits: CBOR.Limits
  private var offset = 0
  private var items = 0

  init(bytes: [UInt8], limits: CBOR.Limits) {
    self.bytes = bytes
    self.limits = limits
  }

  mutating func whole() throws(ContinuityError) -> CBOR {
    guard bytes.count <= limits.bytes else { throw failure("more than \(limits.bytes) bytes") }
    let value = try value(depth: 0)
    guard offset == bytes.count else { throw failure("bytes after the value") }
    return value
  }

  private mutating func value(depth: Int) throws(ContinuityError) -> CBOR {
    items += 1
    guard items <= limits.items else { throw failure("more than \(limits.items) items") }
    let lead = try byte()
    if lead >= 0xe0 { return try simple(lead) }
    let argument = try argument(lead & 0x1f)
    switch lead >> 5 {
    case 0: return .unsigned(argument)
    case 1: return .negative(argument)
    case 2: return .bytes(Array(try nextBytes(argument)))
    case 3: return .text(try text(argument))
    case 4: return .array(try elements(argument, depth: depth + 1))
    case 5: return .map(try entries(argument, depth: depth + 1))
    default: throw failure("a tag")
    }
  }

  private mutating func simple(_ lead: UInt8) throws(ContinuityError) -> CBOR {
    switch lead {
    case 0xf4: return .bool(false)
    case 0xf5: return .bool(true)
    case 0xf6: return .null
    case 0xfb:
      let number = Double(bitPattern: try integer(8))
      guard number.isFinite else { throw failure("a number that is not finite") }
      return .double(number)
    default: throw failure("a simple value that is not used")
    }
  }

  private mutating func elements(_ count: UInt64, depth: Int) throws(ContinuityError) -> [CBOR] {
    try checkContainer(count, depth: depth)
    var elements: [CBOR] = []
    elements.reserveCapacity(min(Int(count), Self.reserved))
    for _ in 0..<count { elements.append(try value(depth: depth)) }
    return elements
  }

  private mutating func entries(_ count: UInt64, depth: Int) throws(ContinuityError) -> CBORMap {
    try checkContainer(count, depth: depth)
    var entries = CBORMap(capacity: min(Int(count), Self.reserved))
    var last: UInt64?
    for _ in 0..<count {
      let lead = try byte()
      guard lead >> 5 == 0 else { throw failure("a map key that is not an unsigned integer") }
      let key = try argument(lead & 0x1f)
      if let last, key <= last { throw failure("map keys out of order") }
      last = key
      entries.append(try value(depth: depth), under: key)
    }
    return entries
  }

  /// For so many entries room is made at once: what a container claims to hold is not believed.
  private static let reserved = 24

  private func checkContainer(_ count: UInt64, depth: Int) throws(ContinuityError) {
    guard depth <= limits.depth else { throw failure("nesting deeper than \(limits.depth)") }
    guard count <= UInt64(limits.entries), count <= UInt64(bytes.count - offset) else {
      throw failure("a container of \(count) entries")
    }
  }

  private mutating func text(_ count: UInt64) throws(ContinuityError) -> String {
    let content = try nextBytes(count)
    // What is not UTF-8 is repaired, and then it is not the same.
    let text = String(decoding: content, as: UTF8.self)
    let isSame = text.utf8.withContiguousStorageIfAvailable { text in
      content.withUnsafeBufferPointer { text.elementsEqual($0) }
    }
    guard isSame ?? text.utf8.elementsEqual(content) else {
      throw failure("text that is not UTF-8")
    }
    return text
  }

  private mutating func argument(_ short: UInt8) throws(ContinuityError) -> UInt64 {
    let size: UInt64
    let least: UInt64
    switch short {
    case 0..<24: return UInt64(short)
    case 24: (size, least) = (1, 24)
    case 25: (size, least) = (2, 0x100)
    case 26: (size, least) = (4, 0x1_0000)
    case 27: (size, least) = (8, 0x1_0000_0000)
    default: throw failure("an indefinite length")
    }
    let value = try integer(size)
    guard value >= least else { throw failure("an integer that is longer than needed") }
    return value
  }

  private mutating func integer(_ size: UInt64) throws(ContinuityError) -> UInt64 {
    var value: UInt64 = 0
    for byte in try nextBytes(size) { value = value << 8 | UInt64(byte) }
    return value
  }

  private mutating func byte() throws(ContinuityError) -> UInt8 {
    guard offset < bytes.count else { throw failure("the end") }
    defer { offset += 1 }
    return bytes[offset]
  }

  private mutating func nextBytes(_ count: UInt64) throws(ContinuityError) -> ArraySlice<UInt8> {
    guard count <= UInt64(bytes.count - offset) else { throw failure("the end") }
    defer { offset += Int(count) }
    return bytes[offset..<offset + Int(count)]
  }

  private func failure(_ found: String) -> ContinuityError {
    ContinuityError(
      .invalidBytes, subject: "offset \(offset)", description: "Byte \(offset) starts \(found).")
  }
}
