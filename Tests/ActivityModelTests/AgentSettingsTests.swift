// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

/// What settings come to, and what is said about those that do not count.
@Suite struct AgentSettingsTests {
  private static func entry(_ key: String, _ value: SettingsValue, line: Int = 1) -> SettingsEntry {
    SettingsEntry(key, value: value, at: SettingsPlace(line: line, endLine: line))
  }

  private static func table(_ key: String, _ entries: SettingsEntry..., line: Int = 1) -> SettingsEntry {
    entry(key, .table(entries, isInline: false), line: line)
  }

  private func read(_ entries: SettingsEntry...) -> (settings: AgentSettings, problems: [String]) {
    var problems: [SettingsProblem] = []
    let settings = AgentSettings(entries: entries, problems: &problems)
    return (settings, problems.map(\.description))
  }

  @Test func nothingSetIsTheDefaults() {
    let (settings, problems) = read()
    #expect(settings == AgentSettings() && problems == [])
    #expect(settings.notifications.isEnabled && !settings.notifications.hidesTitles)
  }

  @Test func everyKeyCanBeSetAndReadBack() {
    let values: [SettingsKey.Kind: SettingsValue] = [
      .strings: .strings(["one", "two"]), .table: .table([Self.entry("a.b", .string("c"))], isInline: true),
      .port: .other("47000"),
    ]
    for key in SettingsKey.allCases {
      var settings = AgentSettings()
      let isOn = key.defaultValue == .boolean(true)
      var value = values[key.kind] ?? .boolean(!isOn)
      if case .number(let range) = key.kind { value = .other("\(range.upperBound)") }
      #expect(settings.set(key, to: Self.entry("", value)) == [])
      #expect(settings.value(of: key).written == value.written)
      for other in SettingsKey.allCases where other != key {
        #expect(settings.value(of: other) == other.defaultValue, "\(key) changed \(other)")
      }
    }
  }

  @Test func aWrongLineChangesNothingElse() {
    let (settings, problems) = read(
      Self.table(
        "notifications", Self.entry("enabled", .string("yes"), line: 3),
        Self.entry("hide-titles", .boolean(true), line: 4), Self.entry("loud", .boolean(true), line: 2)),
      Self.entry("apps", .other("3"), line: 6))
    #expect(settings.notifications.isEnabled && settings.notifications.hidesTitles)
    #expect(
      problems == [
        "settings.toml line 2: there is no setting notifications.loud: "
          + "use one of those that `continuo set` lists.",
        "settings.toml line 3: notifications.enabled is true or false, not \"yes\".",
        "settings.toml line 6: apps is a table: write [apps] on a line of its own, and its settings below.",
      ])
  }

  @Test func listsHoldTextsAlone() {
    let mixed = SettingsValue.list([Self.entry("", .string("a")), Self.entry("", .other("1"), line: 5)])
    let (settings, problems) = read(
      Self.table(
        "notifications", Self.entry("off-types", mixed), Self.entry("off-folders", .strings([""]), line: 7),
        Self.entry("off-devices", .strings(["Büro"]), line: 8)))
    #expect(settings.notifications.offTypes == [] && settings.notifications.offFolders == [])
    #expect(settings.notifications.offDevices == ["Büro"])
    #expect(problems.count == 2)
    #expect(problems.contains { $0.contains("line 5: ") && $0.contains("[\"a\", 1]") })
    #expect(problems.contains { $0.contains("line 1: notifications.off-folders has an empty text") })
  }

  @Test func aPortIsOneThatNoSystemServiceHas() {
    for (value, isTaken) in [
      (SettingsValue.other("1024"), true), (.other("65535"), true), (.other("0"), true),
      (.other("1023"), false), (.other("65536"), false), (.other("-1"), false), (.other("4.5"), false),
      (.string("47000"), false), (.boolean(true), false),
    ] {
      let (settings, problems) = read(
        Self.table("lan", Self.entry("enabled", .boolean(true)), Self.entry("port", value, line: 2)))
      #expect(settings.isLanEnabled && problems.isEmpty == isTaken, "\(value)")
      #expect(settings.value(of: .lanPort) == (isTaken ? value : .other("0")))
      let refusal = "settings.toml line 2: lan.port is a port from 1024 to 65535, or 0 for any that is free, "
      #expect(problems.allSatisfy { $0 == refusal + "not \(value.written)." }, "\(problems)")
    }
  }

  @Test func aLimitIsAWholeNumberInItsRange() {
    for (value, isTaken) in [
      (SettingsValue.other("100"), true), (.other("100000"), true), (.other("99"), false),
      (.other("100001"), false), (.other("-1"), false), (.other("500.0"), false), (.other("1_000"), false),
      (.other("99999999999999999999"), false), (.string("500"), false), (.boolean(true), false),
    ] {
      let (settings, problems) = read(
        Self.table(
          "search", Self.entry("keep-handed-over", .boolean(true)), Self.entry("days", .other("30")),
          Self.entry("activities", value, line: 2)))
      #expect(settings.search.keepsHandedOver && settings.search.limits.days == 30, "\(value)")
      #expect(settings.search.isWhole == isTaken)
      #expect(settings.value(of: .keptActivities) == (isTaken ? value : .other("20000")))
      let refusal = "settings.toml line 2: search.activities is a whole number from 100 to 100000, "
      #expect(problems == (isTaken ? [] : [refusal + "not \(value.written)."]), "\(problems)")
    }
  }

  @Test func whatIsWrongElsewhereOrUnknownIsToldApart() {
    for (table, key, isWhole) in [
      ("search", "keep-handed-ovr", false), ("lan", "enabledd", true), ("searches", "days", true),
    ] {
      let (settings, problems) = read(Self.table(table, Self.entry(key, .boolean(true))))
      #expect(problems.count == 1 && settings.search.isWhole == isWhole, "\(table).\(key)")
    }
    let (settings, problems) = read(Self.entry("search", .boolean(true)))
    #expect(problems.count == 1 && !settings.search.isWhole)
  }

  @Test func whatIsKeptByDefaultIsWhatItWas() {
    let search = AgentSettings().search
    #expect(!search.keepsHandedOver)
    #expect(search.limits.count == 20_000 && search.limits.days == 7)
    #expect(search.limits.bytes == 32 << 20 && search.limits.totalBytes == 64 << 20)
  }

  @Test func anAppIsPreferredForEachType() {
    let (settings, problems) = read(
      Self.table(
        "apps",
        Self.table(
          "prefer", Self.entry("org.example.a", .string("org.example.App"), line: 2),
          Self.table("org", line: 3), Self.entry("b", .boolean(true), line: 4),
          Self.entry("c", .string("a\0b"), line: 5))))
    #expect(settings.preferredApps == ["org.example.a": "org.example.App"])
    #expect(
      problems.map { $0.prefix(20) } == [3, 4, 5].map { "settings.toml line \($0):" }.map { $0.prefix(20) })
    #expect(problems[0].hasSuffix("apps.prefer.org is a table: write the activity type in quotes."))
    #expect(problems[1].hasSuffix("apps.prefer.b is the ID of an app in quotes, not true."))
  }

  @Test func namesAreWrittenSoThatTheyStayOnTheirLine() {
    for (key, written) in [
      ("plain-1_x", "plain-1_x"), ("a.b", "\"a.b\""), ("", "\"\""), ("q\"\\", "\"q\\\"\\\\\""),
      ("a\nb\t\r", "\"a\\nb\\t\\r\""), ("é", "\"é\""), ("\u{1}\u{85}", "\"\\u0001\\u0085\""),
    ] {
      #expect(SettingsValue.writtenKey(key) == written)
    }
    #expect(SettingsValue.strings(["a", "b\n"]).written == "[\"a\", \"b\\n\"]")
  }

  @Test func sentencesAreCleanForDisplay() {
    let (_, problems) = read(Self.entry("a\u{1B}[1m\nb", .boolean(true)))
    #expect(problems.count == 1 && problems.allSatisfy(DisplayText.isClean))
  }
}
