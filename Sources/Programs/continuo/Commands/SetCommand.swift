// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import LinuxSystem
import SettingsFile

struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "List the settings, or change one.",
    discussion: CommandEnd.help(
      """
      Settings stand in settings.toml below ~/.config/continuo. One line of it is changed; comments and all \
      else stay. A running agent notices it by itself.
      """))

  @Argument(
    help: "What is set, as the list has it; apps.prefer.TYPE for one activity type.",
    completion: .list(SettingsKey.allCases.map(\.name)))
  var key: String?

  @Argument(help: "As TOML, or bare; of lists the parts with commas between them.")
  var value: String?

  @Flag(help: "Give the setting its default back.")
  var unset = false

  @Flag(help: "Print a JSON array of all settings, or the setting that was changed.")
  var json = false

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      let file = try SettingsFile.ofThisUser()
      guard let key else { return try list(file) }
      guard (value == nil) == unset else {
        throw ContinuityError(
          .invalidRequest, subject: key,
          description: "Name a value for \(key), or --unset, and nothing else: continuo set KEY VALUE.")
      }
      try file.edit { (file) throws(SettingsProblem) in try change(key, in: file) }
      if json { try say(key, in: file) }
    }
  }

  /// The setting as it stands now; of `apps.prefer.TYPE` all that are preferred.
  private func say(_ name: String, in file: SettingsFile) throws(ContinuityError) {
    let known = SettingsKey(rawValue: name) ?? .prefer
    if let settings = file.read().settings { JSONOutput.say(SettingRow(known, settings)) }
  }

  private func change(_ name: String, in file: SettingsFile) throws(SettingsProblem) {
    let prefix = SettingsKey.prefer.name + "."
    if name.hasPrefix(prefix), name.utf8.count > prefix.utf8.count {
      try file.prefer(value, forType: String(name.dropFirst(prefix.count)))
    } else if let key = SettingsKey(rawValue: name) {
      try file.set(key, to: value.map { SettingsWord($0).value(for: key) })
    } else {
      throw .unknown(name)
    }
  }

  private func list(_ file: SettingsFile) throws(ContinuityError) {
    guard !unset else {
      throw ContinuityError(.invalidRequest, description: "Name the setting that gets its default back.")
    }
    let reading = file.read()
    reading.problems.forEach { Terminal.complain($0.description) }
    // A file that cannot be read says nothing: what it says is not shown as what holds.
    guard let settings = reading.settings else {
      throw ContinuityError(
        .invalidRequest, description: "The settings cannot be listed: mend \(file.path.shown) first.")
    }
    if json { return JSONOutput.say(SettingsKey.allCases.map { SettingRow($0, settings) }) }
    for key in SettingsKey.allCases {
      Terminal.say("\(key.name) = \(settings.value(of: key).written)")
      Terminal.say("    \(key.help)")
    }
  }
}

extension SettingsFile {
  /// Changes settings for a command. Throws `invalidRequest`, with the setting that cannot be so.
  func edit(_ change: (SettingsFile) throws(SettingsProblem) -> Void) throws(ContinuityError) {
    do throws(SettingsProblem) { try change(self) } catch {
      throw ContinuityError(.invalidRequest, subject: error.key, description: error.description)
    }
  }
}

/// One setting, for programs.
private struct SettingRow: Encodable {
  let key: String
  let value: SettingJSON
  let defaultValue: SettingJSON
  let help: String

  enum CodingKeys: String, CodingKey {
    case key, value, help
    case defaultValue = "default"
  }

  init(_ key: SettingsKey, _ settings: AgentSettings) {
    self.key = key.name
    value = SettingJSON(value: settings.value(of: key))
    defaultValue = SettingJSON(value: key.defaultValue)
    help = key.help
  }
}

/// A value as JSON has it.
private struct SettingJSON: Encodable {
  let value: SettingsValue

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch value {
    case .boolean(let value): try container.encode(value)
    case .string(let text): try container.encode(DisplayText.shown(text))
    case .other(let text):
      if let number = Int64(text) { return try container.encode(number) }
      try container.encode(DisplayText.shown(text))
    case .list(let entries): try container.encode(entries.map { SettingJSON(value: $0.value) })
    case .table(let entries, _):
      let pairs = entries.map { (DisplayText.shown($0.key), SettingJSON(value: $0.value)) }
      try container.encode(Dictionary(pairs) { first, _ in first })
    }
  }
}

extension SettingsFile {
  /// The file that the agent of this user reads. Throws `agentUnavailable` when there is no place for it.
  static func ofThisUser() throws(ContinuityError) -> SettingsFile {
    let places = try AgentPlaces(environment: CurrentProcess.environment)
    return SettingsFile(in: FilePath(places.configurationDirectory))
  }
}
