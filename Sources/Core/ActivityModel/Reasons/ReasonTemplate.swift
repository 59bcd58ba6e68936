// SPDX-License-Identifier: MIT

/// A sentence with slots: literal pieces, and between each two of them a slot.
struct ReasonTemplate: Hashable, Sendable {
  /// One more than slots.
  private let literals: [[UInt8]]
  /// Of all literals together.
  private let length: Int
  /// The slots as they stand in the sentence.
  let order: [Reason.Slot]
  let slots: Set<Reason.Slot>

  /// How a sentence fits.
  enum Match: Hashable {
    /// In one way, with these places of the slots.
    case places([Range<Int>])
    /// In several ways.
    case several
  }

  /// `{slot}` for each slot; what is in braces and names none is taken as it stands.
  init(_ text: String) {
    var literals: [[UInt8]] = [[]]
    var order: [Reason.Slot] = []
    for (index, part) in text.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
      let end = part.firstIndex(of: "}")
      guard index > 0, let end, let slot = Reason.Slot(rawValue: String(part[..<end])) else {
        literals[literals.count - 1] += Array(((index > 0 ? "{" : "") + part).utf8)
        continue
      }
      order.append(slot)
      literals.append(Array(part[part.index(after: end)...].utf8))
    }
    self.literals = literals
    length = literals.reduce(0) { $0 + $1.count }
    self.order = order
    slots = Set(order)
  }

  /// The sentence with each slot filled.
  func text(_ fill: (Reason.Slot) -> String) -> String {
    String(decoding: bytes { Array(fill($0).utf8) }, as: UTF8.self)
  }

  /// The same in UTF-8.
  func bytes(_ fill: (Reason.Slot) -> [UInt8]) -> [UInt8] {
    var bytes = literals[0]
    for (slot, literal) in zip(order, literals.dropFirst()) {
      bytes += fill(slot)
      bytes += literal
    }
    return bytes
  }

  /// A place after a literal, how many ways lead there, and where the slot before it begins.
  private struct Step {
    var end: Int
    var isSeveral: Bool
    var slot: Range<Int>
    /// The step before.
    var before: Int
  }

  /// Whether the sentence is this one with its slots filled; nil when it is not.
  ///
  /// Takes time by the length of the sentence and the number of slots: each literal is looked for once, and
  /// all ways that lead to one of its places are counted together.
  func match(_ bytes: [UInt8], _ accepts: (Reason.Slot, ArraySlice<UInt8>) -> Bool) -> Match? {
    let (first, last) = (literals[0], literals[order.count])
    guard length <= bytes.count, Self.has(last, in: bytes, endingAt: bytes.count),
      Self.has(first, in: bytes, endingAt: first.count)
    else { return nil }
    if order.isEmpty { return bytes.count == literals[0].count ? .places([]) : nil }
    var stages = [[Step(end: literals[0].count, isSeveral: false, slot: 0..<0, before: 0)]]
    for (index, slot) in order.enumerated() {
      let literal = literals[index + 1]
      let starts =
        index + 1 == order.count ? [bytes.count - literal.count] : Self.places(of: literal, in: bytes)
      let next = Self.steps(from: stages[index], over: slot, to: starts, literal.count, bytes, accepts)
      if next.isEmpty { return nil }
      stages.append(next)
    }
    guard let end = stages.last?.first, !end.isSeveral else { return .several }
    var places: [Range<Int>] = []
    var step = end
    for stage in stages.dropLast().reversed() {
      places.append(step.slot)
      step = stage[step.before]
    }
    return .places(places.reversed())
  }

  private static func steps(
    from before: [Step], over slot: Reason.Slot, to starts: [Int], _ length: Int, _ bytes: [UInt8],
    _ accepts: (Reason.Slot, ArraySlice<UInt8>) -> Bool
  ) -> [Step] {
    let isAny = slot.form == .text || slot.form == .reason
    var reached = 0
    var steps: [Step] = []
    for start in starts {
      while reached < before.count, before[reached].end <= start { reached += 1 }
      // Any text may stand between; what is bounded begins not far before.
      let ways =
        isAny
        ? Array(max(0, reached - 2)..<reached)
        : (0..<reached).suffix(64).filter { accepts(slot, bytes[before[$0].end..<start]) }
      guard let way = ways.last else { continue }
      steps.append(
        Step(
          end: start + length, isSeveral: ways.count > 1 || before[way].isSeveral,
          slot: before[way].end..<start, before: way))
    }
    return steps
  }

  /// Compared from the end, where sentences differ soonest.
  private static func has(_ literal: [UInt8], in bytes: [UInt8], endingAt end: Int) -> Bool {
    var (index, place) = (literal.count, end)
    guard index <= place else { return false }
    while index > 0 {
      (index, place) = (index - 1, place - 1)
      if literal[index] != bytes[place] { return false }
    }
    return true
  }

  /// Where the literal begins in the bytes, in order; such places may overlap.
  static func places(of literal: [UInt8], in bytes: [UInt8]) -> [Int] {
    var places: [Int] = []
    var end = literal.count
    while end <= bytes.count {
      if has(literal, in: bytes, endingAt: end) { places.append(end - literal.count) }
      end += 1
    }
    return places
  }
}
