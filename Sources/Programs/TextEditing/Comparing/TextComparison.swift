// SPDX-License-Identifier: MIT

/// Two texts of one document, where they differ, and which of the other one's parts the person takes. Pure:
/// neither text changes; `result` is what would be saved.
public struct TextComparison: Sendable {
  /// Lines of the one that stand in the place of lines of the other; from 0, either may be empty.
  public struct Difference: Hashable, Sendable {
    /// Lines of the person's own text.
    public var yours: Range<Int>
    /// Lines of the other text.
    public var other: Range<Int>
    /// The other's lines are in the result.
    public var isTaken = false

    /// A difference that takes nothing yet.
    public init(yours: Range<Int>, other: Range<Int>) { (self.yours, self.other) = (yours, other) }
  }

  /// The person's own text, as it was when the comparison began.
  public let yours: TextBuffer
  /// The other text.
  public let other: TextBuffer
  /// From the start of the text to its end.
  public private(set) var differences: [Difference]
  /// The number of the one that the person looks at; 0 where there is none.
  public private(set) var current = 0
  /// The differences that were changed together, latest last.
  private var choices: [[Int]] = []

  /// Each difference that is taken is a step that can be undone, and the history of steps is not endless.
  private static let limit = 5000

  /// Compares by what `git diff --unified=0` printed of the two texts. Nil where that does not fit them: a
  /// disk that is full cuts it off without a word, and what is not shown as a difference has to be the same.
  /// Nil for more than 5,000 differences, too.
  public init?(yours: TextBuffer, other: TextBuffer, unifiedDiff: some Sequence<UInt8>) {
    guard let read = Self.differences(in: unifiedDiff), read.count <= Self.limit else { return nil }
    (self.yours, self.other) = (yours, other)
    func isSame(_ own: Range<Int>, _ foreign: Range<Int>) -> Bool {
      Self.text(yours, own).utf8.elementsEqual(Self.text(other, foreign).utf8)
    }
    var (own, foreign) = (0, 0)
    for each in read {
      guard each.yours.lowerBound >= own, each.other.lowerBound >= foreign,
        each.yours.upperBound <= yours.lineCount, each.other.upperBound <= other.lineCount,
        isSame(own..<each.yours.lowerBound, foreign..<each.other.lowerBound)
      else { return nil }
      (own, foreign) = (each.yours.upperBound, each.other.upperBound)
    }
    guard isSame(own..<yours.lineCount, foreign..<other.lineCount) else { return nil }
    // A mark at the start of a file is a difference of bytes, and none of the texts.
    differences = read.filter { !isSame($0.yours, $0.other) }
  }

  // MARK: Choosing

  /// Whether something of the other text is taken.
  public var takesSomething: Bool { differences.contains(where: \.isTaken) }

  /// Goes to the next difference, and from the last one to the first.
  public mutating func goToNext() { go(by: 1) }

  /// Goes to the difference before, and from the first one to the last.
  public mutating func goToPrevious() { go(by: -1) }

  private mutating func go(by step: Int) {
    guard !differences.isEmpty else { return }
    current = (current + step + differences.count) % differences.count
  }

  /// Takes the other's lines of the current difference, or no longer.
  public mutating func toggle() {
    guard differences.indices.contains(current) else { return }
    flip([current])
  }

  /// Takes all that is not taken yet.
  public mutating func takeAll() {
    let rest = differences.indices.filter { !differences[$0].isTaken }
    if !rest.isEmpty { flip(rest) }
  }

  private mutating func flip(_ numbers: [Int]) {
    for number in numbers { differences[number].isTaken.toggle() }
    choices.append(numbers)
  }

  /// Takes back the last choice, and goes there. False where there is none.
  public mutating func undo() -> Bool {
    guard let last = choices.popLast() else { return false }
    for number in last { differences[number].isTaken.toggle() }
    current = last.first ?? current
    return true
  }

  // MARK: What comes of it

  /// The text with what was taken.
  public var result: String {
    var text = ""
    var line = 0
    for each in differences {
      text += Self.text(yours, line..<each.yours.lowerBound)
      text += each.isTaken ? Self.text(other, each.other) : Self.text(yours, each.yours)
      line = each.yours.upperBound
    }
    return text + Self.text(yours, line..<yours.lineCount)
  }

  /// The lines of each difference in `result`, in order.
  public var resultLines: [Range<Int>] {
    var shift = 0
    return differences.map { each in
      let first = each.yours.lowerBound + shift
      let count = each.isTaken ? each.other.count : each.yours.count
      shift += count - each.yours.count
      return first..<(first + count)
    }
  }

  /// What makes the result of the person's text, from its end to its start, so that each place is still right
  /// when its turn comes.
  public var edits: [(range: Range<Position>, text: String)] {
    differences.reversed().filter(\.isTaken).map {
      (Self.range(yours, $0.yours), Self.text(other, $0.other))
    }
  }

  /// How many bytes the result has more than the person's text.
  var growth: Int {
    edits.reduce(0) { $0 + $1.text.utf8.count - yours.byteCount(in: $1.range) }
  }

  /// Which difference the person looks at, and whose lines are in the result there.
  public var headline: String {
    guard let shown = differences.indices.contains(current) ? differences[current] : nil else {
      return markNote.map { "The two texts differ in one thing: \($0)" } ?? "The two texts are the same"
    }
    let whose = shown.isTaken ? "the other text is taken" : "your text stays"
    let note = markNote.map { "; \($0)" } ?? ""
    return "Difference \(current + 1) of \(differences.count): \(whose)\(note)"
  }

  /// A mark at the start is no part of a text, and is not taken over. Nil where it is no difference.
  private var markNote: String? {
    switch (yours.hasByteOrderMark, other.hasByteOrderMark) {
    case (false, true): "the other file begins with a byte order mark, and yours stays without"
    case (true, false): "your file begins with a byte order mark, which stays"
    case (true, true), (false, false): nil
    }
  }

  private static func text(_ buffer: TextBuffer, _ lines: Range<Int>) -> String {
    buffer.text(in: range(buffer, lines))
  }

  /// Whole lines, each with its ending.
  private static func range(_ buffer: TextBuffer, _ lines: Range<Int>) -> Range<Position> {
    func start(of line: Int) -> Position {
      line < buffer.lineCount ? Position(line: line, offset: 0) : buffer.end
    }
    return start(of: lines.lowerBound)..<start(of: lines.upperBound)
  }

  // MARK: Reading

  /// The differences of a unified diff without context; nil for what is none. Lines of the texts themselves
  /// begin with a plus or a minus, so that none of them is taken for a head.
  static func differences(in diff: some Sequence<UInt8>) -> [Difference]? {
    var found: [Difference] = []
    for line in diff.split(separator: UInt8(ascii: "\n")) where line.starts(with: "@@ ".utf8) {
      let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
      guard words.count >= 3, let yours = lines(words[1], after: "-"), let other = lines(words[2], after: "+")
      else { return nil }
      found.append(Difference(yours: yours, other: other))
    }
    return found
  }

  /// `-12,3` or `-12`: so many lines from there on; of none, the line that they stand behind.
  private static func lines(_ word: some Sequence<UInt8>, after sign: Unicode.Scalar) -> Range<Int>? {
    let text = String(decoding: Array(word), as: UTF8.self)
    guard text.unicodeScalars.first == sign else { return nil }
    let numbers = text.dropFirst().split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(numbers.count), let place = numbers[0],
      let count = numbers.count == 2 ? numbers[1] : 1,
      (0...TextBuffer.sizeLimit).contains(place), (0...TextBuffer.sizeLimit).contains(count)
    else { return nil }
    let first = count == 0 ? place : place - 1
    return first >= 0 ? first..<(first + count) : nil
  }
}
