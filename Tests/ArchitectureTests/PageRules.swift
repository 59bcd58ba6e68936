// SPDX-License-Identifier: MIT

import Foundation

/// What is wrong with the pages themselves, one sentence each: links that lead nowhere, pages that nobody is
/// led to, tests and types that are named and do not exist.
struct PageRules {
  let tree: SourceTree

  /// Pages whose links are followed.
  private var pages: [(path: String, text: String)] {
    tree.files.filter { path, _ in
      path.hasSuffix(".md") && !path.contains("/recordings/")
    }
    .map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }

  /// Relative links to files, folders and headings that are not there.
  func brokenLinks() -> [String] {
    pages.flatMap { path, text in
      Self.links(in: text).compactMap { link in
        let (target, heading) = resolved(link, from: path)
        guard exists(target) else { return "\(path) links to \(link), which is not there" }
        guard let heading, let page = tree.files[target] else { return nil }
        return Self.headings(of: page).contains(heading) ? nil : "\(path) links to no heading: \(link)"
      }
    }
  }

  /// Pages below `docs` to which no link leads, from the index on.
  func unreachable() -> [String] {
    var reached: Set<String> = ["docs/README.md"]
    var open = ["docs/README.md"]
    while let path = open.popLast() {
      for link in Self.links(in: tree.files[path] ?? "") {
        let target = resolved(link, from: path).target
        if target.hasPrefix("docs/"), tree.files[target] != nil, reached.insert(target).inserted {
          open.append(target)
        }
      }
    }
    return pages.map(\.path).filter { $0.hasPrefix("docs/") && !reached.contains($0) }
      .map { "docs/README.md does not lead to \($0)" }
  }

  /// Tests that pages name as `Suite.function`, and files below `Tests` and `Fixtures`.
  func missingTests() -> [String] {
    let tests = tree.swiftFiles(below: "Tests").map(\.text)
    var missing: [String] = []
    for (path, text) in pages where path.hasPrefix("docs/") && !path.hasPrefix("docs/decisions/") {
      for name in text.matches(of: /`(\w+Tests)\.(\w+)`/) {
        let (suite, function) = (String(name.1), String(name.2))
        let isThere = tests.contains { $0.holds("func \(function)(") && Self.declares(suite, in: $0) }
        if !isThere { missing.append("\(path) names the test \(suite).\(function), which is not there") }
      }
      // Pages for authors name files of packages of theirs.
      guard !path.hasPrefix("docs/authors/") else { continue }
      for file in text.matches(of: /`((?:Tests|Fixtures)\/[\w.\/\-]+)`/) where !exists(String(file.1)) {
        missing.append("\(path) names \(file.1), which is not there")
      }
    }
    return missing
  }

  private static func declares(_ suite: String, in text: String) -> Bool {
    ["struct", "class", "extension", "enum", "actor"].contains { text.holds("\($0) \(suite) ") }
      || ["struct", "class"].contains { text.holds("\($0) \(suite):") }
  }

  /// Types that the glossary names, in code spans at the ends of its lines, and that no source declares.
  func missingTypes() -> [String] {
    let sources = tree.swiftFiles(below: "Sources").map(\.text)
    return glossary.flatMap(\.types).filter { type in
      !sources.contains { Self.declaresType(type, in: $0) }
    }
    .map { "the glossary names the type \($0), which is not there" }
  }

  private static func declaresType(_ type: String, in text: String) -> Bool {
    ["struct", "class", "enum", "protocol", "actor", "typealias"].contains { kind in
      [" ", ":", "<", "("].contains { text.holds("\(kind) \(type)\($0)") }
    }
  }

  /// Each word of the glossary with the types behind it: an item goes on until the next line that is not
  /// indented.
  var glossary: [(word: String, types: [String])] {
    let page = (tree.files["docs/glossary.md"] ?? "").replacing("\n  ", with: " ")
    return SourceTree.lines(page).compactMap { line in
      guard line.hasPrefix("- **"), let word = line.dropFirst(4).split(separator: "*").first else {
        return nil
      }
      let tail = line.split(separator: "(").last ?? ""
      guard tail.hasPrefix("`"), line.hasSuffix(")") else { return (String(word), []) }
      return (String(word), tail.matches(of: /`(\w+)`/).map { String($0.1) })
    }
  }

  /// Targets of links, without those to other hosts. What stands in fenced listings is no link.
  static func links(in text: String) -> [String] {
    var isListing = false
    return SourceTree.lines(text).flatMap { line -> [String] in
      if line.hasPrefix("```") { isListing.toggle() }
      guard !isListing, line.holds("](") else { return [] }
      return line.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter { !$0.contains(":") }
    }
  }

  /// Headings as they are linked to: in lower case, blanks as hyphens, without punctuation.
  static func headings(of text: String) -> Set<String> {
    var isListing = false
    return Set(
      SourceTree.lines(text).compactMap { line in
        if line.hasPrefix("```") { isListing.toggle() }
        guard !isListing, line.hasPrefix("#") else { return nil }
        let words = line.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
        return words.replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || "-_".contains($0) }
      })
  }

  private func resolved(_ link: String, from path: String) -> (target: String, heading: String?) {
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let heading = parts.count == 2 ? parts[1] : nil
    guard let file = parts.first, !file.isEmpty else { return (path, heading) }
    let folder = URL(filePath: "/" + path).deletingLastPathComponent()
    return (String(folder.appending(path: file).standardized.path.dropFirst()), heading)
  }

  /// A file, or a folder of files.
  private func exists(_ path: String) -> Bool {
    let folder = path.hasSuffix("/") ? path : path + "/"
    return tree.files[path] != nil || tree.files.keys.contains { $0.hasPrefix(folder) }
  }
}
