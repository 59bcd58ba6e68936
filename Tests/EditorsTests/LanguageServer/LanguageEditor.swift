// SPDX-License-Identifier: MIT

import ActivityJSON
import EditorProtocol

@testable import fixtures

/// What an editor of the Language Server Protocol says to a real `continuo lsp`.
extension ServedEditor {
  /// Says `initialize` and `initialized`; what is agreed on.
  @discardableResult
  func introduce(
    _ name: String = "Zed", _ encodings: [String] = ["utf-16"], showsDocuments: Bool = true
  ) throws -> JSONValue {
    others["window/showDocument"] = { _ in ["success": true] }
    others["window/workDoneProgress/create"] = { _ in .null }
    // A person who has not answered.
    others["window/showMessageRequest"] = { _ in nil }
    let answer = try ask(
      "initialize",
      [
        "processId": .int(1), "rootUri": nil, "clientInfo": ["name": .text(name), "version": "1"],
        "capabilities": [
          "general": ["positionEncodings": .array(encodings.map { .text($0) })],
          "window": ["showDocument": ["support": .bool(showsDocuments)], "workDoneProgress": true],
        ],
      ])
    try tell("initialized", [:])
    return answer
  }

  func document(_ name: String) -> JSONValue { ["uri": uri(name)] }

  func show(_ name: String, holding text: String) throws {
    try tell(
      "textDocument/didOpen",
      ["textDocument": ["uri": uri(name), "languageId": "plain", "version": 1, "text": .text(text)]])
  }

  /// The person is there, as an editor tells that marks what else stands under the cursor.
  func stand(in name: String, _ line: Int64, _ column: Int64) throws {
    try ask(
      "textDocument/documentHighlight",
      ["textDocument": document(name), "position": ["line": .int(line), "character": .int(column)]])
  }

  /// The whole text is another one.
  func change(_ name: String, to text: String) throws {
    try tell(
      "textDocument/didChange",
      ["textDocument": ["uri": uri(name), "version": 2], "contentChanges": [["text": .text(text)]]])
  }

  func didSave(_ name: String) throws { try tell("textDocument/didSave", ["textDocument": document(name)]) }

  func run(_ command: String) throws {
    try ask("workspace/executeCommand", ["command": .text(command), "arguments": []])
  }

  /// Waits for a question of this beginning, and chooses a button.
  func choose(_ button: String, where sentence: String) throws {
    let question = try wait("a question: \(sentence)") {
      self.news.first { message in
        guard message["method"] == "window/showMessageRequest",
          case .text(let text)? = message["params"]?["message"]
        else { return false }
        return text.hasPrefix(sentence)
      }
    }
    try say(["jsonrpc": "2.0", "id": question["id"], "result": ["title": .text(button)]])
  }

  /// Waits until the person is told something with these words.
  @discardableResult
  func sentence(with words: String) throws -> String {
    try wait("a sentence with: \(words)") {
      self.news.lazy.compactMap { message -> String? in
        guard message["method"] == "window/showMessage", case .text(let text)? = message["params"]?["message"]
        else { return nil }
        return text.contains(words) ? text : nil
      }.first
    }
  }
}
