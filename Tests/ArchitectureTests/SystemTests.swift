// SPDX-License-Identifier: MIT

import Testing

@Suite struct SystemTests {
  private let rules = SystemRules(tree: .ofThisPackage)

  @Test func onlyTheRoomForItAndFilesWithAReasonCallTheSystem() { #expect(rules.strangers() == []) }

  @Test func filesThatCallTheSystemBecomeFewer() { #expect(rules.count <= 24) }
}

/// A house in which one file too many calls the system.
@Suite struct SystemRulesTests {
  @Test func aFileWithoutAReasonIsNamed() {
    let rules = SystemRules(tree: SourceTree(files: ["Sources/Core/Trust/Roster.swift": "import Glibc\n"]))
    #expect(rules.strangers().contains { $0.hasPrefix("Sources/Core/Trust/Roster.swift calls the system") })
  }

  @Test func aReasonWithoutAFileIsNamed() {
    let rules = SystemRules(tree: SourceTree(files: [:]))
    #expect(rules.strangers().count == SystemRules.reasons.flatMap(\.paths).count)
  }
}
