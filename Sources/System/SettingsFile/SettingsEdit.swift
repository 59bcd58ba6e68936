// SPDX-License-Identifier: MIT

package import ActivityModel

/// One setting in the text of a settings file: changed, put in or taken out, and nothing else touched. Pure.
package struct SettingsEdit {
  /// Tables, and the key in the last of them.
  let path: [String]
  /// What is set; nil when the setting goes.
  let value: SettingsValue?

  /// A change of the setting at `path`; nil for `value` takes it out.
  package init(path: [String], value: SettingsValue?) {
    self.path = path
    self.value = value
  }

  /// The new text. Throws what is in the way; the text is whole either way.
  package func applied(to bytes: [UInt8]) throws(SettingsProblem) -> [UInt8] {
    let before = try TomlDocument(bytes)
    let text = SettingsLines(bytes)
    var wanted = before.values
    wanted[path] = value?.written
    let candidates: [[UInt8]?]
    if let entry = before.entry(at: path) {
      if value != nil, entry.value.written == value?.written { return bytes }
      candidates = [value.map { replaced(entry, by: $0, in: text) } ?? removed(entry, from: text)]
    } else if let value {
      candidates = inserted(value, into: text, before)
    } else {
      return bytes
    }
    for case .some(let candidate) in candidates {
      // A key that comes or goes alone: whatever the text looks like, what it says decides.
      if let after = try? TomlDocument(candidate), after.values == wanted { return candidate }
    }
    let name = path.map(SettingsValue.writtenKey).joined(separator: ".")
    throw SettingsProblem(
      line: before.entry(at: path)?.place.line, key: name,
      clause: "\(name) stands where it cannot be changed alone: change the file by hand.")
  }

  /// Nil where the value has lines with comments of their own, which would go with it.
  private func replaced(_ entry: SettingsEntry, by value: SettingsValue, in text: SettingsLines) -> [UInt8]? {
    guard let range = text.range(of: entry.place) else { return nil }
    let isOneLine = entry.place.line == entry.place.endLine
    if !isOneLine, text.bytes[range].contains(UInt8(ascii: "#")) { return nil }
    return Array(text.bytes[..<range.lowerBound]) + Array(value.written.utf8)
      + text.bytes[range.upperBound...]
  }

  /// With its whole line, and a comment behind it.
  private func removed(_ entry: SettingsEntry, from text: SettingsLines) -> [UInt8]? {
    guard let range = text.range(of: entry.place) else { return nil }
    let isOneLine = entry.place.line == entry.place.endLine
    if !isOneLine, text.bytes[range].contains(UInt8(ascii: "#")) { return nil }
    let start = text.start(of: entry.place.line)
    return Array(text.bytes[..<start]) + text.bytes[text.start(of: entry.place.endLine + 1)...]
  }

  /// Ways to put it in, the best first: in its table, in a table of its own at the end, or with a dotted key.
  private func inserted(
    _ value: SettingsValue, into text: SettingsLines, _ document: TomlDocument
  ) -> [[UInt8]?] {
    let sections = Self.sections(of: document, in: text)
    let table = Array(path.dropLast())
    func line(below depth: Int) -> [UInt8]? {
      let header = path.prefix(depth)
      let key = path.dropFirst(depth).map(SettingsValue.writtenKey).joined(separator: ".")
      guard let section = sections.first(where: { $0.path.elementsEqual(header) }) else { return nil }
      return text.inserting("\(key) = \(value.written)", after: section.lastLine)
    }
    let header = table.map(SettingsValue.writtenKey).joined(separator: ".")
    let key = SettingsValue.writtenKey(path[path.count - 1])
    let appended = text.appending(["[\(header)]", "\(key) = \(value.written)"])
    return [line(below: table.count), appended]
      + (0..<table.count).reversed().map { line(below: $0) }
  }

  /// Each header with its last line that sets something; the top of the file is one without a name.
  private static func sections(
    of document: TomlDocument, in text: SettingsLines
  ) -> [(path: [String], lastLine: Int)] {
    var headers: [Int: [String]] = [:]
    var ends: [(line: Int, end: Int)] = []
    func look(_ entries: [SettingsEntry], below path: [String]) {
      for entry in entries {
        let path = path + [entry.key]
        let line = entry.place.line
        if case .table(let inner, isInline: false) = entry.value {
          // Tables that a longer header makes on the way stand on its line.
          if text.isHeader(line), headers[line].map({ $0.count < path.count }) ?? true {
            headers[line] = path
          }
          look(inner, below: path)
        } else if case .list(let inner) = entry.value {
          ends.append((line, entry.place.endLine))
          look(inner, below: path)
        } else {
          ends.append((line, entry.place.endLine))
        }
      }
    }
    look(document.entries, below: [])
    let starts = [0] + headers.keys.sorted()
    var lastLines = starts
    var index = 0
    for (line, end) in ends.sorted(by: { $0.line < $1.line }) {
      while index + 1 < starts.count, starts[index + 1] < line { index += 1 }
      let next = index + 1 < starts.count ? starts[index + 1] : Int.max
      if line > starts[index], line < next, end < next { lastLines[index] = max(lastLines[index], end) }
    }
    return zip(starts, lastLines).map { start, last in (headers[start] ?? [], last) }
  }
}

/// A text by its lines, as toml++ counts them.
struct SettingsLines {
  let bytes: [UInt8]
  /// Where each line begins; one more for the end.
  private let starts: [Int]
  /// As the text ends its lines.
  private let lineEnd: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") { starts.append(index + 1) }
    self.starts = starts
    let first = bytes.firstIndex(of: UInt8(ascii: "\n"))
    let isDOS = first.map { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "\r") } ?? false
    lineEnd = Array((isDOS ? "\r\n" : "\n").utf8)
  }

  /// Where `line` begins, counted from 1; the end of the text for one behind it.
  func start(of line: Int) -> Int { line <= starts.count ? starts[max(line, 1) - 1] : bytes.count }

  func isHeader(_ line: Int) -> Bool {
    bytes[start(of: line)...].first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
      == UInt8(ascii: "[")
  }

  /// The bytes of a place; nil for one outside.
  func range(of place: SettingsPlace) -> Range<Int>? {
    guard let start = offset(place.line, place.column), let end = offset(place.endLine, place.endColumn),
      start < end
    else { return nil }
    return start..<end
  }

  private func offset(_ line: Int, _ column: Int) -> Int? {
    guard line >= 1, line <= starts.count else { return nil }
    var (offset, left) = (start(of: line), column - 1)
    while left > 0, offset < bytes.count {
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      left -= 1
    }
    return left == 0 ? offset : nil
  }

  /// With one line more behind `line`; at the top behind line 0.
  func inserting(_ text: String, after line: Int) -> [UInt8] {
    let place = start(of: line + 1)
    let isCut = place == bytes.count && place > starts[0] && bytes.last != UInt8(ascii: "\n")
    return Array(bytes[..<place]) + (isCut ? lineEnd : []) + Array(text.utf8) + lineEnd + bytes[place...]
  }

  /// With lines more at the end, behind an empty one.
  func appending(_ lines: [String]) -> [UInt8] {
    var text = bytes
    if text.count > starts[0] {
      if text.last != UInt8(ascii: "\n") { text += lineEnd }
      text += lineEnd
    }
    return lines.reduce(into: text) { $0 += Array($1.utf8) + lineEnd }
  }
}
