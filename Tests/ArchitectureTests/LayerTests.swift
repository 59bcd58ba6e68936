// SPDX-License-Identifier: MIT

import Testing

@Suite struct LayerTests {
  private let rules = LayerRules(.ofThisPackage)

  @Test func everyRoomIsDrawnAndEveryDrawnRoomHasCode() { #expect(rules.drawing() == []) }

  @Test func everyRoomLiesInTheFolderThatIsDrawn() { #expect(rules.places() == []) }

  @Test func importsAreThoseOfTheTable() { #expect(rules.doors() == []) }

  @Test func packageManifestDeclaresWhatTheTableSays() { #expect(rules.manifest() == []) }

  @Test func smallRoomsStaySmallAndPureRoomsPure() { #expect(rules.limits() == []) }

  @Test func theCoreIsPure() {
    let core = RoomTable.folders(markdown: SourceTree.ofThisPackage.files["docs/architecture.md"] ?? "")
      .filter { $0.hasPrefix("Sources/Core/") }.map { String($0.dropFirst(13)) }
    #expect(LayerRules.pure.symmetricDifference(core) == ["ContinuityTestKit"])
  }

  @Test func theTableIsThereAndSoAreTheFiles() {
    #expect(rules.table.rows.count > 40)
    for room in SourceTree.programs.union(SourceTree.tools).union(LayerRules.small) {
      #expect(!SourceTree.ofThisPackage.swiftFiles(ofRoom: room).isEmpty, "\(room)")
    }
  }
}

/// A house of three rooms, which the tests below spoil.
@Suite struct LayerRulesTests {
  private static let drawing = """
    | rank | target | responsibility | imports |
    | --- | --- | --- | --- |
    | 0 | `ActivityModel` | words | – |
    | 1 | `ActivityWire` | bytes | ActivityModel |
    | 7 | `fixtures` | plays | what a script needs |

    | folder | what | rooms |
    | --- | --- | --- |
    | `Sources/Core` | pure | ActivityModel, ActivityWire |
    | `Tests/Tools` | tools | fixtures |
    """

  private static let sound = SourceTree(files: [
    "docs/architecture.md": drawing,
    "Package.swift": #"room("ActivityModel"), room("ActivityWire", ["ActivityModel"]),"#
      + #" program("fixtures", ["ActivityWire"])"#,
    "Sources/Core/ActivityModel/A.swift": "import FoundationEssentials\n",
    "Sources/Core/ActivityWire/B.swift": "public import ActivityModel\n",
    "Tests/Tools/fixtures/C.swift": "import ActivityWire\nimport struct ActivityModel.Offer\nimport Glibc\n",
  ])

  private func rules(_ changes: [String: String?]) -> LayerRules {
    var tree = Self.sound
    for (path, text) in changes { tree.files[path] = text }
    return LayerRules(tree)
  }

  @Test func aSoundHouseHasNoFindings() {
    let rules = rules([:])
    #expect(rules.drawing() + rules.places() + rules.doors() + rules.manifest() + rules.limits() == [])
  }

  @Test func aRoomThatIsNotDrawnIsFound() {
    let rules = rules(["Sources/Core/Attic/D.swift": ""])
    #expect(rules.drawing() == ["Attic is not drawn in docs/architecture.md"])
    #expect(rules.places() == ["Sources/Core/Attic is not drawn in docs/architecture.md"])
  }

  @Test func aRoomInAnotherFolderAndAFileInNoRoomAreFound() {
    let rules = rules([
      "Tests/Tools/fixtures/C.swift": nil, "Sources/Programs/fixtures/C.swift": "",
      "Sources/Core/E.swift": "",
    ])
    #expect(
      rules.places() == [
        "Sources/Programs/fixtures is not drawn in docs/architecture.md",
        "Tests/Tools/fixtures is drawn and not there", "Sources/Core/E.swift lies in no room",
      ])
  }

  @Test func aDrawnRoomWithoutCodeIsFound() {
    #expect(
      rules(["Sources/Core/ActivityWire/B.swift": nil]).drawing() == ["ActivityWire is drawn and has no code"]
    )
  }

  @Test func anImportUpwardsIsFound() {
    let found = rules(["Sources/Core/ActivityModel/A.swift": "internal import ActivityWire\n"]).doors()
    #expect(found.first == "ActivityModel (rank 0) imports ActivityWire (rank 1)")
  }

  @Test func anUnlistedPackageIsFound() {
    let found = rules(["Sources/Core/ActivityWire/E.swift": "import Crypto\n"]).doors()
    #expect(found == ["ActivityWire imports Crypto, which its row does not list"])
  }

  @Test func aListedImportThatNobodyUsesIsFound() {
    let found = rules(["Sources/Core/ActivityWire/B.swift": "import FoundationEssentials\n"]).doors()
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
    ("Sources/Core/ActivityWire/F.swift", "@_exported import ActivityModel"),
    ("Sources/Core/ActivityWire/F.swift", "import Foundation"),
    ("Sources/Core/ActivityModel/F.swift", "import Glibc"),
    ("Tests/Tools/fixtures/F.swift", "import CInotifyTools"),
  ])
  func aForbiddenImportIsFound(path: String, line: String) {
    #expect(rules([path: line + "\n"]).limits().count == 1)
  }
}
