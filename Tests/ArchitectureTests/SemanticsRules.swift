// SPDX-License-Identifier: MIT

import Foundation

/// The sentences of docs/semantics.md held against the names of the tests.
struct SemanticsRules {
  let tree: SourceTree

  /// `20a` for each `- **20a** …`.
  private var sentences: [String] {
    tree.lines(of: "docs/semantics.md").compactMap { line in
      line.hasPrefix("- **") ? line.dropFirst(4).split(separator: "*").first.map(String.init) : nil
    }
  }

  /// The sentences that tests name, each with the test's place.
  private var named: [(sentence: String, place: String)] {
    tree.swiftFiles(below: "Tests").filter { !$0.path.hasPrefix("Tests/ArchitectureTests/") }
      .flatMap { path, text in
        SourceTree.lines(text).enumerated().flatMap { index, line -> [(String, String)] in
          guard let start = line.range(of: "func s")?.upperBound else { return [] }
          let name = "s" + line[start...].prefix { $0 != "(" }
          return Self.sentences(in: name).map { ($0, "\(path):\(index + 1)") }
        }
      }
  }

  /// What stands before the first part that is no sentence: `s20a_s20b_theInfoIsEmptied`.
  static func sentences(in name: String) -> [String] {
    name.split(separator: "_").prefix { part in
      let digits = part.dropFirst().prefix(while: \.isNumber)
      let rest = part.dropFirst(1 + digits.count)
      return part.hasPrefix("s") && !digits.isEmpty && rest.count <= 1 && rest.allSatisfy(\.isLowercase)
    }
    .map { String($0.dropFirst()) }
  }

  /// Sentences without a test, and tests of no sentence.
  func faults() -> [String] {
    let sentences = sentences
    let named = named
    let missing = Set(sentences).subtracting(named.map(\.sentence)).sorted().map {
      "no test is named s\($0)_…"
    }
    let doubled = Dictionary(grouping: sentences) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    let known = Set(sentences)
    let unknown = named.filter { !known.contains($0.sentence) }
    return missing + doubled.map { "\($0) stands twice on the page" }
      + unknown.map { "\($0.place) names \($0.sentence), which is no sentence of the page" }
  }
}
