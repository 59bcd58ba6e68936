// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import fixtures

/// Pages for authors with the package `jot`, followed to the letter in one folder, one after another.
@Suite(.serialized, .waiting) struct FirstContinuationTests {
  static let root = URL(filePath: #filePath + "/../../..").standardized.path

  @Test(.timeLimit(.minutes(20))) func everyStepOfThePageWorksAsWritten() throws {
    let page = try Self.page("first-continuation")
    #expect(page.steps.count >= 11)
    let reader = try GuideReader(besideCheckout: Self.root)
    for step in page.steps { try reader.follow(step) }
  }

  /// It goes on with that app, whose listings come first.
  @Test(.timeLimit(.minutes(20))) func everyStepOfThePageAboutTestsWorksAsWritten() throws {
    let app = try Self.page("first-continuation").steps.prefix { $0 != .commands("swift build\n") }
    let page = try Self.page("testing")
    #expect(app.count == 5 && page.steps.count >= 7)
    #expect(page.steps.contains(.commands("swift test\n")))
    let reader = try GuideReader(besideCheckout: Self.root)
    for step in app + page.steps { try reader.follow(step) }
  }

  static func page(_ name: String) throws -> GuidePage {
    try GuidePage(try #require(Files.text("\(root)/docs/authors/\(name).md")))
  }

  @Test func aPageIsReadInOrder() throws {
    let page = try GuidePage(
      "Text.\n\n```sh\nls\n```\n\nIt is `a/b`:\n\n```swift\nlet c = 1\n```\n\n```console desktop\n$ d\n```\n")
    #expect(
      page.steps == [
        .commands("ls\n"), .file("a/b", text: "let c = 1\n"), .terminal("desktop", lines: ["$ d"]),
      ])
    #expect(throws: Failure.self) { try GuidePage("Text.\n\n```swift\nlet c = 1\n```\n") }
  }

  @Test(arguments: [
    ("a", "a", true), ("a", "ab", false), ("in …/Notes now", "in /x/Notes now", true),
    ("in …/Notes now", "in /x/Note", false), ("ab…ba", "aba", false),
  ])
  func aRowIsComparedWithThePagesLine(line: String, row: String, isSame: Bool) {
    #expect(GuideTerminal.matches(line: line, row: row) == isSame)
  }
}
