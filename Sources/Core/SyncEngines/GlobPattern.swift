// SPDX-License-Identifier: MIT

/// A pattern of names with `*`, `?`, `[…]` and `{…,…}`, as engines leave files out by. It takes time in
/// proportion to pattern and name, whatever they are.
struct GlobPattern {
  /// What engines understand differently.
  struct Dialect: Sendable {
    /// `**` stands for anything, slashes too.
    var hasDeepStars = false
    /// A wildcard at the beginning of a name stands for no dot.
    var sparesDots = false
    var ignoresCase = false
  }

  private enum Token: Hashable {
    case byte(UInt8)
    case one
    case run
    case deepRun
    case set([ClosedRange<UInt8>], isInverted: Bool)
  }

  /// Braces give several.
  private var variants: [[Token]] = []
  private let dialect: Dialect

  /// Braces that stand for more are not taken apart: such a pattern matches nothing.
  private static let variantLimit = 64
  private static let lengthLimit = 4096

  init(_ text: String, _ dialect: Dialect = Dialect()) {
    self.dialect = dialect
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.lengthLimit, let all = Self.withoutBraces(bytes) else { return }
    variants = all.map { Self.tokens(of: $0, dialect) }
  }

  /// Whether the whole of `name` is meant.
  func matches(_ name: String) -> Bool {
    let bytes = Array(name.utf8).map(folded)
    return variants.contains { matches($0, bytes) }
  }

  // MARK: Reading

  /// Each choice of each pair of braces, written out; nil for too many.
  private static func withoutBraces(_ text: [UInt8]) -> [[UInt8]]? {
    var open = [text]
    var done: [[UInt8]] = []
    while let next = open.popLast() {
      guard let (from, to, choices) = firstBraces(in: next) else {
        done.append(next)
        continue
      }
      for choice in choices { open.append(Array(next[..<from] + choice + next[(to + 1)...])) }
      if open.count + done.count > variantLimit { return nil }
    }
    return done
  }

  private static func firstBraces(in text: [UInt8]) -> (from: Int, to: Int, choices: [[UInt8]])? {
    guard let from = text.indices.first(where: { text[$0] == UInt8(ascii: "{") && !isEscaped($0, in: text) })
    else { return nil }
    var depth = 0
    var choices: [[UInt8]] = [[]]
    for index in text.indices[(from + 1)...] {
      let byte = text[index]
      if byte == UInt8(ascii: "}"), depth == 0 { return (from, index, choices) }
      if byte == UInt8(ascii: ","), depth == 0 {
        choices.append([])
        continue
      }
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
      choices[choices.count - 1].append(byte)
    }
    return nil
  }

  private static func isEscaped(_ index: Int, in text: [UInt8]) -> Bool {
    var count = 0
    while index - count > 0, text[index - count - 1] == UInt8(ascii: "\\") { count += 1 }
    return count % 2 == 1
  }

  private static func tokens(of text: [UInt8], _ dialect: Dialect) -> [Token] {
    var tokens: [Token] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"):
        if dialect.hasDeepStars, rest.first == byte {
          rest.removeFirst()
          tokens.append(.deepRun)
        } else if tokens.last != .run {
          tokens.append(.run)
        }
      case UInt8(ascii: "?"): tokens.append(.one)
      case UInt8(ascii: "["):
        tokens.append(set(from: &rest) ?? .byte(byte))
      case UInt8(ascii: "\\") where !rest.isEmpty: tokens.append(.byte(folded(rest.removeFirst(), dialect)))
      default: tokens.append(.byte(folded(byte, dialect)))
      }
    }
    return tokens
  }

  private static func set(from rest: inout ArraySlice<UInt8>) -> Token? {
    guard let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "]")) else { return nil }
    var inner = rest[rest.startIndex..<end]
    let isInverted = inner.first == UInt8(ascii: "!") || inner.first == UInt8(ascii: "^")
    if isInverted { inner.removeFirst() }
    var ranges: [ClosedRange<UInt8>] = []
    while let low = inner.popFirst() {
      guard inner.first == UInt8(ascii: "-"), let high = inner.dropFirst().first else {
        ranges.append(low...low)
        continue
      }
      inner.removeFirst(2)
      if low <= high { ranges.append(low...high) }
    }
    rest = rest[(end + 1)...]
    return .set(ranges, isInverted: isInverted)
  }

  // MARK: Comparing

  /// All places of the pattern at which the name may stand, byte by byte.
  private func matches(_ tokens: [Token], _ name: [UInt8]) -> Bool {
    var places = Set([0])
    pass(over: tokens, &places)
    var before = UInt8(ascii: "/")
    for byte in name {
      let isSpared = dialect.sparesDots && byte == UInt8(ascii: ".") && before == UInt8(ascii: "/")
      var next: Set<Int> = []
      for place in places where place < tokens.count {
        let token = tokens[place]
        guard takes(token, byte, isSpared: isSpared) else { continue }
        next.insert(token == .run || token == .deepRun ? place : place + 1)
      }
      pass(over: tokens, &next)
      if next.isEmpty { return false }
      places = next
      before = byte
    }
    return places.contains(tokens.count)
  }

  /// A run may stand for nothing.
  private func pass(over tokens: [Token], _ places: inout Set<Int>) {
    for start in places {
      var place = start
      while place < tokens.count, tokens[place] == .run || tokens[place] == .deepRun {
        place += 1
        places.insert(place)
      }
    }
  }

  private func takes(_ token: Token, _ byte: UInt8, isSpared: Bool) -> Bool {
    let isSlash = byte == UInt8(ascii: "/")
    switch token {
    case .byte(let wanted): return wanted == byte
    case .one, .run: return !isSlash && !isSpared
    case .deepRun: return true
    case .set(let ranges, let isInverted):
      return !isSlash && !isSpared && ranges.contains { $0.contains(byte) } != isInverted
    }
  }

  private func folded(_ byte: UInt8) -> UInt8 { Self.folded(byte, dialect) }

  private static func folded(_ byte: UInt8, _ dialect: Dialect) -> UInt8 {
    dialect.ignoresCase && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
