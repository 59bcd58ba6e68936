// SPDX-License-Identifier: MIT

/// One pass over lines of a text that gathers where pieces of the quote stand together. A few nanoseconds for
/// each byte, and no memory that grows with the text.
struct QuoteScan {
  private let grams: GramTable
  private let anchor: TextAnchor
  private var shortlist = Shortlist()
  private var active: [Candidate] = []
  private var oldest = 0
  /// The last content bytes.
  private var window: UInt64 = 0
  private var lastKey: UInt64 = 0
  private var lastCount = 0
  /// Content bytes so far.
  private var count = 0

  /// Candidates that still gather pieces.
  private static let activeLimit = 8

  init(_ anchor: TextAnchor, _ grams: GramTable) {
    self.anchor = anchor
    self.grams = grams
  }

  /// The best candidates of the lines, the best first.
  mutating func candidates(in text: some AnchorableText, lines: Range<Int>) -> [Candidate] {
    grams.keys.withUnsafeBufferPointer { keys in
      grams.slots.withUnsafeBufferPointer { slots in
        for line in lines {
          text.withUTF8(ofLine: line) { read($0, line, Lookup(keys: keys, slots: slots, mask: grams.mask)) }
        }
      }
    }
    for candidate in active { retire(candidate) }
    active = []
    shortlist.cut()
    return shortlist.candidates
  }

  /// The table, lent for the pass.
  private struct Lookup {
    let keys: UnsafeBufferPointer<UInt64>
    let slots: UnsafeBufferPointer<Int8>
    let mask: UInt64

    /// The gram that `key` is, or -1.
    func callAsFunction(_ key: UInt64) -> Int {
      var slot = GramTable.slot(key)
      while slots[slot] >= 0 {
        if keys[slot] == key { return Int(slots[slot]) }
        slot = (slot + 1) & (GramTable.slotCount - 1)
      }
      return -1
    }
  }

  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Int, _ lookup: Lookup) {
    var window = self.window
    var count = self.count
    var lastByte = 0
    for index in bytes.indices where bytes[index].isContent {
      window = window << 8 | UInt64(bytes[index])
      count &+= 1
      lastByte = index
      let gram = lookup(window & lookup.mask)
      if gram >= 0 { hit(gram, window & lookup.mask, count, BytePlace(line: line, byte: index)) }
    }
    if let own = grams.ownLine, count - self.count == own.length, window & own.mask == own.key {
      vote(own.gram, count, BytePlace(line: line, byte: lastByte))
    }
    self.window = window
    self.count = count
  }

  /// A row of one and the same character is one piece, not thousands.
  private mutating func hit(_ gram: Int, _ key: UInt64, _ count: Int, _ place: BytePlace) {
    let isRow = key == lastKey && count == lastCount + 1
    (lastKey, lastCount) = (key, count)
    guard !isRow, count >= grams.length else { return }
    vote(gram, count, place)
  }

  private mutating func vote(_ index: Int, _ count: Int, _ place: BytePlace) {
    let gram = grams.grams[index]
    let estimate = count - (gram.end - anchor.before.count)
    let bit: UInt64 = 1 << UInt64(index)
    for other in active.indices where active[other].estimate == estimate {
      guard active[other].found & bit == 0 else { return }
      active[other].found |= bit
      active[other].votes += gram.weight
      if reach(gram) < reach(active[other].gram) {
        (active[other].line, active[other].byte, active[other].gram) = (place.line, place.byte, gram)
      }
      return
    }
    let fresh = Candidate(
      estimate: estimate, found: bit, votes: gram.weight, line: place.line, byte: place.byte, gram: gram)
    guard active.count == Self.activeLimit else { return active.append(fresh) }
    retire(active[oldest])
    active[oldest] = fresh
    oldest = (oldest + 1) % Self.activeLimit
  }

  private func reach(_ gram: GramTable.Gram) -> Int {
    abs(gram.end - gram.length / 2 - anchor.before.count)
  }

  private mutating func retire(_ candidate: Candidate) {
    var candidate = candidate
    let lines = abs(candidate.line + 1 - anchor.position.line)
    candidate.distance = lines << 24 + min(abs(candidate.byte + 1 - anchor.position.column), 1 << 24 - 1)
    shortlist.insert(candidate)
  }
}
