// SPDX-License-Identifier: MIT

import ActivityModel

// What the names of conflict copies tell, and names that are none.
extension SyncNames {
  /// What the name of a conflict copy tells of the device whose text it holds: Syncthing writes the first
  /// part of the device's ID, Dropbox the device's name. Nil where the name tells nothing.
  public static func device(ofConflictCopy name: [UInt8]) -> [UInt8]? {
    if let base = conflictInfixes[0].base(of: name) {
      return Array(name.dropFirst(base.count + syncthingStamp).prefix(7))
    }
    guard let (tail, marker) = conflictTail(of: name), marker == conflictedCopy,
      let end = position(of: "s \(conflictedCopy)", in: tail)
    else { return nil }
    let text = String(decoding: tail.dropFirst(2).prefix(end - 2), as: UTF8.self)
    return text.last == "'" || text.last == "’" ? Array(text.dropLast().utf8) : nil
  }

  /// Bytes between the document's name and the device in `.sync-conflict-20261122-040000-ABCDEFG`.
  private static let syncthingStamp = ".sync-conflict-20261122-040000-".utf8.count
  private static let conflictedCopy = "conflicted copy "

  /// What the name of a conflict copy tells of when its engine put it aside, by that device's clock:
  /// `2026-11-22 04:00:00`, or the day alone. Nil where the name tells nothing.
  public static func time(ofConflictCopy name: [UInt8]) -> String? {
    guard let (tail, marker) = conflictTail(of: name), let start = position(of: marker, in: tail) else {
      return nil
    }
    let rest = tail.dropFirst(start + marker.utf8.count)
    let stamp = rest.prefix { NamePattern.Kind.digit.holds($0) || $0 == 0x2D || $0 == 0x20 }
    let digits = stamp.filter(NamePattern.Kind.digit.holds).map { String(UnicodeScalar($0)) }
    guard digits.count == 8 || digits.count == 14 else { return nil }
    func part(_ range: Range<Int>) -> String { digits[range].joined() }
    let day = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
    guard digits.count == 14 else { return day }
    return "\(day) \(part(8..<10)):\(part(10..<12)):\(part(12..<14))"
  }

  /// What follows the document's name in that of a copy, and the words before the date in it.
  private static func conflictTail(of name: [UInt8]) -> (tail: [UInt8], marker: String)? {
    for pattern in conflictInfixes {
      guard let base = pattern.base(of: name) else { continue }
      let tail = Array(name.dropFirst(base.count))
      let markers = [".sync-conflict-", conflictedCopy, "conflict_on_"]
      return markers.first { position(of: $0, in: tail) != nil }.map { (tail, $0) }
    }
    return nil
  }

  private static func position(of text: String, in name: [UInt8]) -> Int? {
    let wanted = Array(text.utf8)
    guard name.count >= wanted.count else { return nil }
    return (0...(name.count - wanted.count)).first { name[$0...].starts(with: wanted) }
  }

  /// What to call an ordinary file beside `document`, in order of preference: `plan (WHAT).md`, then
  /// with a number behind that. None of them is a name that engines or editors give to a conflict copy or
  /// an unfinished file, and none holds a slash, whatever `what` says.
  public static func namesBeside(_ document: [UInt8], what: String) -> [[UInt8]] {
    var document = document
    while let original = original(ofConflictCopy: document) { document = original }
    let (stem, end) = parts(of: document)
    func names(_ what: String) -> [[UInt8]] {
      (1...99).map { fitted(stem, tail: Array(" (\(what))\($0 == 1 ? "" : " \($0)")".utf8) + end) }
    }
    let shown = DisplayText.shown(what, byteLimit: 100)
    let clean = String(String.UnicodeScalarView(shown.unicodeScalars.map { $0 == "/" ? "-" : $0 }))
    let named = names(clean).filter { original(ofConflictCopy: $0) == nil && !isTemporary($0) }
    return named.isEmpty ? names("copy") : named
  }
}
