// SPDX-License-Identifier: MIT

/// A shape of file names: literal bytes, and runs of bytes of a kind. Works on raw names, which need not be
/// text.
struct NamePattern: Sendable {
  /// One part of a name.
  enum Part: Sendable {
    /// These bytes.
    case literal(String)
    /// So many bytes of a kind.
    case run(Kind, ClosedRange<Int>)
    /// At least so many bytes of any kind.
    case anything(atLeast: Int)
    /// As `anything(atLeast: 1)`; what it matches is the name that `base(of:)` gives.
    case base
  }

  /// Kinds of bytes.
  enum Kind: Sendable {
    case digit
    case hexadecimal
    case alphanumeric
    case upperBase32
    case any

    func holds(_ byte: UInt8) -> Bool {
      switch (self, byte) {
      case (.any, _): true
      case (.digit, 0x30...0x39): true
      case (.hexadecimal, 0x30...0x39), (.hexadecimal, 0x61...0x66): true
      case (.alphanumeric, 0x30...0x39), (.alphanumeric, 0x41...0x5A), (.alphanumeric, 0x61...0x7A): true
      case (.upperBase32, 0x41...0x5A), (.upperBase32, 0x32...0x37): true
      default: false
      }
    }
  }

  let parts: [Part]

  init(_ parts: Part...) { self.parts = parts }

  /// Whether the whole name has this shape.
  func matches(_ name: [UInt8]) -> Bool { base(of: name) != nil }

  /// What `.base` stands for, empty without one; nil when the name has another shape.
  func base(of name: [UInt8]) -> [UInt8]? { Self.match(name[...], parts[...]) }

  private static func match(_ name: ArraySlice<UInt8>, _ parts: ArraySlice<Part>) -> [UInt8]? {
    guard let part = parts.first else { return name.isEmpty ? [] : nil }
    let rest = parts.dropFirst()
    switch part {
    case .literal(let text):
      guard name.starts(with: text.utf8) else { return nil }
      return match(name.dropFirst(text.utf8.count), rest)
    case .run(let kind, let counts):
      let longest = name.prefix(counts.upperBound).prefix { kind.holds($0) }.count
      return firstMatch(name, counts.lowerBound, longest, rest)?.base
    case .anything(let least):
      if rest.isEmpty { return name.count >= least ? [] : nil }
      return firstMatch(name, least, name.count, rest)?.base
    case .base:
      guard let found = firstMatch(name, 1, name.count, rest) else { return nil }
      return Array(name.prefix(found.count))
    }
  }

  /// The longest run that lets the rest match.
  private static func firstMatch(
    _ name: ArraySlice<UInt8>, _ least: Int, _ most: Int, _ rest: ArraySlice<Part>
  ) -> (count: Int, base: [UInt8])? {
    guard least <= most else { return nil }
    var start: UInt8?
    if case .literal(let text)? = rest.first { start = text.utf8.first }
    for count in (least...most).reversed() {
      // Most places are told by their first byte.
      if let start, count == name.count || name[name.startIndex + count] != start { continue }
      if let base = match(name.dropFirst(count), rest) { return (count, base) }
    }
    return nil
  }
}
