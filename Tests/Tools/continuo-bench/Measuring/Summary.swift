// SPDX-License-Identifier: MIT

/// What is left of many figures: the one in the middle, and the two ends.
struct Summary: Hashable, Sendable {
  let median: Double
  let smallest: Double
  let largest: Double
  let count: Int

  /// Of no figures at all, everything is zero.
  init(_ figures: [Double]) {
    let sorted = figures.sorted()
    let middle = sorted.count / 2
    count = sorted.count
    smallest = sorted.first ?? 0
    largest = sorted.last ?? 0
    if sorted.isEmpty {
      median = 0
    } else {
      median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
  }
}
