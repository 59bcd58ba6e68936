// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TextAnchors

/// One `Fixtures/anchors/*.script`: a text with a mark, the text after edits elsewhere with the mark where
/// the anchor must find its place, and how sure it must be.
struct AnchorScript: CustomTestStringConvertible {
  /// What is wrong with a script.
  struct Mistake: Error, CustomStringConvertible {
    var description: String
  }

  var name: String
  var text = MarkedText()
  var edited = MarkedText()
  var certainty: AnchorResolution.Certainty?

  var testDescription: String { name }

  static func all() throws -> [AnchorScript] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/anchors")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "script" }
      .sorted { $0.path < $1.path }
      .map { try AnchorScript(name: $0.lastPathComponent, String(contentsOf: $0, encoding: .utf8)) }
  }

  init(name: String, _ source: String) throws {
    self.name = name
    var blocks: [String: [String]] = [:]
    var verb = ""
    for (number, line) in source.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("|") {
        blocks[verb, default: []].append(String(line.dropFirst()))
      } else if line.hasPrefix("+") {
        blocks[verb, default: []] += try Self.numbered(line.dropFirst(), at: "\(name):\(number + 1)")
      } else if line == "text:" || line == "edited:" {
        verb = line
      } else if line.hasPrefix("expect: ") {
        certainty = AnchorResolution.Certainty(rawValue: String(line.dropFirst(8)))
      } else if !line.isEmpty, !line.hasPrefix("#") {
        throw Mistake(description: "\(name):\(number + 1): no verb")
      }
    }
    text = try MarkedText(blocks["text:"] ?? [], name)
    edited = try MarkedText(blocks["edited:"] ?? [], name)
    guard certainty != nil else { throw Mistake(description: "\(name) expects nothing") }
  }

  /// `500 line` gives `line 1` to `line 500`.
  private static func numbered(_ rest: Substring, at place: String) throws -> [String] {
    let words = rest.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let count = Int(words[0]) else {
      throw Mistake(description: "\(place): + is followed by a number and a text")
    }
    return (1...count).map { "\(words[1]) \($0)" }
  }
}

/// A text with one place in it, shown as `¦`.
struct MarkedText {
  var lines: [String] = [""]
  var place = LineColumn(line: 1, column: 1)

  static let mark: Unicode.Scalar = "¦"

  init() {}

  init(_ marked: [String], _ name: String) throws {
    lines = try marked.map { try Self.unescaped($0) }
    var marks = 0
    for (index, line) in lines.enumerated() {
      let scalars = Array(line.unicodeScalars)
      guard let found = scalars.firstIndex(of: Self.mark) else { continue }
      marks += 1
      place = LineColumn(line: index + 1, column: found + 1)
      var rest = String.UnicodeScalarView(scalars)
      rest.removeAll { $0 == Self.mark }
      lines[index] = String(rest)
    }
    guard marks == 1 else { throw AnchorScript.Mistake(description: "\(name): a text has \(marks) marks") }
  }

  /// The text with a mark at `place`, three lines around it: what a failure shows.
  func showing(_ place: LineColumn) -> String {
    let shown = max(0, place.line - 2)..<min(lines.count, place.line + 1)
    return shown.map { index in
      guard index + 1 == place.line else { return lines[index] }
      var scalars = Array(lines[index].unicodeScalars)
      scalars.insert(Self.mark, at: min(place.column - 1, scalars.count))
      return String(String.UnicodeScalarView(scalars))
    }.joined(separator: "⏎")
  }

  /// Resolves `\r`, `\t`, `\\` and `\u{301}`.
  private static func unescaped(_ text: String) throws -> String {
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "r": result.append("\r")
      case "t": result.append("\t")
      case "\\": result.append("\\")
      case "u":
        let digits = rest.dropFirst().prefix { $0 != "}" }
        guard let value = UInt32(String(digits), radix: 16), let escaped = Unicode.Scalar(value) else {
          throw AnchorScript.Mistake(description: "bad escape in \(text)")
        }
        result.append(escaped)
        rest = rest.dropFirst(digits.count + 2)
      default: throw AnchorScript.Mistake(description: "unknown escape in \(text)")
      }
    }
    return String(result)
  }
}
