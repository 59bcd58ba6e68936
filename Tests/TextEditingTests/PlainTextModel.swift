// SPDX-License-Identifier: MIT

import TextEditing

/// A text as one array of scalars with a cursor: slow, and too simple to be wrong. It knows no screen.
struct PlainTextModel {
  private(set) var scalars: [Unicode.Scalar]
  private(set) var cursor = 0
  private var anchor: Int?
  private(set) var clipboard: [Unicode.Scalar] = []

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  private var selection: Range<Int>? {
    guard let anchor, anchor != cursor else { return nil }
    return min(anchor, cursor)..<max(anchor, cursor)
  }

  mutating func insert(_ text: String) {
    replace(selection ?? cursor..<cursor, with: Array(text.unicodeScalars))
  }

  mutating func backspace() { delete(edge(before: cursor)..<cursor) }
  mutating func delete() { delete(cursor..<edge(after: cursor)) }

  private mutating func delete(_ range: Range<Int>) { replace(selection ?? range, with: []) }

  mutating func copy() { clipboard = Array(scalars[selection ?? line]) }

  mutating func cut() {
    copy()
    delete(line)
  }

  mutating func paste() {
    replace(selection ?? cursor..<cursor, with: clipboard)
  }

  private var line: Range<Int> {
    let start = lineStart(cursor)
    let end = scalars[cursor...].firstIndex(of: "\n").map { $0 + 1 } ?? scalars.count
    return start..<end
  }

  mutating func move(_ movement: EditCommand.Movement, selecting: Bool) {
    let selected = selection
    anchor = selecting ? anchor ?? cursor : nil
    switch movement {
    case .left: cursor = selecting ? edge(before: cursor) : selected?.lowerBound ?? edge(before: cursor)
    case .right: cursor = selecting ? edge(after: cursor) : selected?.upperBound ?? edge(after: cursor)
    case .lineStart: cursor = lineStart(cursor)
    case .lineEnd: cursor = scalars[cursor...].firstIndex(of: "\n") ?? scalars.count
    case .documentStart: cursor = 0
    case .documentEnd: cursor = scalars.count
    default: break
    }
  }

  private mutating func replace(_ range: Range<Int>, with fresh: [Unicode.Scalar]) {
    scalars.replaceSubrange(range, with: fresh)
    cursor = edge(atOrAfter: range.lowerBound + fresh.count)
    anchor = nil
  }

  // MARK: Characters

  private func lineStart(_ place: Int) -> Int {
    scalars[..<place].lastIndex(of: "\n").map { $0 + 1 } ?? 0
  }

  /// The scalars of each character of the line at `place`.
  private func edges(around place: Int) -> [Int] {
    let start = lineStart(place)
    let end = scalars[place...].firstIndex(of: "\n") ?? scalars.count
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<end])
    return String(text).reduce(into: [start]) { edges, character in
      edges.append((edges.last ?? start) + character.unicodeScalars.count)
    }
  }

  private func edge(before place: Int) -> Int {
    place == lineStart(place) ? max(0, place - 1) : edges(around: place).last { $0 < place } ?? place
  }

  private func edge(after place: Int) -> Int {
    guard place < scalars.count else { return place }
    return scalars[place] == "\n" ? place + 1 : edges(around: place).first { $0 > place } ?? place
  }

  private func edge(atOrAfter place: Int) -> Int { edges(around: place).first { $0 >= place } ?? place }
}
