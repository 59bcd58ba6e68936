// SPDX-License-Identifier: MIT

import Testing

/// The state of a machine is its own: it is divided into values, or private, or an interface for reading.
@Suite struct MachineTests {
  private let rules = MachineRules(tree: .ofThisPackage)

  @Test func theStateOfAMachineIsItsOwn() {
    #expect(rules.openStates() == [])
    #expect(rules.properties().count > 60)
  }

  @Test func everyOpenStateThatIsExcusedIsStillOpen() {
    let open = Set(rules.properties().filter(\.isOpen).map(\.name))
    #expect(Set(MachineRules.exceptions.keys).subtracting(open) == [])
  }
}

/// The rule, shown that it can fail.
@Suite struct MachineRulesTests {
  private func open(_ members: String, in type: String = "public struct TestMachine: Sendable {") -> [String]
  {
    let text = "\(type)\n\(members)\n}\n\nextension TestMachine {\n  var sum: Int { a + b }\n}\n"
    return MachineRules(tree: SourceTree(files: ["Sources/X/A/B.swift": text])).openStates()
  }

  @Test(arguments: [
    "  var a = 1", "  let a: Int", "  public internal(set) var a: Int?", "  public var a = 1",
    "  var a: [Int] = [] { didSet { b = 1 } }", "  package(set) public var a = 1",
    "  var a: Int {\n    didSet { b = 1 }\n  }", "  lazy var a = { 1 }()",
  ])
  func anOpenStateIsFound(member: String) {
    #expect(open(member) == ["Sources/X/A/B.swift:2: TestMachine.a lies open"])
    #expect(open(member, in: "final class TestMachine {").count == 1)
  }

  @Test(arguments: [
    "  private var a = 1", "  public private(set) var a = 1", "  public let a: Int", "  static let a = 1",
    "  public var a: Int { 1 }", "  var a: Int {\n    let b = 1\n    return b\n  }",
    "  struct Part {\n    var a = 1\n  }", "  mutating func a() {\n    var b = 1\n  }",
    "  fileprivate let a: Int",
  ])
  func whatIsTheMachinesOwnIsNot(member: String) {
    #expect(open(member) == [])
    #expect(open("  var a = 1", in: "struct TestWorld {") == [])
  }
}
