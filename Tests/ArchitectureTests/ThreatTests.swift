// SPDX-License-Identifier: MIT

import Testing

@Suite struct ThreatTests {
  private let rules = ThreatRules(tree: .ofThisPackage)

  @Test func everyThreatHasOneRow() { #expect(rules.faultsOfRows() == []) }

  @Test func eachRowHasAProofOrAReason() { #expect(rules.faultsOfProofs() == []) }

  @Test func theRowsNameTheTestsThatAnswerThem() { #expect(rules.faultsOfTests() == []) }
}

/// Each rule, shown that it can fail.
@Suite struct ThreatRulesTests {
  private func rules(_ proofs: [String], _ files: [String: String] = [:]) -> ThreatRules {
    let rows = proofs.enumerated().map { "| T\($0 < 9 ? "0" : "")\($0 + 1) | a | b | \($1) |\n" }
    let page = ["docs/security.md": "| threat | cause |\n" + rows.joined()]
    return ThreatRules(tree: SourceTree(files: page.merging(files) { page, _ in page }))
  }

  private let proof = "`ATests.one`"

  @Test func aRowThatIsMissingTwiceThereOrOfNoThreatIsFound() {
    #expect(rules([String](repeating: proof, count: 58)).faultsOfRows() == [])
    #expect(rules([String](repeating: proof, count: 57)).faultsOfRows() == ["T58 has 0 rows"])
    #expect(rules([String](repeating: proof, count: 59)).faultsOfRows() == ["T59 is no threat"])
    let twice = "\(proof) |\n| T01 | a | b | \(proof)"
    #expect(rules([twice] + [String](repeating: proof, count: 57)).faultsOfRows() == ["T01 has 2 rows"])
  }

  @Test(arguments: ["", "some day", "`one`", "`ATests`", "`ATests.one` and more", "`ATests.one`, hopefully"])
  func aRowWithoutAProofIsFound(_ proof: String) {
    #expect(rules([proof]).faultsOfProofs() == ["T01 has no proof"])
  }

  @Test func reasonsAreTakenAndNotTooOftenTheNetwork() {
    let taken = [
      proof, "`ATests.one`, `Tests/a/b.sh`, `Fixtures/c.script`", "Not yet: why", "comes with the LAN",
    ]
    #expect(rules(taken).faultsOfProofs() == [])
    let waiting = [String](repeating: "comes with the LAN", count: 11)
    #expect(rules(waiting).faultsOfProofs() == ["11 rows wait for the LAN"])
  }

  @Test func aTestThatItsThreatDoesNotNameIsFound() {
    let test = "// Threat T01.\n@Suite struct BTests {}\nlet a = \"T02\"\n"
    let files = ["Tests/B/BTests.swift": test]
    #expect(
      rules([proof, proof], files).faultsOfTests() == [
        "T01 does not name a test of BTests, which answers it"
      ])
    #expect(rules(["`BTests.two`", proof], files).faultsOfTests() == [])
  }
}
