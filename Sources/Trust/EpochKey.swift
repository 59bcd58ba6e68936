// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Crypto

/// The secret that all devices of a circle share for a time: 32 bytes from which everything else is derived.
/// The key of a pairing's twelve words takes its place in invitations, as epoch 0.
///
/// Printing it prints its number only.
public struct EpochKey: Hashable, Sendable {
  /// Which epoch: 1 and counting; 0 is the key of an invitation's words.
  public let number: UInt32
  let secret: [UInt8]

  /// Nil unless the secret has 32 bytes.
  public init?(number: UInt32, secret: [UInt8]) {
    guard secret.count == 32 else { return nil }
    self.number = number
    self.secret = secret
  }

  /// A fresh key of epoch `number`.
  public init(number: UInt32, using generator: inout some RandomNumberGenerator) {
    self.number = number
    secret = generator.bytes(32)
  }

  init(number: UInt32, derivedFrom material: [UInt8], info: String) {
    self.number = number
    secret = Self.derive(material, salt: [], info: info)
  }

  /// Sixteen bytes by which members recognise records of this epoch before any cryptography.
  public var circleTag: [UInt8] { Array(Self.code("circle-tag".utf8, under: secret).prefix(16)) }

  /// The key of the one record that has this header.
  func recordKey(_ header: [UInt8]) -> SymmetricKey {
    SymmetricKey(data: Self.derive(secret, salt: header, info: "record/v1"))
  }

  /// The name of `device`'s file of that kind in `.continuo`: opaque, and another one in every epoch. Names
  /// carry no authority; readers go by the bytes.
  public func fileName(_ kind: RecordFileKind, of device: DevicePublicKeys) -> String {
    let code = Self.code(device.signing, under: Self.derive(secret, salt: [], info: "name/v1"))
    return "\(kind.prefix)-\(Base32.text(code, count: 26)).\(kind.suffix)"
  }

  private static func derive(_ material: [UInt8], salt: [UInt8], info: String) -> [UInt8] {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: material), salt: salt, info: Array(info.utf8), outputByteCount: 32
    ).withUnsafeBytes { Array($0) }
  }

  private static func code(_ message: some Sequence<UInt8>, under key: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: Array(message), using: SymmetricKey(data: key)))
  }

  // epoch key = [number, secret]
  var cbor: CBOR { .array([.unsigned(UInt64(number)), .bytes(secret)]) }

  init(cbor: CBOR) throws(ContinuityError) {
    let pair = try cbor.array("epoch key", count: 2)
    guard let number = UInt32(exactly: try pair[0].unsigned("epoch")), number > 0,
      let key = Self(number: number, secret: try pair[1].bytes("epoch key"))
    else { throw CBOR.mismatch("epoch key", "a number from 1 and 32 bytes") }
    self = key
  }
}

extension EpochKey: CustomStringConvertible, CustomReflectable {
  /// The number.
  public var description: String { "EpochKey(\(number))" }
  /// Nothing, so that no dump shows the secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The files that a device keeps in a synced folder's `.continuo`.
public enum RecordFileKind: Hashable, Sendable, CaseIterable {
  /// `d-….rec`: the device's state.
  case state
  /// `f-….id`: the folder's identity as this device knows it.
  case folder
  /// `r-….rst`: the roster.
  case roster
  /// `i-….inv`: an invitation or an answer, named under the key of the words.
  case invitation

  var prefix: String {
    switch self {
    case .state: "d"
    case .folder: "f"
    case .roster: "r"
    case .invitation: "i"
    }
  }

  var suffix: String {
    switch self {
    case .state: "rec"
    case .folder: "id"
    case .roster: "rst"
    case .invitation: "inv"
    }
  }
}

/// A file to be written into `.continuo`.
public struct RecordFile: Hashable, Sendable {
  /// The name, without a directory.
  public let name: String
  /// The whole content.
  public let bytes: [UInt8]
}
