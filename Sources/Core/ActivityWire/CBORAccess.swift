// SPDX-License-Identifier: MIT

public import ActivityModel

// Typed access for the decoders of this room: each says what it expected, so that a wrong field fails by
// name.
extension CBOR {
  /// The unsigned integer. Throws `invalidBytes` naming `field` for anything else.
  public func unsigned(_ field: String) throws(ContinuityError) -> UInt64 {
    guard case .unsigned(let value) = self else {
      throw Self.mismatch(field, expected: "an unsigned integer")
    }
    return value
  }

  /// The integer of either sign. Throws `invalidBytes` naming `field` for anything else.
  public func signed(_ field: String) throws(ContinuityError) -> Int64 {
    switch self {
    case .unsigned(let value): if let value = Int64(exactly: value) { return value }
    case .negative(let value): if let value = Int64(exactly: value) { return ~value }
    default: break
    }
    throw Self.mismatch(field, expected: "a 64-bit integer")
  }

  /// The byte string. Throws `invalidBytes` naming `field` for anything else.
  public func bytes(_ field: String) throws(ContinuityError) -> [UInt8] {
    guard case .bytes(let value) = self else { throw Self.mismatch(field, expected: "bytes") }
    return value
  }

  /// The text. Throws `invalidBytes` naming `field` for anything else.
  public func text(_ field: String) throws(ContinuityError) -> String {
    guard case .text(let value) = self else { throw Self.mismatch(field, expected: "text") }
    return value
  }

  /// The Boolean. Throws `invalidBytes` naming `field` for anything else.
  public func bool(_ field: String) throws(ContinuityError) -> Bool {
    guard case .bool(let value) = self else { throw Self.mismatch(field, expected: "true or false") }
    return value
  }

  /// The array. Throws `invalidBytes` naming `field` for anything else.
  public func array(_ field: String) throws(ContinuityError) -> [CBOR] {
    guard case .array(let value) = self else { throw Self.mismatch(field, expected: "an array") }
    return value
  }

  /// The array of exactly `count` elements. Throws `invalidBytes` naming `field` for anything else.
  public func array(_ field: String, count: Int) throws(ContinuityError) -> [CBOR] {
    let value = try array(field)
    guard value.count == count else { throw Self.mismatch(field, expected: "an array of \(count)") }
    return value
  }

  /// The map. Throws `invalidBytes` naming `field` for anything else.
  public func map(_ field: String) throws(ContinuityError) -> CBORMap {
    guard case .map(let value) = self else { throw Self.mismatch(field, expected: "a map") }
    return value
  }

  /// The ID of 16 bytes. Throws `invalidBytes` naming `field` for anything else.
  public func identifier<Kind>(_ field: String) throws(ContinuityError) -> Identifier<Kind> {
    guard let value = Identifier<Kind>(bytes: try bytes(field)) else {
      throw Self.mismatch(field, expected: "16 bytes")
    }
    return value
  }

  /// The line of a text, from 0. Throws `invalidBytes`.
  public func line() throws(ContinuityError) -> UInt32 {
    guard let line = UInt32(exactly: try unsigned("line")) else {
      throw CBOR.mismatch("line", expected: "a line of a text")
    }
    return line
  }

  /// The case of an enumeration that is numbered. Throws `invalidBytes` naming `field` for any other value.
  public func numbered<Value: RawRepresentable>(_ field: String) throws(ContinuityError) -> Value
  where Value.RawValue: FixedWidthInteger {
    guard let value = Value.RawValue(exactly: try unsigned(field)).flatMap(Value.init) else {
      throw Self.mismatch(field, expected: "a known case")
    }
    return value
  }

  /// Nil for null; otherwise what `decode` makes of the value. Throws what `decode` throws.
  public func optional<Value>(
    _ decode: (CBOR) throws(ContinuityError) -> Value
  ) throws(ContinuityError) -> Value? {
    self == .null ? nil : try decode(self)
  }

  /// The error of a field that holds something else.
  public static func mismatch(_ field: String, expected: String) -> ContinuityError {
    ContinuityError(
      .invalidBytes, subject: field, description: "The field \(field) does not hold \(expected).")
  }
}

extension CBORMap {
  /// The value under `key`. Throws `invalidBytes` naming `field` where there is none.
  public func required(_ key: UInt64, field: String) throws(ContinuityError) -> CBOR {
    guard let value = self[key] else {
      throw ContinuityError(.invalidBytes, subject: field, description: "The field \(field) is missing.")
    }
    return value
  }
}
