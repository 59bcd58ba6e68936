// SPDX-License-Identifier: MIT

/// One thing in a settings file that does not count, and what to do about it. It changes nothing else.
public struct SettingsProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the file is called.
  public static let fileName = "settings.toml"

  /// Where; nil when it is the file as a whole.
  public let line: Int?
  /// Which key; empty when it is none.
  public let key: String
  /// What is wrong and what to do, without the place.
  public let clause: String

  /// What is wrong about `key`, cleaned for display.
  public init(line: Int? = nil, key: String = "", clause: String) {
    self.line = line
    self.key = DisplayText.shown(key)
    self.clause = DisplayText.shown(clause)
  }

  /// The sentence, with its place.
  public var description: String {
    let place = line.map { " line \($0)" } ?? ""
    return "\(Self.fileName)\(place): \(clause)"
  }
}

extension SettingsProblem {
  /// The same about a value that is in no file yet.
  public var withoutPlace: Self { Self(key: key, clause: clause) }

  /// `value` is none that `key` takes.
  static func wrong(_ name: String, _ wanted: String, _ value: SettingsValue, line: Int) -> Self {
    let given = DisplayText.shown(value.written, byteLimit: 80)
    return Self(line: line, key: name, clause: "\(name) is \(wanted), not \(given).")
  }

  /// There is no key of that name.
  public static func unknown(_ name: String, line: Int? = nil) -> Self {
    Self(
      line: line, key: name,
      clause: "there is no setting \(name): use one of those that `continuo set` lists.")
  }

  static func unusable(_ name: String, line: Int) -> Self {
    Self(
      line: line, key: name,
      clause: "\(name) has an empty text, or one with a NUL in it: write a name, or remove it.")
  }

  static func noTable(_ name: String, line: Int) -> Self {
    Self(
      line: line, key: name,
      clause: "\(name) is a table: write [\(name)] on a line of its own, and its settings below.")
  }

  static func unquotedType(_ type: String, line: Int) -> Self {
    let name = SettingsKey.prefer.name + "." + type
    return Self(line: line, key: name, clause: "\(name) is a table: write the activity type in quotes.")
  }
}
