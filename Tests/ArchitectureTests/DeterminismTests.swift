// SPDX-License-Identifier: MIT

import Testing

/// The pure rooms give the same output for the same input, and only they decide.
@Suite struct DeterminismTests {
  private let rules = DeterminismRules(tree: .ofThisPackage)

  @Test func pureRoomsHaveNoTimeAndNoChance() throws { #expect(try rules.strangers() == []) }

  @Test func actionsComeInOrder() {
    #expect(rules.exchangeFiles.count > 15)
    #expect(rules.unorderedActions() == [])
  }

  @Test func shellsDoNotDecideByTheStateOfMachines() throws {
    #expect(rules.shells().count > 20)
    #expect(try rules.decidingShells() == [])
  }

  @Test func nothingComparesSentences() throws { #expect(try rules.comparedSentences() == []) }

  @Test func everyMutantFitsItsFile() {
    #expect(rules.staleMutants() == [])
    #expect(SourceTree.ofThisPackage.files.keys.count { $0.hasPrefix("Fixtures/mutants/") } >= 30)
  }

  /// The rules themselves find what they are for.
  @Test func aSpoiledHouseIsFound() throws {
    let spoiled = DeterminismRules(
      tree: SourceTree(files: [
        "Sources/Core/ActivityExchange/Exchange/Spoiled.swift":
          "let now = Date()\n  a.keys.flatMap { end($0) }\n",
        "Sources/Agent/Agent/Spoiled.swift": "import Glibc\nif exchange.continuations.isEmpty {}\n",
        "Sources/App/Documents/Spoiled.swift": """
        guard known?.reason != next.reason else { return }
        if status.reason.contains("here") || failure.description.hasPrefix("No") {}
        if told == offer.remark {}
        if status.reason.isEmpty, cause != nil, slot.form == .reason, root.refusal == nil {}
        """,
        "Fixtures/mutants/a.mutant": "# x\nfile Sources/Agent/Agent/Spoiled.swift\n- nowhere\nskip\n",
      ]))
    #expect(try spoiled.strangers().count == 1)
    #expect(spoiled.unorderedActions().count == 1)
    #expect(try spoiled.decidingShells().count == 1)
    #expect(try Set(spoiled.comparedSentences().map { $0.split(separator: " ")[0] }).count == 3)
    #expect(spoiled.staleMutants().count == 1)
  }
}
