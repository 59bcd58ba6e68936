// SPDX-License-Identifier: MIT

import Testing

@Suite struct ReferenceTests {
  @Test func everyReferenceResolves() { #expect(ReferenceRules(tree: .ofThisPackage).faults() == []) }

  private func faults(_ comment: String) -> [String] {
    ReferenceRules(
      tree: SourceTree(files: [
        "docs/rules.md": "## 4. Order\n- **R1** One.\n| T01 | a | b |\n",
        "docs/semantics.md": "- **20a** A.\n", "docs/decisions/0005-text-anchors.md": "",
        "Sources/A/B/C.swift": "\(comment)\nlet a = \"R9 nowhere.md\"\n",
      ])
    )
    .faults().map { String($0.dropFirst("Sources/A/B/C.swift:1 cites ".count)) }
  }

  @Test(arguments: [
    "/// As rule R1 says (T01).", "// See docs/rules.md, and rules.md 4.", "/// decision 5, semantics 20a",
    "let a = 1  // R1", " * docs/decisions/0005-text-anchors.md", "/// semantics 20",
    "/// plan.md is an example.",
  ])
  func whatIsThereResolves(comment: String) { #expect(faults(comment) == []) }

  @Test(arguments: [
    ("/// As R2 says.", "R2"), ("/// (threats T01, T02)", "T02"), ("// docs/other.md", "docs/other.md"),
    ("/// rules.md 5", "rules.md 5"), ("// Decision 6.", "Decision 6"), ("/// semantics 21", "semantics 21"),
    ("/// (semantics 20, 22)", "semantics 22"),
    ("let a = 1  // R3", "R3"), ("/// R1 to R5", "R5"), ("/* S1 */", "S1"),
  ])
  func whatLeadsNowhereIsFound(comment: String, reference: String) {
    #expect(faults(comment) == ["\(reference), which is nowhere"])
  }
}
