// SPDX-License-Identifier: MIT

import Continuo
import Testing
import TestSamples

@testable import TextEditing

/// Twenty thousand keys, the same in each run, on the editor and on a model that is too simple to be wrong.
@Suite struct KeystrokeTests {
  private static let pieces = ["a", "b", " ", "ü", "漢", "\u{301}", "👍", "\t", "é", "x"]
  private static let moves: [EditCommand.Movement] = [
    .left, .right, .lineStart, .lineEnd, .left, .right, .documentStart, .documentEnd,
  ]

  @Test func twentyThousandKeysLoseNoText() throws {
    var random = SeededGenerator(seed: 20)
    var model = PlainTextModel("# Plan\n\nfirst\nsecond line\n")
    var person = PersonAtTheKeys(
      editor: TextEditor(try TextBuffer(bytes: Array(text(model).utf8), name: "plan.md")))
    person.editor.resize(width: 12, height: 5)
    for number in 0..<20_000 {
      press(Int.random(in: 0..<22, using: &random), &person, &model, &random)
      let place = person.editor.portableCursor
      try #require(offset(of: place, in: model) == model.cursor, "key \(number)")
      if number % 50 == 0 {
        try #require(person.editor.buffer.bytes == Array(text(model).utf8), "key \(number)")
        try #require(person.editor.cursorOnScreen != nil, "key \(number): the cursor is not shown")
      }
    }
    #expect(person.editor.buffer.bytes == Array(text(model).utf8))
    #expect(person.others.isEmpty)
    takeBack(&person)
  }

  /// Undoing everything that is remembered and redoing it ends where it began.
  private func takeBack(_ person: inout PersonAtTheKeys) {
    let last = person.editor.buffer.bytes
    for _ in 0..<3000 { person.press(.control("z")) }
    #expect(person.editor.buffer.bytes != last)
    for _ in 0..<3000 { person.press(.control("y")) }
    #expect(person.editor.buffer.bytes == last)
  }

  private func press(
    _ kind: Int, _ person: inout PersonAtTheKeys, _ model: inout PlainTextModel,
    _ random: inout SeededGenerator
  ) {
    switch kind {
    case 0...8:
      let piece = Self.pieces.randomElement(using: &random) ?? "a"
      person.press(piece == "\t" ? .tab : .text(piece))
      model.insert(piece)
    case 9:
      person.press(.enter)
      model.insert("\n")
    case 10...12:
      person.press(.backspace)
      model.backspace()
    case 13...14:
      person.press(.delete)
      model.delete()
    case 15...17: move(false, &person, &model, &random)
    case 18...19: move(true, &person, &model, &random)
    case 20 where model.scalars.count > 400:
      person.press(.control("x"))
      model.cut()
    case 20:
      person.press(.control("c"))
      model.copy()
    default:
      guard model.scalars.count < 800, !model.clipboard.isEmpty else { return }
      person.press(.control("v"))
      model.paste()
    }
  }

  private func move(
    _ selecting: Bool, _ person: inout PersonAtTheKeys, _ model: inout PlainTextModel,
    _ random: inout SeededGenerator
  ) {
    let movement = Self.moves.randomElement(using: &random) ?? .left
    person.press(selecting ? .select(movement) : .move(movement))
    model.move(movement, selecting: selecting)
  }

  private func text(_ model: PlainTextModel) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: model.scalars)
    return String(view)
  }

  private func offset(of place: PortablePosition, in model: PlainTextModel) -> Int {
    var (line, start) = (1, 0)
    while line < place.line, let end = model.scalars[start...].firstIndex(of: "\n") {
      (line, start) = (line + 1, end + 1)
    }
    return start + place.column - 1
  }
}
