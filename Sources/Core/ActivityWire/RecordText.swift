// SPDX-License-Identifier: MIT

public import ActivityModel

/// What records and rosters refuse in a title or a device's name.
///
/// The rule belongs to the format: it stays as the first release had it, so that every device can read what
/// every other one wrote. What a person is shown is cleaned by `DisplayText`, which is stricter.
public enum RecordText {
  /// `text` without C0 and C1 controls, line and paragraph separators and bidirectional controls, cut to
  /// `byteLimit` bytes between two characters. Doing it twice changes nothing more.
  ///
  /// The normalisation form stays the writer's: Swift compares texts by canonical equivalence anyway.
  public static func sanitised(_ text: String, byteLimit: Int = DisplayText.byteLimit) -> String {
    if isClean(text, byteLimit: byteLimit) { return text }
    var kept = String.UnicodeScalarView()
    kept.append(contentsOf: text.unicodeScalars.lazy.filter { !isControl($0) })
    return DisplayText.cut(String(kept), to: byteLimit)
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

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1f, 0x7f...0x9f: true
    case 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
