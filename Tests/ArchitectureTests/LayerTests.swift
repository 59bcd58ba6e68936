// SPDX-License-Identifier: MIT

import Testing

@Suite struct LayerTests {
  private let rules = LayerRules(.ofThisPackage)

  @Test func everyRoomIsDrawnAndEveryDrawnRoomHasCode() { #expect(rules.drawing() == []) }

  @Test func importsAreThoseOfTheTable() { #expect(rules.doors() == []) }

  @Test func packageManifestDeclaresWhatTheTableSays() { #expect(rules.manifest() == []) }

  @Test func smallRoomsStaySmallAndPureRoomsPure() { #expect(rules.limits() == []) }

  @Test func theTableIsThere() { #expect(rules.table.rows.count > 15) }
}

/// A house of three rooms, which the tests below spoil.
@Suite struct LayerRulesTests {
  private static let drawing = """
    | rank | target | responsibility | imports |
    | --- | --- | --- | --- |
    | 0 | `ActivityModel` | words | – |
    | 1 | `ActivityWire` | bytes | ActivityModel |
    | 7 | `fixtures` | plays | what a script needs |
    """

  private static let sound = SourceTree(files: [
    "docs/architecture.md": drawing,
    "Package.swift": #"room("ActivityModel"), room("ActivityWire", ["ActivityModel"]),"#
      + #" program("fixtures", ["ActivityWire"])"#,
    "Sources/ActivityModel/A.swift": "import FoundationEssentials\n",
    "Sources/ActivityWire/B.swift": "public import ActivityModel\n",
    "Sources/fixtures/C.swift": "import ActivityWire\nimport struct ActivityModel.Offer\nimport Glibc\n",
  ])

  private func rules(_ changes: [String: String?]) -> LayerRules {
    var tree = Self.sound
    for (path, text) in changes { tree.files[path] = text }
    return LayerRules(tree)
  }

  @Test func aSoundHouseHasNoFindings() {
    let rules = rules([:])
    #expect(rules.drawing() + rules.doors() + rules.manifest() + rules.limits() == [])
  }

  @Test func aRoomThatIsNotDrawnIsFound() {
    #expect(rules(["Sources/Attic/D.swift": ""]).drawing() == ["Attic is not drawn in docs/architecture.md"])
  }

  @Test func aDrawnRoomWithoutCodeIsFound() {
    #expect(
      rules(["Sources/ActivityWire/B.swift": nil]).drawing() == ["ActivityWire is drawn and has no code"])
  }

  @Test func anImportUpwardsIsFound() {
    let found = rules(["Sources/ActivityModel/A.swift": "internal import ActivityWire\n"]).doors()
    #expect(found.first == "ActivityModel (rank 0) imports ActivityWire (rank 1)")
  }

  @Test func anUnlistedPackageIsFound() {
    let found = rules(["Sources/ActivityWire/E.swift": "import Crypto\n"]).doors()
    #expect(found == ["ActivityWire imports Crypto, which its row does not list"])
  }

  @Test func aListedImportThatNobodyUsesIsFound() {
    let found = rules(["Sources/ActivityWire/B.swift": "import FoundationEssentials\n"]).doors()
    #expect(found == ["ActivityWire lists ActivityModel and does not import it"])
  }

  @Test func aDependencyBesideTheTableIsFound() {
    let found = rules(["Package.swift": #"room("ActivityModel", [crypto]), room("ActivityWire")"#]).manifest()
    #expect(
      found == [
        "Package.swift gives ActivityModel Crypto, its row does not",
        "ActivityWire's row lists ActivityModel, Package.swift does not give it",
      ])
  }

  @Test(arguments: [
    ("Sources/ActivityWire/F.swift", "@_exported import ActivityModel"),
    ("Sources/ActivityWire/F.swift", "import Foundation"),
    ("Sources/ActivityModel/F.swift", "import Glibc"),
    ("Sources/fixtures/F.swift", "import CInotifyTools"),
  ])
  func aForbiddenImportIsFound(path: String, line: String) {
    #expect(rules([path: line + "\n"]).limits().count == 1)
  }
}
