// SPDX-License-Identifier: MIT

public import ActivityModel
import FoundationEssentials

// JSON as bytes. The decoder is Foundation's; what it would take too long for, or too deep a stack, is
// refused before.
extension JSONValue {
  /// What a text may cost its reader.
  public enum Limit {
    /// Arrays and objects in each other.
    public static let depth = 128
    /// Values, roughly: commas, colons and opening brackets.
    public static let values = 200_000
  }

  /// The value that UTF-8 text stands for.
  ///
  /// Throws `invalidBytes`, with what is wrong in one sentence, for anything else and beyond `Limit`.
  public init(decoding bytes: [UInt8]) throws(ContinuityError) {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw Self.fault("is not UTF-8") }
    try Self.check(bytes)
    do {
      self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    } catch {
      // What the decoder says of one text depends on the order in which it comes upon its members.
      throw Self.fault("cannot be read: it is no JSON")
    }
  }

  /// UTF-8 text in one line, members in the order of their names: equal values give equal bytes.
  public var encoded: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Every value encodes: `encode(to:)` throws for nothing.
    return (try? encoder.encode(self)).map { Array($0) } ?? Array("null".utf8)
  }

  private static func check(_ bytes: [UInt8]) throws(ContinuityError) {
    var (depth, values, isInText, isEscaped) = (0, 0, false, false)
    for byte in bytes {
      if byte == 0 { throw fault("holds a byte of zero") }
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        values += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ","), UInt8(ascii: ":"): values += 1
      default: break
      }
      if depth > Limit.depth { throw fault("is deeper than \(Limit.depth) levels") }
      if values > Limit.values { throw fault("holds more than \(Limit.values) values") }
    }
  }

  private static func fault(_ what: String) -> ContinuityError {
    ContinuityError(.invalidBytes, subject: "JSON", description: "The JSON \(what).")
  }
}

extension JSONValue: Codable {
  /// Any value of JSON. Throws what the decoder does.
  public init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: MemberName.self) {
      var object: [String: JSONValue] = [:]
      for name in members.allKeys {
        object[name.stringValue] = try members.decode(JSONValue.self, forKey: name)
      }
      self = .object(object)
    } else if var elements = try? decoder.unkeyedContainer() {
      var array: [JSONValue] = []
      while !elements.isAtEnd { array.append(try elements.decode(JSONValue.self)) }
      self = .array(array)
    } else {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self = .text(text)
      } else if let flag = try? value.decode(Bool.self) {
        self = .bool(flag)
      } else if value.decodeNil() {
        self = .null
      } else if let number = try? value.decode(Int64.self) {
        self = .int(number)
      } else {
        let number = try value.decode(Double.self)
        // Also what is whole in 64 bits alone, for no reader can tell it from what is written so.
        self = Int64(exactly: number).map(JSONValue.int) ?? .double(number)
      }
    }
  }

  /// Writes it for the encoder that is given. Throws what that one does.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let object):
      var members = encoder.container(keyedBy: MemberName.self)
      for (name, value) in object { try members.encode(value, forKey: MemberName(stringValue: name)) }
    case .array(let array):
      var elements = encoder.unkeyedContainer()
      for value in array { try elements.encode(value) }
    case .null: try single(encoder) { try $0.encodeNil() }
    case .bool(let flag): try single(encoder) { try $0.encode(flag) }
    case .int(let number): try single(encoder) { try $0.encode(number) }
    case .double(let number):
      // All digits of a whole number, for its shortest form with an exponent is read as another one.
      if let whole = Int64(exactly: number) { return try single(encoder) { try $0.encode(whole) } }
      try single(encoder) { try number.isFinite ? $0.encode(number) : $0.encodeNil() }
    case .text(let text): try single(encoder) { try $0.encode(text) }
    }
  }

  private func single(
    _ encoder: any Encoder, _ body: (inout any SingleValueEncodingContainer) throws -> Void
  ) throws {
    var container = encoder.singleValueContainer()
    try body(&container)
  }

  private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
