// SPDX-License-Identifier: MIT

/// The forms of the names that a manifest holds.
enum ManifestNames {
  /// The ID becomes a folder's name, so it can neither climb nor hide.
  static func isIdentifier(_ text: String) -> Bool {
    let isAllowed = text.utf8.allSatisfy { isWord($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    return isAllowed && (1...255).contains(text.utf8.count) && !text.hasPrefix(".")
  }

  /// At least two words with dots between them.
  static func isReverseDNS(_ text: String) -> Bool {
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    return words.count > 1
      && words.allSatisfy { word in
        !word.isEmpty && word.utf8.allSatisfy { isWord($0) || $0 == UInt8(ascii: "-") }
      }
  }

  /// A Swift type's name, with its module or without.
  static func isClass(_ text: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { word in
      guard let first = word.unicodeScalars.first else { return false }
      return (first == "_" || first.properties.isXIDStart)
        && word.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
    }
  }

  /// 32 bytes from 64 hexadecimal digits.
  static func team(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 64, text.utf8.count == 64 else { return nil }
    return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// How sentences show a value.
  static func shown(_ entry: PropertyListEntry) -> String {
    switch entry.value {
    case .string(let text): "\"\(shown(text))\""
    case .array(let entries): "an array of \(entries.count)"
    case .dictionary: "a dictionary"
    case .other(let element): "<\(element)>"
    }
  }

  /// How sentences show a name.
  static func shown(_ text: String) -> String { XMLCursor.shown(text) }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
