// SPDX-License-Identifier: MIT

import ActivityModel
import Testing
import TextAnchors
import TestSamples

/// What an activity of type `public.text-editing` says, from whomever it comes.
@Suite struct TextEditingStateTests {
  private let lines = StringLines((1...60).map { "line \($0) of \($0 * 7919)" })

  private func state(_ line: Int, _ column: Int) -> TextEditingState {
    let cursor = LineColumn(line: line, column: column)
    return TextEditingState(cursor: cursor, anchor: TextAnchor(at: cursor, in: lines))
  }

  @Test func aStateSurvivesTheWay() {
    var sent = state(30, 8)
    #expect(TextEditingState(userInfo: sent.userInfo) == sent)
    sent.selection = LineColumn(line: 31, column: 2)
    sent.topLine = 25
    #expect(TextEditingState(userInfo: sent.userInfo) == sent)
    #expect(sent.userInfo[.text("version")] == .int(1))
    #expect(sent.userInfo[.text("columnUnit")] == .text("unicode-scalars"))
  }

  @Test func theLineIsAllThatIsNeeded() {
    let bare = TextEditingState(userInfo: [.text("line"): .int(3)])
    #expect(bare == TextEditingState(cursor: LineColumn(line: 3, column: 1)))
    #expect(TextEditingState(userInfo: [.text("column"): .int(3)]) == nil)
    #expect(TextEditingState(userInfo: [:]) == nil)
    for line: UserInfoValue in [.text("3"), .double(3.5), .double(.nan), .bool(true), .null, .array([])] {
      #expect(TextEditingState(userInfo: [.text("line"): line]) == nil)
    }
    #expect(TextEditingState(userInfo: [.text("line"): .double(3)]) == bare)
  }

  @Test func aNewerVersionIsReadAsFarAsItIsKnown() {
    var info = state(30, 8).userInfo
    for version: UserInfoValue in [.int(2), .int(.max), .text("next")] {
      info[.text("version")] = version
      info[.text("carets")] = .array([.int(3)])
      #expect(TextEditingState(userInfo: info) == state(30, 8))
    }
  }

  @Test func columnsInAnotherUnitAreNotTakenForScalars() {
    var sent = state(30, 8)
    sent.selection = LineColumn(line: 30, column: 2)
    var info = sent.userInfo
    for unit: UserInfoValue in [.text("utf-16"), .null] {
      info[.text("columnUnit")] = unit
      let read = TextEditingState(userInfo: info)
      #expect(read == TextEditingState(cursor: LineColumn(line: 30, column: 1)))
    }
  }

  @Test func hostileNumbersAreClampedAndNeverTrap() throws {
    let numbers: [UserInfoValue] = [
      .int(.min), .int(-1), .int(0), .int(1), .int(7), .int(.max), .double(-1e300), .double(1e300),
      .double(.infinity), .double(.nan), .text("1"), .null, .map([:]),
    ]
    let keys = ["line", "column", "selectionLine", "selectionColumn", "topLine", "version", "anchor"]
    let anchor = state(30, 8).userInfo[.text("anchor")]
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<5000 {
      var info: UserInfo = [.int(3): .null]
      for key in keys where Int.random(in: 0..<8, using: &generator) > 0 {
        info[.text(key)] = numbers[Int.random(in: 0..<numbers.count, using: &generator)]
      }
      if Bool.random(using: &generator) { info[.text("anchor")] = anchor }
      guard let read = TextEditingState(userInfo: info) else { continue }
      let sane = 1...Int(Int32.max)
      for place in [read.cursor, read.selection ?? read.cursor] {
        #expect(sane.contains(place.line) && sane.contains(place.column))
      }
      #expect(sane.contains(read.topLine ?? 1) && read.selection != read.cursor)
      let (found, certainty) = read.resolved(in: lines)
      #expect(certainty != nil || found == read)
    }
  }

  @Test func whatTheAnchorMovesMovesTogether() {
    var sent = state(30, 8)
    sent.topLine = 20
    sent.selection = LineColumn(line: 30, column: 3)
    let edited = StringLines(["new", "newer"] + (1...60).map { "  line \($0) of \($0 * 7919)" })
    let (state, certainty) = sent.resolved(in: edited)
    #expect(certainty == .sure)
    #expect(state.cursor == LineColumn(line: 32, column: 10))
    #expect(state.selection == LineColumn(line: 32, column: 5) && state.topLine == 22)
    #expect(state.anchor == nil, "it was the old place's")

    sent.selection = LineColumn(line: 28, column: 3)
    #expect(sent.resolved(in: edited).state.selection == LineColumn(line: 30, column: 3))
  }

  @Test func numbersOfTheOwnProcessDoNotTrapEither() {
    var sent = state(30, 8)
    for extreme in [Int.min, Int.max] {
      sent.topLine = extreme
      sent.selection = LineColumn(line: extreme, column: extreme)
      let state = sent.resolved(in: StringLines(["new"] + (1...60).map { "line \($0) of \($0 * 7919)" }))
        .state
      #expect(state.cursor.line == 31 && (state.selection?.line ?? 0) >= 1 && (state.topLine ?? 0) >= 1)
      sent.selection = LineColumn(line: 30, column: extreme)
      #expect((sent.resolved(in: lines).state.selection?.column ?? 0) >= 1)
      let bare = TextEditingState(cursor: LineColumn(line: extreme, column: extreme))
      #expect(bare.resolved(in: lines).state == bare && TextEditingState(userInfo: bare.userInfo) != nil)
    }
  }

  @Test func nothingIsSelectedWhereThePlaceIsGone() {
    var sent = state(30, 8)
    sent.selection = LineColumn(line: 31, column: 3)
    let (state, certainty) = sent.resolved(in: StringLines(["nothing of it"]))
    #expect(certainty == .unsure && state.selection == nil && state.cursor.line == 1)
  }

  @Test func withoutAnAnchorOfItsOwnNothingMoves() {
    var sent = state(30, 8)
    sent.cursor.column = 9
    #expect(TextEditingState(userInfo: sent.userInfo)?.anchor == nil)
    let (state, certainty) = sent.resolved(in: StringLines(["x"]))
    #expect(state == sent && certainty == nil)
  }
}
