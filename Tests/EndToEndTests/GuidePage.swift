// SPDX-License-Identifier: MIT

@testable import fixtures

/// A page that a reader follows with a keyboard: its listings and commands, in order.
struct GuidePage {
  var steps: [Step] = []

  enum Step: Equatable {
    /// A listing; its file's name ends the sentence before it, as in "`Package.swift`:".
    case file(String, text: String)
    /// Commands in a plain shell.
    case commands(String)
    /// What one terminal shows, typed lines included.
    case terminal(String, lines: [String])
  }

  init(_ markdown: String) throws {
    var before = ""
    var lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = lines.popFirst() {
      guard line.hasPrefix("```") else {
        if !line.isEmpty { before = String(line) }
        continue
      }
      let block = lines.prefix { $0 != "```" }.map(String.init)
      lines = lines.dropFirst(block.count + 1)
      steps.append(try Self.step(String(line.dropFirst(3)), block, after: before))
      before = ""
    }
  }

  private static func step(_ kind: String, _ block: [String], after sentence: String) throws -> Step {
    let text = block.map { $0 + "\n" }.joined()
    let words = kind.split(separator: " ").map(String.init)
    if let name = sentence.firstMatch(of: /`([^`]+)`:$/)?.1 { return .file(String(name), text: text) }
    if words.first == "console", let name = words.last, words.count == 2 {
      return .terminal(name, lines: block)
    }
    if kind == "sh" { return .commands(text) }
    throw Failure("a listing with a file's name before it", lastSeen: text)
  }
}

/// A terminal on which a page's lines are typed and its answers compared.
final class GuideTerminal {
  private let screen: Screen
  private var expected: [String] = []

  /// The shell's first prompt is a lone dollar sign.
  init(_ screen: Screen) { self.screen = screen }

  /// Types what is to be typed, and waits for every other line before it goes on.
  func play(_ lines: [String]) throws {
    for line in lines {
      if line == "^D" {
        try screen.press("C-d")
      } else if line.hasSuffix("⏎") {
        let typed = line.dropLast().trailingBlanksDropped
        expected.append(typed)
        try enter(typed)
      } else if let place = line.firstRange(of: "$ "), !line[..<place.lowerBound].contains(" ") {
        try wait(for: expected + [String(line[..<place.lowerBound]) + "$"])
        expected.append(line)
        try enter(String(line[place.upperBound...]))
      } else {
        expected.append(line)
        try wait(for: expected)
      }
    }
  }

  private func enter(_ text: String) throws {
    if !text.isEmpty { try screen.type(text) }
    try screen.press("Enter")
  }

  /// The rows from the first prompt on must be these, and may be followed by others.
  private func wait(for lines: [String]) throws {
    try screen.wait(for: "the page's line \(lines.last ?? "")", within: 60) { (screen) -> Void? in
      let shown = screen.rows.drop { !$0.hasPrefix("$") }
      guard shown.count >= lines.count else { return nil }
      return zip(lines, shown).allSatisfy(Self.matches) ? () : nil
    }
  }

  /// Whether a row is what the page says; "…" stands for any text there.
  static func matches(line: String, row: String) -> Bool {
    guard let place = line.firstIndex(of: "…") else { return line == row }
    let (head, tail) = (line[..<place], line[line.index(after: place)...])
    return row.count >= head.count + tail.count && row.hasPrefix(head) && row.hasSuffix(tail)
  }
}

extension Substring {
  fileprivate var trailingBlanksDropped: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
