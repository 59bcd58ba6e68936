// SPDX-License-Identifier: MIT

/// Where words of an activity stand, the best place first: in the title, in what else names it, anywhere.
enum WordPlace: UInt8, CaseIterable {
  case title, names, anywhere

  /// The columns that count, up to this place.
  func columns(of words: IndexedWords) -> [String] { Self.columns(of: words, from: .title, to: self) }

  /// The columns that count in this place, and in no better one.
  func newColumns(of words: IndexedWords) -> [String] { Self.columns(of: words, from: self, to: self) }

  private static func columns(of words: IndexedWords, from best: WordPlace, to last: WordPlace) -> [String] {
    allCases[Int(best.rawValue)...Int(last.rawValue)].flatMap { place in
      switch place {
      case .title: [words.title]
      case .names: [words.keywords, words.place]
      case .anywhere: [words.description]
      }
    }
  }

  /// A word that stands in this place, as the index has it: after one digit.
  func token(of word: some Sequence<UInt8>) -> [UInt8] { [UInt8(ascii: "1") + rawValue] + word }

  /// The beginning of a word that stands in this place, as the index has it: after another digit.
  func token(ofBeginning beginning: some Sequence<UInt8>) -> [UInt8] {
    [UInt8(ascii: "1") + UInt8(Self.allCases.count) + rawValue] + beginning
  }
}

/// The words of an activity, and their first one and two characters, each once and in the best place where
/// it stands: FTS5 keeps nothing else of them.
struct IndexedTokens {
  /// Beginnings of so many characters are tokens of their own: all words that begin with one letter would be
  /// too many to look for.
  static let beginnings = 1...2

  /// All of them, for a column that is parted at spaces.
  let text: String

  /// Throws what SQLite refuses.
  init(_ words: IndexedWords, by tokenizer: WordTokenizer) throws {
    var (known, begun): (Set<[UInt8]>, Set<ArraySlice<UInt8>>) = ([], [])
    var bytes: [UInt8] = []
    func add(_ token: [UInt8]) { bytes += token + [UInt8(ascii: " ")] }
    for place in WordPlace.allCases {
      for column in place.newColumns(of: words) {
        for word in try tokenizer.words(of: column) where known.insert(word).inserted {
          add(place.token(of: word))
          for length in Self.beginnings {
            let beginning = word.beginning(length)
            if begun.insert(beginning).inserted { add(place.token(ofBeginning: beginning)) }
          }
        }
      }
    }
    text = String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// The first so many characters of what is UTF-8; all where it has less.
  fileprivate func beginning(_ length: Int) -> ArraySlice<UInt8> {
    // Whatever is no continuation begins one.
    let beginnings = indices.lazy.filter { self[$0] & 0xc0 != 0x80 }
    return self[..<(beginnings.dropFirst(length).first ?? endIndex)]
  }

  /// Whether it has no more characters than the longest beginning that is a token.
  fileprivate var isBeginning: Bool { beginning(IndexedTokens.beginnings.upperBound).count == count }
}

/// What is looked for: words that FTS5 finds, and phrases, which it cannot tell from the same words apart.
struct IndexQuery {
  private struct Part {
    var words: [[UInt8]]
    /// The last of them may be the beginning of a word.
    var isBeginning: Bool
  }

  private let parts: [Part]
  private let tokenizer: WordTokenizer

  /// Throws what SQLite refuses.
  init(_ parts: [SearchText.Part], by tokenizer: WordTokenizer) throws {
    self.tokenizer = tokenizer
    self.parts = try parts.map {
      Part(words: try tokenizer.words(of: $0.text), isBeginning: $0.isBeginning)
    }.filter { !$0.words.isEmpty }
  }

  /// Whether nothing is looked for.
  var isEmpty: Bool { parts.isEmpty }
  /// Whether what FTS5 finds has to be looked at, too.
  var hasPhrases: Bool { parts.contains { $0.words.count > 1 } }

  /// What is asked of FTS5: all words, each in this place or a better one.
  func match(upTo place: WordPlace) -> String {
    parts.flatMap { part in
      part.words.indices.map { index in
        let isBeginning = part.isBeginning && index == part.words.indices.last
        let tokens = WordPlace.allCases.prefix { $0.rawValue <= place.rawValue }.map {
          Self.token(of: part.words[index], in: $0, isBeginning: isBeginning)
        }
        return "(\(tokens.joined(separator: " OR ")))"
      }
    }.joined(separator: " AND ")
  }

  private static func token(of word: [UInt8], in place: WordPlace, isBeginning: Bool) -> String {
    let isShort = isBeginning && word.isBeginning
    let token = isShort ? place.token(ofBeginning: word) : place.token(of: word)
    return "\"\(String(decoding: token, as: UTF8.self))\"" + (isBeginning && !isShort ? " *" : "")
  }

  /// Whether each phrase stands in one column of this place or a better one. Throws what SQLite refuses.
  func holdsPhrases(_ words: IndexedWords, upTo place: WordPlace) throws -> Bool {
    let columns = try place.columns(of: words).map(tokenizer.words)
    return parts.allSatisfy { part in part.words.count == 1 || columns.contains { Self.holds(part, $0) } }
  }

  private static func holds(_ phrase: Part, _ words: [[UInt8]]) -> Bool {
    guard let last = phrase.words.last else { return true }
    return words.indices.dropLast(phrase.words.count - 1).contains { start in
      let found = words[start..<start + phrase.words.count]
      return found.dropLast().elementsEqual(phrase.words.dropLast())
        && (phrase.isBeginning ? words[found.endIndex - 1].starts(with: last) : found.last == last)
    }
  }
}
