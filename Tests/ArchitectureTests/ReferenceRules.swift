// SPDX-License-Identifier: MIT

import Foundation

/// References of comments and pages that lead nowhere, one sentence each; empty when all resolve.
///
/// A reference is a page (`records.md`, with a section's number behind it or without), a numbered rule,
/// threat, promise, watch rule or trap (a letter and a number), a decision (`decision 5`, or its page), or a
/// sentence of the semantics (`semantics 48`). What a letter and a number mean is said where a page lists it
/// at the beginning of a line: `- **R1** …`, or as the first cell of a table.
struct ReferenceRules {
  let tree: SourceTree

  /// Names of documents in examples, which are no pages of this package.
  static let sampleDocuments: Set<String> = ["plan.md", "café.md"]

  func faults() -> [String] {
    let known = definitions
    return texts.flatMap { path, lines in
      lines.flatMap { line -> [String] in
        let wrong = faults(in: line.text, at: path, known)
        return wrong.map { "\(path):\(line.number) cites \($0), which is nowhere" }
      }
    }
  }

  /// Comments of code and whole pages, line by line.
  private var texts: [(path: String, lines: [(number: Int, text: Substring)])] {
    tree.files.sorted { $0.key < $1.key }.compactMap { path, text in
      guard !path.hasPrefix("Fixtures/") else { return nil }
      let isPage = path.hasSuffix(".md")
      guard isPage || [".swift", ".c", ".h"].contains(where: path.hasSuffix) else { return nil }
      let lines = SourceTree.lines(text).enumerated().compactMap { index, line -> (Int, Substring)? in
        guard !isPage else { return (index + 1, line) }
        return Self.comment(of: line).map { (index + 1, $0) }
      }
      return (path, lines.map { (number: $0.0, text: $0.1) })
    }
  }

  /// What of a line of code is a comment: behind `//` that stands alone or after a blank, or of a block whose
  /// lines begin with a star.
  static func comment(of line: Substring) -> Substring? {
    let code = line.drop { $0 == " " }
    if code.hasPrefix("//") || code.hasPrefix("/*") || code.hasPrefix("* ") { return code }
    guard line.holds(" // ") else { return nil }
    return line.firstRange(of: " // ").map { line[$0.upperBound...] }
  }

  private struct Definitions {
    /// `R1`, `T41`, `S3`, and sentences of the semantics with and without their letter.
    var labels: Set<String> = []
    var sentences: Set<String> = []
    /// Pages by their paths, and by their names alone.
    var pages: Set<String> = []
    /// Numbers of headings, by the page's name.
    var sections: [String: Set<String>] = [:]
    var decisions: Set<Int> = []
  }

  private var definitions: Definitions {
    var known = Definitions()
    for (path, text) in tree.files where path.hasSuffix(".md") {
      let name = String(path.split(separator: "/").last ?? "")
      known.pages.formUnion([path, name])
      if path.hasPrefix("docs/decisions/"), let number = Int(name.prefix(4)) {
        known.decisions.insert(number)
      }
      for line in SourceTree.lines(text) {
        if let heading = line.firstMatch(of: #/^#+ (\d+)\. /#)?.1 {
          known.sections[name, default: []].insert(String(heading))
        }
        guard let label = line.firstMatch(of: /^(?:- \*\*|\| )([A-Z]?\d+[a-z]?)(?:\*\*| \|)/)?.1 else {
          continue
        }
        if path == "docs/semantics.md" {
          known.sentences.formUnion([String(label), label.filter(\.isNumber)])
        } else if label.first?.isLetter == true {
          known.labels.insert(String(label))
        }
      }
    }
    return known
  }

  private func faults(in text: Substring, at path: String, _ known: Definitions) -> [String] {
    var wrong: [String] = []
    if text.holds(".md") {
      for page in text.matches(of: /[\w.\/-]*\w\.md(?:#[\w-]+)?(?: (\d+)\b)?/) {
        let name = page.0.prefix { $0 != " " && $0 != "#" }
        wrong += isPage(name, from: path, known) ? [] : [String(name)]
        if let section = page.1, let sections = known.sections[String(name.split(separator: "/").last ?? "")],
          !sections.contains(String(section))
        {
          wrong.append(String(page.0))
        }
      }
    }
    for label in text.matches(of: /\b([RTSLW]\d{1,2})\b/) {
      if !known.labels.contains(String(label.1)) { wrong.append(String(label.1)) }
    }
    for decision in text.matches(of: /\b[Dd]ecision (\d+)\b/) {
      if !known.decisions.contains(Int(decision.1) ?? 0) { wrong.append(String(decision.0)) }
    }
    for sentences in text.matches(of: /\bsemantics (\d+[a-z]?(?:(?:, | and )\d+[a-z]?)*)\b/) {
      for sentence in sentences.1.matches(of: /\d+[a-z]?/) where !known.sentences.contains(String(sentence.0))
      {
        wrong.append("semantics \(sentence.0)")
      }
    }
    return wrong
  }

  /// A path from the package's root, from the page that cites it, or a page's name alone.
  private func isPage(_ name: Substring, from path: String, _ known: Definitions) -> Bool {
    let text = String(name)
    let folder = URL(filePath: "/" + path).deletingLastPathComponent()
    let beside = folder.appending(path: text).standardized.path
    return known.pages.contains(text) || known.pages.contains(String(beside.dropFirst()))
      || Self.sampleDocuments.contains(String(name.split(separator: "/").last ?? ""))
      || text.contains(".sync-conflict-")
  }
}
