// SPDX-License-Identifier: MIT

public import ActivityModel

/// The secret of one invitation, or of a device that moves to another computer, as a person carries it: 128
/// random bits and a checksum of 4 bits, told in twelve words by the rules of BIP-39.
///
/// Printing it shows nothing; ask for `text`.
public struct PairingWords: Hashable, Sendable {
  let entropy: [UInt8]
  let ciphers: Ciphers

  /// Fresh words.
  init(using generator: inout some RandomNumberGenerator, ciphers: Ciphers) {
    entropy = generator.bytes(16)
    self.ciphers = ciphers
  }

  init?(entropy: [UInt8], ciphers: Ciphers) {
    guard entropy.count == 16 else { return nil }
    self.entropy = entropy
    self.ciphers = ciphers
  }

  /// The words that a person typed. Case, numbering, punctuation and line breaks do not matter, and four
  /// letters of a word are enough.
  ///
  /// Throws `pairingFailed` naming the word that is in no list, the number of words, or the checksum.
  public init(parsing typed: String, ciphers: any CipherSuite) throws(ContinuityError) {
    self.ciphers = Ciphers(ciphers)
    let words = typed.lowercased().split { !$0.isLetter }
    guard words.count == 12 else {
      throw Self.failure("words", "There are twelve words; \(words.count) were given.")
    }
    var numbers: [Int] = []
    for (index, word) in words.enumerated() { numbers.append(try Self.number(of: word, at: index)) }
    let bits = numbers.flatMap { number in (0..<11).map { UInt8(truncatingIfNeeded: number >> (10 - $0)) & 1 }
    }
    entropy = (0..<16).map { byte in bits[byte * 8..<byte * 8 + 8].reduce(0) { $0 << 1 | $1 } }
    guard Self.checksum(of: entropy, ciphers) == bits.suffix(4).reduce(0, { $0 << 1 | $1 }) else {
      throw Self.failure(
        "words",
        "The twelve words do not fit together: compare each one, and their order, with the other screen.")
    }
  }

  /// The twelve words, lower case, a space between two.
  public var text: String {
    let bits = (entropy + [Self.checksum(of: entropy, ciphers.suite) << 4]).flatMap { byte in
      (0..<8).map { byte >> (7 - $0) & 1 }
    }
    return (0..<12).map { word in
      PairingWordList.words[bits[word * 11..<word * 11 + 11].reduce(0) { $0 << 1 | Int($1) }]
    }.joined(separator: " ")
  }

  /// Sixteen bytes in the header of each record of this pairing, by which it is told from others' unopened.
  public var circleTag: [UInt8] { epochKey.circleTag }

  /// What takes the epoch key's place in the records of this pairing.
  package var epochKey: EpochKey {
    EpochKey(number: 0, derivedFrom: entropy, info: "continuo/pairing-words/v1", ciphers: ciphers)
  }

  private static func number(of word: Substring, at index: Int) throws(ContinuityError) -> Int {
    if let exact = PairingWordList.words.firstIndex(where: { $0 == word }) { return exact }
    if word.count >= 4, let only = PairingWordList.words.firstIndex(where: { $0.hasPrefix(word) }) {
      return only
    }
    throw failure(
      String(word), "Word \(index + 1), “\(word)”, is not in the list: compare it with the other screen.")
  }

  private static func checksum(of entropy: [UInt8], _ ciphers: any CipherSuite) -> UInt8 {
    ciphers.hash(entropy).prefix(1).reduce(0) { $0 | $1 } >> 4
  }

  private static func failure(_ subject: String, _ sentence: String) -> ContinuityError {
    ContinuityError(.pairingFailed, subject: subject, description: sentence)
  }
}

extension PairingWords: CustomStringConvertible, CustomReflectable {
  /// Nothing of the words.
  public var description: String { "PairingWords" }
  /// Nothing, so that no dump shows the words.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
