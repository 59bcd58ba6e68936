// SPDX-License-Identifier: MIT

/// What breaks the contract of the C library as far as its texts tell: `continuo.h`, the list of exports,
/// and the Swift functions behind them. That the types agree is for a C compiler, in Tests/Embedded.
struct CDoorRules {
  static let header = "Sources/App/CContinuo/include/continuo.h"
  static let exports = "Sources/App/CContinuo/continuo.map"
  let tree: SourceTree

  /// Functions that the header declares.
  var declared: Set<String> {
    Set(
      (tree.files[Self.header] ?? "").matches(of: /(?m)^(?:continuo_status|u?int32_t) (continuo_\w+)\(/)
        .map { String($0.1) })
  }

  /// Names that the linker lets out.
  var exported: Set<String> {
    Set((tree.files[Self.exports] ?? "").matches(of: /(?m)^    (continuo_\w+);$/).map { String($0.1) })
  }

  /// Functions of Swift under a name of C.
  var defined: Set<String> {
    Set(
      tree.swiftFiles(ofRoom: "ContinuoC").flatMap { _, text in
        text.matches(of: /(?m)^@c\((continuo_\w+)\)$/).map { String($0.1) }
      })
  }

  func differences() -> [String] {
    declared.symmetricDifference(exported).sorted().map { "\($0) is not in both header and exports" }
      + declared.symmetricDifference(defined).sorted().map { "\($0) is not in both header and Swift" }
  }

  /// Comments of functions and structs that do not say since when they are there. A comment may stand for
  /// several functions in a row.
  func undated() -> [String] {
    let text = tree.files[Self.header] ?? ""
    var comment = Substring()
    var found: [String] = []
    for part in text.matches(
      of: /(?ms)^\/\*.*?\*\/$|^typedef struct (\w+) \{|^(?:continuo_status|u?int32_t) (continuo_\w+)\(/)
    {
      guard let name = part.1 ?? part.2 else {
        let said = part.0.dropFirst(2).dropLast(2)
        // One line beneath a group belongs to its last function.
        if said.contains("\n") || said.contains("Since") { comment = said }
        continue
      }
      if !comment.contains(/Since [0-9]+\.[0-9]+\.\s*$/) { found.append("\(name) does not say since when") }
    }
    return found
  }

  /// Text that is no array of bytes with its length.
  func bareStrings() -> [String] {
    SourceTree.lines(tree.files[Self.header] ?? "").filter { $0.contains(/\bchar \*/) }.map {
      "\($0) has a bare string"
    }
  }
}
