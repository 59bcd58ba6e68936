// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Testing

/// What two agents tell each other about documents that are open.
@Suite struct PresenceWordTests {
  private static func words() throws -> [PresenceWord] {
    let activity = try #require(ActivityID(bytes: [UInt8](repeating: 7, count: 16)))
    return [nil, 0, 39, .max].map { .here(activity, line: $0) } + [.left(activity)]
  }

  @Test func whatIsWrittenIsRead() throws {
    for word in try Self.words() { #expect(try PresenceWord.decoded(word.encoded) == word) }
  }

  @Test func anotherWordIsNone() throws {
    #expect(try PresenceWord.decoded([0x82, 0x0c, 0x01]) == nil)
    #expect(try PresenceWord.decoded(StreamWord.accept(StreamNumber(rawValue: 1)).encoded) == nil)
    #expect(throws: ContinuityError.self) { try PresenceWord.decoded([0x82, 0x0a, 0x01]) }
  }

  @Test func anyOtherBytesAreRefusedOrWhatWouldBeWritten() throws {
    expectStrictReading(of: try Self.words())
  }
}
