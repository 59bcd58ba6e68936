// SPDX-License-Identifier: MIT

/// Cleans text that a device shows and another device wrote: titles and device names (threat T50).
public enum DisplayText {
  /// The most UTF-8 bytes of a title or a device's name.
  public static let byteLimit = 256

  /// `text` without C0 and C1 controls, line and paragraph separators and bidirectional controls, cut to
  /// `byteLimit` bytes between two characters. Doing it twice changes nothing more.
  ///
  /// The normalisation form stays the writer's: Swift compares texts by canonical equivalence anyway.
  public static func sanitised(_ text: String, byteLimit: Int = DisplayText.byteLimit) -> String {
    if isClean(text, byteLimit: byteLimit) { return text }
    var kept = String.UnicodeScalarView()
    kept.append(contentsOf: text.unicodeScalars.lazy.filter { !isControl($0) })
    let clean = String(kept)
    guard clean.utf8.count > byteLimit else { return clean }
    let whole = prefix(of: clean, byteLimit: byteLimit) { String($0).utf8.count }
    guard whole.isEmpty else { return whole }
    // One character longer than the limit (a letter with a hundred accents): cut between its scalars.
    var scalars = String.UnicodeScalarView()
    var size = 0
    for scalar in clean.unicodeScalars {
      size += UTF8.width(scalar)
      if size > byteLimit { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }

  /// Whether `sanitised` would leave `text` as it is, byte for byte.
  public static func isClean(_ text: String, byteLimit: Int = .max) -> Bool {
    guard text.utf8.count <= byteLimit else { return false }
    return isPlain(text) || !text.unicodeScalars.contains(where: isControl)
  }

  /// Whether there is nothing but printable ASCII, as in most texts: asked byte by byte.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { bytes in bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7f } }
      ?? false
  }

  private static func prefix(of text: String, byteLimit: Int, size: (Character) -> Int) -> String {
    var end = text.startIndex
    var total = 0
    for index in text.indices {
      total += size(text[index])
      if total > byteLimit { break }
      end = text.index(after: index)
    }
    return String(text[..<end])
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1f, 0x7f...0x9f: true
    case 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
