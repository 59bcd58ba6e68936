// SPDX-License-Identifier: MIT

import TextAnchors

/// A document's text as its editor holds it, kept up with what the editor says of its changes. Lines end with
/// LF or CR LF, as in all texts of hand-offs.
struct EditedText: Hashable {
  private(set) var bytes: [UInt8]

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Puts `text` in place of what lies between two places, and gives the place behind it; nil where there are
  /// no such places, and the text stays.
  mutating func replace(
    from start: EditorPlace.Position, to end: EditorPlace.Position, with text: String, _ unit: ColumnUnit
  ) -> EditorPlace.Position? {
    guard let first = offset(of: start, unit), let last = offset(of: end, unit), first <= last else {
      return nil
    }
    bytes.replaceSubrange(first..<last, with: text.utf8)
    return position(ofOffset: first + text.utf8.count, unit)
  }

  /// The whole is `text` now; the place behind what differs, nil where nothing does.
  mutating func replaceAll(with text: String, _ unit: ColumnUnit) -> EditorPlace.Position? {
    let new = Array(text.utf8)
    defer { bytes = new }
    guard new != bytes else { return nil }
    let shorter = min(bytes.count, new.count)
    var same = 0
    while same < shorter, bytes[same] == new[same] { same += 1 }
    var tail = 0
    while tail < shorter - same, bytes[bytes.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
    // Not inside of a character.
    var end = new.count - tail
    while end < new.count, new[end] & 0xC0 == 0x80 { end += 1 }
    bytes = new
    return position(ofOffset: end, unit)
  }

  /// Where a place lies in the bytes; one beyond its line is the line's end.
  private func offset(of place: EditorPlace.Position, _ unit: ColumnUnit) -> Int? {
    var start = 0
    for _ in 0..<place.line {
      guard let feed = bytes[start...].firstIndex(of: Self.feed) else {
        // One line more than there are: editors end the whole of a text there.
        return position(ofOffset: bytes.count, unit).line + 1 == place.line ? bytes.count : nil
      }
      start = feed + 1
    }
    return bytes[start..<lineEnd(from: start)].withUnsafeBufferPointer { line in
      start + ColumnUnit.utf8.column(ofScalars: unit.scalars(of: place.character, in: line), in: line)
    }
  }

  private func position(ofOffset offset: Int, _ unit: ColumnUnit) -> EditorPlace.Position {
    let before = bytes[..<offset]
    let start = before.lastIndex(of: Self.feed).map { $0 + 1 } ?? 0
    let line = before.reduce(0) { $1 == Self.feed ? $0 + 1 : $0 }
    let end = max(offset, lineEnd(from: start))
    let column = bytes[start..<end].withUnsafeBufferPointer { bytes in
      unit.column(ofScalars: ColumnUnit.utf8.scalars(of: offset - start, in: bytes), in: bytes)
    }
    return EditorPlace.Position(line: line, character: column)
  }

  private func lineEnd(from start: Int) -> Int {
    let feed = bytes[start...].firstIndex(of: Self.feed) ?? bytes.count
    return feed < bytes.count && feed > start && bytes[feed - 1] == 13 ? feed - 1 : feed
  }

  private static let feed = UInt8(ascii: "\n")
}

/// Whether a text is what a file holds: an editor drops a byte order mark, chooses line ends, and reads other
/// encodings than UTF-8.
enum FileText {
  /// `endsAlike`: a missing line break at the end counts, too.
  static func holds(_ text: [UInt8], in file: [UInt8], endsAlike: Bool = true) -> Bool {
    let wanted = plain(text, endsAlike)
    return readings(of: file).contains { plain($0, endsAlike) == wanted }
  }

  static func isUTF8(_ file: [UInt8]) -> Bool { String(validating: file, as: UTF8.self) != nil }

  /// The same text by UTF-8; for other files as the editors read them that do not refuse them.
  private static func readings(of file: [UInt8]) -> [[UInt8]] {
    if isUTF8(file) { return [file] }
    var found = [Array(String(decoding: file, as: UTF8.self).utf8)]
    var latin: [UInt8] = []
    latin.reserveCapacity(file.count * 2)
    for byte in file { latin += UTF8.encode(Unicode.Scalar(byte)) ?? UTF8.EncodedScalar() }
    found.append(latin)
    for mark in [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]] where file.starts(with: mark) && file.count % 2 == 0
    {
      let low = mark[0] == 0xFF ? 0 : 1
      let units = stride(from: 2, to: file.count, by: 2).map { index in
        UInt16(file[index + low]) | UInt16(file[index + 1 - low]) << 8
      }
      found.append(Array(String(decoding: units, as: UTF16.self).utf8))
    }
    return found
  }

  private static func plain(_ text: [UInt8], _ endsAlike: Bool) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var isAfterReturn = false
    for byte in text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text[...] {
      defer { isAfterReturn = byte == 13 }
      if byte == 10, isAfterReturn { continue }
      plain.append(byte == 13 ? 10 : byte)
    }
    if !endsAlike, plain.last == 10 { plain.removeLast() }
    return plain
  }
}
