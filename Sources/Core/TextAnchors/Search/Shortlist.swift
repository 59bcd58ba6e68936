// SPDX-License-Identifier: MIT

/// A stretch of the text that may be the anchor's place, and one piece of the quote that was found there.
struct Candidate {
  /// Where the quote's place would be, in content bytes since the search began.
  var estimate: Int
  /// Which grams were found.
  var found: UInt64
  /// What they say together.
  var votes: Int
  /// The line of `byte`.
  var line: Int
  /// The last byte of the gram nearest to the place.
  var byte: Int
  /// That gram.
  var gram: GramTable.Gram
  /// Lines, then bytes, from where the anchor was.
  var distance = 0
}

/// The best candidates so far: most votes first, then the nearest. Bounded, whatever the text.
struct Shortlist {
  static let capacity = 512

  private(set) var candidates: [Candidate] = []
  private var worst: (votes: Int, distance: Int)?

  mutating func insert(_ candidate: Candidate) {
    if let worst, !Self.isBetter(candidate, than: worst) { return }
    candidates.append(candidate)
    if candidates.count == 2 * Self.capacity { cut() }
  }

  mutating func cut() {
    candidates.sort { Self.isBetter($0, than: ($1.votes, $1.distance)) }
    guard candidates.count >= Self.capacity else { return }
    candidates.removeSubrange(Self.capacity...)
    worst = candidates.last.map { ($0.votes, $0.distance) }
  }

  private static func isBetter(_ left: Candidate, than right: (votes: Int, distance: Int)) -> Bool {
    (-left.votes, left.distance) < (-right.votes, right.distance)
  }
}
