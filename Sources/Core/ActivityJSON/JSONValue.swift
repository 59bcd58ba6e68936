// SPDX-License-Identifier: MIT

/// A value of JSON. Whole numbers that 64 bits hold are `int`, also where they are written as 1.0; what
/// cannot be written (a number that is not finite) becomes null.
public enum JSONValue: Hashable, Sendable {
  /// No value: an absent member, for most readers.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number.
  case int(Int64)
  /// Any other number.
  case double(Double)
  /// A string.
  case text(String)
  /// Elements in order.
  case array([JSONValue])
  /// An object; of members with one name the last counts.
  case object([String: JSONValue])

  /// The member of that name; nil for what is no object.
  public subscript(_ name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// What it is, for a sentence: "a string".
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean"
    case .int, .double: "a number"
    case .text: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .text(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object; a value of nil leaves the member out. The last of equal names counts.
  public init(dictionaryLiteral elements: (String, JSONValue?)...) {
    var members: [String: JSONValue] = [:]
    for (name, value) in elements { members[name] = value }
    self = .object(members)
  }
}
