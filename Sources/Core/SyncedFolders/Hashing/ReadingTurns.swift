// SPDX-License-Identifier: MIT

/// The queue of readings: awaited ones first, then small ones, then in the order of asking.
struct ReadingTurns: Hashable, Sendable {
  typealias Job = HashingMachine.Job

  /// A place in the queue.
  struct Turn: Hashable, Comparable, Sendable {
    let isUnawaited: Bool
    let size: UInt64
    let job: Job

    static func < (left: Self, right: Self) -> Bool {
      if left.isUnawaited != right.isUnawaited { return right.isUnawaited }
      return (left.size, left.job) < (right.size, right.job)
    }
  }

  /// In order.
  private var turns: [Turn] = []

  /// The jobs whose turn comes first, at most so many.
  func first(_ count: Int) -> [Job] { turns.prefix(count).map(\.job) }

  mutating func insert(_ turn: Turn) { turns.insert(turn, at: place(of: turn)) }

  mutating func remove(_ turn: Turn) {
    let place = place(of: turn)
    if turns.indices.contains(place), turns[place] == turn { turns.remove(at: place) }
  }

  private func place(of turn: Turn) -> Int {
    var (low, high) = (0, turns.count)
    while low < high {
      let middle = (low + high) / 2
      if turns[middle] < turn { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
