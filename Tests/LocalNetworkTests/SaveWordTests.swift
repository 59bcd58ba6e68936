// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Testing

/// What two agents say to each other about saving.
@Suite struct SaveWordTests {
  private static func words() throws -> [SaveWord] {
    let activity = try #require(ActivityID(bytes: [UInt8](repeating: 7, count: 16)))
    let digest = try #require(ContentDigest(bytes: [UInt8](repeating: 9, count: 32)))
    let (one, last) = (SaveNumber(rawValue: 1), SaveNumber(rawValue: .max))
    let longest = String(repeating: "x", count: SaveWord.messageLimit)
    return [
      .ask(one, activity), .ask(last, activity), .saved(one, digest, hasTextAfter: false),
      .saved(last, digest, hasTextAfter: true), .refuse(last, .refused, message: longest),
    ] + SaveRefusal.allCases.map { .refuse(one, $0, message: "It is being printed.") }
  }

  @Test func whatIsWrittenIsRead() throws {
    for word in try Self.words() { #expect(try SaveWord.decoded(word.encoded) == word) }
  }

  @Test func aReasonIsCutToWhatALinkCarriesAndCleaned() throws {
    let word = SaveWord.refuse(
      SaveNumber(rawValue: 1), .refused, message: "a\u{202e}\n" + String(repeating: "ü", count: 500))
    let read = try SaveWord.decoded(word.encoded)
    guard case .refuse(_, .refused, let message) = read else {
      Issue.record("\(String(describing: read))")
      return
    }
    #expect(message.hasPrefix("aü") && message.utf8.count <= SaveWord.messageLimit)
  }

  @Test func anotherWordIsNone() throws {
    #expect(try SaveWord.decoded([0x82, 0x0a, 0x01]) == nil)
    #expect(try SaveWord.decoded(StreamWord.accept(StreamNumber(rawValue: 1)).encoded) == nil)
  }

  @Test func anyOtherBytesAreRefusedOrWhatWouldBeWritten() throws {
    expectStrictReading(of: try Self.words())
  }
}
