// SPDX-License-Identifier: MIT

/// One key and its value, as a settings file has them.
public struct SettingsEntry: Hashable, Sendable {
  /// The key in its table; empty in a list.
  public var key: String
  /// What is set.
  public var value: SettingsValue
  /// Where the value stands.
  public var place: SettingsPlace

  /// `value` for `key`, from that place of a file.
  public init(_ key: String, value: SettingsValue, at place: SettingsPlace = SettingsPlace()) {
    self.key = key
    self.value = value
    self.place = place
  }
}

/// Where something stands in a text: lines and columns count from 1, columns in Unicode scalars; the end is
/// exclusive.
public struct SettingsPlace: Hashable, Sendable {
  /// The line it begins in.
  public var line: Int
  /// The column it begins in.
  public var column: Int
  /// The line it ends in.
  public var endLine: Int
  /// The column behind it.
  public var endColumn: Int

  /// From one place to another.
  public init(line: Int = 1, column: Int = 1, endLine: Int = 1, endColumn: Int = 1) {
    self.line = line
    self.column = column
    self.endLine = endLine
    self.endColumn = endColumn
  }
}

/// A value as TOML has it.
public enum SettingsValue: Hashable, Sendable {
  /// `true` or `false`.
  case boolean(Bool)
  /// Text in quotes.
  case string(String)
  /// A number, a date or a time, by its digits.
  case other(String)
  /// An array; the entries have no keys.
  case list([SettingsEntry])
  /// A table, between braces or below a header.
  case table([SettingsEntry], isInline: Bool)

  /// A list of texts.
  public static func strings(_ texts: [String]) -> SettingsValue {
    .list(texts.map { SettingsEntry("", value: .string($0)) })
  }

  /// As TOML on one line; equal values are written alike.
  public var written: String {
    switch self {
    case .boolean(let value): value ? "true" : "false"
    case .string(let text): Self.quoted(text)
    case .other(let text): text
    case .list(let entries): "[" + entries.map(\.value.written).joined(separator: ", ") + "]"
    case .table(let entries, _):
      entries.isEmpty
        ? "{}"
        : "{ "
          + entries.map { "\(Self.writtenKey($0.key)) = \($0.value.written)" }.joined(separator: ", ") + " }"
    }
  }

  /// `key` as it stands before an equals sign: in quotes unless TOML takes it bare.
  public static func writtenKey(_ key: String) -> String {
    let isBare = key.utf8.allSatisfy {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    return isBare && !key.isEmpty ? key : quoted(key)
  }

  /// A basic string: every control character is escaped, so that it stays on its line.
  private static func quoted(_ text: String) -> String {
    var written = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": written += "\\\""
      case "\\": written += "\\\\"
      case "\n": written += "\\n"
      case "\r": written += "\\r"
      case "\t": written += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        written += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: written.unicodeScalars.append(scalar)
      }
    }
    return written + "\""
  }
}
