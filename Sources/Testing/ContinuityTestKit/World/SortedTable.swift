// SPDX-License-Identifier: MIT

/// What a sorted table can be ordered by.
protocol TableKey {
  /// Below zero when `left` comes first, zero when both are equal, above zero otherwise.
  static func order(_ left: Self, _ right: Self) -> Int
}

/// A small table in the order of its keys: gone through in that order without sorting, and nothing is hashed.
/// Names are byte arrays, and hashing and sorting them took a third of a history's time.
struct SortedTable<Key: TableKey, Value> {
  private(set) var keys: [Key] = []
  private(set) var values: [Value] = []

  /// The place of `key`, or where it would be.
  private func place(of key: Key) -> (index: Int, isFound: Bool) {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      let order = Key.order(keys[middle], key)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  subscript(key: Key) -> Value? {
    get {
      let (index, isFound) = place(of: key)
      return isFound ? values[index] : nil
    }
    set {
      let (index, isFound) = place(of: key)
      switch (newValue, isFound) {
      case (let value?, true): values[index] = value
      case (let value?, false):
        keys.insert(key, at: index)
        values.insert(value, at: index)
      case (nil, true):
        keys.remove(at: index)
        values.remove(at: index)
      case (nil, false): break
      }
    }
  }

  /// The value of `key`, sought from `place` on, which moves along: for keys that are asked for in order.
  func value(of key: Key, from place: inout Int) -> Value? {
    while place < keys.count {
      let order = Key.order(keys[place], key)
      if order == 0 { return values[place] }
      if order > 0 { return nil }
      place += 1
    }
    return nil
  }

  /// Appends an entry whose key comes after all others.
  mutating func append(_ key: Key, _ value: Value) {
    keys.append(key)
    values.append(value)
  }
}

extension [UInt8]: TableKey {
  /// Byte by byte, eight at a time; mostly it is the same array.
  static func order(_ left: Self, _ right: Self) -> Int {
    left.withUnsafeBytes { left in
      right.withUnsafeBytes { right in
        if left.baseAddress == right.baseAddress, left.count == right.count { return 0 }
        let common = Swift.min(left.count, right.count)
        var index = 0
        while index + 8 <= common {
          let first = UInt64(bigEndian: left.loadUnaligned(fromByteOffset: index, as: UInt64.self))
          let second = UInt64(bigEndian: right.loadUnaligned(fromByteOffset: index, as: UInt64.self))
          if first != second { return first < second ? -1 : 1 }
          index += 8
        }
        while index < common {
          if left[index] != right[index] { return left[index] < right[index] ? -1 : 1 }
          index += 1
        }
        return left.count - right.count
      }
    }
  }
}

extension SortedTable where Key == FilePath {
  subscript(path: [[UInt8]]) -> Value? {
    get { self[FilePath(path)] }
    set { self[FilePath(path)] = newValue }
  }
}

/// The names of a path, from the folder down.
struct FilePath: TableKey {
  let names: [[UInt8]]

  init(_ names: [[UInt8]]) { self.names = names }

  static func order(_ left: Self, _ right: Self) -> Int {
    var index = 0
    while index < left.names.count, index < right.names.count {
      let order = [UInt8].order(left.names[index], right.names[index])
      if order != 0 { return order }
      index += 1
    }
    return left.names.count - right.names.count
  }
}
