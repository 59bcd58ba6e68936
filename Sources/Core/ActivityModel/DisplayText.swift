// SPDX-License-Identifier: MIT

/// Cleans text that is shown to a person and was written by somebody else: names of files, folders and
/// devices, titles, and sentences that quote them (threat T50). Pure; on any thread.
///
/// For showing alone: what is stored, sent or opened stays byte for byte as it is.
public enum DisplayText {
  /// The most UTF-8 bytes of a title or a device's name.
  public static let byteLimit = 256

  /// `text` as one row of a screen may hold it. Doing it twice changes nothing more.
  ///
  /// A control character and a line or paragraph separator become U+FFFD, so that something is seen where
  /// they stood. What has no look of its own is left out: marks of direction, zero-width characters, tags. A
  /// joiner stays where it joins: between two pictures, or two letters of a script that needs it. Text of
  /// which nothing would be left becomes U+FFFD. What is longer than `byteLimit` is cut between two
  /// characters. The normalisation form stays the writer's.
  public static func shown(_ text: String, byteLimit: Int = .max) -> String {
    let isSafe = isPlain(text) || !text.unicodeScalars.contains(where: isSuspicious)
    return cut(isSafe ? text : cleaned(text), to: byteLimit)
  }

  /// The same for a name or path as the disk has it; bytes that are not UTF-8 become U+FFFD.
  public static func shown(_ bytes: some Collection<UInt8>, byteLimit: Int = .max) -> String {
    shown(String(decoding: bytes, as: UTF8.self), byteLimit: byteLimit)
  }

  /// Whether `shown` would leave `text` as it is, byte for byte.
  public static func isClean(_ text: String) -> Bool { shown(text).utf8.elementsEqual(text.utf8) }

  /// The beginning of `text` in at most `byteLimit` bytes, cut between two characters; inside one that is
  /// longer than that, between its scalars.
  public static func cut(_ text: String, to byteLimit: Int) -> String {
    guard text.utf8.count > byteLimit else { return text }
    var end = text.startIndex
    var size = 0
    for index in text.indices {
      size += String(text[index]).utf8.count
      if size > byteLimit { break }
      end = text.index(after: index)
    }
    guard end == text.startIndex else { return String(text[..<end]) }
    // A letter with a hundred accents.
    var scalars = String.UnicodeScalarView()
    size = 0
    for scalar in text.unicodeScalars {
      size += UTF8.width(scalar)
      if size > byteLimit { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }

  /// Whether there is nothing but printable ASCII, as in most texts: asked byte by byte.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { bytes in bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7f } }
      ?? false
  }

  private static func cleaned(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var kept = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      if let flag = flag(in: scalars, at: index - 1) {
        kept.append(contentsOf: scalars[(index - 1)..<flag])
        index = flag
      } else if !isSuspicious(scalar) || joins(kept.last, scalar, scalars[index...].first) {
        kept.append(scalar)
      } else if isControl(scalar) {
        kept.append(stand)
      }
    }
    return kept.isEmpty && !scalars.isEmpty ? String(stand) : String(kept)
  }

  private static let stand: Unicode.Scalar = "\u{FFFD}"

  /// Whether it steers a screen, or has no look of its own.
  private static func isSuspicious(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7f, 0xa0..<0xad: return false
    // Marks that stand before a number or a word of their script, and are seen there.
    case 0x0600...0x0605, 0x06dd, 0x070f, 0x0890, 0x0891, 0x08e2, 0x110bd, 0x110cd: return false
    default: break
    }
    if isControl(scalar) || scalar.properties.isDefaultIgnorableCodePoint { return true }
    return scalar.properties.generalCategory == .format
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1f, 0x7f...0x9f, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Whether a joiner, or a choice between the looks of one picture, does something between its neighbours.
  private static func joins(
    _ before: Unicode.Scalar?, _ scalar: Unicode.Scalar, _ after: Unicode.Scalar?
  ) -> Bool {
    guard let before else { return false }
    switch scalar.value {
    case 0xfe0e, 0xfe0f: return before.properties.isEmoji
    case 0x200c, 0x200d:
      guard let after, !isSuspicious(after) else { return false }
      if isJoined(before), isJoined(after) { return true }
      return scalar.value == 0x200d && isPicture(before) && isPicture(after)
    default: return false
    }
  }

  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xfe0f || (scalar.value > 0xff && scalar.properties.isEmoji)
  }

  /// Letters and marks of scripts whose letters change their shape beside each other: Arabic to Myanmar,
  /// Khmer, Mongolian, and those of the same families.
  private static func isJoined(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0600...0x109f, 0x1780...0x18af, 0x1a20...0x1bff, 0xa840...0xa87f, 0xa8e0...0xa8ff,
      0x10a00...0x10a5f, 0x10ac0...0x10fff, 0x11000...0x1197f:
      break
    default: return false
    }
    switch scalar.properties.generalCategory {
    case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark: return true
    default: return false
    }
  }

  /// Where the flag that begins at `start` ends: a black flag with the tags of one of the three regions that
  /// have one. Nil where there is none; other tags hide text.
  private static func flag(in scalars: [Unicode.Scalar], at start: Int) -> Int? {
    guard scalars[start].value == 0x1f3f4 else { return nil }
    for region in ["gbeng", "gbsct", "gbwls"] {
      let tags = region.unicodeScalars.map { $0.value + 0xe0000 } + [0xe007f]
      if scalars[(start + 1)...].prefix(tags.count).map(\.value) == tags { return start + 1 + tags.count }
    }
    return nil
  }
}
