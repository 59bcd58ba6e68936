// SPDX-License-Identifier: MIT

import Testing

@Suite("docs/authors/porting-from-appkit.md") struct PortingTests {
  private let rules = PortingRules(.ofThisPackage)

  @Test func everyNameThatItSaysIsHereIsHere() { #expect(rules.strangers() == []) }

  @Test func everyRowSaysWhatItIs() { #expect(rules.unclear() == []) }

  @Test func everyNameOfTheHandoffGuidesHasARow() { #expect(rules.forgotten() == []) }

  @Test func everyNameThatCompilesUnchangedIsCompiled() { #expect(rules.unused() == []) }

  @Test func theTablesAreThere() { #expect(rules.rows.count > 70) }
}

/// A page of one section, which the tests below spoil.
@Suite struct PortingRulesTests {
  private func rules(_ rows: String) -> PortingRules {
    PortingRules(
      SourceTree(files: [
        "docs/authors/porting-from-appkit.md": "## `NSActivity` → `Activity`\n" + rows,
        "Sources/X/A/Activity.swift": """
        public class Activity {
          public init(type: String) {}
          public var title: String?
          public func send(
            _ a: [Int: Int] = [:], to b: @escaping (Int, Int) -> Void
          ) {}
          public enum Kind { case first, second }
        }
        """,
        "Sources/X/A/Other.swift": "public func elsewhere(_ a: Int) {}\nlet key = \"CFKey\"",
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
    "| `x` | `title` | different | |", "| `x` | `title` | kept | |", "| `x` | `title` | perhaps | why |",
  ])
  func aRowThatDoesNotSayWhatItIsIsFound(row: String) { #expect(rules(row).unclear().count == 1) }

  @Test func anAppleNameWithoutARowIsFound() {
    let all = rules("").forgotten()
    #expect(all.contains("needsSave") && all.count > 40)
    #expect(rules("| `needsSave` | – | absent | why |").forgotten().count == all.count - 1)
  }

  /// The page's rows, and a source that begins with its heading.
  private func unused(_ name: String, as verdict: String = "same", in source: String) -> [String] {
    let heading = "## `NSActivity` → `Activity`"
    return PortingRules(
      SourceTree(files: [
        "docs/authors/porting-from-appkit.md": heading + "\n| `\(name)` | `x` | \(verdict) | |\n",
        "Tests/DocumentsTests/PortingSource.swift": "let title = 1\n// \(heading)\n" + source,
      ])
    ).unused()
  }

  @Test(arguments: [
    ("title", "a.title = 1"), ("init()", "NSActivity()"), ("init()", "  override init() {}"),
    ("init(type:)", "NSActivity(type: \"b\")"), ("send(_:)", "a.send(b)"),
    ("send(_:)", "func send(_ a: B) {}"),
    ("send(_:to:)", "a.send([1: 2],\n  to: { (a: B, c) in d })"), ("move(to:)", "func move(to url: URL) {}"),
    ("move(to:then:)", "a.move(to: b ? c : d, then: nil)"),
  ])
  func whatIsCompiledIsFound(name: String, source: String) { #expect(unused(name, in: source) == []) }

  @Test(arguments: [
    ("title", "a.titles = 1"), ("title", "// a.title = 1"), ("init()", "override init(a: B) {}"),
    ("init(type:)", "Other(type: 1)"), ("send(_:)", "a.send()"), ("send(_:)", "a.send"),
    ("move(to:then:)", "a.move(to: b)"), ("move(to:)", "a.move(b)"), ("move(to:)", "a.remove(to: b)"),
  ])
  func whatIsNotCompiledIsToldOf(name: String, source: String) {
    #expect(unused(name, in: source) == ["`NSActivity` → `Activity`: nothing compiled uses \(name)"])
    #expect(unused(name, as: "kept", in: source).count == 1)
    #expect(unused(name, as: "different", in: source) == [])
  }
}
