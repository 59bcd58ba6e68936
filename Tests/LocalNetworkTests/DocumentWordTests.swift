// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Testing

/// What two agents say to each other about documents.
@Suite struct DocumentWordTests {
  private static let one = TransferNumber(rawValue: 1)
  private static let activity = ActivityID(bytes: [UInt8](repeating: 7, count: 16))

  private static func words() throws -> [DocumentWord] {
    let digest = try #require(ContentDigest(bytes: [UInt8](repeating: 9, count: 32)))
    let last = TransferNumber(rawValue: .max)
    return [
      .ask(one, try #require(activity), digest, size: 1),
      .ask(last, try #require(activity), digest, size: .max),
      .cancel(last), .send(one, modified: -1), .send(last, modified: .max),
    ] + DocumentRefusal.allCases.map { .refuse(one, $0) }
  }

  @Test func whatIsWrittenIsRead() throws {
    for word in try Self.words() { #expect(try DocumentWord.decoded(word.encoded) == word) }
  }

  @Test func aWordOfALaterReleaseIsPassedOver() throws {
    #expect(try DocumentWord.decoded([0x82, 0x07, 0x01]) == nil)
    #expect(try DocumentWord.decoded(StreamWord.accept(StreamNumber(rawValue: 1)).encoded) == nil)
    #expect(try DocumentWord.decoded([0x81, 0x18, 0x40]) == nil)
  }

  @Test(arguments: [
    [], [0x80], [0x81, 0x00], [0x82, 0x02, 0x41], [0x83, 0x01, 0x01, 0x04], [0x82, 0x02, 0x1b], [0xa0],
    [0xf5],
    [0x82, 0x02, 0x1b, 0, 0, 0, 1, 0, 0, 0, 0],
  ])
  func whatNoDeviceSaysIsRefused(bytes: [UInt8]) {
    #expect(throws: ContinuityError.self) { try DocumentWord.decoded(bytes) }
  }

  @Test func anyOtherBytesAreRefusedOrWhatWouldBeWritten() throws {
    expectStrictReading(of: try Self.words())
  }
}
