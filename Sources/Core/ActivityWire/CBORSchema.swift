// SPDX-License-Identifier: MIT

import ActivityModel

// The closed schema of format version 1: a key below 128 that the version does not know is refused, because
// it could change the meaning of the others; keys from 128 on are room for additions that may be ignored
// (T13).
extension CBORMap {
  /// Throws `invalidBytes` when a key below 128 is not among `known`.
  func closed(_ field: String, known: ClosedRange<UInt64>, except unused: UInt64? = nil)
    throws(ContinuityError)
  {
    for key in lazy.map(\.key) where key < 128 && (!known.contains(key) || key == unused) {
      throw ContinuityError(
        .invalidBytes, subject: field,
        description: "The \(field) has a field \(key) that version 1 does not know.")
    }
  }

  /// The value under `key` decoded, nil when the key is absent.
  func optional<Decoded>(
    _ key: UInt64, _ decode: (CBOR) throws(ContinuityError) -> Decoded
  ) throws(ContinuityError) -> Decoded? {
    guard let value = self[key] else { return nil }
    return try decode(value)
  }
}

extension CBOR {
  /// The text of at most `limit` bytes, or `invalidBytes` naming `field`.
  func text(_ field: String, limit: Int) throws(ContinuityError) -> String {
    let value = try text(field)
    guard value.utf8.count <= limit else {
      throw Self.mismatch(field, expected: "at most \(limit) bytes of text")
    }
    return value
  }

  /// The text of 1 to `limit` bytes that a screen shows as it is, or `invalidBytes` naming `field`.
  func plainText(_ field: String, limit: Int) throws(ContinuityError) -> String {
    let value = try text(field, limit: limit)
    guard !value.isEmpty, RecordText.isClean(value) else {
      throw Self.mismatch(field, expected: "text without control characters")
    }
    return value
  }

  /// The array of at most `limit` elements, or `invalidBytes` naming `field`.
  func array(_ field: String, limit: Int) throws(ContinuityError) -> [CBOR] {
    let value = try array(field)
    guard value.count <= limit else { throw Self.mismatch(field, expected: "at most \(limit) elements") }
    return value
  }

  /// The set that an array of ascending texts stands for, or `invalidBytes` naming `field`.
  func textSet(_ field: String, limit: Int, bytes: Int) throws(ContinuityError) -> Set<String> {
    var last: [UInt8]?
    var set: Set<String> = []
    for element in try array(field, limit: limit) {
      let text = try element.text(field, limit: bytes)
      if let last, !last.lexicographicallyPrecedes(text.utf8) {
        throw Self.mismatch(field, expected: "ascending texts")
      }
      last = Array(text.utf8)
      // Two spellings of one text (composed, decomposed) are one member in Swift, and would not be written
      // back.
      guard set.insert(text).inserted else { throw Self.mismatch(field, expected: "texts that differ") }
    }
    return set
  }

  /// The array of `texts` in the order of their bytes.
  init(textSet texts: Set<String>) {
    self = .array(texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { .text($0) })
  }
}
