// SPDX-License-Identifier: MIT

import GRDB

/// Parts a text into words, without case and accents, as SQLite's `unicode61` does. Of one connection, and
/// for its queue.
struct WordTokenizer {
  private let tokenizer: any FTS5Tokenizer

  /// Throws what SQLite refuses.
  init(_ database: Database) throws {
    tokenizer = try database.makeTokenizer(.unicode61(diacritics: .remove, categories: "L* N* Co M*"))
  }

  /// The words of the text in UTF-8, in order: by bytes, for Swift takes texts for the same that FTS5 does
  /// not. Throws what SQLite refuses.
  func words(of text: String) throws -> [[UInt8]] {
    var text = text
    var words: [[UInt8]] = []
    let code = withUnsafeMutablePointer(to: &words) { context in
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          tokenizer.tokenize(
            context: context, tokenization: .document, pText: characters.baseAddress,
            nText: CInt(characters.count)
          ) { context, _, word, size, _, _ in
            let word = UnsafeRawBufferPointer(start: word, count: Int(size))
            context?.assumingMemoryBound(to: [[UInt8]].self).pointee.append(Array(word))
            return 0
          }
        }
      }
    }
    guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    return words
  }
}
