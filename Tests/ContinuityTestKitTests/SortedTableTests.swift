// SPDX-License-Identifier: MIT

import Testing

@testable import ContinuityTestKit

struct SortedTableTests {
  /// Names that differ early or late, and some that come again: both ways of comparing bytes are taken.
  private static func name(_ random: inout Randomness) -> [UInt8] {
    (0..<random.below(19)).map { _ in random.chance(85) ? 0x61 : [0, 0x7f, 0x80, 0xff][random.below(4)] }
  }

  @Test func holdsWhatADictionaryHoldsInOrder() {
    var random = Randomness(seed: 11)
    var table = SortedTable<[UInt8], Int>()
    var expected: [[UInt8]: Int] = [:]
    for step in 0..<500 {
      let name = Self.name(&random)
      let value = random.chance(40) ? nil : step
      table[name] = value
      expected[name] = value
      let other = Self.name(&random)
      #expect(table[other] == expected[other])
    }
    let sorted = expected.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    #expect(table.keys == sorted.map(\.key))
    #expect(table.values == sorted.map(\.value))
  }

  @Test func ordersPathsNameByName() {
    var random = Randomness(seed: 12)
    for _ in 0..<500 {
      let (left, right) = (
        (0..<random.below(3)).map { _ in Self.name(&random) },
        (0..<random.below(3)).map { _ in Self.name(&random) }
      )
      let precedes = left.lexicographicallyPrecedes(right) { $0.lexicographicallyPrecedes($1) }
      let order = FilePath.order(FilePath(left), FilePath(right))
      #expect((order < 0) == precedes)
      #expect((order == 0) == (left == right))
    }
  }

  @Test func findsKeysThatAreAskedForInOrder() {
    var random = Randomness(seed: 13)
    var table = SortedTable<[UInt8], Int>()
    for step in 0..<20 { table[Self.name(&random)] = step }
    let asked = Set((0..<60).map { _ in Self.name(&random) }).sorted { $0.lexicographicallyPrecedes($1) }
    var place = 0
    for name in asked { #expect(table.value(of: name, from: &place) == table[name]) }
  }
}
