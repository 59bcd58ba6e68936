// SPDX-License-Identifier: MIT

import ActivityModel

/// A checked manifest as people read it.
struct ManifestPage {
  let lines: [String]

  init(_ checked: CheckedManifest) {
    let manifest = checked.manifest
    var lines = [
      "Identifier      \(manifest.appID)", "Name            \(DisplayText.shown(manifest.name))",
      "Team            "
        + (manifest.team.map(Self.hexadecimal) ?? "none: what \(manifest.appID) made is for itself alone"),
    ]
    for (index, type) in manifest.activityTypes.enumerated() {
      lines.append((index == 0 ? "Activity types  " : "                ") + DisplayText.shown(type))
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
        ].map { DisplayText.shown($0) }
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
  /// What is connected under its ID; absent of a file that is only checked.
  var connected: [ConnectedAppRow]?

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
    let shown = { (text: String) in DisplayText.shown(text) }
    self.file = shown(file)
    identifier = shown(manifest.appID)
    name = shown(manifest.name)
    team = manifest.team.map(ManifestPage.hexadecimal)
    activityTypes = manifest.activityTypes.map(shown)
    documentTypes = manifest.documentTypes.map {
      DocumentType(
        name: shown($0.name), role: $0.role.rawValue, extensions: $0.extensions.map(shown),
        mimeTypes: $0.mimeTypes.map(shown), contentTypes: $0.contentTypes.map(shown),
        documentClass: $0.documentClass.map(shown), activityType: $0.activityType.map(shown))
    }
    warnings = checked.warnings.map {
      Warning(line: $0.line, key: shown($0.key), text: shown($0.description))
    }
  }
}
