// SPDX-License-Identifier: MIT

import ActivityExchange
public import ActivityModel
import ActivityWire

/// How records are sealed and opened in a world: the kit's own is fast, real ones come from outside.
public protocol RecordSealing: Sendable {
  /// The ID of a device by number, 0 to 5.
  func identifier(of device: Int) -> DeviceID
  /// What the device's state record is called in the record folder.
  func fileName(of device: Int) -> String
  /// The record's bytes; nil for a payload that is too long.
  func seal(
    _ payload: [UInt8], by device: Int, sequence: UInt64, using generator: inout some RandomNumberGenerator
  ) -> [UInt8]?
  /// A record by somebody who has the circle's key and is in no roster; nil when that cannot be made.
  func forge(
    _ payload: [UInt8], sequence: UInt64, using generator: inout some RandomNumberGenerator
  ) -> [UInt8]?
  /// Who signed the record, its number and its payload; throws what the product throws.
  func open(
    _ record: [UInt8]
  ) throws(ContinuityError) -> (device: DeviceID, sequence: UInt64, payload: [UInt8])
}

/// What the bytes of a record say, for all who read them: opened and decoded once.
struct OpenedRecord {
  let device: DeviceID
  let sequence: UInt64
  /// Stands for the hash of the bytes.
  let code: UInt64
  let payload: [UInt8]
  /// Nil where the payload is none that the product understands.
  let state: DeviceState?
  /// What it states of the circle, where it is a roster.
  let roster: [CircleMembership.Statement]?
}

extension World {
  /// Nil for bytes that are no record of this circle. All devices have one roster and one key, so all find
  /// the same in the same bytes.
  func opened(_ content: Content) -> OpenedRecord? {
    if let known = openedRecords[content] { return known }
    let opened = contents.bytes(of: content).flatMap { bytes -> OpenedRecord? in
      do throws(ContinuityError) {
        let record = try sealing.open(bytes)
        let state = Agent.state(record.payload)
        return OpenedRecord(
          device: record.device, sequence: record.sequence, code: FastSealing.code(bytes[...], 0),
          payload: record.payload, state: state,
          roster: state == nil ? CircleRoster.statements(of: record.payload) : nil)
      } catch {
        return nil
      }
    }
    openedRecords.updateValue(opened, forKey: content)
    return opened
  }
}

/// Real headers and real sizes; a keyed code of 16 bytes stands for seal and signature.
struct FastSealing: RecordSealing {
  let seed: UInt64

  func identifier(of device: Int) -> DeviceID {
    var random = Randomness(seed: seed ^ 0xdef1 &+ UInt64(device))
    return DeviceID(using: &random)
  }

  func fileName(of device: Int) -> String { "d-\(identifier(of: device)).bin" }

  func seal(
    _ payload: [UInt8], by device: Int, sequence: UInt64, using generator: inout some RandomNumberGenerator
  ) -> [UInt8]? {
    record(payload, identifier(of: device), key: seed, sequence: sequence, using: &generator)
  }

  func forge(
    _ payload: [UInt8], sequence: UInt64, using generator: inout some RandomNumberGenerator
  ) -> [UInt8]? {
    record(payload, identifier(of: 0), key: seed ^ 1, sequence: sequence, using: &generator)
  }

  private func record(
    _ payload: [UInt8], _ device: DeviceID, key: UInt64, sequence: UInt64,
    using generator: inout some RandomNumberGenerator
  ) -> [UInt8]? {
    let needed = 16 + 4 + payload.count + 64 + 16
    guard let length = RecordHeader.sealedLengths.first(where: { Int($0) >= needed }) else { return nil }
    let random = generator.next().bigEndianBytes + generator.next().bigEndianBytes
    let header = RecordHeader(
      kind: .state, circleTag: [UInt8](repeating: 7, count: 16), epoch: 1, sequence: sequence,
      random: random, sealedLength: length)
    let size = RecordHeader.size + Int(length)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    bytes += header.bytes
    bytes += device.bytes
    bytes += UInt64(payload.count).bigEndianBytes.suffix(4)
    bytes += payload
    bytes += repeatElement(0, count: size - 8 - bytes.count)
    bytes += Self.code(bytes[...], key).bigEndianBytes
    return bytes
  }

  func open(
    _ record: [UInt8]
  ) throws(ContinuityError) -> (device: DeviceID, sequence: UInt64, payload: [UInt8]) {
    let header = try RecordHeader(record: record)
    let body = record.dropLast(8)
    guard Self.code(body, seed).bigEndianBytes.elementsEqual(record.suffix(8)),
      let device = DeviceID(bytes: record[60..<76])
    else { throw ContinuityError(.invalidBytes, subject: "seal", "The record was changed.") }
    let length = record[76..<80].reduce(0) { $0 << 8 | Int($1) }
    guard length <= body.count - 80 else {
      throw ContinuityError(.invalidBytes, subject: "length", "The record is too short.")
    }
    return (device, header.sequence, Array(record[80..<(80 + length)]))
  }

  /// Eight bytes at a time: each record is coded once by whoever writes it and once by whoever reads it.
  static func code(_ bytes: ArraySlice<UInt8>, _ key: UInt64) -> UInt64 {
    var code = key ^ 0xcbf2_9ce4_8422_2325 ^ UInt64(bytes.count)
    bytes.withUnsafeBytes { bytes in
      var index = 0
      while index + 8 <= bytes.count {
        let word = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        code = Randomness.mixed((code ^ word) &* 0x0000_0100_0000_01b3)
        index += 8
      }
      while index < bytes.count {
        code = (code ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3
        index += 1
      }
    }
    return Randomness.mixed(code)
  }
}
