// SPDX-License-Identifier: MIT

import Testing

/// docs/contributors/nasty-cases.md held against the names of the tests.
struct NastyCaseRules {
  let tree: SourceTree

  /// `4` for each `- **4** …`.
  private var cases: [Int] {
    tree.lines(of: "docs/contributors/nasty-cases.md").compactMap { line in
      line.hasPrefix("- **") ? line.dropFirst(4).split(separator: "*").first.flatMap { Int($0) } : nil
    }
  }

  /// The numbers that tests name: `case04_…`, and `l4` for a test of that trap.
  private var named: (cases: Set<Int>, traps: Set<String>) {
    var cases: Set<Int> = []
    var traps: Set<String> = []
    for (path, text) in tree.swiftFiles(below: "Tests") where !path.hasPrefix("Tests/ArchitectureTests/") {
      for line in SourceTree.lines(text) {
        guard let start = line.firstRange(of: "func ")?.upperBound else { continue }
        let name = line[start...]
        let digits = name.dropFirst(4).prefix(2)
        if name.hasPrefix("case"), digits.count == 2, name.dropFirst(6).hasPrefix("_"),
          let number = Int(digits)
        {
          cases.insert(number)
        }
        if name.hasPrefix("l4_") { traps.insert("l4") }
      }
    }
    return (cases, traps)
  }

  func faults() -> [String] {
    let cases = cases
    let named = named
    let missing = cases.filter { !named.cases.contains($0) }.map {
      "no test is named case\($0 < 10 ? "0" : "")\($0)_…"
    }
    let unknown = named.cases.subtracting(cases).sorted().map {
      "a test names case \($0), which is not on the page"
    }
    let isWhole = cases == Array(1...22)
    return missing + unknown + (isWhole ? [] : ["the page does not list 1 to 22, but \(cases)"])
      + (named.traps.contains("l4") ? [] : ["no test is named l4_…"])
  }
}

@Suite struct NastyCaseTests {
  @Test func eachCaseHasATestAndEachTestACase() {
    #expect(NastyCaseRules(tree: .ofThisPackage).faults() == [])
  }

  private func faults(_ tests: String, upTo last: Int = 22) -> [String] {
    let page = (1...last).map { "- **\($0)** What happens." }.joined(separator: "\n")
    return NastyCaseRules(
      tree: SourceTree(files: ["docs/contributors/nasty-cases.md": page, "Tests/ATests/B.swift": tests])
    )
    .faults()
  }

  private var all: String {
    (1...22).map { "  @Test func case\($0 < 10 ? "0" : "")\($0)_x() {" }.joined(separator: "\n")
      + "\nfunc l4_y() {"
  }

  @Test func whatIsMissingIsFound() {
    #expect(faults(all) == [])
    #expect(faults(all.replacing("case07_", with: "other_")) == ["no test is named case07_…"])
    #expect(faults(all.replacing("l4_", with: "l5_")) == ["no test is named l4_…"])
    #expect(faults(all + "\nfunc case23_z() {") == ["a test names case 23, which is not on the page"])
    #expect(faults(all.replacing("case22_", with: "z_"), upTo: 21).count == 1)
  }
}
