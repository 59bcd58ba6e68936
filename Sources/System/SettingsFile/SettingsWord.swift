// SPDX-License-Identifier: MIT

public import ActivityModel

/// A value as a person types it on a command line: TOML, or a bare word.
public struct SettingsWord: Sendable {
  private let text: String

  /// What was typed.
  public init(_ text: String) { self.text = text }

  /// What it means for `key`; whether the key takes that is seen when it is set.
  public func value(for key: SettingsKey) -> SettingsValue {
    if let value = toml, fits(value, key) { return value }
    switch key.kind {
    case .boolean, .table, .port, .number: return .string(text)
    case .strings:
      return .strings(text.split(separator: ",", omittingEmptySubsequences: true).map { Self.trimmed($0) })
    }
  }

  /// Numbers and the like are names where names are asked for; lists in brackets are lists, right or wrong.
  private func fits(_ value: SettingsValue, _ key: SettingsKey) -> Bool {
    switch (key.kind, value) {
    case (.boolean, _), (.port, _), (.number, _), (.strings, .list): true
    case (.table, _), (.strings, _): false
    }
  }

  /// Nil for what is none, or more than one value.
  private var toml: SettingsValue? {
    guard let document = try? TomlDocument(Array("value = \(text)\n".utf8)), document.entries.count == 1
    else { return nil }
    return document.entries[0].value
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
