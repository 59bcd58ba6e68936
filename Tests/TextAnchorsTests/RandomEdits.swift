// SPDX-License-Identifier: MIT

import TextAnchors
import TestSamples

/// A text of made-up prose with a place in it, and edits of everything but the place's own line.
struct RandomEdits {
  var lines: [[Unicode.Scalar]]
  var place: LineColumn
  private var generator: SeededGenerator

  private static let syllables = [
    "ka", "lo", "mer", "ti", "sun", "bra", "vel", "dor", "ni", "pas", "grü", "ße", "漢", "字", "e\u{301}",
  ]

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    lines = (0..<Int.random(in: 3...30, using: &generator)).map { _ in
      Bool.random(using: &generator) || Bool.random(using: &generator) ? Self.line(&generator) : []
    }
    let own = Int.random(in: 0..<lines.count, using: &generator)
    lines[own] = Self.line(&generator, atLeast: 4)
    place = LineColumn(line: own + 1, column: Int.random(in: 1...lines[own].count + 1, using: &generator))
    self.generator = generator
  }

  var text: StringLines { StringLines(lines.map { String(String.UnicodeScalarView($0)) }) }

  /// The characters on both sides of the place, and the rest of its line.
  var ownLine: [Unicode.Scalar] { lines[place.line - 1] }

  private static func word(_ generator: inout SeededGenerator) -> [Unicode.Scalar] {
    (1...Int.random(in: 1...4, using: &generator)).flatMap { _ in
      syllables[Int.random(in: 0..<syllables.count, using: &generator)].unicodeScalars
    }
  }

  private static func line(_ generator: inout SeededGenerator, atLeast: Int = 1) -> [Unicode.Scalar] {
    var line = Array(repeating: Unicode.Scalar(" "), count: Int.random(in: 0...2, using: &generator) * 2)
    for _ in 0..<Int.random(in: atLeast...atLeast + 6, using: &generator) {
      line += word(&generator) + [" "]
    }
    line.removeLast()
    return line
  }

  /// Puts in, deletes or changes another line, or re-indents any.
  mutating func edit() {
    let line = Int.random(in: 0..<lines.count, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: insert(at: Int.random(in: 0...lines.count, using: &generator))
    case 1: delete(line)
    case 2: change(line)
    case 3: indent(line)
    default:
      let count = Int.random(in: 1...20, using: &generator)
      for _ in 0..<count { insert(at: min(line, lines.count)) }
    }
  }

  private mutating func insert(at line: Int) {
    lines.insert(Self.line(&generator), at: line)
    if line < place.line { place.line += 1 }
  }

  private mutating func delete(_ line: Int) {
    guard line != place.line - 1 else { return }
    lines.remove(at: line)
    if line < place.line { place.line -= 1 }
  }

  private mutating func change(_ line: Int) {
    guard line != place.line - 1 else { return }
    let start = Int.random(in: 0...lines[line].count, using: &generator)
    let end = Int.random(in: start...lines[line].count, using: &generator)
    lines[line].replaceSubrange(start..<end, with: Self.word(&generator))
  }

  private mutating func indent(_ line: Int) {
    lines[line].insert(contentsOf: [" ", " "], at: 0)
    if line == place.line - 1 { place.column += 2 }
  }
}
