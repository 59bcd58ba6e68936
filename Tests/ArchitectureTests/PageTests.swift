// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite struct PageTests {
  private let rules = PageRules(tree: .ofThisPackage)

  @Test func everyLinkLeadsSomewhere() { #expect(rules.brokenLinks() == []) }

  @Test func theIndexLeadsToEveryPage() { #expect(rules.unreachable() == []) }

  @Test func everyTestThatAPageNamesExists() { #expect(rules.missingTests() == []) }

  @Test func everyTypeOfTheGlossaryExists() {
    #expect(rules.missingTypes() == [])
    #expect(rules.glossary.flatMap(\.types).count >= 25)
  }

  /// `make unit` builds what Package.swift keeps by name: a name that is no target would silently be nothing.
  @Test func everyTargetOfTheQuickTestsExists() throws {
    let package = try #require(SourceTree.ofThisPackage.files["Package.swift"])
    let parts = package.components(separatedBy: "CONTINUO_UNIT")
    let kept = try #require(parts.last).matches(of: /"(\w+)Tests"/).map { String($0.1) }
    #expect(parts.count == 2 && kept.count > 5)
    for room in kept {
      #expect(package.holds("tests(\"\(room)\"") || package.holds("tests(\n      \"\(room)\""))
    }
  }
}

/// Each rule, shown that it can fail.
@Suite struct PageRulesTests {
  private func rules(_ files: [String: String]) -> PageRules { PageRules(tree: SourceTree(files: files)) }

  @Test func aLinkToNowhereIsFound() {
    let page =
      "[a](../b.md#one-two), [c](c), [d](https://example.org), [e](#here)\n## Here\n```\n[f](f)\n```\n"
    #expect(
      rules(["docs/users/a.md": page, "docs/b.md": "# One, two\n", "docs/users/c/x": ""]).brokenLinks() == [])
    #expect(
      rules(["docs/users/a.md": page, "docs/b.md": "# Two\n"]).brokenLinks() == [
        "docs/users/a.md links to no heading: ../b.md#one-two",
        "docs/users/a.md links to c, which is not there",
      ])
  }

  @Test func aPageThatNobodyIsLedToIsFound() {
    let files = ["docs/README.md": "[a](a.md)", "docs/a.md": "[b](users/b.md)", "docs/users/b.md": ""]
    #expect(rules(files).unreachable() == [])
    #expect(
      rules(files.merging(["docs/c.md": ""]) { own, _ in own }).unreachable() == [
        "docs/README.md does not lead to docs/c.md"
      ])
  }

  @Test func aTestThatIsNotThereIsFound() {
    let page = "`ATests.one`, `ATests.two`, `Fixtures/a`, `Tests/b.c`"
    let test = "@Suite struct ATests {\n  @Test func one() {}\n}\nstruct BTests {}\n"
    #expect(
      rules(["docs/a.md": page, "Tests/A/ATests.swift": test]).missingTests() == [
        "docs/a.md names the test ATests.two, which is not there",
        "docs/a.md names Fixtures/a, which is not there", "docs/a.md names Tests/b.c, which is not there",
      ])
  }

  @Test func aTypeThatIsNotThereIsFound() {
    let page = "- **offer** What is offered. (`Offer`, `Offered`)\n"
    #expect(
      rules(["docs/glossary.md": page, "Sources/A/B.swift": "public struct Offer: Hashable {"]).missingTypes()
        == ["the glossary names the type Offered, which is not there"])
  }
}
