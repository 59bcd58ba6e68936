// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

/// A new epoch key as it travels in the roster: sealed to each device that is to have it, by HPKE (RFC 9180,
/// X25519, HKDF-SHA-256, ChaCha20-Poly1305).
struct SealedEpoch: Hashable, Sendable {
  let number: UInt32
  /// 32 bytes of encapsulated key and 48 of ciphertext for each device.
  let keys: [DeviceID: [UInt8]]

  private static let size = 80
  /// Numbers that no circle reaches are somebody's mistake, and would end it.
  static let highest: UInt32 = 1 << 31

  /// Throws `invalidRequest` for a device with an unusable key.
  init(
    _ epoch: EpochKey, to devices: [DevicePublicKeys], circle: [UInt8]
  ) throws(ContinuityError) {
    number = epoch.number
    var sealed: [DeviceID: [UInt8]] = [:]
    for device in devices {
      let info = Self.info(epoch.number, device.id, circle)
      guard let wrapped = device.ciphers.suite.wrap(epoch.secret, for: device.agreement, info: info) else {
        throw ContinuityError(
          .invalidRequest, subject: "device key", description: "A device's key takes no epoch key.")
      }
      sealed[device.id] = wrapped
    }
    keys = sealed
  }

  /// The key, where it was sealed to the owner of `keys`; nil where it was not, or is damaged.
  func opened(with keys: DeviceKeys, circle: [UInt8]) -> EpochKey? {
    guard let sealed = self.keys[keys.id],
      let secret = keys.ciphers.suite.unwrap(
        sealed, withSeed: keys.agreementSeed, info: Self.info(number, keys.id, circle))
    else { return nil }
    return EpochKey(number: number, secret: secret, ciphers: keys.ciphers)
  }

  private static func info(_ number: UInt32, _ device: DeviceID, _ circle: [UInt8]) -> [UInt8] {
    Array("continuo/epoch/v1\0".utf8) + circle + UInt64(number).bigEndianBytes + device.bytes
  }

  /// From the fields of a statement.
  init(_ fields: CBORMap) throws(ContinuityError) {
    guard let number = UInt32(exactly: try fields.required(2, field: "epoch").unsigned("epoch")),
      (2...Self.highest).contains(number)
    else { throw CBOR.mismatch("epoch", expected: "a number from 2") }
    self.number = number
    var keys: [DeviceID: [UInt8]] = [:]
    var last: DeviceID?
    for entry in try fields.required(3, field: "sealed keys").array("sealed keys") {
      let pair = try entry.array("sealed key", count: 2)
      let device: DeviceID = try pair[0].identifier("device")
      let sealed = try pair[1].bytes("sealed key")
      guard sealed.count == Self.size, last.map({ $0 < device }) ?? true else {
        throw CBOR.mismatch("sealed keys", expected: "80 bytes for each of ascending devices")
      }
      last = device
      keys[device] = sealed
    }
    self.keys = keys
  }
}
