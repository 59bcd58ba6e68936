// SPDX-License-Identifier: MIT

/// What the own line, the rest of the quote and the neighbouring lines count for, in thousandths together.
///
/// The own line's characters are what the person was at: they weigh more than all the rest, unless they are
/// so few that they stand anywhere.
struct AnchorScore {
  let anchor: TextAnchor
  /// For the own line.
  let own: Int
  /// For the rest of the quote.
  let rest: Int
  /// For the neighbouring lines.
  let neighbours: Int

  /// Content bytes from which on an own line counts in full.
  private static let tellingLength = 12

  init(_ anchor: TextAnchor) {
    self.anchor = anchor
    let hasRest = anchor.quote.count > anchor.own.count
    let hasNeighbours = !(anchor.above.isEmpty && anchor.below.isEmpty)
    let telling = 600 * min(anchor.own.count, Self.tellingLength) / Self.tellingLength
    own = hasRest || hasNeighbours ? telling : 1000
    rest = !hasRest ? 0 : hasNeighbours ? (1000 - own) * 2 / 5 : 1000 - own
    neighbours = 1000 - own - rest
  }

  /// So little of the own line is there, and nothing next to the place, that what agrees does so by chance.
  func isOwnLineGone(_ alignment: QuoteAlignment) -> Bool {
    let near = (anchor.before.count - 8..<anchor.before.count + 8).clamped(to: anchor.own)
    return !anchor.own.isEmpty && 5 * alignment.covered(anchor.own) < 2 * anchor.own.count
      && 2 * alignment.covered(near) < near.count
  }

  /// `agreement` is that of the neighbouring lines, in thousandths.
  func value(_ alignment: QuoteAlignment, agreement: Int) -> Int {
    let ownFound = alignment.covered(anchor.own)
    let restFound = alignment.covered(0..<anchor.quote.count) - ownFound
    let restCount = anchor.quote.count - anchor.own.count
    return (anchor.own.isEmpty || isOwnLineGone(alignment) ? 0 : own * ownFound / anchor.own.count)
      + (restCount == 0 ? 0 : rest * restFound / restCount) + neighbours * agreement / 1000
  }
}
