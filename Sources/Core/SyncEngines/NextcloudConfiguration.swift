// SPDX-License-Identifier: MIT

/// What Nextcloud's client says in `nextcloud.cfg`, which is a settings file of Qt.
public enum NextcloudConfiguration {
  /// The folders of all accounts; `file` is where they stand, for sentences. `excludes` is the text of
  /// `sync-exclude.lst` beside it, and its place.
  public static func read(
    _ bytes: [UInt8], file: String, home: [UInt8], excludes: (text: String, file: String)? = nil
  ) -> EngineReading {
    var folders: [String: [String: [UInt8]]] = [:]
    var order: [String] = []
    var section = ""
    for row in bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }).prefix(200_000) {
      if row.first == UInt8(ascii: "[") { section = String(decoding: row, as: UTF8.self).trimmed }
      guard section == "[Accounts]", let sign = row.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let key = String(decoding: row[..<sign], as: UTF8.self).trimmed.split(separator: "\\")
      guard key.count == 4, key[1].hasPrefix("Folders") else { continue }
      let folder = key[..<3].joined(separator: "\\")
      if folders[folder] == nil { order.append(folder) }
      folders[folder, default: [:]][String(key[3])] = value(Array(row[(sign + 1)...]))
    }
    var reading = EngineReading()
    if section.isEmpty {
      reading.problems.append("\(file) is no configuration of Nextcloud: it has no sections.")
    }
    for name in order {
      guard let folder = folders[name], let local = folder["localPath"] else { continue }
      guard let path = ConfiguredPath.absolute(local, home: home) else {
        reading.problems.append("\(file): a folder has no absolute path.")
        continue
      }
      var kept = KeptFolder(engine: .nextcloud, path: path, isPaused: isTrue(folder["paused"]))
      if isTrue(folder["ignoreHiddenFiles"]) {
        kept.omission = Omission(
          pattern: "ignoreHiddenFiles=true", file: file,
          fix: "tick Sync hidden files in the client, General, Edit Ignored Files")
      } else if let excludes {
        kept.omission = omission(in: excludes.text, file: excludes.file)
      }
      reading.add(kept)
    }
    return reading
  }

  private static func isTrue(_ value: [UInt8]?) -> Bool { value == Array("true".utf8) }

  /// Without quotation marks, and with `\x` characters written out.
  private static func value(_ bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    while rest.first == 0x20 || rest.first == 0x09 { rest.removeFirst() }
    while rest.last == 0x20 || rest.last == 0x09 { rest.removeLast() }
    if rest.count > 1, rest.first == UInt8(ascii: "\""), rest.last == UInt8(ascii: "\"") {
      rest = rest.dropFirst().dropLast()
    }
    var value: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
        value.append(byte)
        continue
      }
      guard next == UInt8(ascii: "x") else {
        value.append(next)
        continue
      }
      var number: UInt32 = 0
      while let digit = rest.first.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }), number < 0x1_0000
      {
        number = number * 16 + UInt32(digit)
        rest.removeFirst()
      }
      if let scalar = Unicode.Scalar(number) { value += Array(String(Character(scalar)).utf8) }
    }
    return value
  }

  /// The first pattern of `sync-exclude.lst` that leaves `.continuo` out.
  private static func omission(in text: String, file: String) -> Omission? {
    for row in text.split(whereSeparator: \.isNewline).prefix(10_000) {
      var pattern = String(row).trimmed
      if pattern.isEmpty || pattern.hasPrefix("#") { continue }
      if pattern.hasPrefix("]") { pattern.removeFirst() }
      if pattern.hasSuffix("/") { pattern.removeLast() }
      let glob = GlobPattern(pattern.hasPrefix("/") ? String(pattern.dropFirst()) : pattern)
      let isPath = pattern.contains("/")
      let isOut = ContinuoFiles.paths.contains { path in
        glob.matches(isPath ? path : String(path.split(separator: "/").last ?? ""))
      }
      if isOut {
        return Omission(
          pattern: String(row).trimmed, file: file,
          fix: "take it out in the client, General, Edit Ignored Files")
      }
    }
    return nil
  }
}
