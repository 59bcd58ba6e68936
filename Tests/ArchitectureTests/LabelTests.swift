// SPDX-License-Identifier: MIT

import Testing

/// A call says what each of its arguments is: the first by the function's name, the others by their labels.
@Suite struct LabelTests {
  private let rules = LabelRules(tree: .ofThisPackage)

  @Test func everyArgumentAfterTheFirstHasALabel() {
    #expect(rules.unlabelled() == [])
    #expect(rules.functions().count > 500)
  }
}

/// The rule, shown that it can fail.
@Suite struct LabelRulesTests {
  private func unlabelled(_ text: String) -> Int {
    LabelRules(tree: SourceTree(files: ["Sources/X/A/B.swift": text])).unlabelled().count
  }

  @Test(arguments: [
    "public func a(_ b: Int, _ c: Int)", "  package static func a(b: Int, _ c: [Int: Int] = [:]) -> Int {",
    "  public func a(\n    _ b: (Int, Int), c: Int,\n    _ d: () -> Void\n  ) {",
    "@inlinable public func a<B>(_ b: (B, Int) -> Void, _ c: B) {",
    "package protocol A {\n  func a(b: Int, _ c: Int)\n}", "  public init?(_ b: Int, _ c: Int) {",
    "package init<B>(b: B,\n  _ c: Int) {",
  ])
  func anArgumentWithoutALabelIsFound(text: String) {
    #expect(unlabelled(text) == 1)
  }

  @Test(arguments: [
    "public func a(_ b: Int, c: Int)", "public init(_ b: Int, c: Int) { self.init(b, _ c) }",
    "public init(b: Int)\nfunc a(_ b: Int, _ c: Int)",
    "func a(_ b: Int, _ c: Int)", "public func a(_ b: (Int, _ c: Int))",
    "@c(a)\npublic func a(_ b: Int, _ c: Int)", "@c(a) public func a(_ b: Int, _ c: Int)",
    "public static func < (_ a: A, _ b: A) -> Bool", "protocol A {\n  func a(b: Int, _ c: Int)\n}",
    "  public func a(_ b: Int) {\n    c(d, _ e: 1)",
  ])
  func whatHasLabelsOrNeedsNoneIsNot(text: String) {
    #expect(unlabelled(text) == 0)
  }
}
