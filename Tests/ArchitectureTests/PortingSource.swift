// SPDX-License-Identifier: MIT

/// One part of the source that uses what docs/authors/porting-from-appkit.md calls *same*, without comments.
struct PortingSource {
  let text: String
  /// Apple's name of the type that the part is about.
  let type: String

  /// Whether a name stands there, declared or called; a method's with exactly its labels.
  func uses(_ name: String) -> Bool {
    guard let bracket = name.firstIndex(of: "(") else { return !places(of: name).isEmpty }
    let labels = name[bracket...].dropFirst().dropLast().split(separator: ":").map(String.init)
    let base = String(name[..<bracket])
    let bases = base == "init" ? ["init", type] : [base]
    return bases.contains { base in
      places(of: base).contains { end in
        guard end < text.endIndex, text[end] == "(" else { return false }
        return Self.labels(text[text.index(after: end)...]) == labels
      }
    }
  }

  /// Where a whole word ends.
  private func places(of word: String) -> [String.Index] {
    text.ranges(of: word).filter { range in
      let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : " "
      let after = range.upperBound < text.endIndex ? text[range.upperBound] : " "
      return !Self.isInWord(before) && !Self.isInWord(after)
    }
    .map(\.upperBound)
  }

  private static func isInWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// The labels of arguments or parameters behind an open bracket; `_` for one that has none.
  private static func labels(_ clause: Substring) -> [String] {
    var parts: [String] = [""]
    var depth = 0
    for character in clause {
      if "([{".contains(character) { depth += 1 }
      if ")]}".contains(character) { depth -= 1 }
      if depth < 0 { break }
      if depth == 0, character == "," { parts.append("") } else { parts[parts.count - 1].append(character) }
    }
    return parts.filter { $0.contains { !$0.isWhitespace } }.map(label)
  }

  /// "with" in `with name: String` and in `with: 1`.
  private static func label(_ part: String) -> String {
    let head = part.prefix { $0 != ":" }
    let words = head.split(whereSeparator: \.isWhitespace)
    let isLabelled =
      head.count < part.count && words.count <= 2 && words.allSatisfy { $0.allSatisfy(isInWord) }
    return isLabelled ? words.first.map(String.init) ?? "_" : "_"
  }
}
