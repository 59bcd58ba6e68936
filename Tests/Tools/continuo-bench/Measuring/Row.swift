// SPDX-License-Identifier: MIT

/// One row of the table: something of ours beside the same thing of a peer's.
@MainActor struct Row: Measurable {
  /// What is measured, in a few words; rows are chosen by it.
  var name: String
  /// What the figures count, as `ms` or `ns`.
  var unit: String
  /// What stands beside ours.
  var peerName: String
  /// How often each of the two is measured.
  var rounds: Int
  /// Nil where the figures are only told.
  var target: Target?
  /// Makes both ready; called just before the first round.
  var prepare: @MainActor () throws -> Contest
}

/// Two that are ready to be measured in turns.
@MainActor struct Contest {
  /// One figure of ours.
  var ours: @MainActor () throws -> Double
  /// One figure of the peer's.
  var peer: @MainActor () throws -> Double
  /// Ends what `prepare` started.
  var end: @MainActor () -> Void = {}
}

/// What a row's figures are to be.
enum Target: Hashable, Sendable {
  /// Our median is at most so many times the peer's.
  case ratio(atMost: Double)
  /// Our median is at most this, whatever the peer's.
  case ours(atMost: Double)
  /// Our median is at least this, whatever the peer's.
  case oursAtLeast(Double)

  /// The figure, without what it bounds.
  var limit: Double {
    switch self {
    case .ratio(let limit), .ours(let limit), .oursAtLeast(let limit): limit
    }
  }

  /// Whether the medians are within the target. A ratio that does not exist is not.
  func isMet(ours: Double, ratio: Double?) -> Bool {
    switch self {
    case .ratio(let limit): ratio.map { $0 <= limit } ?? false
    case .ours(let limit): ours <= limit
    case .oursAtLeast(let limit): ours >= limit
    }
  }
}

extension Row {
  /// Rounds that are played first and not counted: the first one finds caches cold and pages unmapped.
  static let warmUp = 2

  /// Measures both in turns, each first in every other round, so that whatever else the machine does meets
  /// both alike.
  func measure(rounds wanted: Int? = nil) throws -> [Finding] {
    let contest = try prepare()
    defer { contest.end() }
    let count = max(1, wanted ?? rounds)
    var (ours, peer): ([Double], [Double]) = ([], [])
    for round in 0..<(Self.warmUp + count) {
      let isCounted = round >= Self.warmUp
      let oursFirst = round.isMultiple(of: 2)
      let first = oursFirst ? try contest.ours() : try contest.peer()
      let second = oursFirst ? try contest.peer() : try contest.ours()
      guard isCounted else { continue }
      ours.append(oursFirst ? first : second)
      peer.append(oursFirst ? second : first)
    }
    return [
      Finding(
        name: name, unit: unit, peerName: peerName, ours: Summary(ours), peer: Summary(peer), target: target)
    ]
  }
}
