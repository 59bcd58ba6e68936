// SPDX-License-Identifier: MIT

import ActivityModel
package import ActivityWire

/// The secret that all devices of a circle share for a time: 32 bytes from which everything else is derived.
/// The key of a pairing's twelve words takes its place in invitations, as epoch 0.
///
/// Printing it prints its number only.
public struct EpochKey: Hashable, Sendable {
  /// Which epoch: 1 and counting; 0 is the key of an invitation's words.
  public let number: UInt32
  let secret: [UInt8]
  /// Sixteen bytes by which members recognise records of this epoch before any cryptography.
  public let circleTag: [UInt8]
  /// From which the names of files are made. Like the tag it follows from the secret, and is asked for at
  /// each look at a folder.
  private let nameKey: [UInt8]
  private let ciphers: Ciphers

  /// Nil unless the secret has 32 bytes.
  init?(number: UInt32, secret: [UInt8], ciphers: Ciphers) {
    guard secret.count == 32 else { return nil }
    self.init(number, secret, ciphers)
  }

  private init(_ number: UInt32, _ secret: [UInt8], _ ciphers: Ciphers) {
    self.number = number
    self.secret = secret
    self.ciphers = ciphers
    circleTag = Array(ciphers.suite.code(Array("circle-tag".utf8), under: secret).prefix(16))
    nameKey = ciphers.suite.derive(secret, salt: [], info: "name/v1")
  }

  /// A fresh key of epoch `number`.
  init(number: UInt32, using generator: inout some RandomNumberGenerator, ciphers: Ciphers) {
    self.init(number, generator.bytes(32), ciphers)
  }

  init(number: UInt32, derivedFrom material: [UInt8], info: String, ciphers: Ciphers) {
    self.init(number, ciphers.suite.derive(material, salt: [], info: info), ciphers)
  }

  /// Seals the text of the one record that has this header, with the header's random bytes as nonce.
  package func seal(_ text: [UInt8], header: RecordHeader) -> [UInt8]? {
    let bytes = header.bytes
    return ciphers.suite.seal(text, key: recordKey(bytes), nonce: Self.nonce(header), header: bytes)
  }

  /// What was sealed for the header; nil when anything of it was changed.
  package func open(_ sealed: [UInt8], header: RecordHeader) -> [UInt8]? {
    let bytes = header.bytes
    return ciphers.suite.open(sealed, key: recordKey(bytes), nonce: Self.nonce(header), header: bytes)
  }

  /// A key that all who have this one can make.
  func derived(salt: [UInt8], info: String) -> [UInt8] {
    ciphers.suite.derive(secret, salt: salt, info: info)
  }

  private func recordKey(_ header: [UInt8]) -> [UInt8] {
    derived(salt: header, info: "record/v1")
  }

  private static func nonce(_ header: RecordHeader) -> [UInt8] { Array(header.random.prefix(12)) }

  /// The name of `device`'s file of that kind in `.continuo`: opaque, and another one in every epoch. Names
  /// carry no authority; readers go by the bytes.
  public func fileName(_ kind: RecordFileKind, of device: DevicePublicKeys) -> String {
    kind.fileName(digits(of: device))
  }

  /// The names of its files of these kinds, in their order.
  package func fileNames(_ kinds: [RecordFileKind], of device: DevicePublicKeys) -> [String] {
    let digits = digits(of: device)
    return kinds.map { $0.fileName(digits) }
  }

  /// What the names of all files of `device` have in common.
  private func digits(of device: DevicePublicKeys) -> String {
    Base32.text(ciphers.suite.code(device.signing, under: nameKey), count: 26)
  }

  /// Equal when number and secret are: the rest follows from them.
  public static func == (left: Self, right: Self) -> Bool {
    left.number == right.number && left.secret == right.secret
  }

  /// By number and secret.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(secret)
  }

  // epoch key = [number, secret]
  var cbor: CBOR { .array([.unsigned(UInt64(number)), .bytes(secret)]) }

  init(cbor: CBOR, ciphers: Ciphers) throws(ContinuityError) {
    let pair = try cbor.array("epoch key", count: 2)
    guard let number = UInt32(exactly: try pair[0].unsigned("epoch")), number > 0,
      let key = Self(number: number, secret: try pair[1].bytes("epoch key"), ciphers: ciphers)
    else { throw CBOR.mismatch("epoch key", expected: "a number from 1 and 32 bytes") }
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
public enum RecordFileKind: Hashable, Sendable {
  /// `d-….rec`: the device's state.
  case state
  /// `f-….id`: the folder's identity as this device knows it.
  case folder
  /// `r-….rst`: the roster.
  case roster
  /// `i-….inv`: an invitation or an answer, named under the key of the words.
  case invitation
  /// `s-….sv1` to `s-….sv4`: the parts of the device's saved activities, counted from 0 here.
  case saved(Int)

  fileprivate func fileName(_ digits: String) -> String {
    var name = prefix
    name.reserveCapacity(digits.utf8.count + 6)
    name += "-"
    name += digits
    name += "."
    name += suffix
    return name
  }

  var prefix: String {
    switch self {
    case .state: "d"
    case .folder: "f"
    case .roster: "r"
    case .invitation: "i"
    case .saved: "s"
    }
  }

  var suffix: String {
    switch self {
    case .state: "rec"
    case .folder: "id"
    case .roster: "rst"
    case .invitation: "inv"
    case .saved(let part): "sv" + String(part + 1)
    }
  }
}

extension RecordFileKind: CaseIterable {
  /// Every kind of file, and every part of what has some.
  public static let allCases: [Self] =
    [.state, .folder, .roster, .invitation] + (0..<SavedActivityList.partCount).map { .saved($0) }
}

/// A file to be written into `.continuo`.
public struct RecordFile: Hashable, Sendable {
  /// The name, without a directory.
  public let name: String
  /// The whole content.
  public let bytes: [UInt8]
}
