// SPDX-License-Identifier: MIT

public import ActivityModel

extension TextAnchor {
  /// The key in the user info of `public.text-editing`, beside `line` and `column`.
  public static let userInfoKey = "anchor"
  /// The version of the form below.
  private static let version: Int64 = 1

  /// The anchor in an activity's user info: a map of plain values, so that every language can write one.
  public var userInfoValue: UserInfoValue {
    .map([
      .text("v"): .int(Self.version),
      .text("line"): .int(Int64(clamping: position.line)),
      .text("column"): .int(Int64(clamping: position.column)),
      .text("before"): .text(String(decoding: before, as: UTF8.self)),
      .text("after"): .text(String(decoding: after, as: UTF8.self)),
      .text("own"): .array([.int(Int64(ownBefore)), .int(Int64(ownAfter))]),
      .text("gap"): .array(
        [gap.breaksBefore, gap.breaksAfter, gap.spacesBefore, gap.spacesAfter].map { .int(Int64($0)) }),
      .text("above"): .bytes(above.flatMap(\.bigEndianBytes)),
      .text("below"): .bytes(below.flatMap(\.bigEndianBytes)),
    ])
  }

  /// Nil for anything that this version did not write: the receiver then goes by line and column. What is
  /// accepted is as small as what `userInfoValue` gives, whoever sent it.
  public init?(userInfoValue: UserInfoValue) {
    guard case .map(let map) = userInfoValue, map.count <= 16, map["v"] == .int(Self.version),
      let line = map["line"]?.number(1...Int64(Int32.max)),
      let column = map["column"]?.number(1...Int64(Int32.max)),
      let before = map["before"]?.quote, let after = map["after"]?.quote,
      let own = map["own"]?.numbers(2, 0...Int64(Self.quoteLimit)),
      own[0] <= before.count, own[1] <= after.count,
      let gap = map["gap"]?.numbers(4, 0...Int64(Gap.limit)),
      let above = map["above"]?.fingerprints, let below = map["below"]?.fingerprints
    else { return nil }
    self.init(
      position: LineColumn(line: line, column: column), before: before, after: after, own: (own[0], own[1]),
      gap: Gap(breaksBefore: gap[0], breaksAfter: gap[1], spacesBefore: gap[2], spacesAfter: gap[3]),
      above: above, below: below)
  }
}

extension UserInfo {
  fileprivate subscript(_ key: String) -> UserInfoValue? { self[.text(key)] }
}

extension UserInfoValue {
  fileprivate func number(_ range: ClosedRange<Int64>) -> Int? {
    guard case .int(let number) = self, range.contains(number) else { return nil }
    return Int(number)
  }

  fileprivate func numbers(_ count: Int, _ range: ClosedRange<Int64>) -> [Int]? {
    guard case .array(let elements) = self, elements.count == count else { return nil }
    let numbers = elements.compactMap { $0.number(range) }
    return numbers.count == count ? numbers : nil
  }

  /// Quoted text as content bytes.
  fileprivate var quote: [UInt8]? {
    guard case .text(let text) = self, text.utf8.count <= TextAnchor.quoteLimit,
      text.utf8.allSatisfy(\.isContent)
    else { return nil }
    return Array(text.utf8)
  }

  fileprivate var fingerprints: [UInt32]? {
    guard case .bytes(let bytes) = self, bytes.count <= 4 * TextAnchor.lineLimit, bytes.count % 4 == 0 else {
      return nil
    }
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}

extension UInt32 {
  fileprivate var bigEndianBytes: [UInt8] {
    [
      UInt8(truncatingIfNeeded: self >> 24), UInt8(truncatingIfNeeded: self >> 16),
      UInt8(truncatingIfNeeded: self >> 8), UInt8(truncatingIfNeeded: self),
    ]
  }
}
