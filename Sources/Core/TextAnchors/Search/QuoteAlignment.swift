// SPDX-License-Identifier: MIT

/// The quote laid against the text around one candidate: which bytes of it are there, and where the place is.
///
/// From one found piece outwards: as far as both agree, then over the smallest difference behind which they
/// agree again. The larger the difference, the longer the agreement must be, for short words agree by chance.
struct QuoteAlignment {
  /// Bytes that are the same in both.
  struct Run: Equatable {
    var quote: Int
    var text: Int
    var length: Int
  }

  /// In the order of the quote.
  private(set) var runs: [Run]
  private let quoteCount: Int

  /// The largest difference that is stepped over, in bytes left out and put in.
  private static let differenceLimit = 160

  /// `quoteEnd` and `textEnd` are where the found piece, of `length` bytes, ends in each.
  init(quote: [UInt8], text: [UInt8], quoteEnd: Int, textEnd: Int, length: Int, own: Range<Int>) {
    quoteCount = quote.count
    let (quoteStart, textStart) = (quoteEnd - length, textEnd - length)
    guard quoteStart >= 0, textStart >= 0 else {
      runs = []
      return
    }
    let left = Self.extend(Array(quote[..<quoteStart].reversed()), Array(text[..<textStart].reversed()))
    let right = Self.extend(Array(quote[quoteEnd...]), Array(text[textEnd...]))
    runs = left.reversed().map {
      Run(
        quote: quoteStart - $0.quote - $0.length, text: textStart - $0.text - $0.length, length: $0.length)
    }
    runs.append(Run(quote: quoteStart, text: textStart, length: length))
    runs += right.map { Run(quote: quoteEnd + $0.quote, text: textEnd + $0.text, length: $0.length) }
    slideDeletions(quote, text, own)
  }

  /// What was deleted between two equal pieces may have been either and what lies between: the later, so that
  /// a deleted line does not take the full stop of the one before, unless that is the own line's beginning.
  private mutating func slideDeletions(_ quote: [UInt8], _ text: [UInt8], _ own: Range<Int>) {
    for index in runs.indices.dropFirst() {
      let (left, right) = (runs[index - 1], runs[index])
      let (end, start) = (left.quote + left.length, left.text + left.length)
      guard start == right.text else { continue }
      let room = right.quote > own.lowerBound ? right.length : min(right.length, own.lowerBound - right.quote)
      let equal = (0..<room).prefix { quote[end + $0] == text[start + $0] }.count
      runs[index - 1].length += equal
      runs[index] = Run(quote: right.quote + equal, text: right.text + equal, length: right.length - equal)
    }
    runs.removeAll { $0.length == 0 }
  }

  /// The whole quote stands in the text as it was.
  var isWhole: Bool {
    runs.reduce(0) { $0 + $1.length } == quoteCount
      && zip(runs, runs.dropFirst()).allSatisfy { $0.text + $0.length == $1.text }
  }

  /// How many pieces of `range` of the quote are there, with something else between them.
  func pieces(_ range: Range<Int>) -> Int {
    var pieces = 0
    var end = -1
    for run in runs where run.quote < range.upperBound && run.quote + run.length > range.lowerBound {
      if run.text != end { pieces += 1 }
      end = run.text + run.length
    }
    return pieces
  }

  /// How many bytes of `range` of the quote are there. What is there in pieces counts less, and less the
  /// farther they are apart, because pieces are found in every text.
  func covered(_ range: Range<Int>) -> Int {
    var covered = 0
    var end: Int?
    var reached = range.lowerBound
    for run in runs {
      let part = (run.quote..<run.quote + run.length).clamped(to: range)
      guard !part.isEmpty else { continue }
      let start = run.text + part.lowerBound - run.quote
      let cost = end.map { start == $0 && part.lowerBound == reached ? 0 : 3 + (start - $0) / 8 } ?? 0
      covered += max(0, part.count - cost)
      end = start + part.count
      reached = part.upperBound
    }
    return covered
  }

  private static func extend(_ quote: [UInt8], _ text: [UInt8]) -> [Run] {
    var runs: [Run] = []
    var (q, t) = (0, 0)
    while q < quote.count, t < text.count {
      let length = agreement(quote, q, text, t)
      if length > 0 { runs.append(Run(quote: q, text: t, length: length)) }
      (q, t) = (q + length, t + length)
      guard q < quote.count, t < text.count, let step = step(quote, q, text, t) else { break }
      (q, t) = (q + step.quote, t + step.text)
    }
    return runs
  }

  private static func agreement(_ quote: [UInt8], _ q: Int, _ text: [UInt8], _ t: Int) -> Int {
    let room = min(quote.count - q, text.count - t)
    var length = 0
    while length < room, quote[q + length] == text[t + length] { length += 1 }
    return length
  }

  private typealias Step = (quote: Int, text: Int)

  /// Over the smallest difference, unless whole lines put in or left out explain more.
  private static func step(_ quote: [UInt8], _ q: Int, _ text: [UInt8], _ t: Int) -> Step? {
    func worth(_ step: Step) -> Int {
      let length = agreement(quote, q + step.quote, text, t + step.text)
      return min(length, 48) - (step.quote + step.text) / 4
    }
    let smallest = smallestStep(quote, q, text, t)
    var best = smallest
    var bestWorth = smallest.map(worth) ?? 8
    for difference in 1...differenceLimit {
      for step in [(quote: 0, text: difference), (quote: difference, text: 0)] as [Step] {
        guard q + step.quote < quote.count, t + step.text < text.count,
          quote[q + step.quote] == text[t + step.text]
        else { continue }
        let value = worth(step)
        if value > bestWorth { (best, bestWorth) = (step, value) }
      }
    }
    return best
  }

  /// The smallest difference behind which both agree.
  private static func smallestStep(_ quote: [UInt8], _ q: Int, _ text: [UInt8], _ t: Int) -> Step? {
    for difference in 1...differenceLimit {
      let needed = 3 + difference / 8
      for left in 0...min(difference, quote.count - q - 1) {
        let put = difference - left
        guard t + put < text.count, quote[q + left] == text[t + put] else { continue }
        let length = min(needed, quote.count - q - left)
        guard length >= 3, difference <= 24 || length == needed,
          agreement(quote, q + left, text, t + put) >= length
        else { continue }
        return (left, put)
      }
    }
    return nil
  }

  /// Where a place of the quote is in the text.
  struct Boundary {
    var index: Int
    /// The quote's bytes just before the place, or the first ones, are there.
    var hasBefore: Bool
    /// Those just after it are.
    var hasAfter: Bool
    /// Nothing was put in between them.
    var isTight: Bool
  }

  /// The place in the text; `leansLeft` when what was put in at the place itself stands behind it.
  func boundary(_ place: Int, leansLeft: Bool) -> Boundary? {
    let left = runs.last { $0.quote < place }.map { run in
      let reached = min(run.length, place - run.quote)
      return (quote: run.quote + reached, text: run.text + reached)
    }
    let right = runs.first { $0.quote + $0.length > place }.map { run in
      let skipped = max(0, place - run.quote)
      return (quote: run.quote + skipped, text: run.text + skipped)
    }
    guard let left else {
      return right.map {
        Boundary(index: $0.text, hasBefore: place == 0, hasAfter: $0.quote == place, isTight: true)
      }
    }
    guard let right else {
      return Boundary(
        index: left.text, hasBefore: left.quote == place, hasAfter: place == quoteCount, isTight: true)
    }
    let (lost, ahead, room) = (place - left.quote, right.quote - place, right.text - left.text)
    let fromLeft = lost == ahead ? lost > 0 || leansLeft : lost < ahead
    return Boundary(
      index: fromLeft ? left.text + min(lost, room) : right.text - min(ahead, room), hasBefore: lost == 0,
      hasAfter: ahead == 0, isTight: room == 0)
  }
}
