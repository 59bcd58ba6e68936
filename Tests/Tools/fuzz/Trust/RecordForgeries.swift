// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import TestSamples
import Trust
import TrustCiphers

/// Changes of valid records, one after the other, by those who gain from one that is taken: the same changes
/// from the same seed, in any number, with the product's own keys.
package struct RecordForgeries {
  /// Who tries.
  package enum Forger: String, CaseIterable, Sendable {
    /// Somebody with the folder, and a circle of their own.
    case stranger
    /// A device of the circle: it has the circle's key, and signs for itself.
    case member
  }

  /// What came of an attempt.
  package enum Outcome: Hashable, Sendable {
    /// Refused at this step.
    case refused(String)
    /// The change left the record as it was, and that was taken.
    case unchanged
    /// Taken as a record of the forger, who may say for itself what it likes.
    case own
  }

  private var circle: SampleCircle
  private let thief: Identity
  /// Of the laptop, of several sizes and all kinds that a device writes.
  private let records: [[UInt8]]
  /// The same without their seals.
  private let bare: [BareRecord]

  /// Makes a circle whose desk reads, whose laptop wrote, and whose phone is the member who forges. Throws
  /// what the product does where it makes no keys.
  package init(seed: UInt64) throws {
    var circle = try SampleCircle()
    // Far from the seed that the circle's keys are made with, or the thief would have them.
    circle.generator = SeededGenerator(seed: seed &+ 0x7e0f_0000_0000)
    thief = try .found(
      name: "thief", at: circle.now, using: &circle.generator, ciphers: StandardCiphers())
    records = try [
      circle.record([1, 2, 3]), circle.record([UInt8](repeating: 7, count: 428)), circle.record(),
      circle.record(circle.desk.circle.roster.encoded, kind: .roster),
      circle.record(RecordSamples.savedList(seed: 4).recordPayload, kind: .secondSaved),
    ]
    let epoch = circle.desk.circle.currentEpoch
    bare = try records.map { try BareRecord($0, under: epoch) }
    self.circle = circle
  }

  /// Changes one record once, and has it read. Throws `BrokenProperty` where it is taken for what the laptop
  /// said.
  package mutating func attempt(by forger: Forger) throws -> Outcome {
    let record = try forger == .stranger ? strangers() : members()
    let opened: OpenedRecord
    do throws(ContinuityError) { opened = try circle.desk.open(record) } catch {
      try expect(!records.contains(record), "a record that was written is refused: \(error)")
      return .refused(error.subject)
    }
    if records.contains(record) { return .unchanged }
    try expect(
      forger == .member && opened.device == circle.phone.id,
      "a \(forger) had a record taken as that of \(opened.device), whose owner did not write it")
    // What a member says of itself is read to the end, and is nobody else's.
    if opened.kind == .state { try StateTarget().check(opened.payload) }
    if opened.kind.savedPart != nil { try SavedListTarget().check(opened.payload) }
    return .own
  }

  /// A number below `count`.
  private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &circle.generator) }

  /// Turns over bits of one to eight bytes.
  private mutating func turned(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...below(8) where !bytes.isEmpty {
      bytes[below(bytes.count)] ^= UInt8.random(in: 1...255, using: &circle.generator)
    }
    return bytes
  }

  // MARK: - Without the circle's key

  private mutating func strangers() throws -> [UInt8] {
    let index = below(records.count)
    let (one, other) = (records[index], records[(index + 1 + below(records.count - 1)) % records.count])
    switch below(6) {
    case 0, 1: return turned(one)
    case 2:
      // Fields of the header, which anybody can write.
      var record = one
      let field = [8..<12, 12..<28, 28..<32, 32..<40, 40..<56, 56..<60][below(6)]
      record.replaceSubrange(field, with: circle.generator.bytes(field.count))
      return record
    case 3:
      let cut = below(min(one.count, other.count))
      return Array(one.prefix(cut) + other.dropFirst(cut))
    case 4:
      let size = below(2) == 0 ? below(one.count) : RecordHeader.recordSizes[below(3)]
      return Array((one + circle.generator.bytes(max(0, size - one.count))).prefix(size))
    default:
      // Whole, under a key of the stranger's own and the circle's marks.
      var text = bare[0].text
      text.replaceSubrange(0..<16, with: (below(2) == 0 ? circle.laptop : thief).id.bytes)
      return try BareRecord(header: bare[0].header, text: text).signed(by: thief)
        .sealed(under: thief.circle.currentEpoch)
    }
  }

  // MARK: - With the circle's key

  private mutating func members() throws -> [UInt8] {
    var record = bare[below(bare.count)]
    let other = bare[below(bare.count)]
    switch below(8) {
    case 0: record.text = turned(record.text)
    case 1: record.header.sequence = UInt64.random(in: 1...64, using: &circle.generator)
    case 2: record.header.random = circle.generator.bytes(16)
    case 3:
      let others = RecordKind.allCases.filter { $0 != record.header.kind }
      record.header.kind = others[below(others.count)]
    case 4:
      // Another's signature, or any.
      record.signature = below(2) == 0 ? other.signature : circle.generator.bytes(64)
      record.header.random = below(2) == 0 ? record.header.random : other.header.random
    case 5:
      // What the laptop did not say, over the member's own signature.
      record.text.replaceSubrange(20..<40, with: circle.generator.bytes(20))
      record = try record.signed(by: circle.phone)
    case 6:
      // As itself, with any length and padding.
      record.text.replaceSubrange(0..<16, with: circle.phone.id.bytes)
      record.text.replaceSubrange(16..<20, with: [0, 0] + circle.generator.bytes(2))
      record = try record.signed(by: circle.phone)
    default:
      record.text.replaceSubrange(0..<16, with: circle.phone.id.bytes)
      record.text.replaceSubrange(
        20..<record.text.count - 64, with: turned(Array(record.text[20..<record.text.count - 64])))
      record = try record.signed(by: circle.phone)
    }
    return try record.sealed(under: circle.desk.circle.currentEpoch)
  }
}

/// A record without its seal, as whoever has the circle's key sees it, and can change it.
struct BareRecord: Equatable {
  var header: RecordHeader
  /// Device ID, length, payload, padding and signature.
  var text: [UInt8]

  init(header: RecordHeader, text: [UInt8]) {
    self.header = header
    self.text = text
  }

  /// Throws where the record does not open.
  init(_ record: [UInt8], under epoch: EpochKey) throws {
    header = try RecordHeader(record: record)
    guard let text = epoch.open(Array(record.dropFirst(RecordHeader.size)), header: header) else {
      throw BrokenProperty("a record does not open under its key")
    }
    self.text = text
  }

  var signature: [UInt8] {
    get { Array(text.suffix(64)) }
    set { text.replaceSubrange(text.count - 64..<text.count, with: newValue) }
  }

  /// Over header and text, as they are now.
  func signed(by device: Identity) throws -> BareRecord {
    var record = self
    record.signature = try device.keys.signature(
      for: Array("continuo/record/v1\0".utf8) + header.bytes + text.dropLast(64))
    return record
  }

  /// Throws where the cipher does not seal.
  func sealed(under epoch: EpochKey) throws -> [UInt8] {
    guard let sealed = epoch.seal(text, header: header) else {
      throw BrokenProperty("a record cannot be sealed")
    }
    return header.bytes + sealed
  }
}
