// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import TextAnchors

/// Anchors: small, the same when read again, found where they were made, and at a place that exists in any
/// text, whoever wrote them.
struct AnchorTarget: FuzzTarget {
  static let name = "anchor"
  static let longest = 2048
  static let words =
    CBORWords.all + ["\n", "\r\n", "\t", "    ", "\u{feff}", "let ", "🙂", "e\u{301}"].map { Array($0.utf8) }
    + ["anchor", "line", "column", "before", "after", "own", "gap", "above", "below"].map { Array($0.utf8) }

  private static let text = "One line.\n\n  let two = 2 // 🙂\nThree, and more of it\n  let two = 2\n\tend\n"

  func seeds() throws -> [[UInt8]] {
    let lines = ByteLines(Array(Self.text.utf8))
    let states = [(1, 1), (3, 9), (5, 4), (7, 1)].map { line, column in
      let place = LineColumn(line: line, column: column)
      return TextEditingState(
        cursor: place, selection: LineColumn(line: line, column: 1), topLine: 1,
        anchor: TextAnchor(at: place, in: lines))
    }
    let crlf = Self.text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
    return states.map { [1] + $0.userInfo.cbor.encoded }
      + [Self.text, crlf, "\u{feff}a", "\n\n\n", ""].flatMap { text in
        [[0, 1, 1], [0, 3, 9], [0, 5, 200]].map { $0 + [0, 3, 2] + Array(text.utf8) }
      }
  }

  func check(_ input: [UInt8]) throws {
    var reader = InputReader(input)
    if reader.choice(of: 2) == 0 {
      let place = LineColumn(line: Int(reader.byte()), column: Int(reader.byte()))
      let edit = (reader.byte(), reader.byte(), reader.byte())
      try Self.checkOwn(place, edit, reader.rest)
    } else {
      try Self.checkForeign(reader.rest)
    }
  }

  private static func checkOwn(_ place: LineColumn, _ edit: (UInt8, UInt8, UInt8), _ text: [UInt8]) throws {
    let lines = ByteLines(text)
    let anchor = TextAnchor(at: place, in: lines)
    let value = anchor.userInfoValue
    try expect(TextAnchor(userInfoValue: value) == anchor, "an anchor is another one when read again")
    try expect(value.cbor.encoded.count <= 512, "an anchor has more than 512 bytes")
    let found = anchor.resolve(in: lines)
    try expect(
      found.place == anchor.position,
      "an anchor is found at \(found.place), and was made at \(anchor.position)")
    try expect(
      TextAnchor(at: anchor.position, in: lines) == anchor, "an anchor is another one at its own position")
    // Something is taken out, something put in.
    let start = min(text.count, Int(edit.0) * 4)
    var edited = text
    edited.replaceSubrange(
      start..<min(text.count, start + Int(edit.1)), with: text.prefix(Int(edit.2)))
    try checkFound(anchor.resolve(in: ByteLines(edited)), in: ByteLines(edited))
    // A piece is enough, for it is another one each time.
    try checkColumns(Array(text[start...].prefix(16)))
  }

  private static func checkForeign(_ bytes: [UInt8]) throws {
    guard let userInfo = try? UserInfo(encoded: bytes), let state = TextEditingState(userInfo: userInfo)
    else {
      return
    }
    let again = TextEditingState(userInfo: state.userInfo)
    try expect(again == state, "a state is another one when read again")
    let lines = ByteLines(Array(text.utf8))
    if let anchor = state.anchor { try checkFound(anchor.resolve(in: lines), in: lines) }
    let resolved = state.resolved(in: lines)
    try expect(
      (1...Int.max).contains(resolved.state.topLine ?? 1), "a first visible line is none")
  }

  private static func checkFound(_ found: AnchorResolution, in lines: ByteLines) throws {
    try expect((0...1).contains(found.confidence), "a confidence is \(found.confidence)")
    try expect((1...lines.lineCount).contains(found.place.line), "a place is in a line that is not there")
    var scalars = 0
    lines.withUTF8(ofLine: found.place.line - 1) {
      scalars = ColumnUnit.scalars.scalars(of: $0.count, in: $0)
    }
    try expect((1...scalars + 1).contains(found.place.column), "a place is in a column that is not there")
  }

  private static func checkColumns(_ line: [UInt8]) throws {
    for unit in ColumnUnit.allCases {
      let back = line.withUnsafeBufferPointer { line in
        (0...line.count).map { column -> Bool in
          let scalars = unit.scalars(of: column, in: line)
          let start = unit.column(ofScalars: scalars, in: line)
          return start <= column && unit.scalars(of: start, in: line) == scalars
        }
      }
      try expect(back.allSatisfy(\.self), "columns in \(unit) do not come back from scalars")
    }
  }
}
