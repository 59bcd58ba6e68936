// SPDX-License-Identifier: MIT

/// The entries of a `CBOR` map, in the ascending order in which they are encoded. A message has few fields:
/// an array of them is read and written faster than a table, and nothing is hashed.
public struct CBORMap: Hashable, Sendable {
  /// One key with its value.
  public struct Entry: Hashable, Sendable {
    /// The key.
    public let key: UInt64
    /// What stands under it.
    public var value: CBOR
  }

  private var entries: [Entry] = []

  /// How many entries there are.
  public var count: Int { entries.count }

  /// No entries.
  public init() {}

  /// No entries, with room for `capacity`.
  init(capacity: Int) { entries.reserveCapacity(capacity) }

  /// The value under `key`; nil where there is none, and set to nil to remove it.
  public subscript(key: UInt64) -> CBOR? {
    get {
      let place = place(of: key)
      return place < entries.count && entries[place].key == key ? entries[place].value : nil
    }
    set {
      let place = place(of: key)
      let isKnown = place < entries.count && entries[place].key == key
      switch (newValue, isKnown) {
      case (let value?, true): entries[place].value = value
      case (let value?, false): entries.insert(Entry(key: key, value: value), at: place)
      case (nil, true): entries.remove(at: place)
      case (nil, false): break
      }
    }
  }

  /// Where `key` is, or would be.
  private func place(of key: UInt64) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Adds an entry whose key is above all others.
  mutating func append(_ value: CBOR, under key: UInt64) { entries.append(Entry(key: key, value: value)) }
}

extension CBORMap: Sequence {
  /// The entries in ascending order.
  public func makeIterator() -> IndexingIterator<[Entry]> { entries.makeIterator() }
}

extension CBORMap: ExpressibleByDictionaryLiteral {
  /// The entries of a literal, in any order, each key once.
  public init(dictionaryLiteral elements: (UInt64, CBOR)...) {
    entries.reserveCapacity(elements.count)
    for (key, value) in elements {
      // Literals are mostly written in order.
      if entries.last.map({ $0.key < key }) ?? true { append(value, under: key) } else { self[key] = value }
    }
  }
}
