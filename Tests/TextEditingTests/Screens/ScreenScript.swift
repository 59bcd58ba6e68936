// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// One `Fixtures/screens/*.script`: the real program on a terminal, and what the terminal shows then.
struct ScreenScript: CustomTestStringConvertible {
  /// One line of a script, with the text in the lines below it.
  struct Step {
    var verb: String
    var words: String
    var block: [String]
    /// `file:line`, for failures.
    var place: String

    var text: String { block.joined(separator: "\n") }
  }

  let name: String
  let steps: [Step]

  var testDescription: String { name }

  static var folder: URL { EditingScript.folder.deletingLastPathComponent().appending(path: "screens") }

  static func all() throws -> [ScreenScript] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "script" }
      .sorted { $0.path < $1.path }
      .map { try ScreenScript(name: $0.lastPathComponent, String(contentsOf: $0, encoding: .utf8)) }
  }

  init(name: String, _ source: String) throws {
    self.name = name
    var steps: [Step] = []
    for (number, line) in source.components(separatedBy: "\n").enumerated() {
      let place = "\(name):\(number + 1)"
      if line.hasPrefix("|") {
        guard !steps.isEmpty else {
          throw EditingScript.Mistake(description: "\(place): text without a verb")
        }
        steps[steps.count - 1].block.append(String(line.dropFirst()))
      } else if !line.isEmpty, !line.hasPrefix("#") {
        guard let colon = line.firstIndex(of: ":") else {
          throw EditingScript.Mistake(description: "\(place): no verb")
        }
        let words = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        steps.append(Step(verb: String(line[..<colon]), words: words, block: [], place: place))
      }
    }
    self.steps = steps
  }
}
