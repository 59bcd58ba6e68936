// SPDX-License-Identifier: MIT

import Foundation

/// What breaks the rules of documentation comments, one sentence each; empty when nothing does.
///
/// Public is: what says `public` or `open`, the cases of a public enumeration, and the requirements of a
/// public protocol. An override keeps the promise of the class that it overrides, and has its comment there.
struct DocumentationRules {
  let tree: SourceTree

  /// Declarations that these rules leave out, as "file:name", each with its reason.
  static let exceptions: Set<String> = []

  /// One public declaration and the text of its comment.
  struct Declaration {
    var path: String
    var line: Int
    var name: String
    var comment: String?
    /// Whether it throws, whatever its closures do.
    var isThrowing = false

    var place: String { "\(path):\(line) \(name)" }
  }

  /// Files of the libraries, wherever they lie below `Sources`.
  private var libraries: [(path: String, text: String)] {
    tree.swiftFiles(below: "Sources").filter { SourceTree.isLibrary($0.path) }
  }

  /// All public declarations of the libraries.
  var declarations: [Declaration] {
    libraries.flatMap { path, text in Self.declarations(in: text, at: path) }
      .filter { !Self.exceptions.contains("\($0.path):\($0.name)") }
  }

  func missing() -> [String] {
    declarations.filter { $0.comment == nil }.map { "\($0.place) has no comment" }
  }

  /// Public and package functions that throw and do not say what.
  ///
  /// The word is enough, in a sentence or as `- Throws:`; a function that only throws on what its closure
  /// throws (`rethrows`) says nothing.
  func silentThrows() -> [String] {
    libraries.flatMap { path, text in
      Self.declarations(in: text, at: path, access: ["public", "open", "package"])
    }
    .filter { $0.isThrowing && $0.comment?.contains(/\b[Tt]hrows?\b|\b[Tt]hrown\b/) != true }
    .map { "\($0.place) does not say what it throws" }
  }

  /// In formatted code a type's members are indented by two more than it, and it ends at its own brace.
  static func declarations(
    in text: String, at path: String, access: Set<Substring> = ["public", "open"]
  ) -> [Declaration] {
    let lines = SourceTree.lines(text)
    var found: [Declaration] = []
    var open: (kind: Substring, indentation: Int)?
    var isInText = false
    for (index, line) in lines.enumerated() {
      let wasInText = isInText
      if line.holds("\"\"\""), !line.matches(of: /"""/).count.isMultiple(of: 2) { isInText.toggle() }
      guard !wasInText else { continue }
      let indentation = line.prefix { $0 == " " }.count
      let code = line.dropFirst(indentation)
      if let inner = open, indentation <= inner.indentation, code.hasPrefix("}") { open = nil }
      let isMember = open.map { indentation == $0.indentation + 2 } ?? false
      let isCase = isMember && open?.kind == "enum" && code.hasPrefix("case ")
      let isRequirement =
        isMember && open?.kind == "protocol"
        && code.contains(/^(@\w+ )*(static )?(func|var|init|associatedtype)\b/)
      let isPublic = Self.isPublic(code, access)
      guard isPublic || isCase || isRequirement else { continue }
      let comment = comment(above: index, in: lines)
      let isThrowing = isThrowing(from: index, in: lines)
      found += names(in: code).map {
        Declaration(path: path, line: index + 1, name: $0, comment: comment, isThrowing: isThrowing)
      }
      if isPublic, let kind = code.firstMatch(of: #/\b(enum|protocol) /#)?.1, line.hasSuffix("{") {
        open = (kind, indentation)
      }
    }
    return found
  }

  private static let kinds: Set<Substring> = [
    "func", "var", "let", "struct", "class", "enum", "protocol", "actor", "typealias", "init", "subscript",
  ]

  /// Whether `throws` stands behind the parameters of the function or initializer that begins in a line.
  private static func isThrowing(from index: Int, in lines: [Substring]) -> Bool {
    guard lines[index].contains(/\b(func |init[?(<]|subscript[(<])/) else { return false }
    var depth = 0
    var behind = ""
    for line in lines[index...].prefix(16) {
      for character in line {
        if character == "(" { depth += 1 }
        if depth == 0 { behind.append(character) }
        if character == ")" { depth -= 1 }
      }
      behind.append(" ")
      if depth == 0, line.hasSuffix("{") || line.hasSuffix(")") || line.hasSuffix("}") || !line.hasSuffix(",")
      {
        break
      }
    }
    return behind.prefix { $0 != "{" }.contains(/\bthrows\b/)
  }

  /// Whether a word of `access` stands among those before a declaration's kind, and no `override`.
  private static func isPublic(_ code: Substring, _ access: Set<Substring>) -> Bool {
    var isPublic = false
    for word in code.split(separator: " ") {
      if kinds.contains(word.prefix { $0.isLetter }) { return isPublic }
      guard let first = word.first, first == "@" || first.isLowercase, word != "override" else {
        return false
      }
      if access.contains(word) { isPublic = true }
    }
    return false
  }

  /// The names that a line declares: several for a case without payloads.
  private static func names(in code: Substring) -> [String] {
    if code.hasPrefix("case ") {
      let plain = code.dropFirst(5).replacing(/\([^()]*(\([^()]*\)[^()]*)*\)?/, with: "")
      return plain.split(separator: ",").map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
    }
    let kinds = /\b(?:func|var|let|struct|class|enum|protocol|actor|typealias|associatedtype) ([^ (:<=]+)/
    if let name = code.firstMatch(of: kinds)?.1 { return [String(name)] }
    return [code.contains(/\bsubscript\b/) ? "subscript" : "init"]
  }

  /// The `///` lines just above, attributes aside.
  private static func comment(above index: Int, in lines: [Substring]) -> String? {
    var comment: [Substring] = []
    for line in lines[..<index].reversed() {
      let code = line.drop { $0 == " " }
      if code.hasPrefix("///") {
        comment.append(code.dropFirst(3))
      } else if !code.hasPrefix("@") || !comment.isEmpty {
        break
      }
    }
    return comment.isEmpty ? nil : comment.reversed().joined(separator: " ")
  }
}
