// SPDX-License-Identifier: MIT

import ActivityModel
import SettingsFile

/// A settings file: a change of one key changes that key alone, and what is wrong is told with a line that is
/// there.
struct SettingsTarget: FuzzTarget {
  static let name = "settings"
  static let longest = 1024
  static let words =
    (SettingsKey.allCases.map(\.rawValue) + [
      "[notifications]", "[apps]", "[apps.prefer]", "[[a]]", "enabled = true", "\"", "'''", "\"\"\"", "#",
      "\n",
      "\r\n", "= ", "{", "}", "[", "]", ",", "0x1f", "1979-05-27T07:32:00Z", "inf", "nan", "\\u00e9",
      "\u{feff}",
      ".", "true", "false",
    ]).map { Array($0.utf8) }

  func seeds() throws -> [[UInt8]] {
    let texts = [
      "",
      "[notifications]\nenabled = false # quiet\noff-types = [\"a.b\", 'c']\n\n[apps]\nterminal = \"foot\"\n",
      "notifications.hide-titles = true\napps = { terminal = [\"xterm\", \"-e\"] }\n",
      "[apps.prefer]\n\"public.text\" = \"org.example.editor\"\r\n", "[a\n", "x = 1\n[[y]]\nz = '''\na'''\n",
      "\u{feff}notifications = { enabled = true }",
    ]
    return texts.flatMap { text in
      [[0, 0], [1, 1], [2, 3], [5, 2]].map { $0 + Array(text.utf8) }
    }
  }

  private static let values: [SettingsValue?] = [
    .boolean(true), .boolean(false), .strings(["a", "b \"c\"\n"]), .strings([]), nil,
    .other("500"),
  ]

  func check(_ input: [UInt8]) throws {
    var reader = InputReader(input)
    let key = SettingsKey.allCases[reader.choice(of: SettingsKey.allCases.count)]
    let value = Self.values[reader.choice(of: Self.values.count)]
    let text = reader.rest
    let typed = SettingsWord(String(decoding: text.prefix(200), as: UTF8.self)).value(for: key)
    try expect(!typed.written.isEmpty, "a word that was typed is nothing")
    let lines = text.count { $0 == UInt8(ascii: "\n") } + 1
    let document: TomlDocument
    do throws(SettingsProblem) {
      document = try TomlDocument(text)
    } catch {
      try expect((1...lines).contains(error.line ?? 1), "a problem is in a line that is not there: \(error)")
      return
    }
    let before = Self.settings(of: document)
    for problem in before.problems {
      try expect((1...lines).contains(problem.line ?? 1), "a problem is in a line that is not there")
    }
    try Self.checkEdit(key, value, text, before.settings)
  }

  private static func settings(
    of document: TomlDocument
  ) -> (settings: AgentSettings, problems: [SettingsProblem]) {
    var problems: [SettingsProblem] = []
    let settings = AgentSettings(entries: document.entries, problems: &problems)
    return (settings, problems)
  }

  private static func checkEdit(
    _ key: SettingsKey, _ value: SettingsValue?, _ text: [UInt8], _ before: AgentSettings
  ) throws {
    let edit = SettingsEdit(path: key.path, value: value)
    guard let edited = try? edit.applied(to: text) else { return }
    guard let document = try? TomlDocument(edited) else {
      throw BrokenProperty("an edit makes no TOML of TOML")
    }
    let after = settings(of: document).settings
    for other in SettingsKey.allCases where other != key {
      try expect(after.value(of: other) == before.value(of: other), "an edit changes \(other.name), too")
    }
    try expect((try? edit.applied(to: edited)) == edited, "an edit that was done does something")
  }
}
