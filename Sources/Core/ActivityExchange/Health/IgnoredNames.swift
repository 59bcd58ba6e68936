// SPDX-License-Identifier: MIT

/// Whether a `.stignore` of Syncthing leaves out `.continuo`, as far as its own lines tell: files that it
/// includes are not read.
public enum IgnoredNames {
  /// The first pattern that matches the folder of records, as it stands there; nil where none does, or where
  /// one that takes it in stands above it.
  public static func pattern(leavingOutRecordsIn text: String) -> String? {
    for row in text.split(whereSeparator: \.isNewline) {
      let line = row.trimmed
      guard !line.isEmpty, !line.hasPrefix("//"), !line.hasPrefix("#") else { continue }
      var pattern = line[...]
      var takesIn = false
      // `!`, `(?i)` and `(?d)` stand before a pattern in any order.
      while true {
        if pattern.hasPrefix("!") {
          takesIn = true
          pattern = pattern.dropFirst()
        } else if pattern.hasPrefix("(?i)") || pattern.hasPrefix("(?d)") {
          pattern = pattern.dropFirst(4)
        } else {
          break
        }
      }
      for prefix in ["/", "**/"] where pattern.hasPrefix(prefix) { pattern = pattern.dropFirst(prefix.count) }
      for suffix in ["/**", "/*", "/"] where pattern.hasSuffix(suffix) {
        pattern = pattern.dropLast(suffix.count)
        break
      }
      guard matches(Array(pattern), Array(".continuo")) else { continue }
      return takesIn ? nil : line
    }
    return nil
  }

  /// `*` and `?` as in a shell; the name has no slash.
  private static func matches(_ pattern: [Character], _ name: [Character]) -> Bool {
    var reached: Set = [0]
    for character in pattern {
      switch character {
      case "*": if let first = reached.min() { reached.formUnion(first...name.count) }
      case "?": reached = Set(reached.filter { $0 < name.count }.map { $0 + 1 })
      default: reached = Set(reached.filter { $0 < name.count && name[$0] == character }.map { $0 + 1 })
      }
    }
    return reached.contains(name.count)
  }
}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(String(start.reversed().drop { $0.isWhitespace }).reversed())
  }
}
