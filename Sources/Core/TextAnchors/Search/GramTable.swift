// SPDX-License-Identifier: MIT

/// Short pieces of an anchor's quote, ready to be recognised in a stream of content bytes: the last bytes of
/// the stream stand in one number, and one multiplication tells whether they are a piece.
struct GramTable {
  /// One piece.
  struct Gram {
    /// Where it ends in the quote.
    var end: Int
    /// Its length in bytes.
    var length: Int
    /// What finding it says for a place; the own line counts three times.
    var weight: Int
  }

  /// At most 64, so that a set of them is one number; the own line, if it is a gram of its own, is the last.
  private(set) var grams: [Gram] = []
  /// The length of all others.
  let length: Int
  /// Keeps that many bytes of the stream.
  let mask: UInt64
  /// Open addressing; -1 is free.
  private(set) var slots = [Int8](repeating: -1, count: Self.slotCount)
  private(set) var keys = [UInt64](repeating: 0, count: Self.slotCount)
  /// The whole own line, when it is too short to hold a gram.
  private(set) var ownLine: (key: UInt64, mask: UInt64, length: Int, gram: Int)?

  static let slotCount = 1024
  private static let gramLimit = 62

  init(_ anchor: TextAnchor) {
    let quote = anchor.quote
    length = quote.count >= 64 ? 8 : quote.count >= 24 ? 6 : quote.count >= 8 ? 4 : max(1, quote.count / 2)
    mask = Self.mask(length)
    for start in Self.starts(anchor, length: length) where grams.count < Self.gramLimit {
      insert(quote, start, own: anchor.own)
    }
    addOwnLine(anchor, quote)
  }

  /// The most that finding every gram says.
  var totalWeight: Int { grams.reduce(0) { $0 + $1.weight } }

  /// The nearest to the place first. A third of all, for a quote's other pieces are found with them; and the
  /// first and last of the own line, which may have come away from its neighbours.
  private static func starts(_ anchor: TextAnchor, length: Int) -> [Int] {
    let last = anchor.before.count + anchor.after.count - length
    guard last >= 0 else { return [] }
    var starts = Array(stride(from: 0, through: last, by: anchor.quote.count < 64 ? 1 : 4))
    starts += [anchor.own.lowerBound, anchor.own.upperBound - length, anchor.before.count - length]
    starts.append(anchor.before.count)
    let middle = anchor.before.count - length / 2
    return Set(starts.filter { $0 >= 0 && $0 <= last })
      .sorted { (abs($0 - middle), $0) < (abs($1 - middle), $1) }
  }

  private static func mask(_ length: Int) -> UInt64 { length >= 8 ? .max : (1 << UInt64(8 * length)) - 1 }

  static func slot(_ key: UInt64) -> Int { Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 54) }

  private mutating func insert(_ quote: [UInt8], _ start: Int, own: Range<Int>) {
    let range = start..<start + length
    let key = quote[range].reduce(0) { $0 << 8 | UInt64($1) }
    var slot = Self.slot(key)
    while slots[slot] >= 0 {
      if keys[slot] == key { return }
      slot = (slot + 1) % Self.slotCount
    }
    slots[slot] = Int8(grams.count)
    keys[slot] = key
    let inOwn = range.clamped(to: own).count
    grams.append(Gram(end: range.upperBound, length: length, weight: length + 2 * inOwn))
  }

  private mutating func addOwnLine(_ anchor: TextAnchor, _ quote: [UInt8]) {
    let own = anchor.own
    guard own.count >= 3, own.count <= 8 else { return }
    let key = quote[own].reduce(0) { $0 << 8 | UInt64($1) }
    ownLine = (key, Self.mask(own.count), own.count, grams.count)
    grams.append(Gram(end: own.upperBound, length: own.count, weight: 3 * own.count))
  }
}
