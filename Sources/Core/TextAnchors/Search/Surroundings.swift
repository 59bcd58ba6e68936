// SPDX-License-Identifier: MIT

/// The anchor's neighbouring lines, compared with those around a line of the text.
struct Surroundings {
  let above: [UInt32]
  let below: [UInt32]

  /// Lines with content looked at on each side: some more than were taken down, for lines are put in.
  private static let reach = 12

  /// What a line counts for each rank, so that a quarter of it is a whole number.
  private static let unit = 4

  /// Whether there is anything to compare.
  var isEmpty: Bool { above.isEmpty && below.isEmpty }

  /// How much of them is there, in thousandths; near ones count more, and those that stand where they stood.
  /// `line` itself counts for both sides, because it may be the one that follows a deleted line.
  func agreement(around line: Int, in text: some AnchorableText) -> Int {
    let total = Self.weight(above.count) + Self.weight(below.count)
    guard total > 0 else { return 0 }
    return 1000 * (found(above, from: line, step: -1, text) + found(below, from: line, step: 1, text)) / total
  }

  private func found(_ prints: [UInt32], from line: Int, step: Int, _ text: some AnchorableText) -> Int {
    guard !prints.isEmpty else { return 0 }
    let there = text.fingerprints(from: line, step: step, count: Self.reach)
    return prints.indices.reduce(0) { sum, rank in
      guard let place = there.firstIndex(of: prints[rank]) else { return sum }
      let weight = Self.unit * (TextAnchor.lineLimit - rank)
      return sum + (place - rank <= 1 ? weight : weight * 3 / 4)
    }
  }

  private static func weight(_ count: Int) -> Int {
    (0..<count).reduce(0) { $0 + unit * (TextAnchor.lineLimit - $1) }
  }

  /// The line that the neighbours which are left speak for, when nothing of the quote is. One pass over the
  /// text's lines; nil when none of them is there.
  func lineByNeighbours(near expected: Int, in text: some AnchorableText) -> (line: Int, agreement: Int)? {
    let known = Set(above + below)
    var lines: [Int] = []
    for line in 0..<text.lineCount {
      guard let print = text.fingerprint(ofLine: line), print.length >= 4, known.contains(print.hash) else {
        continue
      }
      lines.append(above.contains(print.hash) ? line + 1 : line)
      guard lines.count == 2 * Self.lineLimit else { continue }
      lines.sort { (abs($0 - expected), $0) < (abs($1 - expected), $1) }
      lines.removeSubrange(Self.lineLimit...)
    }
    var best: (line: Int, agreement: Int)?
    for line in lines.map({ min($0, text.lineCount - 1) }) {
      let agreement = agreement(around: line, in: text)
      let isNearer = best.map { abs(line - expected) < abs($0.line - expected) } ?? true
      guard let found = best, (agreement, isNearer ? 1 : 0) <= (found.agreement, 0) else {
        best = (line, agreement)
        continue
      }
    }
    return best
  }

  private static let lineLimit = 512
}
