// SPDX-License-Identifier: MIT

/// Arguments after the first that say nothing at the place of a call, of functions that another file's author
/// calls: public and package ones, initializers among them, and the requirements of such protocols. Empty
/// when each has its label.
///
/// Functions that C calls (`@c`) have the shape that the header dictates, and operators that of their sign.
struct LabelRules {
  let tree: SourceTree

  /// One function and its parameters, as they stand in the file.
  struct Function {
    var place: String
    var parameters: [Substring]
  }

  /// One sentence for each argument that has no label.
  func unlabelled() -> [String] {
    functions().flatMap { function in
      function.parameters.dropFirst().filter { $0.hasPrefix("_ ") }
        .map { "\(function.place): \($0) has no label" }
    }
  }

  /// Every public and package function and initializer that is called from Swift.
  func functions() -> [Function] {
    tree.swiftFiles(below: "Sources").flatMap { path, text -> [Function] in
      let lines = SourceTree.lines(text)
      return DocumentationRules.declarations(in: text, at: path, access: ["public", "open", "package"])
        .compactMap { declaration in
          let first = declaration.line - 1
          guard Self.name(in: lines[first]) != nil, !Self.isCalledFromC(first, in: lines) else { return nil }
          return Function(place: declaration.place, parameters: Self.parameters(from: first, in: lines))
        }
    }
  }

  /// Where a function's name begins, or what follows an initializer's `init`; nil for an operator, and for
  /// what is no function.
  private static func name(in text: some StringProtocol) -> String.Index? {
    String(text).firstMatch(of: /\b(?:func (?=\p{L})|init(?=[?<(]))/)?.range.upperBound
  }

  /// Whether `@c` stands before the function, in its line or above it.
  private static func isCalledFromC(_ index: Int, in lines: [Substring]) -> Bool {
    lines[index].holds("@c(")
      || lines[..<index].reversed().prefix { $0.drop { $0 == " " }.hasPrefix("@") }
        .contains { $0.holds("@c(") }
  }

  /// What stands between the parentheses of the function that begins in a line, divided at its own commas.
  private static func parameters(from index: Int, in lines: [Substring]) -> [Substring] {
    let text = lines[index...].prefix(16).joined(separator: " ")
    guard let name = name(in: text) else { return [] }
    var depth = 0
    var found: [Substring] = []
    var start: String.Index?
    for place in text.indices[name...] {
      switch text[place] {
      case "(", "[", "{":
        depth += 1
        if start == nil, text[place] == "(" {
          start = text.index(after: place)
          depth = 1
        }
      case ")", "]", "}":
        depth -= 1
        if let begin = start, depth == 0 {
          return (found + [text[begin..<place]]).map { $0.drop { $0 == " " } }
        }
      case "," where depth == 1:
        guard let begin = start else { continue }
        found.append(text[begin..<place])
        start = text.index(after: place)
      default: break
      }
    }
    return []
  }
}
