// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import ActivityJSON

@Suite("JSON as text")
struct JSONTextTests {
  private func read(_ text: String) throws -> JSONValue { try JSONValue(decoding: Array(text.utf8)) }

  /// Numbers beyond 2^53 that are whole by their size alone: their shortest form is another whole number.
  @Test(arguments: ["92233720368547758.00712", "9.2233720368547758e+16", "-4.6e18"])
  func aLargeNumberIsTheSameWhenReadAgain(_ text: String) throws {
    let json = try JSONValue(decoding: Array(text.utf8))
    let again = try JSONValue(decoding: json.encoded)
    #expect(again == json && again.encoded == json.encoded)
    guard case .int(let number) = json, let exact = Double(text) else {
      Issue.record("\(json) is no whole number")
      return
    }
    #expect(Double(number) == exact)
    #expect(try JSONValue(decoding: JSONValue.double(exact).encoded) == .int(Int64(exact)))
  }

  @Test("Values come back equal, and equal values have equal bytes")
  func comesBack() throws {
    let value: JSONValue = [
      "b": [true, false, nil], "a": .double(0.1), "c": .int(.max), "d": .int(.min), "é\u{0}/\"\\": "😀漢\t",
      "e": [:], "f": [],
    ]
    #expect(try JSONValue(decoding: value.encoded) == value)
    #expect(String(decoding: value.encoded, as: UTF8.self).hasPrefix(#"{"a":0.1,"b":[true,false,null],"c":"#))
  }

  @Test("Numbers are whole where 64 bits hold them, and floating elsewhere")
  func numbers() throws {
    #expect(
      try read("[1, -0.5, 9223372036854775807, 1e300, 1.0]") == [
        1, .double(-0.5), .int(.max), .double(1e300), 1,
      ])
    #expect(JSONValue.array([.double(.nan), .double(.infinity)]).encoded == Array("[null,null]".utf8))
  }

  @Test(
    "What is no JSON is refused with a sentence",
    arguments: [
      "", " ", "{", "{\"a\"}", "nul", "01", "\"\\ud800\"", "\"\u{1}\"", "[1]x", "'a'",
    ])
  func refuses(_ text: String) {
    let error = #expect(throws: ContinuityError.self) { try read(text) }
    #expect(error?.code == .invalidBytes)
    #expect(error?.description.hasSuffix(".") == true, "\(error?.description ?? "")")
  }

  @Test("The sentence tells the byte from which on it is no JSON")
  func places() {
    for (text, byte) in [("", 1), ("[1, x]", 5), ("{\"a\":1}]", 8), ("1\u{0}", 2)] {
      let error = #expect(throws: ContinuityError.self) { try read(text) }
      #expect(error?.description.contains("byte \(byte) ") == true, "\(error?.description ?? "")")
    }
  }

  @Test("Bytes that are not UTF-8, bytes of zero and other encodings are refused")
  func encodings() {
    let utf16 = Array("[1]".utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    for bytes: [UInt8] in [
      [0x22, 0xFF, 0x22], [0x5B, 0, 0x5D], [0x31, 0, 0x31], [0x31, 0], utf16, [0xFE, 0xFF, 0, 0x5B],
    ] {
      #expect(throws: ContinuityError.self) { try JSONValue(decoding: bytes) }
    }
  }

  @Test("Depth and number of values are bounded; what stands in strings does not count")
  func bounds() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try read(nested(JSONValue.Limit.depth)).kind == "an array")
    #expect(throws: ContinuityError.self) { try read(nested(JSONValue.Limit.depth + 1)) }
    #expect(throws: ContinuityError.self) { try read(String(repeating: "[", count: 100_000)) }
    #expect(throws: ContinuityError.self) {
      try read("[" + String(repeating: "1,", count: JSONValue.Limit.values) + "1]")
    }
    let text = "\"" + String(repeating: "[,{\\\"", count: 100_000) + "\""
    #expect(try read(text).kind == "a string")
  }

  @Test("Of two members with one name the last counts")
  func twice() throws {
    let value = try read(#"{"a": 1, "a": 2, "b": 3}"#)
    #expect(value["a"] == 2)
    #expect(value["b"] == 3)
  }
}
