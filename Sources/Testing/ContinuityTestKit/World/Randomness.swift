// SPDX-License-Identifier: MIT

/// xoshiro256**, seeded by SplitMix64: the same numbers from the same seed, on every machine.
struct Randomness: RandomNumberGenerator, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  init(seed: UInt64) {
    var seed = seed
    state = (
      Self.splitMix(&seed), Self.splitMix(&seed), Self.splitMix(&seed), Self.splitMix(&seed)
    )
  }

  /// One step of SplitMix64.
  static func splitMix(_ seed: inout UInt64) -> UInt64 {
    seed &+= 0x9e37_79b9_7f4a_7c15
    return mixed(seed)
  }

  /// The finalizer of SplitMix64: a hash of one word.
  static func mixed(_ word: UInt64) -> UInt64 {
    var word = word
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }

  mutating func next() -> UInt64 {
    let product = state.1 &* 5
    let result = ((product << 7) | (product >> 57)) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = (state.3 << 45) | (state.3 >> 19)
    return result
  }

  /// Zero to `bound` - 1; zero for a bound below 2.
  mutating func below(_ bound: Int) -> Int {
    bound < 2 ? 0 : Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// True in so many of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }

  /// Between two pauses, in virtual nanoseconds.
  mutating func between(_ least: Pause, _ most: Pause) -> UInt64 {
    least.nanoseconds + UInt64(below(Int(clamping: most.nanoseconds - least.nanoseconds) + 1))
  }
}

/// How long something takes in virtual time. A `Duration` counts attoseconds in 128 bits, and several are
/// drawn in each step.
struct Pause: Sendable {
  let nanoseconds: UInt64

  static var zero: Self { Self(nanoseconds: 0) }
  static func microseconds(_ count: UInt64) -> Self { Self(nanoseconds: count * 1000) }
  static func milliseconds(_ count: UInt64) -> Self { Self(nanoseconds: count * 1_000_000) }
  static func seconds(_ count: UInt64) -> Self { Self(nanoseconds: count * 1_000_000_000) }
}

/// A running hash of all that happens: two runs that differ anywhere differ here.
struct Trace: Sendable {
  private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ word: UInt64) {
    hash = Randomness.mixed(hash ^ word) &+ 0x2545_f491_4f6c_dd1d
  }

  mutating func add(_ bytes: [UInt8]) {
    var index = 0
    bytes.withUnsafeBytes { bytes in
      while index + 8 <= bytes.count {
        add(UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
        index += 8
      }
    }
    var word: UInt64 = 0
    while index < bytes.count {
      word = (word << 8) | UInt64(bytes[index])
      index += 1
    }
    add(word ^ (UInt64(bytes.count) << 56))
  }
}
