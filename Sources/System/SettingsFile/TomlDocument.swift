// SPDX-License-Identifier: MIT

public import ActivityModel
import CTomlReader

/// The entries of a TOML text, read by toml++ behind its shim. Pure.
public struct TomlDocument: Hashable, Sendable {
  /// Bytes that are read at most.
  public static let byteLimit = Int(CONTINUO_TOML_LIMIT)

  /// The entries of the text's outermost table.
  public let entries: [SettingsEntry]

  /// What `bytes` say. Throws where they are no TOML, nest too deeply, or are too many.
  public init(_ bytes: [UInt8]) throws(SettingsProblem) {
    guard let document = continuo_toml_read(bytes, bytes.count) else {
      throw SettingsProblem(clause: "the memory does not suffice to read it: make it smaller.")
    }
    defer { continuo_toml_free(document) }
    var (line, column): (UInt32, UInt32) = (0, 0)
    if let why = continuo_toml_error(document, &line, &column) {
      throw SettingsProblem(
        line: Int(line),
        clause: "this is no TOML at column \(column) (\(String(cString: why))): correct the line.")
    }
    var reader = Reader(document: document, count: continuo_toml_count(document))
    entries = reader.entries(at: 0)
  }

  /// The text of each value by its path, tables left out: what the file comes to, wherever it stands.
  var values: [[String]: String] {
    var found: [[String]: String] = [:]
    func collect(_ entries: [SettingsEntry], below path: [String]) {
      for entry in entries {
        let path = path + [entry.key]
        if case .table(let inner, _) = entry.value, !inner.isEmpty {
          collect(inner, below: path)
        } else if case .table = entry.value {
          continue
        } else {
          found[path] = entry.value.written
        }
      }
    }
    collect(entries, below: [])
    return found
  }

  /// What stands at `path`.
  func entry(at path: [String]) -> SettingsEntry? {
    var (found, below): (SettingsEntry?, [SettingsEntry]) = (nil, entries)
    for key in path {
      guard let next = below.first(where: { $0.key == key }) else { return nil }
      found = next
      if case .table(let inner, _) = next.value { below = inner } else { below = [] }
    }
    return found
  }
}

/// Takes the shim's list, in which what a table holds follows it, into values.
private struct Reader {
  let document: OpaquePointer
  let count: Int
  var index = 0

  init(document: OpaquePointer, count: Int) {
    self.document = document
    self.count = count
  }

  mutating func entries(at depth: UInt32) -> [SettingsEntry] {
    var found: [SettingsEntry] = []
    while index < count {
      let entry = continuo_toml_at(document, index)
      guard entry.depth == depth else { break }
      index += 1
      found.append(
        SettingsEntry(
          Self.text(entry.key, entry.key_length), value: value(of: entry),
          at: SettingsPlace(
            line: Int(entry.line), column: Int(entry.column), endLine: Int(entry.end_line),
            endColumn: Int(entry.end_column))))
    }
    return found
  }

  private mutating func value(of entry: continuo_toml_entry) -> SettingsValue {
    let text = Self.text(entry.text, entry.text_length)
    switch entry.kind {
    case CONTINUO_TOML_BOOLEAN: return .boolean(text == "true")
    case CONTINUO_TOML_STRING: return .string(text)
    case CONTINUO_TOML_ARRAY: return .list(entries(at: entry.depth + 1))
    case CONTINUO_TOML_TABLE: return .table(entries(at: entry.depth + 1), isInline: false)
    case CONTINUO_TOML_INLINE_TABLE: return .table(entries(at: entry.depth + 1), isInline: true)
    default: return .other(text)
    }
  }

  private static func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
