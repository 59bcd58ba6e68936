// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Trust

/// What a stranger, who has no key, can make of a circle's records: nothing that opens.
struct RecordTarget: FuzzTarget {
  static let name = "record"
  static let longest = 2048
  static let words: [[UInt8]] = [
    [0x89, 0x43, 0x54, 0x59, 0x0d, 0x0a, 0x1a, 0x0a], [1, 1, 0, 0], [1, 2, 0, 0], [2, 1, 0, 0],
    [0, 0, 0, 1], [0, 0, 2, 0x10], [0, 0, 4, 0x10], [0, 1, 0, 0x10],
  ]

  private let reader: Identity
  private let records: [[UInt8]]

  init() throws {
    var circle = try SampleCircle()
    records = [
      try circle.record(), try circle.record([]), try circle.record([1, 2, 3], kind: .roster),
    ]
    reader = circle.desk
  }

  func seeds() throws -> [[UInt8]] {
    let changes: [[(place: Int, bits: UInt8)]] = [
      [], [(8, 3)], [(9, 3)], [(28, 1)], [(39, 1)], [(40, 1)], [(56, 1)], [(60, 1)], [(587, 1)],
      [(31, 1), (33, 7), (500, 9)],
    ]
    return changes.map { [0] + Mutations.seed($0) } + [[1] + Mutations.seed([]), [2] + Mutations.seed([])]
      + records.map { [3] + $0 }
  }

  func check(_ input: [UInt8]) throws {
    var choices = InputReader(input)
    let choice = choices.choice(of: records.count + 1)
    let record =
      choice < records.count ? Mutations(&choices).applied(to: records[choice]) : choices.rest
    try checkHeader(record)
    let opened = try? reader.open(record)
    try expect(
      (opened != nil) == records.contains(record),
      "a record opens that nobody wrote, or one that was written not")
    guard let opened else { return }
    try expect(opened.device == records(by: opened), "a record opens as another device's")
  }

  private func records(by opened: OpenedRecord) -> DeviceID? {
    reader.otherDevices.first { $0.name == "laptop" && opened.sequence == 9 }?.id
  }

  private func checkHeader(_ record: [UInt8]) throws {
    guard let header = try? RecordHeader(record: record) else { return }
    try expect(
      header.bytes == Array(record.prefix(RecordHeader.size)),
      "a header is written in other bytes than it was read")
    try expect(
      RecordHeader.circleTag(ofAnyVersion: record) == header.circleTag, "a header has two circle tags")
    try expect((try? RecordHeader(record: record.dropLast())) == nil, "a cut record has a header")
  }
}
