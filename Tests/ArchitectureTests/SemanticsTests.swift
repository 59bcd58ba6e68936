// SPDX-License-Identifier: MIT

import Testing

@Suite struct SemanticsTests {
  @Test func eachSentenceHasATestAndEachTestASentence() {
    #expect(SemanticsRules(tree: .ofThisPackage).faults() == [])
  }

  private func faults(_ page: String, _ test: String) -> [String] {
    SemanticsRules(tree: SourceTree(files: ["docs/semantics.md": page, "Tests/ATests/B.swift": test]))
      .faults()
  }

  @Test func aSentenceWithoutATestIsFound() {
    #expect(
      faults("- **1a** One.\n- **1b** Two.\n", "  @Test func s1a_one() {") == ["no test is named s1b_…"])
    #expect(faults("- **1a** One.\n- **1b** Two.\n", "  @Test func s1a_s1b_both() {") == [])
  }

  @Test func aTestOfNoSentenceIsFound() {
    let unknown = ["Tests/ATests/B.swift:1 names 2a, which is no sentence of the page"]
    #expect(faults("", "func s2a_two() {") == unknown)
    #expect(faults("", "func saveTwice() {") == [])
  }

  @Test func aSentenceThatStandsTwiceIsFound() {
    #expect(faults("- **1a** A.\n- **1a** B.\n", "func s1a_x() {") == ["1a stands twice on the page"])
  }
}
