// SPDX-License-Identifier: MIT

import ActivityModel
import SettingsFile
import TestSupport
import Testing

/// The page for users and the table of keys say the same.
@Suite struct SettingsPageTests {
  private let lines: [String]

  init() throws {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let bytes = try #require(Scratch.bytes(at: root + "/docs/users/settings.md"))
    lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func eachKeyHasItsRowWithKindAndDefault() {
    let rows = lines.filter { $0.hasPrefix("| `") }.map { row in
      row.split(separator: "|").map { $0.drop { $0 == " " }.description }
    }
    #expect(rows.map { $0[0] } == SettingsKey.allCases.map { "`\($0.name)` " })
    for (key, row) in zip(SettingsKey.allCases, rows) {
      let kind = row[1].split(separator: " ").joined(separator: " ")
      #expect(key.kind.told.hasPrefix(kind), "\(key): \(kind)")
      #expect(row[2] == "`\(key.defaultValue.written)` ")
      #expect(row[3].contains("continuo "), "\(key) has no example")
    }
  }

  @Test func eachKeyHasItsHelp() {
    let told = lines.filter { $0.hasPrefix("- `") }
    #expect(told == SettingsKey.allCases.map { "- `\($0.name)`: \($0.help)" })
  }

  @Test func theExampleOfAFileSetsEveryKey() throws {
    let start = try #require(lines.firstIndex(of: "```toml"))
    let example = lines[(start + 1)...].prefix { $0 != "```" }.joined(separator: "\n")
    var problems: [SettingsProblem] = []
    let settings = AgentSettings(
      entries: try TomlDocument(Array(example.utf8)).entries, problems: &problems)
    #expect(problems == [])
    for key in SettingsKey.allCases where key != .notificationsEnabled {
      #expect(settings.value(of: key) != key.defaultValue, "\(key)")
    }
  }
}
