// SPDX-License-Identifier: MIT

import Testing

@Suite struct CDoorTests {
  private let rules = CDoorRules(tree: .ofThisPackage)

  @Test func headerExportsAndSwiftHaveTheSameFunctions() {
    #expect(rules.declared.count > 50)
    #expect(rules.differences() == [])
  }

  @Test func everyFunctionAndStructSaysSinceWhen() { #expect(rules.undated() == []) }

  @Test func noTextIsABareString() { #expect(rules.bareStrings() == []) }
}

/// A door of two functions, which the tests below spoil.
@Suite struct CDoorRulesTests {
  private static let header = """
    /* Does. Since 0.1. */
    continuo_status continuo_do(
        continuo_session session);

    /* Ends. Since 0.1. */
    continuo_status continuo_end(continuo_session session);
    """

  private func rules(
    header: String = header, exports: String = "    continuo_do;\n    continuo_end;\n",
    swift: String = "@c(continuo_do)\n@c(continuo_end)\n"
  ) -> CDoorRules {
    CDoorRules(
      tree: SourceTree(files: [
        CDoorRules.header: header, CDoorRules.exports: exports, "Sources/App/ContinuoC/A.swift": swift,
      ]))
  }

  @Test func aSoundDoorHasNoFindings() {
    #expect(rules().differences() + rules().undated() + rules().bareStrings() == [])
  }

  @Test func aFunctionThatIsNotExportedIsFound() {
    #expect(
      rules(exports: "    continuo_do;\n").differences() == ["continuo_end is not in both header and exports"]
    )
  }

  @Test func aFunctionThatNobodyDeclaresIsFound() {
    let found = rules(swift: "@c(continuo_do)\n@c(continuo_end)\n@c(continuo_more)\n").differences()
    #expect(found == ["continuo_more is not in both header and Swift"])
  }

  @Test func aFunctionWithoutAVersionIsFound() {
    let header = Self.header.replacing("Ends. Since 0.1.", with: "Ends.\n   At once.")
    #expect(rules(header: header).undated() == ["continuo_end does not say since when"])
  }

  @Test func aBareStringIsFound() {
    let header = Self.header.replacing("continuo_session session);", with: "const char *name);")
    #expect(rules(header: header).bareStrings().count == 2)
  }
}
