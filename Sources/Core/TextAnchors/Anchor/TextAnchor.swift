// SPDX-License-Identifier: MIT

/// A place in a text that can be found again after the text was changed elsewhere: line and column, and what
/// stood around them.
///
/// White space is not quoted, because re-indenting and re-wrapping change nothing else; where exactly in the
/// white space the place was is kept apart. At most 512 bytes when encoded. See
/// `docs/decisions/0005-text-anchors.md`.
public struct TextAnchor: Hashable, Sendable {
  /// Where the place was.
  public let position: LineColumn

  /// Content bytes just before the place, across line breaks; whole scalars.
  let before: [UInt8]
  /// Content bytes just after it.
  let after: [UInt8]
  /// How many of `before` stand in the place's own line.
  let ownBefore: Int
  /// How many of `after` stand in the place's own line.
  let ownAfter: Int
  /// The white space around the place.
  let gap: Gap
  /// Fingerprints of the lines with content above, the nearest first.
  let above: [UInt32]
  /// Fingerprints of the lines with content below, the nearest first.
  let below: [UInt32]

  /// The most content bytes quoted on each side.
  static let quoteLimit = 96
  /// The most lines fingerprinted on each side.
  static let lineLimit = 8

  /// White space between the nearest content on either side and the place.
  struct Gap: Hashable, Sendable {
    /// Line breaks since the content before.
    var breaksBefore = 0
    /// Line breaks to the content after.
    var breaksAfter = 0
    /// Bytes of white space just before the place in its line.
    var spacesBefore = 0
    /// Bytes of white space just after the place in its line.
    var spacesAfter = 0

    /// Larger ones count as this.
    static let limit = 255
  }

  init(
    position: LineColumn, before: [UInt8], after: [UInt8], own: (before: Int, after: Int), gap: Gap,
    above: [UInt32], below: [UInt32]
  ) {
    self.position = position
    self.before = before
    self.after = after
    ownBefore = own.before
    ownAfter = own.after
    self.gap = gap
    self.above = above
    self.below = below
  }

  /// The whole quote; the place is behind its first `before.count` bytes.
  var quote: [UInt8] { before + after }
  /// The part of the quote that stands in the place's own line.
  var own: Range<Int> { before.count - ownBefore..<before.count + ownAfter }

  /// The place stands right behind its own line's content, so that what is put in behind it leaves it there.
  var touchesBefore: Bool { !before.isEmpty && gap.breaksBefore == 0 && gap.spacesBefore == 0 }
  /// The place stands right before its own line's content.
  var touchesAfter: Bool { !after.isEmpty && gap.breaksAfter == 0 && gap.spacesAfter == 0 }
}

extension TextAnchor {
  /// Takes down what stands around `position`; one beyond the text is brought to the nearest place there is.
  /// Reads some hundred bytes of `text`, whatever its size.
  public init(at position: LineColumn, in text: some AnchorableText) {
    guard let place = text.bytePlace(position) else {
      self.init(
        position: LineColumn(line: 1, column: 1), before: [], after: [], own: (0, 0), gap: Gap(), above: [],
        below: [])
      return
    }
    let contentBefore = text.content(before: place, limit: Self.quoteLimit)
    let contentAfter = text.content(after: place, limit: Self.quoteLimit)
    let (before, after) = (contentBefore.wholeScalarsToEnd(), contentAfter.wholeScalarsFromStart())
    let own = (
      before: before.places.count { $0.line == place.line },
      after: after.places.count { $0.line == place.line }
    )
    self.init(
      position: text.lineColumn(place), before: before.bytes, after: after.bytes, own: own,
      gap: Gap(place, in: text, before: contentBefore.places.last, after: contentAfter.places.first),
      above: text.fingerprints(from: place.line - 1, step: -1, count: Self.lineLimit),
      below: text.fingerprints(from: place.line + 1, step: 1, count: Self.lineLimit))
  }
}

extension TextAnchor.Gap {
  init(_ place: BytePlace, in text: some AnchorableText, before: BytePlace?, after: BytePlace?) {
    let start = before.map { $0.line == place.line ? $0.byte + 1 : 0 } ?? 0
    let end = after.flatMap { $0.line == place.line ? $0.byte : nil } ?? text.byteCount(ofLine: place.line)
    spacesBefore = min(place.byte - start, Self.limit)
    spacesAfter = min(end - place.byte, Self.limit)
    breaksBefore = min(place.line - (before?.line ?? 0), Self.limit)
    breaksAfter = min((after?.line ?? text.lineCount - 1) - place.line, Self.limit)
  }
}

extension Content {
  /// Without the rest of a scalar that the limit cut at the front, and from behind the last byte that is no
  /// UTF-8: a quote travels as text.
  fileprivate func wholeScalarsToEnd() -> Content {
    var start = 0
    forEachSequence { sequence, isScalar in
      if !isScalar { start = sequence.upperBound }
    }
    return part(start..<bytes.count)
  }

  /// The same from the front on: up to the first byte that is no UTF-8.
  fileprivate func wholeScalarsFromStart() -> Content {
    var end: Int?
    forEachSequence { sequence, isScalar in
      if !isScalar, end == nil { end = sequence.lowerBound }
    }
    return part(0..<(end ?? bytes.count))
  }

  private func part(_ range: Range<Int>) -> Content {
    Content(bytes: Array(bytes[range]), places: Array(places[range]))
  }

  /// Calls `body` with each scalar, and with each byte that is in none.
  private func forEachSequence(_ body: (Range<Int>, _ isScalar: Bool) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count {
        let length = bytes.scalarLength(at: index)
        body(index..<index + length, length > 1 || bytes[index] < 0x80)
        index += length
      }
    }
  }
}
