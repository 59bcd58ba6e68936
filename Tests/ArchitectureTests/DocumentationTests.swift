// SPDX-License-Identifier: MIT

import Testing

@Suite struct DocumentationTests {
  private let rules = DocumentationRules(tree: .ofThisPackage)

  @Test func everyPublicDeclarationHasAComment() { #expect(rules.missing() == []) }

  @Test func everythingThatThrowsSaysWhat() { #expect(rules.silentThrows() == []) }

  @Test func declarationsAreFound() { #expect(rules.declarations.count > 800) }

  @Test func everyExceptionIsStillNeeded() {
    for exception in DocumentationRules.exceptions {
      let parts = exception.split(separator: ":").map(String.init)
      let declarations = DocumentationRules.declarations(
        in: SourceTree.ofThisPackage.files[parts[0]] ?? "", at: parts[0])
      #expect(declarations.contains { $0.name == parts.last }, "\(exception)")
    }
  }
}

/// Each rule, shown that it can fail.
@Suite struct DocumentationRulesTests {
  private func rules(_ text: String, at path: String = "Sources/X/A/B.swift") -> DocumentationRules {
    DocumentationRules(tree: SourceTree(files: [path: text]))
  }

  @Test(arguments: [
    "public func a()", "  public static let a = 1", "@MainActor public final class A {",
    "  open var a: Int {",
    "  public required init() {", "  public init?() {", "  public subscript(a: Int) -> Int {",
    "  public private(set) var a = 1", "  public typealias A = Int",
  ])
  func aPublicDeclarationWithoutACommentIsFound(line: String) {
    #expect(rules(line).missing().count == 1)
    #expect(rules("/// Why.\n@inlinable\n" + line).missing() == [])
    #expect(rules(line, at: "Tests/Tools/fixtures/B.swift").missing() == [])
  }

  @Test func casesAndRequirementsOfPublicTypesArePublic() {
    let text = """
      /// Why.
      public enum A {
        case b(Int, c: (Int) -> Void), d
        var e: Int { 1 }
      }
      enum F {
        case g
      }
      /// Why.
      public protocol H {
        func i()
      }
      """
    #expect(
      rules(text).missing() == [
        "Sources/X/A/B.swift:3 b has no comment", "Sources/X/A/B.swift:3 d has no comment",
        "Sources/X/A/B.swift:11 i has no comment",
      ])
  }

  @Test func whatIsNotADeclarationIsLeftAlone() {
    let text = """
      public import A
      public extension B {
        guard let open = c else { return }
        public override func d() {}
      let words = ""\"
        public let us
        ""\"
      """
    #expect(rules(text).declarations.isEmpty)
  }

  @Test(arguments: [
    "public func a() throws {", "  package init(b: Int) throws(ContinuityError) {",
    "  public func a(\n    b: Int, c: (Int) -> Void\n  ) throws(ContinuityError) -> Int {",
    "  open func a() async throws -> Int {", "  public subscript(a: Int) -> Int throws {",
  ])
  func whatThrowsAndDoesNotSaySoIsFound(declaration: String) {
    #expect(rules("/// Does it.\n" + declaration).silentThrows().count == 1)
    #expect(rules("/// Does it. Throws `invalidBytes`.\n" + declaration).silentThrows() == [])
    #expect(rules("/// Does it.\n///\n/// - Throws: an error.\n" + declaration).silentThrows() == [])
    #expect(rules("/// Does it.\n" + declaration, at: "Tests/Tools/fixtures/B.swift").silentThrows() == [])
  }

  @Test(arguments: [
    "public func a(_ body: () throws -> Void) rethrows {", "func a() throws {", "public func a() {\n  throws",
    "  public override func a() throws {", "public let throws = 1",
    "public func a(\n  _ body: (Int) throws(E) -> Void\n) -> Int {",
  ])
  func whatDoesNotThrowNeedNotSaySo(declaration: String) {
    #expect(rules("/// Does it.\n" + declaration).silentThrows() == [])
  }
}
