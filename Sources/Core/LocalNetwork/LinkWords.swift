// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

/// What all words have in common that agents say to each other over a link, each in a frame of the kind
/// `request`: an array, of which the first member tells what the others are.
enum LinkWord {
  private static let limits = CBOR.Limits(depth: 2, entries: 16, items: 16, bytes: 256)

  /// The word's kind, and all its members, the kind included. Throws `invalidBytes`.
  static func read(_ bytes: [UInt8]) throws(ContinuityError) -> (kind: UInt64, fields: [CBOR]) {
    let fields = try CBOR(decoding: bytes, limits: limits).array("word")
    guard let kind = try fields.first?.unsigned("kind") else {
      throw CBOR.mismatch("word", expected: "a kind")
    }
    return (kind, fields)
  }
}

// How links, transfers and streams are counted, in words, orders and reports, and before bytes.
extension RawRepresentable<UInt32> {
  var cbor: CBOR { .unsigned(UInt64(rawValue)) }

  /// As it stands before bytes, most significant first.
  var bytes: [UInt8] { rawValue.bigEndianBytes }

  /// The number of a `counted` thing. Throws `invalidBytes`.
  init(cbor: CBOR, of counted: String) throws(ContinuityError) {
    guard let value = UInt32(exactly: try cbor.unsigned(counted)), let number = Self(rawValue: value) else {
      throw CBOR.mismatch(counted, expected: "a number of a \(counted)")
    }
    self = number
  }
}
