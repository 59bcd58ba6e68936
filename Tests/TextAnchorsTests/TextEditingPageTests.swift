// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import Testing
import TextAnchors

/// `docs/authors/text-editing-activity.md` says what the code does.
@Suite struct TextEditingPageTests {
  private let page: [Substring]

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/authors/text-editing-activity.md")
    page = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
  }

  /// The cells of the rows below a table's heading, without back quotes.
  private func rows(below heading: String) -> [[String]] {
    page.drop { !$0.hasPrefix(heading) }.dropFirst(2).prefix { $0.hasPrefix("|") }.map { row in
      row.split(separator: "|").map { $0.filter { $0 != "`" }.trimmingCharacters(in: .whitespaces) }
    }
  }

  private var full: TextEditingState {
    let cursor = LineColumn(line: 12, column: 5)
    return TextEditingState(
      cursor: cursor, selection: LineColumn(line: 12, column: 2), topLine: 3,
      anchor: TextAnchor(at: cursor, in: StringLines(Array(repeating: "some line", count: 12))))
  }

  @Test func thePageNamesTheKeysThatAreWritten() {
    let rows = rows(below: "| key ")
    #expect(Set(rows.map { UserInfoValue.text($0[0]) }) == Set(full.userInfo.keys))
    #expect(rows.count == full.userInfo.count)
    for row in rows {
      let type =
        switch full.userInfo[.text(row[0])] {
        case .int?: "whole number"
        case .text?: "text"
        case .map?: "map"
        default: "?"
        }
      #expect(row[1] == type, "\(row[0])")
      var less = full.userInfo
      less[.text(row[0])] = nil
      #expect((TextEditingState(userInfo: less) == nil) == (row[4] == "yes"), "\(row[0])")
    }
    #expect(rows.contains { $0[3].contains("of this table: \(TextEditingState.version);") })
    #expect(page.contains { $0.contains("`\(TextEditingState.activityType)`") })
  }

  @Test func theExampleIsWhatIsWritten() throws {
    let example = page.drop { $0 != "```json" }.dropFirst().prefix { $0 != "```" }.joined()
    let read = try JSONSerialization.jsonObject(with: Data(example.utf8)) as? [String: Any]
    var info: UserInfo = [:]
    for (key, value) in read ?? [:] {
      info[.text(key)] = (value as? String).map { .text($0) } ?? .int((value as? Int).map(Int64.init) ?? -1)
    }
    var expected = full
    expected.anchor = nil
    #expect(info == expected.userInfo)
    #expect(TextEditingState(userInfo: info) == expected)
  }

  @Test func theWorkedLineIsCountedRightly() {
    let text = "aé😀漢\tz"
    #expect(page.contains { $0.contains(#"`"aé😀漢\tz"`"#) })
    let rows = rows(below: "| before ")
    #expect(rows.count == text.unicodeScalars.count + 1)
    let line = Array(text.utf8)
    line.withUnsafeBufferPointer { line in
      for (count, row) in rows.enumerated() {
        let head = String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
        let next = text.unicodeScalars.dropFirst(count).first.map { $0 == "\t" ? #"\t"# : String($0) }
        let counted = [
          next ?? "the line's end", "\(count + 1)", "\(ColumnUnit.utf8.column(ofScalars: count, in: line))",
          "\(ColumnUnit.utf16.column(ofScalars: count, in: line))", "\(head.count)",
        ]
        #expect(row == counted)
      }
    }
  }
}
