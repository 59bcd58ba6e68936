// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TextEditing

/// One `Fixtures/editing/*.script`: a text, the keys pressed, and what is there afterwards.
struct EditingScript: CustomTestStringConvertible {
  /// What is wrong with a script, and where.
  struct Mistake: Error, CustomStringConvertible {
    var description: String
  }

  var name: String
  var columns = 40
  var rows = 8
  var text = ""
  var keys: [Key] = []
  /// What another program puts into the file after the keys.
  var changedText: String?
  var expectedText: String?
  var expectedCursor: String?
  var expectedScreen: [String]?
  var expectedSelection: String?
  var isReadOnly = false

  var testDescription: String { name }

  static var folder: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/editing")
  }

  static func all() throws -> [EditingScript] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "script" }
      .sorted { $0.path < $1.path }
      .map { try EditingScript(name: $0.lastPathComponent, String(contentsOf: $0, encoding: .utf8)) }
  }

  init(name: String, _ source: String) throws {
    self.name = name
    var verb = ""
    var block: [String]?
    for (number, line) in source.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("|") {
        guard block != nil else { throw Mistake(description: "\(name):\(number + 1): text outside a block") }
        block?.append(String(line.dropFirst()))
        continue
      }
      try close(verb, block)
      block = nil
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      guard let colon = line.firstIndex(of: ":") else {
        throw Mistake(description: "\(name):\(number + 1): no verb")
      }
      verb = String(line[..<colon])
      let rest = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      if rest.isEmpty { block = [] } else { try take(verb, rest) }
    }
    try close(verb, block)
  }

  private mutating func take(_ verb: String, _ rest: String) throws {
    switch verb {
    case "keys": keys += try KeyNames.keys(rest)
    case "cursor": expectedCursor = rest
    case "selected": expectedSelection = try KeyNames.unescaped(rest)
    case "read-only": isReadOnly = rest == "yes"
    case "size":
      let numbers = rest.split(separator: "x").compactMap { Int($0) }
      guard numbers.count == 2 else { throw Mistake(description: "\(name): size is COLUMNSxROWS") }
      (columns, rows) = (numbers[0], numbers[1])
    default: throw Mistake(description: "\(name): unknown verb \(verb)")
    }
  }

  private mutating func close(_ verb: String, _ block: [String]?) throws {
    guard let block else { return }
    switch verb {
    case "text": text = try KeyNames.unescaped(block.joined(separator: "\n"))
    case "changed": changedText = try KeyNames.unescaped(block.joined(separator: "\n"))
    case "expect": expectedText = try KeyNames.unescaped(block.joined(separator: "\n"))
    case "screen": expectedScreen = block
    default: throw Mistake(description: "\(name): unknown block \(verb)")
    }
  }
}

/// The words of a script's `keys:` line.
enum KeyNames {
  private static let named: [String: Key] = [
    "Enter": .enter, "Tab": .tab, "Backspace": .backspace, "Delete": .delete, "Esc": .escape,
    "Left": .move(.left), "Right": .move(.right), "Up": .move(.up), "Down": .move(.down),
    "Home": .move(.lineStart), "End": .move(.lineEnd), "PgUp": .move(.pageUp), "PgDn": .move(.pageDown),
    "Ctrl-Home": .move(.documentStart), "Ctrl-End": .move(.documentEnd),
    "Ctrl-Left": .move(.wordLeft), "Ctrl-Right": .move(.wordRight),
    "Undo": .control("z"), "Redo": .control("y"), "Copy": .control("c"), "Cut": .control("x"),
    "Paste": .control("v"), "Find": .control("f"), "Next": .control("g"), "Replace": .control("t"),
    "GoTo": .control("l"), "SelectAll": .control("a"), "Help": .function(1), "Save": .control("s"),
    "Quit": .control("q"), "Close": .control("w"), "Open": .control("o"), "Decide": .control("d"),
  ]

  /// `Shift-Left`, `Click(ROW,COLUMN)`, `Drag(ROW,COLUMN)`, `WheelUp`, `Alt-2`, `Pasted(text)` and the named
  /// ones.
  private static func key(_ word: Substring) throws -> Key? {
    if let key = named[String(word)] { return key }
    for (prefix, plain) in [("Shift-", ""), ("Ctrl-Shift-", "Ctrl-")] where word.hasPrefix(prefix) {
      if case .move(let movement)? = named[plain + word.dropFirst(prefix.count)] { return .select(movement) }
    }
    if word.hasPrefix("Alt-") { return Int(word.dropFirst(4)).map { .alternate($0) } }
    guard let open = word.firstIndex(of: "("), word.last == ")" else { return nil }
    let argument = String(word[word.index(after: open)...].dropLast())
    if word.hasPrefix("Pasted(") { return .paste(try unescaped(argument)) }
    let numbers = argument.split(separator: ",").compactMap { Int($0) }
    let mice: [Substring: Key.Mouse] = [
      "Click": .press, "Drag": .drag, "WheelUp": .wheelUp, "WheelDown": .wheelDown,
    ]
    guard numbers.count == 2, let mouse = mice[word[..<open]] else { return nil }
    return .mouse(mouse, row: numbers[0], column: numbers[1])
  }

  /// `"text"` is typed scalar by scalar, as a terminal sends it; `Left*3` is pressed three times.
  static func keys(_ line: String) throws -> [Key] {
    var keys: [Key] = []
    var rest = line[...]
    while let first = rest.first {
      if first == " " {
        rest = rest.dropFirst()
      } else if first == "\"" {
        guard let end = rest.dropFirst().firstIndex(of: "\"") else {
          throw EditingScript.Mistake(description: "a quote is not closed: \(rest)")
        }
        let typed = try unescaped(String(rest[rest.index(after: rest.startIndex)..<end]))
        keys += typed.unicodeScalars.map { .text(String($0)) }
        rest = rest[rest.index(after: end)...]
      } else {
        let word = rest.prefix { $0 != " " }
        let parts = word.split(separator: "*")
        guard let key = try key(parts[0]) else {
          throw EditingScript.Mistake(description: "unknown key \(word)")
        }
        keys += Array(repeating: key, count: parts.count > 1 ? Int(parts[1]) ?? 1 : 1)
        rest = rest.dropFirst(word.count)
      }
    }
    return keys
  }

  /// Resolves `\r`, `\n`, `\t`, `\s` (a blank), `\\` and `\u{301}`.
  static func unescaped(_ text: String) throws -> String {
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
      case "n": result.append("\n")
      case "s": result.append(" ")
      case "\\": result.append("\\")
      case "u":
        let digits = rest.dropFirst().prefix { $0 != "}" }
        guard let value = UInt32(String(digits), radix: 16), let escaped = Unicode.Scalar(value) else {
          throw EditingScript.Mistake(description: "bad escape in \(text)")
        }
        result.append(escaped)
        rest = rest.dropFirst(digits.count + 2)
      default: throw EditingScript.Mistake(description: "unknown escape in \(text)")
      }
    }
    return String(result)
  }
}
