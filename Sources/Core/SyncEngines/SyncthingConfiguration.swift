// SPDX-License-Identifier: MIT

import ActivityModel

/// What Syncthing's `config.xml` says of folders.
public enum SyncthingConfiguration {
  /// The folders that `bytes` name; `file` is where they stand, for sentences.
  public static func read(_ bytes: [UInt8], file: String, home: [UInt8]) -> EngineReading {
    var reading = EngineReading()
    guard String(validating: bytes, as: UTF8.self) != nil else {
      reading.problems = ["\(file) is not UTF-8: let Syncthing write it again."]
      return reading
    }
    do throws(XMLCursor.Fault) {
      var cursor = XMLCursor(bytes)
      try read(&cursor, file: file, home: home, into: &reading)
    } catch {
      reading.problems.append(
        "\(file) cannot be read to its end: line \(error.line), \(error.description).")
    }
    return reading
  }

  private static func read(
    _ cursor: inout XMLCursor, file: String, home: [UInt8], into reading: inout EngineReading
  ) throws(XMLCursor.Fault) {
    let root = try cursor.tag(expecting: "<configuration>")
    guard root.name == "configuration" else {
      reading.problems.append("\(file) is no configuration of Syncthing: it begins with another element.")
      return
    }
    if root.form == .empty { return }
    while true {
      let tag = try cursor.tag(expecting: "</configuration>", for: root)
      if tag.form == .close { return }
      guard tag.name == "folder", tag.form == .open || tag.form == .empty else {
        try cursor.passOver(tag, depth: depth)
        continue
      }
      let isPaused = tag.form == .open ? try isPaused(tag, &cursor) : false
      let label = tag.attribute("label").flatMap { $0.isEmpty ? nil : $0 } ?? tag.attribute("id") ?? ""
      guard let path = ConfiguredPath.absolute(tag.attribute("path") ?? "", home: home) else {
        reading.problems.append("\(file), line \(tag.line): folder \(label) has no absolute path.")
        continue
      }
      reading.add(KeptFolder(engine: .syncthing, label: label, path: path, isPaused: isPaused))
    }
  }

  private static func isPaused(_ folder: XMLTag, _ cursor: inout XMLCursor) throws(XMLCursor.Fault) -> Bool {
    var isPaused = false
    while true {
      let tag = try cursor.tag(expecting: "</folder>", for: folder)
      if tag.form == .close { return isPaused }
      if tag.name == "paused", tag.form == .open {
        isPaused = try cursor.text(of: tag) == "true"
      } else {
        try cursor.passOver(tag, depth: depth)
      }
    }
  }

  /// Syncthing's own needs five.
  private static let depth = 24
}

/// What `.stignore` leaves out.
public enum SyncthingIgnores {
  /// The pattern that leaves `.continuo` out, if one does: the first that fits a name decides.
  ///
  /// `include` gives the text of a file that `#include` names, relative to the folder.
  public static func omission(
    in text: String, file: String, include: (String) -> String? = { _ in nil }
  ) -> Omission? {
    var lines: [Line] = []
    var budget = 100
    append(text, to: &lines, include: include, budget: &budget)
    for path in ContinuoFiles.paths {
      guard let line = lines.first(where: { $0.matches(path) }), !line.isKept else { continue }
      return Omission(
        pattern: line.text, file: file, fix: "put a line !/\(ContinuoFiles.folder) before it")
    }
    return nil
  }

  /// `budget` is of files that are included, also by themselves.
  private static func append(
    _ text: String, to lines: inout [Line], include: (String) -> String?, budget: inout Int
  ) {
    for row in text.split(whereSeparator: \.isNewline) {
      let row = String(row).trimmed
      guard !row.isEmpty, !row.hasPrefix("//"), lines.count < 10_000 else { continue }
      guard row.hasPrefix("#") else {
        if let line = Line(row) { lines.append(line) }
        continue
      }
      guard row.hasPrefix("#include"), budget > 0 else { continue }
      budget -= 1
      let name = String(row.dropFirst("#include".count)).trimmed
      if let more = include(name) { append(more, to: &lines, include: include, budget: &budget) }
    }
  }

  private struct Line {
    let text: String
    let isKept: Bool
    private let patterns: [GlobPattern]

    /// Nil without a pattern.
    init?(_ text: String) {
      self.text = text
      var rest = text
      var (isKept, dialect) = (false, GlobPattern.Dialect(hasDeepStars: true))
      while true {
        if rest.hasPrefix("!") {
          isKept = true
          rest.removeFirst()
        } else if rest.hasPrefix("(?i)") {
          dialect.ignoresCase = true
          rest.removeFirst(4)
        } else if rest.hasPrefix("(?d)") {
          rest.removeFirst(4)
        } else {
          break
        }
      }
      if rest.isEmpty { return nil }
      self.isKept = isKept
      // What is meant by no slash at the beginning lies anywhere; what a folder holds goes with it.
      var places = rest.hasPrefix("/") ? [String(rest.dropFirst())] : [rest, "**/" + rest]
      if rest.hasPrefix("**/") { places.append(String(rest.dropFirst(3))) }
      patterns = places.flatMap { place in
        let bare = place.hasSuffix("/") ? String(place.dropLast()) : place
        return [GlobPattern(bare, dialect), GlobPattern(bare + "/**", dialect)]
      }
    }

    func matches(_ path: String) -> Bool { patterns.contains { $0.matches(path) } }
  }
}

extension String {
  /// Without white space at its ends.
  var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
