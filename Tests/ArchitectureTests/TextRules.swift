// SPDX-License-Identifier: MIT

/// What breaks the rules of how code is written, one sentence each; empty when nothing does.
struct TextRules {
  let tree: SourceTree

  /// The one list of files that these rules and budgets leave out, each with its reason.
  static let exceptions: Set<String> = [
    // As long as the day.
    "Fixtures/day/a-day-with-two-devices.script",
    // Lists: as long as there are names and seeds.
    "Fixtures/hostile-names.txt",
    "Fixtures/seeds.txt",
    // Bytes, written by a program.
    "Fixtures/written/0706be6-messages.txt",
    "Fixtures/written/0706be6.tar.gz",
    "Fixtures/written/60e5f0ba-activities.tar.gz",
    // The list of banned words, and the files that spoil a house with them.
    "Tests/ArchitectureTests/TextRules.swift",
    "Tests/ArchitectureTests/TextTests.swift",
    // A package's first line is the version of its tools.
    "Sources/Programs/continuo-write/Package.swift",
    "Tests/Hosts/Package.swift",
    "Tests/Mutants/Package.swift",
  ]

  /// What may lie beside `Sources`; a build leaves the resolved packages.
  static let top: Set<String> = [
    "Package.swift", "Package.resolved", "Sources", "Tests", "Fixtures", "docs", "CHANGELOG.md", "README.md",
    "LICENSE", "Makefile",
  ]
  static let fileLimit = 500
  static let functionLimit = 60
  static let lineLimit = 110
  static let fixtureLimit = 40

  /// Patterns that must not stand in code, one of the words that each needs, and what to do instead.
  private static let banned = [
    (#"\btry!"#, ["try!"], "handle the error"),
    (#"\bas!"#, ["as!"], "use `as?`"),
    (#"\bfatalError\("#, ["fatalError"], "throw"),
    (#"\b(TODO|FIXME)\b"#, ["TODO", "FIXME"], "do it, or open an issue"),
    (#"\b(u|nano)?sleep\("#, ["sleep("], "wait for an event"),
    (#"\bTask\.sleep\b"#, ["Task.sleep"], "wait for an event"),
    (
      #"\b(class|struct|enum|protocol|actor) \w*(Utils?|Helpers?|Common|Manager)\b"#,
      ["Util", "Helper", "Common", "Manager"], "name its job"
    ),
  ]

  private var swiftFiles: [(path: String, text: String)] {
    tree.swiftFiles(below: "Sources", "Tests").filter { !Self.exceptions.contains($0.path) }
  }

  /// Files and lines that are too long, and files without the licence line.
  func files() -> [String] {
    swiftFiles.flatMap { path, text -> [String] in
      let lines = SourceTree.lines(text)
      var found: [String] = []
      if lines.first != "// SPDX-License-Identifier: MIT" { found.append("\(path) lacks the licence line") }
      if lines.count > Self.fileLimit + 1 { found.append("\(path) has \(lines.count - 1) lines") }
      for (index, line) in lines.enumerated() where line.count > Self.lineLimit {
        found.append("\(path):\(index + 1) has \(line.count) characters")
      }
      return found
    }
  }

  /// Functions and computed properties that are too long. In formatted code they end at the brace below their
  /// own beginning.
  func functions() -> [String] {
    swiftFiles.flatMap { path, text in
      Self.functions(in: text).filter { $0.count > Self.functionLimit }
        .map { "\(path):\($0.line) is a function of \($0.count) lines" }
    }
  }

  static func functions(in text: String) -> [(line: Int, count: Int)] {
    let lines = SourceTree.lines(text)
    return lines.indices.compactMap { index in
      guard lines[index].last.map({ "{(,".contains($0) }) == true,
        ["func ", "init", "deinit", "subscript", "var "].contains(where: lines[index].holds),
        lines[index].contains(/^ *([a-z@][\w() ]* )?(func |init[?(<]|deinit\b|subscript[(<]|var [^=]*\{$)/)
      else {
        return nil
      }
      let indentation = lines[index].prefix { $0 == " " }
      let end = lines[index...].firstIndex { $0 == indentation + "}" }
      guard let end else { return nil }
      return (index + 1, end - index + 1)
    }
  }

  /// Tests in Python that let time go by; `sleep(0)` only lets others run.
  func sleeps() -> [String] {
    tree.files.sorted { $0.key < $1.key }.flatMap { path, text -> [String] in
      guard path.hasPrefix("Tests/"), path.hasSuffix(".py") else { return [] }
      return SourceTree.lines(text).enumerated().compactMap { index, line in
        line.contains(/sleep\((?!0\))/) ? "\(path):\(index + 1) sleeps: wait for an event" : nil
      }
    }
  }

  /// Banned words.
  func words() throws -> [String] {
    let patterns = try Self.banned.map { (try Regex($0.0), $0.1, $0.2) }
    return swiftFiles.flatMap { path, text in
      let wanted = patterns.filter { $0.1.contains(where: text.holds) }
      return SourceTree.lines(text).enumerated().flatMap { index, line in
        wanted.compactMap { pattern, words, instead -> String? in
          guard words.contains(where: line.holds) else { return nil }
          return line.firstMatch(of: pattern).map { "\(path):\(index + 1) has \(line[$0.range]): \(instead)" }
        }
      }
    }
  }

  /// `@unchecked Sendable` without a comment just above it.
  func uncheckedSendables() -> [String] {
    swiftFiles.flatMap { path, text -> [String] in
      let lines = SourceTree.lines(text)
      return lines.indices.filter { lines[$0].contains("@unchecked Sendable") && !lines[$0].contains("//") }
        .filter { $0 == 0 || !lines[$0 - 1].drop { $0 == " " }.hasPrefix("//") }
        .map { "\(path):\($0 + 1) does not say what guards it" }
    }
  }

  /// Fixture directories that no test names, empty fixtures, and fixtures too long to be read at once.
  func fixtures() -> [String] {
    let fixtures = tree.files.filter { $0.key.hasPrefix("Fixtures/") && $0.key != "Fixtures/README.md" }
    let directories = Set(fixtures.keys.map { String($0.split(separator: "/")[1]) })
    let players = tree.swiftFiles(below: "Tests").map(\.text) + [tree.files["Makefile"] ?? ""]
    let unused = directories.filter { directory in
      !players.contains { $0.contains("Fixtures/\(directory)") || $0.contains("\"\(directory)\"") }
    }
    return unused.sorted().map { "Fixtures/\($0) is named by no test" }
      + fixtures.sorted { $0.key < $1.key }.flatMap { path, text -> [String] in
        let count = SourceTree.lines(text).count - 1
        if text.isEmpty { return ["\(path) is empty"] }
        // Pages, bytes, and recordings are not written by hand.
        let isScript =
          ![".md", ".rec", ".json"].contains { path.hasSuffix($0) } && !path.hasPrefix("Fixtures/fuzz/")
        guard count > Self.fixtureLimit, isScript, !Self.exceptions.contains(path) else { return [] }
        return ["\(path) has \(count) lines"]
      }
  }
}
