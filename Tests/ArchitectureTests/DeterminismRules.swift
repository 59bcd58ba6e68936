// SPDX-License-Identifier: MIT

/// What would make two runs of one history differ, or let a shell decide; empty when nothing does.
struct DeterminismRules {
  let tree: SourceTree

  /// Names that bring in time, chance or other threads.
  private static let banned = [
    #"\bDate\(\)"#, #"\bUUID\(\)"#, #"\bTask\b *[{.(]"#, #"^(public )?import Foundation$"#,
    #"\bSystemRandomNumberGenerator\b"#, #"\bclock_gettime\b"#, #"\.random\(in: [^,)]*\)"#, #"\bDispatch"#,
  ]

  /// The one pure file that may draw fresh numbers, in a function that says it is for shells.
  private static let exception = "Sources/Core/ActivityModel/Identifiers.swift"

  /// Banned names in rooms that must give the same output for the same input.
  func strangers() throws -> [String] {
    let patterns = try Self.banned.map { try Regex($0).wordBoundaryKind(.simple) }
    return tree.swiftFiles().filter { path, _ in
      SourceTree.room(of: path).map(LayerRules.pure.contains) == true && path != Self.exception
    }.flatMap { path, text in
      SourceTree.lines(text).enumerated().flatMap { index, line -> [String] in
        let code = line.drop { $0 == " " }
        guard !code.hasPrefix("//") else { return [] }
        return patterns.compactMap { pattern in
          code.firstMatch(of: pattern).map { "\(path):\(index + 1) has \(code[$0.range])" }
        }
      }
    }
  }

  /// Properties of the exchange's machines that are dictionaries or sets: what is drawn from them has to be
  /// put in order before it becomes an action.
  func unorderedActions() -> [String] {
    exchangeFiles.flatMap { path, text in
      SourceTree.lines(text).enumerated().compactMap { index, line -> String? in
        let isUnordered =
          line.contains(".keys.flatMap") || line.contains(".values.flatMap { .report")
          || line.contains(".keys.map { .report")
        return isUnordered ? "\(path):\(index + 1) makes actions in no order" : nil
      }
    }
  }

  /// The files of the exchange's machines.
  var exchangeFiles: [(path: String, text: String)] {
    tree.swiftFiles(ofRoom: "ActivityExchange").filter { path, _ in
      path.contains("/Exchange/") || path.contains("/Session/")
    }
  }

  /// Sentences for people: what they say may change, and is no state.
  private static let sentence = #"\.(reason|remark|remarks|refusal|sentence)\b"#

  /// Places that compare a sentence or look for words in one; cases of `Reason` are there for that.
  func comparedSentences() throws -> [String] {
    let patterns = try [
      #"\w[?!)\]]?"# + Self.sentence + #" *(==|!=)(?! *nil\b)"#, #"(==|!=) *\w[\w.?!()]*"# + Self.sentence,
      #"\w[?!)\]]?"# + Self.sentence + #"[?!]?(\.lowercased\(\))?\.(contains|hasPrefix|hasSuffix|starts)\("#,
      #"\b(error|failure|fault)[?!]?\.description(\.lowercased\(\))?\.(contains|hasPrefix|hasSuffix)\("#,
    ].map { try Regex($0) }
    return tree.swiftFiles().flatMap { path, text in
      SourceTree.lines(text).enumerated().flatMap { index, line -> [String] in
        guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { return [] }
        return patterns.compactMap { pattern in
          line.firstMatch(of: pattern).map { "\(path):\(index + 1) compares \(line[$0.range])" }
        }
      }
    }
  }

  /// Imports of rooms that act: a file with one of them performs, and must not look into a machine.
  private static let hands: Set<String> = [
    "Glibc", "CLinux", "CInotifyTools", "LinuxSystem", "FolderAccess",
  ]

  /// What machines keep to themselves.
  private static let states = [
    "phase", "look", "circumstance", "isOutdated", "orphans", "continuations", "publishing", "rounds",
  ]

  /// Files that do I/O.
  func shells() -> [String] {
    tree.swiftFiles().filter { path, text in
      imports(in: text).contains { Self.hands.contains($0.module) }
        && SourceTree.room(of: path).map(SourceTree.tools.contains) != true
    }.map(\.path)
  }

  /// Files that do I/O and decide by what a machine keeps to itself.
  func decidingShells() throws -> [String] {
    let pattern = try Regex(
      #"\b(switch|if|guard) [^\n]*\b(exchange|machine|tree)\.("# + Self.states.joined(separator: "|")
        + #")\b"#
    ).wordBoundaryKind(.simple)
    let shells = Set(shells())
    return tree.swiftFiles().filter { shells.contains($0.path) }.flatMap { path, text in
      SourceTree.lines(text).enumerated().compactMap { index, line in
        line.firstMatch(of: pattern) == nil ? nil : "\(path):\(index + 1) decides by a machine's state"
      }
    }
  }

  /// Mutants whose expression does not stand exactly once in their file.
  func staleMutants() -> [String] {
    tree.files.filter { $0.key.hasPrefix("Fixtures/mutants/") }.sorted { $0.key < $1.key }
      .compactMap { path, text in
        let lines = SourceTree.lines(text)
        guard let file = lines.first(where: { $0.hasPrefix("file ") })?.dropFirst(5),
          let expression = lines.first(where: { $0.hasPrefix("- ") })?.dropFirst(2),
          tree.files[String(file)]?.ranges(of: expression).count == 1
        else { return "\(path) does not fit its file any more" }
        return nil
      }
  }
}
