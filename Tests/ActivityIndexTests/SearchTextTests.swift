// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import ActivityIndex

/// What a person types becomes a query, and never syntax.
@Suite struct SearchTextTests {
  @Test(arguments: [
    ("soup", "\"soup\" *"),
    ("  two  words ", "\"two\" * AND \"words\" *"),
    ("\"a phrase\" word", "\"a phrase\" AND \"word\" *"),
    ("\"never closed", "\"never closed\""),
    ("plan.md", "\"plan.md\" *"),
    ("a OR b NOT c", "\"a\" * AND \"OR\" * AND \"b\" * AND \"NOT\" * AND \"c\" *"),
    ("title:x (y* ^z)", "\"title:x\" * AND \"(y*\" * AND \"^z)\" *"),
    ("++ -- ''", nil), ("\"\"", nil), ("", nil),
    ("学", "\" 学 \" *"), ("学习", "\" 学习 \" *"), ("机器学习", "\" 机器 器学 学习 \" *"),
    ("\"机器\"", "\" 机器 \""), ("\"机\"", "\" 机 \" *"), ("Swift机", "\"Swift 机 \" *"),
    ("a\u{0}b", "\"a b\" *"),
  ])
  func aQueryIsMadeOfText(typed: String, query: String?) throws {
    let parts = try SearchText.query(typed).map { "\"\($0.text)\"" + ($0.isBeginning ? " *" : "") }
    #expect(parts.joined(separator: " AND ") == query ?? "")
  }

  @Test func aRunWithoutSpacesIsItsPairsAndItsEnd() {
    #expect(SearchText.indexed("机器学习 soup") == " 机器 器学 学习 习  soup")
    #expect(SearchText.indexed("汤") == " 汤 ")
    #expect(SearchText.indexed("plain, text") == "plain, text")
    #expect(SearchText.indexed(String(repeating: "a", count: 10_000_000)).count == SearchText.characterLimit)
  }

  @Test(arguments: [
    String(repeating: "a", count: 1025), String(repeating: "a ", count: 33),
    String(repeating: "\"", count: 1 << 20),
  ])
  func tooMuchIsRefused(typed: String) {
    let error = #expect(throws: ContinuityError.self) { try SearchText.query(typed) }
    #expect(error?.code == .invalidRequest)
  }
}
