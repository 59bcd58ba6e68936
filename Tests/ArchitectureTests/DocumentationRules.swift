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

    var place: String { "\(path):\(line) \(name)" }
  }

  /// All public declarations of the libraries.
  var declarations: [Declaration] {
    tree.swiftFiles(below: "Sources").filter { SourceTree.isLibrary($0.path) }
      .flatMap { path, text in Self.declarations(in: text, at: path) }
      .filter { !Self.exceptions.contains("\($0.path):\($0.name)") }
  }

  func missing() -> [String] {
    declarations.filter { $0.comment == nil }.map { "\($0.place) has no comment" }
  }

  /// Comments with no word besides those of the name, its inflections, and words that carry nothing.
  func restating() -> [String] {
    declarations.compactMap { declaration in
      guard let comment = declaration.comment else { return nil }
      let named = Set(Self.stems(of: declaration.name))
      let said = Self.stems(of: comment).filter { !named.contains($0) && !Self.empty.contains($0) }
      return said.isEmpty ? "\(declaration.place) is only named again: \(comment)" : nil
    }
  }

  /// Words that say nothing by themselves, by their stems.
  private static let empty = Set(
    stems(
      of: """
        a an the this that these its it is are was be been of to in on at by for from with as and or which \
        whose what when where how whether if not no get set value object instance type class struct \
        enum case protocol method function property variable constant init initializer new given default
        """))

  /// The words of a text or a name, in lower case and without the endings of number and tense.
  static func stems(of text: String) -> [String] {
    text.replacing(/([a-z0-9])([A-Z])/) { "\($0.1) \($0.2)" }
      .lowercased().split { !$0.isLetter && !$0.isNumber }
      .map { word in
        let endings = ["ing", "ed", "es", "s"]
        let ending = endings.first { word.hasSuffix($0) && word.count > $0.count + 2 } ?? ""
        let stem = String(word.dropLast(ending.count))
        return stem.hasSuffix("e") && stem.count > 3 ? String(stem.dropLast()) : stem
      }
  }

  /// In formatted code a type's members are indented by two more than it, and it ends at its own brace.
  static func declarations(in text: String, at path: String) -> [Declaration] {
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
      let isPublic = Self.isPublic(code)
      guard isPublic || isCase || isRequirement else { continue }
      let comment = comment(above: index, in: lines)
      found += names(in: code).map { Declaration(path: path, line: index + 1, name: $0, comment: comment) }
      if isPublic, let kind = code.firstMatch(of: #/\b(enum|protocol) /#)?.1, line.hasSuffix("{") {
        open = (kind, indentation)
      }
    }
    return found
  }

  private static let kinds: Set<Substring> = [
    "func", "var", "let", "struct", "class", "enum", "protocol", "actor", "typealias", "init", "subscript",
  ]

  /// Whether `public` or `open` stands among the words before a declaration's kind, and no `override`.
  private static func isPublic(_ code: Substring) -> Bool {
    var isPublic = false
    for word in code.split(separator: " ") {
      if kinds.contains(word.prefix { $0.isLetter }) { return isPublic }
      guard let first = word.first, first == "@" || first.isLowercase, word != "override" else {
        return false
      }
      if word == "public" || word == "open" { isPublic = true }
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
