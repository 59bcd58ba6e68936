// SPDX-License-Identifier: MIT

// Names that a file system takes: 255 bytes at most. What is put to a long name makes it too long, so that
// the name itself is cut, and a mark of the whole name tells whose it was.
extension SyncNames {
  /// The most bytes of a name.
  public static let nameLimit = 255

  /// `stem` and `tail` as one name of at most `nameLimit` bytes: a longer stem is cut between two characters,
  /// and `mark` comes in place of what was cut. `tail` is kept whole.
  public static func fitted(
    _ stem: some Collection<UInt8>, mark: [UInt8] = [], tail: some Collection<UInt8>
  ) -> [UInt8] {
    guard stem.count + tail.count > nameLimit else { return Array(stem) + tail }
    return cut(Array(stem), to: max(1, nameLimit - mark.count - tail.count)) + mark + tail
  }

  /// The first bytes of a name, at most `count`, without half a character at the end.
  public static func cut(_ name: [UInt8], to count: Int) -> [UInt8] {
    guard name.count > count else { return name }
    var end = max(0, count)
    // Names that are not UTF-8 are cut as they come.
    for _ in 0..<3 where end > 0 && name[end] & 0xC0 == 0x80 { end -= 1 }
    if name[end] & 0xC0 == 0x80 { end = max(0, count) }
    return Array(name[..<end])
  }

  /// Nine bytes by which cut names of different files are told apart: `-` and eight digits (FNV-1a).
  public static func mark(of name: [UInt8]) -> [UInt8] {
    let hash = name.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    let digits = String(hash, radix: 16)
    return Array("-\(String(repeating: "0", count: 8 - digits.count))\(digits)".utf8)
  }

  /// What stands before the extension, and the extension with its full stop; one that is longer than any type
  /// needs is part of the name.
  public static func parts(of name: [UInt8]) -> (stem: [UInt8], end: [UInt8]) {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot <= 64 else {
      return (name, [])
    }
    return (Array(name[..<dot]), Array(name[dot...]))
  }

  /// Whether `name` is what engines and Continuo call a conflict copy of `document`.
  public static func isConflictCopy(_ name: [UInt8], of document: [UInt8]) -> Bool {
    if original(ofConflictCopy: name) == document { return true }
    // A longer name than this has no room for what a copy's has more.
    guard document.count > nameLimit - 64, name.count > nameLimit - 8 else { return false }
    let (stem, end) = parts(of: document)
    guard name.suffix(end.count).elementsEqual(end), let base = cutCopy.base(of: name) else { return false }
    let mark = mark(of: document)
    return base.count > mark.count && base.suffix(mark.count).elementsEqual(mark)
      && stem.starts(with: base.dropLast(mark.count))
  }

  private static let cutCopy = NamePattern(
    .base, .literal(" (conflicted copy "), .run(.digit, 4...4), .literal("-"), .run(.digit, 2...2),
    .literal("-"), .run(.digit, 2...2), .literal(" "), .run(.digit, 6...6), .literal(")"),
    .anything(atLeast: 0))
}
