// SPDX-License-Identifier: MIT

public import ActivityModel
public import ActivityWire

/// What a record turned out to hold, after every check of its seal and signature. Whether it is newer than
/// the last one of its device is for the owner of the high-water marks to say.
public struct OpenedRecord: Hashable, Sendable {
  /// Who signed it.
  public let device: DeviceID
  /// What it is about.
  public let kind: RecordKind
  /// The number of the key it is sealed with.
  public let epoch: UInt32
  /// The tag of that key: two may have one number.
  public let circleTag: [UInt8]
  /// The signer's counter.
  public let sequence: UInt64
  /// The content, not yet decoded.
  public let payload: [UInt8]
}

/// Sealing and opening: header ‖ ChaCha20-Poly1305(device ID ‖ length ‖ payload ‖ padding ‖ signature).
///
/// The seal proves that a member of the circle wrote the record, the signature inside which one. The record's
/// key is derived from the epoch key and the whole header, so the header cannot be changed or reused.
package enum SealedRecord {
  static let signatureSize = 64
  static let tagSize = 16
  /// Device ID and payload length.
  static let prefixSize = 16 + 4
  /// The longest payload of the largest size.
  static let payloadLimit = 65_536 - prefixSize - signatureSize

  /// The record's bytes; the smallest of the five sizes that holds `payload`.
  ///
  /// Throws `invalidRequest` for a payload over `payloadLimit` or sequence 0.
  package static func seal(
    _ payload: [UInt8], kind: RecordKind, sequence: UInt64, by keys: DeviceKeys, under epoch: EpochKey,
    using generator: inout some RandomNumberGenerator
  ) throws(ContinuityError) -> [UInt8] {
    let needed = prefixSize + payload.count + signatureSize + tagSize
    guard let length = RecordHeader.sealedLengths.first(where: { Int($0) >= needed }), sequence >= 1 else {
      throw ContinuityError(
        .invalidRequest, subject: "record",
        description: "A record holds \(payloadLimit) bytes and is numbered from 1.")
    }
    let header = RecordHeader(
      kind: kind, circleTag: epoch.circleTag, epoch: epoch.number, sequence: sequence,
      random: generator.bytes(16), sealedLength: length)
    let start = header.bytes
    var plaintext: [UInt8] = []
    plaintext.reserveCapacity(Int(length) - tagSize)
    plaintext += keys.id.bytes
    plaintext += UInt64(payload.count).bigEndianBytes.suffix(4)
    plaintext += payload
    plaintext += [UInt8](repeating: 0, count: Int(length) - tagSize - signatureSize - plaintext.count)
    plaintext += try keys.signature(for: signed(start, plaintext[...]))
    guard let sealed = epoch.seal(plaintext, header: header) else {
      throw refused("seal", "The record cannot be sealed.")
    }
    return start + sealed
  }

  /// Opens `record` in the order header, epoch and circle tag, seal, signer, signature: what is cheap comes
  /// first. `signer` gives the public keys of a device ID that the sealed part names, from a roster or from
  /// the payload.
  ///
  /// Throws `invalidBytes`. The subject tells the step: a header's field, `version`, `circle`, `seal`,
  /// `signer` (a device that is in no roster here, or not yet), `signature`, `padding`.
  static func open(
    _ record: [UInt8], under epochs: [EpochKey],
    signer: (DeviceID, RecordKind, [UInt8]) throws(ContinuityError) -> DevicePublicKeys?
  ) throws(ContinuityError) -> OpenedRecord {
    let header = try RecordHeader(record: record)
    guard let epoch = epochs.first(where: { $0.number == header.epoch && $0.circleTag == header.circleTag })
    else {
      throw refused(
        "circle", "The record belongs to another circle or to a key that this device does not have.")
    }
    let plaintext = try unsealed(record, header: header, epoch: epoch)
    let unsigned = plaintext.dropLast(signatureSize)
    let length = unsigned[16..<prefixSize].reduce(0) { $0 << 8 | Int($1) }
    guard length <= unsigned.count - prefixSize, let device = DeviceID(bytes: unsigned.prefix(16)) else {
      throw refused("length", "The record's payload is longer than the record.")
    }
    let payload = Array(unsigned[prefixSize..<prefixSize + length])
    guard let keys = try signer(device, header.kind, payload), keys.id == device else {
      throw refused("signer", "The record is signed by a device that is not, or not yet, in the roster.")
    }
    let signature = Array(plaintext.suffix(signatureSize))
    guard keys.isValid(signature, for: signed(header.bytes, unsigned)) else {
      throw refused("signature", "The record's signature is not that of the device it names.")
    }
    // All of it, without an end at the first that is not zero: many bytes are looked at in one instruction.
    guard unsigned.dropFirst(prefixSize + length).reduce(0, |) == 0 else {
      throw refused("padding", "The record's padding holds something.")
    }
    return OpenedRecord(
      device: device, kind: header.kind, epoch: header.epoch, circleTag: header.circleTag,
      sequence: header.sequence, payload: payload)
  }

  private static func unsealed(
    _ record: [UInt8], header: RecordHeader, epoch: EpochKey
  ) throws(ContinuityError) -> [UInt8] {
    guard let plaintext = epoch.open(Array(record.dropFirst(RecordHeader.size)), header: header) else {
      throw refused("seal", "The record was changed after it was sealed.")
    }
    return plaintext
  }

  private static let purpose = Array("continuo/record/v1\0".utf8)

  private static func signed(_ header: [UInt8], _ unsigned: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(purpose.count + header.count + unsigned.count)
    text += purpose
    text += header
    text += unsigned
    return text
  }

  private static func refused(_ step: String, _ sentence: String) -> ContinuityError {
    ContinuityError(.invalidBytes, subject: step, description: sentence)
  }
}
