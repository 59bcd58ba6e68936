// SPDX-License-Identifier: MIT

import ActivityModel
import FoundationEssentials
import Testing

@testable import ActivityJSON

/// Foundation's reader and writer, which this room used once, beside what it uses now.
@Suite("JSON as Foundation has it")
struct FoundationJSONTests {
  private static let words = [
    "{", "}", "[", "]", "{\"a\":", "\"a\":", ",", ",", ":", "null", "true", "false", "0", "-0", "-0.0", "1.0",
    "-1.5e3",
    "1e2", "1E+2", "1e-2", "01", "1.", ".5", "+1", "-", "1e", "1e308", "1e309", "-1e400", "5e-324", "1e-400",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "123456789012345678901234567890", "0.1", "NaN",
    "Infinity",
    "\"\"", "\"x\"", "\"\\n\\/\\\"\\\\\\b\\f\\r\\t\"", "\"\\u0000\"", "\"\\u00e9\"", "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"", "\"\\ude00\"", "\"\\ud83dx\"", "\"\\x\"", "\"\\u12\"", "\"é\"", "\"😀\"", "\"e\u{301}\"",
    "\"\u{7F}\"",
    "\"\t\"", "\"", "'a'", " ", "\t", "\n", "\r", "\u{B}", "\u{A0}", "\u{FEFF}", "//", "/**/", "[1]", "{}",
    "[]", "[1,2]",
    "{\"b\":1,\"a\":[2]}",
  ]

  @Test("Random texts are the same JSON for both, and what Foundation refuses is none")
  func reads() throws {
    var generator = Numbers(state: 11)
    var (read, refused) = (0, 0)
    for _ in 0..<20_000 {
      let text = Self.text(&generator)
      let ours = try? JSONValue(decoding: Array(text.utf8))
      let theirs = try? JSONDecoder().decode(Theirs.self, from: Data(text.utf8)).value
      // Foundation alone takes a comma before the end of an array, where a blank follows it.
      let isLax = ours == nil && text.contains(/,[ \t\r\n]+\]/)
      #expect(isLax || ours == theirs, "\(text.debugDescription)")
      if let ours {
        read += 1
        #expect(ours.encoded == Self.written(ours))
      } else {
        refused += 1
      }
    }
    #expect(read > 3000 && refused > 3000, "\(read) \(refused)")
  }

  @Test("Numbers of all sizes are written as Foundation writes them")
  func numbers() throws {
    var generator = Numbers(state: 12)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: generator.next())
      guard number.isFinite, Int64(exactly: number) == nil else { continue }
      let value = JSONValue.array([.double(number)])
      #expect(value.encoded == Self.written(value))
      #expect(try JSONValue(decoding: value.encoded) == value)
    }
  }

  @Test("Base 64 is Foundation's")
  func base64() {
    var generator = Numbers(state: 13)
    let letters = Array("ABxyz019+/+/Zz==-_ \n".unicodeScalars)
    for round in 0..<20_000 {
      let bytes = (0..<round % 9).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      #expect(bytes.base64 == Data(bytes).base64EncodedString())
      #expect([UInt8](base64: bytes.base64) == bytes)
      var text = round % 2 == 0 ? bytes.base64 : ""
      while generator.next() % 3 > 0 { text.unicodeScalars.append(letters[Int(generator.next() % 20)]) }
      let ours = [UInt8](base64: text)
      // Foundation alone takes padding that does not end the text, and more of it than is wanted.
      let isLax = ours == nil && (text.utf8.count % 4 > 0 || text.contains(/=[^=]|===/))
      #expect(isLax || ours == Data(base64Encoded: text).map { Array($0) }, "\(text.debugDescription)")
    }
  }

  private static func text(_ generator: inout Numbers) -> String {
    var text = ""
    var depth = generator.next() % 3
    // What is JSON is put together; what is not, by chance.
    if generator.next() % 2 == 0 { text += value(&generator, &depth) }
    while generator.next() % 3 == 0 { text += words[Int(generator.next() % UInt64(words.count))] }
    return text
  }

  private static func value(_ generator: inout Numbers, _ depth: inout UInt64) -> String {
    let count = Int(generator.next() % 4)
    guard depth > 0 else { return words[Int(generator.next() % UInt64(words.count))] }
    depth -= 1
    let elements = (0..<count).map { _ in value(&generator, &depth) }
    if generator.next() % 2 == 0 { return "[" + elements.joined(separator: ",") + "]" }
    // Of two members with one name Foundation keeps any.
    return "{"
      + zip(["\"k\"", "\"\\u006b2\"", "\"\""], elements).map { "\($0):\($1)" }.joined(separator: ", ") + "}"
  }

  private static func written(_ value: JSONValue) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(Theirs(value: value))).map { Array($0) }
  }
}

/// A value that Foundation reads and writes.
private struct Theirs: Codable {
  let value: JSONValue

  init(value: JSONValue) { self.value = value }

  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Name.self) {
      var object: [String: JSONValue] = [:]
      for name in members.allKeys {
        object[name.stringValue] = try members.decode(Theirs.self, forKey: name).value
      }
      value = .object(object)
    } else if var elements = try? decoder.unkeyedContainer() {
      var array: [JSONValue] = []
      while !elements.isAtEnd { array.append(try elements.decode(Theirs.self).value) }
      value = .array(array)
    } else {
      value = try Self.single(decoder.singleValueContainer())
    }
  }

  private static func single(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
    if let text = try? container.decode(String.self) { return .text(text) }
    if let flag = try? container.decode(Bool.self) { return .bool(flag) }
    if container.decodeNil() { return .null }
    if let number = try? container.decode(Int64.self) { return .int(number) }
    let number = try container.decode(Double.self)
    return Int64(exactly: number).map(JSONValue.int) ?? .double(number)
  }

  func encode(to encoder: any Encoder) throws {
    if case .object(let object) = value {
      var members = encoder.container(keyedBy: Name.self)
      for (name, value) in object {
        try members.encode(Theirs(value: value), forKey: Name(stringValue: name))
      }
    } else if case .array(let array) = value {
      var elements = encoder.unkeyedContainer()
      for value in array { try elements.encode(Theirs(value: value)) }
    } else {
      var container = encoder.singleValueContainer()
      switch value {
      case .bool(let flag): try container.encode(flag)
      case .int(let number): try container.encode(number)
      case .double(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      default: try container.encodeNil()
      }
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
