// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Testing

/// What two agents say to each other about streams.
@Suite struct StreamWordTests {
  private static func words() throws -> [StreamWord] {
    let activity = try #require(ActivityID(bytes: [UInt8](repeating: 7, count: 16)))
    let (one, last) = (StreamNumber(rawValue: 1), StreamNumber(rawValue: .max))
    return [.open(one, activity), .open(last, activity), .accept(one), .accept(last)]
      + StreamRefusal.allCases.map { .refuse(one, $0) }
  }

  @Test func whatIsWrittenIsRead() throws {
    for word in try Self.words() { #expect(try StreamWord.decoded(word.encoded) == word) }
  }

  @Test func anotherWordIsNone() throws {
    #expect(try StreamWord.decoded([0x82, 0x07, 0x01]) == nil)
    #expect(try StreamWord.decoded(DocumentWord.cancel(TransferNumber(rawValue: 1)).encoded) == nil)
  }

  @Test func anyOtherBytesAreRefusedOrWhatWouldBeWritten() throws {
    expectStrictReading(of: try Self.words())
  }
}
