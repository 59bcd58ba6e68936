// SPDX-License-Identifier: MIT

import ActivityModel
import Testing
import TextAnchors
import TestSamples

/// Anchors as another device may send them.
@Suite struct ForeignAnchorTests {
  private let lines = StringLines((1...40).map { "this is line \($0) of the text" })

  private var sent: UserInfo {
    let anchor = TextAnchor(at: LineColumn(line: 20, column: 6), in: lines)
    guard case .map(let map) = anchor.userInfoValue else { return [:] }
    return map
  }

  @Test(arguments: [
    ("v", UserInfoValue.int(2)), ("v", .text("1")), ("line", .int(0)), ("line", .int(.max)),
    ("column", .double(.nan)), ("column", .int(-1)), ("before", .int(7)), ("before", .text("two words")),
    ("after", .text(String(repeating: "x", count: 97))), ("own", .array([.int(1)])),
    ("own", .array([.int(97), .int(0)])), ("own", .array([.int(-1), .int(0)])), ("own", .null),
    ("gap", .array([.int(0), .int(0), .int(256), .int(0)])), ("gap", .map([:])),
    ("above", .bytes([1, 2, 3])), ("above", .bytes(Array(repeating: 0, count: 36))), ("below", .text("")),
  ])
  func aWrongValueIsRefused(_ key: String, _ value: UserInfoValue) {
    var map = sent
    map[.text(key)] = value
    #expect(TextAnchor(userInfoValue: .map(sent)) != nil)
    #expect(TextAnchor(userInfoValue: .map(map)) == nil)
  }

  @Test func aMissingKeyIsRefusedAndAnotherOneIsIgnored() {
    for key in sent.keys {
      var map = sent
      map[key] = nil
      #expect(TextAnchor(userInfoValue: .map(map)) == nil)
    }
    var map = sent
    map[.text("later")] = .bool(true)
    #expect(TextAnchor(userInfoValue: .map(map))?.userInfoValue == .map(sent))
    for index in 0..<16 { map[.int(Int64(index))] = .null }
    #expect(TextAnchor(userInfoValue: .map(map)) == nil)
    #expect(TextAnchor(userInfoValue: .text("line 3")) == nil)
  }

  @Test func whatAnAnchorClaimsNeedNotBeSo() throws {
    var generator = SeededGenerator(seed: 7)
    let texts = [
      lines, StringLines([]), StringLines([""]), StringLines(Array(repeating: "aa", count: 3000)),
      StringLines([String(repeating: "ab", count: 20_000)]), StringLines(Array(repeating: "", count: 2000)),
    ]
    let quotes = [
      "", "a", "aaaa", "abababab", String(repeating: "a", count: 96), "é漢", "thisisline20ofthetext",
    ]
    for _ in 0..<300 {
      var map = sent
      let before = quotes[Int.random(in: 0..<quotes.count, using: &generator)]
      let after = quotes[Int.random(in: 0..<quotes.count, using: &generator)]
      func number(_ limit: Int) -> UserInfoValue {
        .int(Int64.random(in: 0...Int64(limit), using: &generator))
      }
      map[.text("line")] = .int(Int64.random(in: 1...5000, using: &generator))
      map[.text("column")] = .int(Int64.random(in: 1...50_000, using: &generator))
      map[.text("before")] = .text(before)
      map[.text("after")] = .text(after)
      map[.text("own")] = .array([number(before.utf8.count), number(after.utf8.count)])
      map[.text("gap")] = .array((0..<4).map { _ in number(255) })
      let anchor = try #require(TextAnchor(userInfoValue: .map(map)))
      for text in texts {
        let found = anchor.resolve(in: text)
        #expect((1...max(1, text.lineCount)).contains(found.place.line))
        #expect(found == anchor.resolve(in: text))
        #expect((0...1).contains(found.confidence))
        let onPlace = TextAnchor(at: found.place, in: text).position
        #expect(onPlace == found.place, "no such place: \(found.place)")
      }
    }
  }
}
