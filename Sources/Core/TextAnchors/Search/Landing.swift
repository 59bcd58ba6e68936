// SPDX-License-Identifier: MIT

/// Where a cursor comes to stand in the white space between two content bytes that are neighbours.
struct Landing {
  let anchor: TextAnchor

  /// What is put in at the place itself comes behind it.
  var leansLeft: Bool {
    if anchor.touchesBefore != anchor.touchesAfter { return anchor.touchesBefore }
    if anchor.touchesBefore { return false }
    if anchor.before.isEmpty || anchor.after.isEmpty { return anchor.after.isEmpty }
    return anchor.gap.breaksBefore <= anchor.gap.breaksAfter
  }

  /// What the place touched, or what it leans on, is still next to it.
  func isExact(_ boundary: QuoteAlignment.Boundary) -> Bool {
    if anchor.touchesBefore, anchor.touchesAfter {
      return boundary.hasBefore && boundary.hasAfter && boundary.isTight
    }
    return leansLeft ? boundary.hasBefore : boundary.hasAfter
  }

  /// The place between the content byte `before` and the content byte `after`; nil for the text's ends.
  func place(between before: BytePlace?, and after: BytePlace?, in text: some AnchorableText) -> BytePlace {
    let lastLine = max(0, text.lineCount - 1)
    let start = before.map { BytePlace(line: $0.line, byte: $0.byte + 1) } ?? BytePlace(line: 0, byte: 0)
    let end = after ?? BytePlace(line: lastLine, byte: text.byteCount(ofLine: lastLine))
    if before != nil, anchor.touchesBefore, !anchor.touchesAfter { return start }
    if after != nil, anchor.touchesAfter { return end }
    let line = line(from: start.line, to: end.line)
    let lower = line == start.line ? start.byte : 0
    let upper = line == end.line ? end.byte : text.byteCount(ofLine: line)
    return BytePlace(line: line, byte: column(lower: lower, upper: upper))
  }

  /// As many lines from the nearer content as there were; a blank line if it was one and there is one.
  private func line(from first: Int, to last: Int) -> Int {
    let gap = anchor.gap
    let isByBefore = anchor.after.isEmpty || !anchor.before.isEmpty && gap.breaksBefore <= gap.breaksAfter
    let line = isByBefore ? first + gap.breaksBefore : last - gap.breaksAfter
    let lower = gap.breaksBefore > 0 && !anchor.before.isEmpty ? min(first + 1, last) : first
    let upper = gap.breaksAfter > 0 && !anchor.after.isEmpty ? max(last - 1, lower) : last
    return min(max(line, lower), upper)
  }

  private func column(lower: Int, upper: Int) -> Int {
    let gap = anchor.gap
    let isCloserToEnd = gap.breaksAfter == 0 && gap.spacesAfter < gap.spacesBefore && !anchor.after.isEmpty
    let byte = isCloserToEnd ? upper - gap.spacesAfter : lower + gap.spacesBefore
    return min(max(byte, lower), upper)
  }
}
