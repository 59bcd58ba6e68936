// SPDX-License-Identifier: MIT

/// The lines of a text in runs of some hundreds, so that a line more or less costs the same in a long text as
/// in a short one.
struct LineStore: Sendable {
  private var runs: [[TextBuffer.Line]]
  /// The number of each run's first line.
  private var starts: [Int]
  private(set) var count: Int

  private static let runLimit = 1024

  /// At least one line.
  init(_ lines: [TextBuffer.Line]) {
    runs = Self.cut(lines)
    starts = []
    count = 0
    number(from: 0)
  }

  subscript(line: Int) -> TextBuffer.Line {
    get {
      let place = locate(line)
      return runs[place.run][place.index]
    }
    _modify {
      let place = locate(line)
      yield &runs[place.run][place.index]
    }
  }

  /// Puts `fresh`, at least one line, in the place of others.
  mutating func replace(_ range: ClosedRange<Int>, with fresh: [TextBuffer.Line]) {
    let (first, last) = (locate(range.lowerBound), locate(range.upperBound))
    let joined = runs[first.run][..<first.index] + fresh + runs[last.run][(last.index + 1)...]
    runs.replaceSubrange(first.run...last.run, with: Self.cut(Array(joined)))
    number(from: first.run)
  }

  /// Calls `body` with the lines of `range`, in order.
  func forEach(in range: Range<Int>, _ body: (TextBuffer.Line) -> Void) {
    guard !range.isEmpty else { return }
    var (run, index) = locate(range.lowerBound)
    var left = range.count
    while left > 0 {
      let part = runs[run][index...].prefix(left)
      part.forEach(body)
      left -= part.count
      (run, index) = (run + 1, 0)
    }
  }

  /// What `body` says of the first line in `range` for which it says something.
  func first<Found>(in range: Range<Int>, _ body: (TextBuffer.Line) -> Found?) -> Found? {
    guard !range.isEmpty else { return nil }
    var (run, index) = locate(range.lowerBound)
    var left = range.count
    while left > 0 {
      let part = runs[run][index...].prefix(left)
      for line in part { if let found = body(line) { return found } }
      left -= part.count
      (run, index) = (run + 1, 0)
    }
    return nil
  }

  private func locate(_ line: Int) -> (run: Int, index: Int) {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= line { low = middle } else { high = middle }
    }
    return (low, line - starts[low])
  }

  private mutating func number(from first: Int) {
    starts.removeLast(starts.count - min(starts.count, first))
    count = first > 0 ? starts[first - 1] + runs[first - 1].count : 0
    for run in runs[first...] {
      starts.append(count)
      count += run.count
    }
  }

  private static func cut(_ lines: [TextBuffer.Line]) -> [[TextBuffer.Line]] {
    guard lines.count > runLimit else { return [lines] }
    return stride(from: 0, to: lines.count, by: runLimit / 2).map {
      Array(lines[$0..<min(lines.count, $0 + runLimit / 2)])
    }
  }
}
