// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Testing

@Suite struct RecordHeaderTests {
  private static let header = RecordHeader(
    kind: .roster, circleTag: Array(1...16), epoch: 0x0102_0304, sequence: 0x0506_0708_090a_0b0c,
    random: Array(101...116), sealedLength: 528)

  private static var record: [UInt8] { header.bytes + [UInt8](repeating: 0, count: 528) }

  @Test func fieldsStandWhereTheFormatSays() {
    let bytes = Self.header.bytes
    #expect(bytes.count == 60)
    #expect(bytes[0..<12] == [0x89, 0x43, 0x54, 0x59, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 0, 0])
    #expect(bytes[28..<40] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    #expect(bytes[56..<60] == [0, 0, 0x02, 0x10])
  }

  @Test func aHeaderComesBackAsItWent() throws {
    #expect(try RecordHeader(record: Self.record) == Self.header)
  }

  @Test func onlyFiveSizesAreTaken() {
    for size in [0, 59, 60, 587, 589, 65_613, 1100].map({ $0 }) {
      let bytes = Array(Self.record.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - 588))
      #expect(throws: ContinuityError.self) { try RecordHeader(record: bytes) }
    }
    #expect(RecordHeader.recordSizes == [588, 1100, 4172, 16_460, 65_612])
  }

  @Test func eachFieldIsChecked() {
    for (offset, subject) in [
      (0, "magic"), (7, "magic"), (8, "version"), (9, "kind"), (10, "reserved bytes"), (11, "reserved bytes"),
      (59, "length"), (56, "length"),
    ] {
      var record = Self.record
      record[offset] ^= 0x40
      let error = #expect(throws: ContinuityError.self) { try RecordHeader(record: record) }
      #expect(error?.subject == subject)
    }
    var record = Self.record
    record.replaceSubrange(32..<40, with: [UInt8](repeating: 0, count: 8))
    #expect(throws: ContinuityError.self) { try RecordHeader(record: record) }
  }
}
