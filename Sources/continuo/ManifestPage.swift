// SPDX-License-Identifier: MIT

import ActivityModel
import FoundationEssentials

/// A checked manifest as people read it.
struct ManifestPage {
  let lines: [String]

  init(_ checked: CheckedManifest) {
    let manifest = checked.manifest
    var lines = [
      "Identifier      \(manifest.appID)", "Name            \(Terminal.plain(manifest.name))",
      "Team            "
        + (manifest.team.map(Self.hexadecimal) ?? "none: what \(manifest.appID) made is for itself alone"),
    ]
    for (index, type) in manifest.activityTypes.enumerated() {
      lines.append((index == 0 ? "Activity types  " : "                ") + Terminal.plain(type))
    }
    if !manifest.documentTypes.isEmpty { lines.append("") }
    lines += Self.table(manifest.documentTypes)
    if !checked.warnings.isEmpty { lines.append("") }
    lines += checked.warnings.map { "Warning: line \($0.line), \($0.key): \($0.description)" }
    self.lines = lines
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// One row per document type, each column as wide as it must be.
  private static func table(_ types: [AppManifest.DocumentType]) -> [String] {
    guard !types.isEmpty else { return [] }
    let rows =
      [["Document type", "Role", "Files", "Class", "Activity type"]]
      + types.map { type in
        let files = type.extensions.map { $0 == "*" ? "*" : "." + $0 } + type.mimeTypes + type.contentTypes
        return [
          type.name, type.role.rawValue, files.joined(separator: " "), type.documentClass ?? "(the first)",
          type.activityType ?? "(none)",
        ].map { Terminal.plain($0) }
      }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }
  }
}

/// A checked manifest as `apps --json` prints it.
struct ManifestRow: Encodable {
  var file: String
  var identifier: String
  var name: String
  /// 64 hexadecimal digits.
  var team: String?
  var activityTypes: [String]
  var documentTypes: [DocumentType]
  var warnings: [Warning]

  struct DocumentType: Encodable {
    var name: String
    var role: String
    var extensions: [String]
    var mimeTypes: [String]
    var contentTypes: [String]
    var documentClass: String?
    var activityType: String?
  }

  struct Warning: Encodable {
    var line: Int
    var key: String
    var text: String
  }

  init(file: String, _ checked: CheckedManifest) {
    let manifest = checked.manifest
    self.file = file
    identifier = manifest.appID
    name = manifest.name
    team = manifest.team.map(ManifestPage.hexadecimal)
    activityTypes = manifest.activityTypes
    documentTypes = manifest.documentTypes.map {
      DocumentType(
        name: $0.name, role: $0.role.rawValue, extensions: $0.extensions, mimeTypes: $0.mimeTypes,
        contentTypes: $0.contentTypes, documentClass: $0.documentClass, activityType: $0.activityType)
    }
    warnings = checked.warnings.map { Warning(line: $0.line, key: $0.key, text: $0.description) }
  }
}

/// What a program reads.
enum ManifestJSON {
  /// Strings, numbers and arrays of them always encode.
  static func of(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}

extension Terminal {
  /// Text from a file, without what would steer the terminal.
  static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "?"
          default: scalar
          }
        }))
  }
}
