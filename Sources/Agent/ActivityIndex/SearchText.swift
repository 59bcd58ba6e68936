// SPDX-License-Identifier: MIT

import ActivityModel

/// How words become tokens of the index, and what a person types becomes a query. Pure.
///
/// SQLite's `unicode61` parts words at what is neither letter, mark nor number, and folds case and accents.
/// Scripts that put no spaces between words would each be one word: their runs are written as pairs of
/// neighbouring characters, and the last one alone, so that any part of a run is found, a word of one
/// character, too. In a query a run is the phrase of its pairs.
enum SearchText {
  /// Changes whenever other tokens come of the same text: an index that was made before is made again.
  static let version: Int64 = 3
  /// So many characters of one column are looked at.
  static let characterLimit = 8192
  /// The most that a person asks for at once.
  static let queryLimit = (characters: 1024, words: 32)

  /// The text as its column in the index holds it.
  static func indexed(_ text: String) -> String {
    tokens(text.unicodeScalars.prefix(characterLimit), isQuery: false).text
  }

  /// One of the words that are looked for, or a phrase of several.
  struct Part: Hashable {
    /// As its column in the index would hold it.
    var text: String
    /// Its last word may be the beginning of one.
    var isBeginning: Bool
  }

  /// Words are joined by *and*, each also as the beginning of one; quotes make a phrase; every other
  /// character is text. None where nothing is left to look for.
  ///
  /// Throws `invalidRequest` for more than `queryLimit`.
  static func query(_ typed: String) throws(ContinuityError) -> [Part] {
    guard typed.unicodeScalars.count <= queryLimit.characters else { throw tooLong }
    var parts: [Part] = []
    // By scalars: a quote with an accent on it is one character, and still a quote to SQLite.
    let pieces = typed.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    for (index, piece) in pieces.enumerated() {
      let words = index.isMultiple(of: 2) ? piece.split(whereSeparator: \.properties.isWhitespace) : [piece]
      parts += words.compactMap { part($0, isPhrase: !index.isMultiple(of: 2)) }
    }
    guard parts.count <= queryLimit.words else { throw tooLong }
    return parts
  }

  private static let tooLong = ContinuityError(
    .invalidRequest, subject: "words",
    description:
      "That is too much to look for: use at most \(queryLimit.words) words, "
      + "of \(queryLimit.characters) characters in all.")

  private static func part(_ word: Substring.UnicodeScalarView, isPhrase: Bool) -> Part? {
    guard word.contains(where: isWordCharacter) else { return nil }
    let scalars = word.lazy.map { $0.value < 32 ? " " : $0 }
    let found = tokens(scalars, isQuery: true)
    return Part(text: found.text, isBeginning: !isPhrase || found.endsAlone)
  }

  private static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }

  /// `endsAlone`: the last character of a script without spaces stands there without a pair.
  private static func tokens(
    _ scalars: some Sequence<Unicode.Scalar>, isQuery: Bool
  ) -> (text: String, endsAlone: Bool) {
    var text = String.UnicodeScalarView()
    var run: [Unicode.Scalar] = []
    var endsAlone = false
    func flush() {
      guard let last = run.last else { return }
      for (first, second) in zip(run, run.dropFirst()) { text += [" ", first, second] }
      endsAlone = run.count == 1
      if endsAlone || !isQuery { text += [" ", last] }
      text.append(" ")
      run = []
    }
    for scalar in scalars {
      if isWrittenWithoutSpaces(scalar) {
        run.append(scalar)
      } else {
        flush()
        text.append(scalar)
        if isWordCharacter(scalar) { endsAlone = false }
      }
    }
    flush()
    return (String(text), endsAlone)
  }

  /// Han, kana, bopomofo; Thai, Lao, Burmese and Khmer.
  private static func isWrittenWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E01...0x0E4E, 0x0E81...0x0ECD, 0x1000...0x103F, 0x1780...0x17D3, 0x3005...0x3007, 0x3041...0x309F,
      0x30A1...0x30FA, 0x30FC...0x312F, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
      0xFF66...0xFF9F, 0x20000...0x323AF:
      true
    default: false
    }
  }
}
