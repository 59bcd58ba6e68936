// SPDX-License-Identifier: MIT

/// What a profile of Unison says, `~/.unison/NAME.prf`.
public enum UnisonProfile {
  /// The local folders of the profile; `file` is where it stands, for sentences.
  ///
  /// `include` gives the text of another profile that it names.
  public static func read(
    _ bytes: [UInt8], file: String, home: [UInt8], include: (String) -> [UInt8]? = { _ in nil }
  ) -> EngineReading {
    var profile = Settings()
    var budget = 100
    profile.read(bytes, include: include, budget: &budget)
    var reading = EngineReading()
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let label = name.hasSuffix(".prf") ? String(name.dropLast(4)) : name
    if profile.hasExpressions {
      reading.problems.append(
        "\(file) leaves files out by Regex, which is not looked at here: see that none fits .continuo.")
    }
    let omission = profile.omission(file: file)
    for root in profile.roots {
      guard let path = local(root, home: home) else { continue }
      // With paths, only these are kept, and each is a folder of its own.
      for place in profile.paths.isEmpty ? [""] : profile.paths {
        let whole = place.isEmpty ? path : path + Array("/\(place)".utf8)
        reading.add(
          KeptFolder(
            engine: .unison, label: label, path: whole, omission: place.isEmpty ? omission : nil))
      }
    }
    return reading
  }

  /// Nil for what lies on another computer.
  private static func local(_ root: String, home: [UInt8]) -> [UInt8]? {
    let path = root.hasPrefix("file://") ? String(root.dropFirst("file://".count)) : root
    if path.contains("://") || path.isEmpty { return nil }
    // Unison takes a relative root from the folder in which it is started, which is mostly this one.
    return ConfiguredPath.absolute(path, home: home)
      ?? ConfiguredPath.absolute(home + [UInt8(ascii: "/")] + Array(path.utf8), home: home)
  }

  private struct Settings {
    var roots: [String] = []
    var paths: [String] = []
    private var ignored: [Pattern] = []
    private var kept: [Pattern] = []
    var hasExpressions = false

    mutating func read(_ bytes: [UInt8], include: (String) -> [UInt8]?, budget: inout Int) {
      for row in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).prefix(100_000) {
        let row = String(row).trimmed
        if row.isEmpty || row.hasPrefix("#") { continue }
        if let words = Self.included(row) {
          budget -= 1
          guard budget >= 0, let more = include(words) else { continue }
          read(more, include: include, budget: &budget)
          continue
        }
        guard let sign = row.firstIndex(of: "=") else { continue }
        take(String(row[..<sign]).trimmed, String(row[row.index(after: sign)...]).trimmed)
      }
    }

    private static func included(_ row: String) -> String? {
      let words = row.split(maxSplits: 1, whereSeparator: \.isWhitespace)
      guard words.count == 2, ["include", "source", "include?", "source?"].contains(words[0]) else {
        return nil
      }
      return words[1].hasPrefix("=") ? nil : String(words[1])
    }

    private mutating func take(_ key: String, _ value: String) {
      switch key {
      case "root" where roots.count < 2: roots.append(value)
      case "path" where paths.count < EngineReading.Limit.folders: if !value.isEmpty { paths.append(value) }
      case "ignore": add(value, to: \.ignored)
      case "ignorenot": add(value, to: \.kept)
      default: break
      }
    }

    private mutating func add(_ value: String, to list: WritableKeyPath<Settings, [Pattern]>) {
      if value.hasPrefix("Regex") { hasExpressions = true }
      if let pattern = Pattern(value), self[keyPath: list].count < 10_000 {
        self[keyPath: list].append(pattern)
      }
    }

    func omission(file: String) -> Omission? {
      for path in ContinuoFiles.paths {
        guard let pattern = ignored.first(where: { $0.matches(path) }) else { continue }
        if kept.contains(where: { $0.matches(path) }) { continue }
        return Omission(
          pattern: "ignore = \(pattern.text)", file: file,
          fix: "put a line ignorenot = BelowPath \(ContinuoFiles.folder) into it")
      }
      return nil
    }
  }

  /// `Name`, `Path` or `BelowPath`, and what fits.
  private struct Pattern {
    let text: String
    private let kind: Substring
    private let glob: GlobPattern

    init?(_ text: String) {
      let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
      guard words.count == 2, ["Name", "Path", "BelowPath"].contains(words[0]) else { return nil }
      self.text = text
      kind = words[0]
      glob = GlobPattern(String(words[1]).trimmed, GlobPattern.Dialect(sparesDots: true))
    }

    func matches(_ path: String) -> Bool {
      let parts = path.split(separator: "/")
      switch kind {
      case "Name": return parts.last.map { glob.matches(String($0)) } ?? false
      case "Path": return glob.matches(path)
      default:
        return parts.indices.contains { glob.matches(parts[...$0].joined(separator: "/")) }
      }
    }
  }
}
