// SPDX-License-Identifier: MIT

public import ActivityModel

/// What a record is about.
public enum RecordKind: UInt8, Hashable, Sendable, CaseIterable {
  /// A device's state.
  case state = 1
  /// The roster statements that a device knows.
  case roster = 2
  /// A pairing invitation, or its answer.
  case invitation = 3
  /// Saved activities of a device, the first of `SavedActivityList.partCount` parts.
  case firstSaved = 4
  /// The second part.
  case secondSaved = 5
  /// The third part.
  case thirdSaved = 6
  /// The last part.
  case lastSaved = 7

  /// The parts of saved activities, in order.
  public static let saved: [Self] = [.firstSaved, .secondSaved, .thirdSaved, .lastSaved]

  /// Which part of a device's saved activities it is; nil where it is none.
  public var savedPart: Int? { Self.saved.firstIndex(of: self) }
}

/// The 60 bytes in front of a record's sealed part: all that someone without the key can read.
///
///     0   8  magic 89 43 54 59 0D 0A 1A 0A, which shows damage by text tools
///     8   1  format version, 1
///     9   1  kind
///     10  2  zero
///     12 16  circle tag
///     28  4  key epoch
///     32  8  sequence, at least 1
///     40 16  random
///     56  4  length of the sealed part: one of five
public struct RecordHeader: Hashable, Sendable {
  /// What the record is about.
  public var kind: RecordKind
  /// Sixteen bytes that members of the circle recognise, and that change with the epoch.
  public var circleTag: [UInt8]
  /// Which key sealed it.
  public var epoch: UInt32
  /// The writer's counter across all kinds; at least 1.
  public var sequence: UInt64
  /// Sixteen bytes that are never used twice.
  public var random: [UInt8]
  /// The length of what follows.
  public var sealedLength: UInt32

  /// The bytes of a header: 60.
  public static let size = 60
  /// The lengths that a sealed part may have: 512, 1,024, 4,096, 16,384 and 65,536 bytes and a tag of 16.
  public static let sealedLengths: [UInt32] = [528, 1_040, 4_112, 16_400, 65_552]
  /// The sizes that a record's file may have; a file of another size is not opened at all.
  public static let recordSizes: [Int] = sealedLengths.map { size + Int($0) }
  /// The format version that this library writes and reads.
  public static let version: UInt8 = 1

  static let magic: [UInt8] = [0x89, 0x43, 0x54, 0x59, 0x0d, 0x0a, 0x1a, 0x0a]

  /// A header of a record to be written. Tag and random are 16 bytes each; anything else encodes to bytes
  /// that no reader takes.
  public init(
    kind: RecordKind, circleTag: [UInt8], epoch: UInt32, sequence: UInt64, random: [UInt8],
    sealedLength: UInt32
  ) {
    self.kind = kind
    self.circleTag = circleTag
    self.epoch = epoch
    self.sequence = sequence
    self.random = random
    self.sealedLength = sealedLength
  }

  /// The 60 bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.size)
    bytes += Self.magic
    bytes += [Self.version, kind.rawValue, 0, 0]
    bytes += circleTag
    withUnsafeBytes(of: epoch.bigEndian) { bytes += $0 }
    withUnsafeBytes(of: sequence.bigEndian) { bytes += $0 }
    bytes += random
    withUnsafeBytes(of: sealedLength.bigEndian) { bytes += $0 }
    return bytes
  }

  /// The header of a whole record: nothing but its first 60 bytes and its size are looked at.
  ///
  /// Throws `invalidBytes`. A record of a later version has the subject `version`: its device runs a newer
  /// Continuo, which is no damage.
  public init(record: some RandomAccessCollection<UInt8>) throws(ContinuityError) {
    guard Self.recordSizes.contains(record.count) else { throw Self.damaged("size") }
    let bytes =
      record.withContiguousStorageIfAvailable { Array($0.prefix(Self.size)) }
      ?? Array(record.prefix(Self.size))
    func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
    guard bytes.starts(with: Self.magic) else { throw Self.damaged("magic") }
    guard bytes[8] <= Self.version else { throw Self.newer(bytes[8]) }
    guard bytes[8] == Self.version else { throw Self.damaged("version") }
    guard let kind = RecordKind(rawValue: bytes[9]) else { throw Self.damaged("kind") }
    guard bytes[10] == 0, bytes[11] == 0 else { throw Self.damaged("reserved bytes") }
    let sealed = number(56..<60)
    guard sealed == UInt64(record.count - Self.size) else { throw Self.damaged("length") }
    let sequence = number(32..<40)
    guard sequence >= 1 else { throw Self.damaged("sequence") }
    self.init(
      kind: kind, circleTag: Array(bytes[12..<28]), epoch: UInt32(truncatingIfNeeded: number(28..<32)),
      sequence: sequence, random: Array(bytes[40..<56]), sealedLength: UInt32(truncatingIfNeeded: sealed))
  }

  /// What stands in the place of the circle tag in the bytes of a record of any format version; nil for bytes
  /// that are no record at all. Says nothing of the bytes around it: who can read records can copy it.
  public static func circleTag(ofAnyVersion bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= 28, bytes.starts(with: magic) else { return nil }
    return Array(bytes[12..<28])
  }

  private static func damaged(_ field: String) -> ContinuityError {
    ContinuityError(
      .invalidBytes, subject: field, description: "The bytes are not a record: its \(field) is wrong.")
  }

  private static func newer(_ version: UInt8) -> ContinuityError {
    ContinuityError(
      .invalidBytes, subject: "version",
      description:
        "The record has format version \(version): its device runs a newer Continuo; update this one.")
  }
}
