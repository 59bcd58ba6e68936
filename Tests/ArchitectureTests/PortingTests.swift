// SPDX-License-Identifier: MIT

import Testing

@Suite("docs/porting-from-appkit.md") struct PortingTests {
  private let rules = PortingRules(.ofThisPackage)

  @Test func everyNameThatItSaysIsHereIsHere() { #expect(rules.strangers() == []) }

  @Test func everyRowSaysWhatItIs() { #expect(rules.unclear() == []) }

  @Test func everyNameOfTheHandoffGuidesHasARow() { #expect(rules.forgotten() == []) }

  @Test func theTablesAreThere() { #expect(rules.rows.count > 70) }
}

/// A page of one section, which the tests below spoil.
@Suite struct PortingRulesTests {
  private func rules(_ rows: String) -> PortingRules {
    PortingRules(
      SourceTree(files: [
        "docs/porting-from-appkit.md": "## `NSActivity` → `Activity`\n" + rows,
        "Sources/A/Activity.swift": """
        public class Activity {
          public init(type: String) {}
          public var title: String?
          public func send(
            _ a: [Int: Int] = [:], to b: @escaping (Int, Int) -> Void
          ) {}
          public enum Kind { case first, second }
        }
        """,
        "Sources/A/Other.swift": "public func elsewhere(_ a: Int) {}\nlet key = \"CFKey\"",
      ]))
  }

  @Test(arguments: ["Activity", "title", "init(type:)", "send(_:to:)", "second", "CFKey"])
  func whatIsDeclaredIsFound(name: String) {
    #expect(rules("| `x` | `\(name)` | same | |").strangers() == [])
  }

  @Test(arguments: ["Activities", "titles", "init()", "send(_:)", "send(_:with:)", "elsewhere(_:)"])
  func whatIsNotDeclaredInTheTypeIsToldOf(name: String) {
    #expect(
      rules("| `x` | `\(name)` | same | |").strangers() == [
        "\(name) is not declared in the files of Activity"
      ])
  }

  @Test(arguments: [
    "| `x` | – | same | |", "| `x` | `title` | absent | why |", "| `x` | – | absent | |",
    "| `x` | `title` | different | |", "| `x` | `title` | perhaps | why |",
  ])
  func aRowThatDoesNotSayWhatItIsIsFound(row: String) { #expect(rules(row).unclear().count == 1) }

  @Test func anAppleNameWithoutARowIsFound() {
    let all = rules("").forgotten()
    #expect(all.contains("needsSave") && all.count > 40)
    #expect(rules("| `needsSave` | – | absent | why |").forgotten().count == all.count - 1)
  }
}
