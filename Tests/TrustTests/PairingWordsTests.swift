// SPDX-License-Identifier: MIT

import ActivityModel
import Testing
import TestSamples

@testable import Trust

@Suite struct PairingWordsTests {
  // The published test vectors of BIP-39 for 128 bits.
  @Test(arguments: [
    (0x00, "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"),
    (0x7f, "legal winner thank year wave sausage worth useful legal winner thank yellow"),
    (0x80, "letter advice cage absurd amount doctor acoustic avoid letter advice cage above"),
    (0xff, "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong"),
  ])
  func wordsAreThoseOfBIP39(_ byte: Int, _ text: String) throws {
    let words = try #require(
      PairingWords(entropy: [UInt8](repeating: UInt8(byte), count: 16), ciphers: standard))
    #expect(words.text == text)
    #expect(try PairingWords(parsing: text) == words)
  }

  @Test func theListHas2048WordsThatFourLettersTellApart() {
    #expect(PairingWordList.words.count == 2048)
    #expect(Set(PairingWordList.words.map { $0.prefix(4) }).count == 2048)
  }

  @Test func caseLinesNumbersAndAbbreviationsDoNotMatter() throws {
    let plain = try PairingWords(
      parsing: "legal winner thank year wave sausage worth useful legal winner thank yellow")
    for typed in [
      "  LEGAL Winner\nthank year\t\twave sausage\r\nworth useful legal, winner, thank - yellow.\n",
      "1. lega 2. winn 3. than 4. year 5. wave 6. saus 7. wort 8. usef 9. lega 10. winn 11. than 12. yell",
      "lega winne than year wave sausa wort usefu legal winner thank yellow",
    ] { #expect(try PairingWords(parsing: typed) == plain) }
  }

  @Test func anErrorNamesTheWordTheNumberOrTheChecksum() {
    func error(_ typed: String) -> ContinuityError? {
      #expect(throws: ContinuityError.self) { try PairingWords(parsing: typed) }
    }
    let unknown = error("legal winner thank year wave sausage wurst useful legal winner thank yellow")
    #expect(unknown?.subject == "wurst" && unknown?.description.contains("Word 7") == true)
    #expect(
      error("lek winner thank year wave sausage worth useful legal winner thank yellow")?.subject == "lek")
    #expect(error("legal winner")?.description.contains("2 were given") == true)
    #expect(error("")?.code == .pairingFailed)
    let swapped = error("winner legal thank year wave sausage worth useful legal winner thank yellow")
    #expect(swapped?.description.contains("do not fit together") == true)
  }

  @Test func twoHundredRandomInvitationsReadBack() throws {
    var generator = SeededGenerator(seed: 60)
    for _ in 0..<200 {
      let words = PairingWords(using: &generator)
      #expect(try PairingWords(parsing: words.text) == words)
    }
  }
}
