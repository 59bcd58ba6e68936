// SPDX-License-Identifier: MIT

/// Where an anchor's place is in another text, and how far that can be relied on.
public struct AnchorResolution: Hashable, Sendable {
  /// The place; it exists in the text, but for a text without lines.
  public var place: LineColumn
  /// 0 is a guess, 1 is a text that is the same all around. No probability.
  public var confidence: Double

  /// What to tell the person.
  public enum Certainty: String, Hashable, Sendable, CaseIterable {
    /// Nothing need be said.
    case sure
    /// The place was changed, came away from its neighbours, or is there more than once.
    case likely
    /// The place is gone: this is the nearest line, and the person should be told.
    case unsure
  }

  /// `confidence` in words: sure from 0.8, likely from 0.35.
  public var certainty: Certainty { confidence >= 0.8 ? .sure : confidence >= 0.35 ? .likely : .unsure }
}

extension TextAnchor {
  /// Finds the place in `text`.
  ///
  /// Looks near the old line first, then through the whole text once, and once more for the neighbouring
  /// lines alone when nothing of the quote is left: linear in the text's bytes, in constant memory. The same
  /// text gives the same answer, everywhere. Never fails: in doubt it is the old line and column, or the last
  /// there are, with a confidence of 0.
  public func resolve(in text: some AnchorableText) -> AnchorResolution {
    // Where all that was taken down is as it was, no other place is meant. More white space than is counted
    // could not be told from less.
    if !quote.isEmpty, TextAnchor(at: position, in: text) == self {
      return AnchorResolution(place: position, confidence: 1)
    }
    return AnchorSearch(anchor: self, text: text)?.resolution()
      ?? AnchorResolution(place: LineColumn(line: 1, column: 1), confidence: 0)
  }
}

/// One search.
struct AnchorSearch<Text: AnchorableText> {
  let anchor: TextAnchor
  let text: Text
  /// The old place, or the nearest there is.
  private let old: BytePlace
  private let grams: GramTable
  private let surroundings: Surroundings
  private let score: AnchorScore

  /// A candidate that was laid against the quote.
  private struct Match {
    var place: BytePlace
    var score: Int
    /// Nothing in the quote or the lines around changed.
    var isWhole: Bool
    /// What the place touched is there, next to it.
    var isExact: Bool
    var ownPieces: Int
    /// Lines from the old place.
    var lines: Int
    /// Bytes from it in the line.
    var bytes: Int

    /// Farther is worse, but only a little: enough to tell equals apart. So is an own line in pieces.
    var rank: Int {
      score - (Int.bitWidth - lines.leadingZeroBitCount) - (isExact ? 0 : 20) - 40 * max(0, ownPieces - 1)
    }
  }

  /// Lines on each side of the old one that are searched first.
  private static var nearby: Int { 400 }
  /// Candidates of which the quote is compared byte by byte.
  private static var finalists: Int { 16 }
  /// A candidate with so many times fewer votes than the best is there by chance: even a short own line that
  /// was moved has more.
  private static var chance: Int { 20 }
  /// Content bytes read on each side of a found piece: the quote, and what may have been put into it.
  private static var reach: Int { 2 * TextAnchor.quoteLimit + 160 }

  /// Nil for a text without lines.
  init?(anchor: TextAnchor, text: Text) {
    guard let old = text.bytePlace(anchor.position) else { return nil }
    self.old = old
    self.anchor = anchor
    self.text = text
    grams = GramTable(anchor)
    surroundings = Surroundings(above: anchor.above, below: anchor.below)
    score = AnchorScore(anchor)
  }

  func resolution() -> AnchorResolution {
    guard !anchor.quote.isEmpty else {
      let isBlank = text.content(after: BytePlace(line: 0, byte: 0), limit: 1).bytes.isEmpty
      return AnchorResolution(place: text.lineColumn(old), confidence: isBlank ? 1 : 0)
    }
    let near = max(0, old.line - Self.nearby)..<min(text.lineCount, old.line + Self.nearby + 1)
    var matches = matches(near)
    if near.count < text.lineCount, (matches.first?.score ?? 0) < 950 {
      matches = self.matches(0..<text.lineCount)
    }
    if let best = matches.first, best.score >= 350 {
      return AnchorResolution(place: text.lineColumn(best.place), confidence: confidence(matches))
    }
    return byNeighbours(matches.first)
  }

  // MARK: By the quote

  private func matches(_ lines: Range<Int>) -> [Match] {
    var scan = QuoteScan(anchor, grams)
    let candidates = scan.candidates(in: text, lines: lines)
    let total = max(1, grams.totalWeight)
    let most = candidates.first?.votes ?? 0
    let telling = candidates.enumerated().filter { Self.chance * $0.element.votes >= most }
    let ranked = telling.map { index, candidate in
      let agreement = surroundings.agreement(around: candidate.line, in: text)
      return (index: index, value: 700 * candidate.votes / total + 300 * agreement / 1000)
    }
    let best = ranked.sorted { (-$0.value, $0.index) < (-$1.value, $1.index) }.prefix(Self.finalists)
    return (best.map { candidates[$0.index] } + [unmoved].compactMap(\.self)).compactMap(match)
      .sorted {
        (-$0.rank, $0.lines, $0.bytes, $0.place.line) < (-$1.rank, $1.lines, $1.bytes, $1.place.line)
      }
  }

  /// The old place itself, if the quote's bytes next to it are there: among many that are the same, no other
  /// is meant.
  private var unmoved: Candidate? {
    let before = text.content(before: old, limit: anchor.before.count)
    let after = text.content(after: old, limit: anchor.after.count)
    let left = zip(before.bytes.reversed(), anchor.before.reversed()).prefix { $0 == $1 }.count
    let right = zip(after.bytes, anchor.after).prefix { $0 == $1 }.count
    guard left + right >= min(grams.length, 4) else { return nil }
    let last = right > 0 ? after.places[right - 1] : before.places[before.places.count - 1]
    let gram = GramTable.Gram(end: anchor.before.count + right, length: left + right, weight: 0)
    return Candidate(estimate: 0, found: 0, votes: 0, line: last.line, byte: last.byte, gram: gram)
  }

  private func match(_ candidate: Candidate) -> Match? {
    let split = BytePlace(line: candidate.line, byte: candidate.byte + 1)
    var content = text.content(before: split, limit: Self.reach)
    let found = content.bytes.count
    let following = text.content(after: split, limit: Self.reach)
    content.bytes += following.bytes
    content.places += following.places
    let landing = Landing(anchor: anchor)
    let alignment = QuoteAlignment(
      quote: anchor.quote, text: content.bytes, quoteEnd: candidate.gram.end, textEnd: found,
      length: candidate.gram.length, own: anchor.own)
    let isGone = score.isOwnLineGone(alignment)
    guard
      let boundary = isGone
        ? alignment.boundary(anchor.own.lowerBound, leansLeft: true)
        : alignment.boundary(anchor.before.count, leansLeft: landing.leansLeft)
    else { return nil }
    let index = content.scalarBeginning(at: boundary.index)
    let next = index < content.places.count ? content.places[index] : nil
    let place =
      isGone && next != nil
      ? next ?? split
      : landing.place(between: index > 0 ? content.places[index - 1] : nil, and: next, in: text)
    let agreement = surroundings.agreement(around: place.line, in: text)
    return Match(
      place: place, score: score.value(alignment, agreement: agreement),
      isWhole: alignment.isWhole && (surroundings.isEmpty || agreement == 1000),
      isExact: !isGone && landing.isExact(boundary), ownPieces: alignment.pieces(anchor.own),
      lines: abs(place.line - old.line),
      bytes: abs(place.byte - old.byte))
  }

  /// The best match's score, less what speaks against it.
  private func confidence(_ matches: [Match]) -> Double {
    guard let best = matches.first else { return 0 }
    let isWhereItWas = best.isWhole && best.lines == 0
    let rival = matches.first { $0.place != best.place && $0.score > best.score - 50 }
    var value = best.score
    if rival != nil, !isWhereItWas { value = min(value, 790) }
    if !best.isExact { value = min(value, 790) }
    if anchor.quote.count < 8, !isWhereItWas { value = min(value, 600) }
    return Double(value) / 1000
  }

  // MARK: By the neighbours

  private func byNeighbours(_ best: Match?) -> AnchorResolution {
    if let best, best.score >= 200 {
      return AnchorResolution(place: text.lineColumn(best.place), confidence: Double(best.score) / 1000)
    }
    guard let found = surroundings.lineByNeighbours(near: old.line, in: text), found.agreement > 0 else {
      return AnchorResolution(place: text.lineColumn(old), confidence: 0)
    }
    return AnchorResolution(
      place: LineColumn(line: found.line + 1, column: 1),
      confidence: Double(score.neighbours * found.agreement) / 1_000_000)
  }
}
