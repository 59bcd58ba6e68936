// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite struct TextTests {
  private let rules = TextRules(tree: .ofThisPackage)

  @Test func filesAndLinesStayWithinTheirBudgets() { #expect(rules.files() == []) }

  @Test func functionsStayWithinTheirBudget() { #expect(rules.functions() == []) }

  @Test func noBannedWordStandsInCode() throws { #expect(try rules.words() == []) }

  @Test func noTestInPythonSleeps() { #expect(rules.sleeps() == []) }

  @Test func onlyWhatIsAgreedLiesAtTheTop() throws {
    let root = URL(filePath: #filePath + "/../../..").standardized.path
    let found = try FileManager.default.contentsOfDirectory(atPath: root).filter { !$0.hasPrefix(".") }
    #expect(Set(found).subtracting(TextRules.top) == [])
  }

  @Test func everyUncheckedSendableSaysWhatGuardsIt() { #expect(rules.uncheckedSendables() == []) }

  @Test func everyFixtureIsUsedAndReadable() { #expect(rules.fixtures() == []) }

  @Test func everyExceptionIsStillNeeded() {
    for path in TextRules.exceptions { #expect(SourceTree.ofThisPackage.files[path] != nil, "\(path)") }
  }
}

/// Each rule, shown that it can fail.
@Suite struct TextRulesTests {
  private func rules(_ path: String, _ text: String) -> TextRules {
    TextRules(tree: SourceTree(files: [path: text]))
  }

  @Test func aFileWithoutTheLicenceLineIsFound() {
    #expect(
      rules("Sources/X/A/B.swift", "import C\n").files() == ["Sources/X/A/B.swift lacks the licence line"])
  }

  @Test func aLongFileAndALongLineAreFound() {
    let licence = "// SPDX-License-Identifier: MIT\n"
    let long = rules("Sources/X/A/B.swift", licence + String(repeating: "\n", count: TextRules.fileLimit))
    #expect(long.files() == ["Sources/X/A/B.swift has \(TextRules.fileLimit + 1) lines"])
    let wide = rules("Sources/X/A/B.swift", licence + String(repeating: "x", count: 111) + "\n")
    #expect(wide.files() == ["Sources/X/A/B.swift:2 has 111 characters"])
  }

  @Test func aLongFunctionIsFoundAndAShortOneIsNot() {
    let body = String(repeating: "    x()\n", count: 59)
    let long = "  public static func a() {\n\(body)  }\n"
    #expect(
      rules("Sources/X/A/B.swift", long).functions() == ["Sources/X/A/B.swift:1 is a function of 61 lines"])
    let property = "  private var a: Int {\n\(body)  }\n"
    #expect(rules("Sources/X/A/B.swift", property).functions().count == 1)
    #expect(rules("Sources/X/A/B.swift", "  init() {\n  }\n\(body)  }\n").functions() == [])
  }

  @Test(arguments: [
    "let a = try! b()", "a as! B", "fatalError(\"\")", "// TODO: later", "usleep(10)", "sleep(1)",
    "try await Task.sleep(for: .seconds(1))", "struct FileUtils {", "final class WatchManager {",
  ])
  func aBannedWordIsFound(line: String) throws {
    #expect(try rules("Tests/ATests/B.swift", line).words().count == 1)
  }

  @Test func aTestInPythonThatSleepsIsFound() {
    #expect(rules("Tests/ATests/b.py", "time.sleep(0.01)\n").sleeps().count == 1)
    #expect(rules("Tests/ATests/b.py", "await asyncio.sleep(0)\n").sleeps() == [])
  }

  @Test func anUnguardedSendableIsFound() {
    let text = "final class A: @unchecked Sendable {}\n"
    #expect(rules("Sources/X/A/B.swift", text).uncheckedSendables().count == 1)
    #expect(rules("Sources/X/A/B.swift", "// Guarded by `lock`.\n" + text).uncheckedSendables() == [])
  }

  @Test func anUnusedAnEmptyAndALongFixtureAreFound() {
    var tree = SourceTree(files: ["Fixtures/attic/a.script": "", "Fixtures/attic/b.script": "x\n"])
    tree.files["Fixtures/attic/c.script"] = String(repeating: "x\n", count: 41)
    #expect(
      TextRules(tree: tree).fixtures() == [
        "Fixtures/attic is named by no test", "Fixtures/attic/a.script is empty",
        "Fixtures/attic/c.script has 41 lines",
      ])
    tree.files["Tests/ATests/B.swift"] = "Fixtures/attic"
    #expect(TextRules(tree: tree).fixtures().count == 2)
  }
}
