// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import ActivityModel

/// The page that explains every reason to people, and the reasons.
@Suite struct WhyPageTests {
  private static let page = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("docs/users/why.md")

  @Test func everyReasonStandsOnThePageOnceAndThePageHasNoOther() throws {
    let rows = try String(contentsOf: Self.page, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| `") }
    let names = rows.map { String($0.dropFirst(3).prefix { $0 != "`" }) }
    // What is told from elsewhere has no name of its own.
    #expect(names.sorted() == Reason.Kind.allCases.filter { $0 != .told }.map(\.rawValue).sorted())
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(cells.count == 3 && cells.allSatisfy { !$0.isEmpty }, "\(row)")
    }
  }

  /// What `continuo why` prints of each: its name and a sentence that gives the case back.
  @Test func aStatementOfEachReasonHasItsNameAndSentence() {
    for reason in ReasonTests.samples("plan.md", "laptop") {
      let statement = Explanation.Statement(reason)
      #expect(statement.name == reason.kind.rawValue && statement.sentence == reason.sentence)
      #expect(Reason(statement.sentence) == reason)
    }
  }
}
