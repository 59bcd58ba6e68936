// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import ActivityJSON

@Suite("User info as JSON")
struct UserInfoJSONTests {
  @Test("Each kind of value has the form that the page names")
  func forms() {
    let forms: [(UserInfoValue, String)] = [
      (.null, "null"), (.bool(true), "true"), (.int(-3), "-3"), (.double(0.5), "0.5"), (.text("é"), "\"é\""),
      (.bytes([0, 255, 16]), #"{"$data":"AP8Q"}"#), (.array([.int(1), .null]), "[1,null]"),
      (.map([.text("a"): .int(1)]), #"{"a":1}"#), (.set([.int(2), .int(1)]), #"{"$set":[1,2]}"#),
      (.date(1.5), #"{"$date":1.5}"#),
      (.url("https://example.org/?a#b"), #"{"$url":"https://example.org/?a#b"}"#),
      (
        .uuid((0..<16).map { UInt8($0 * 16 + 15) }), #"{"$uuid":"0F1F2F3F-4F5F-6F7F-8F9F-AFBFCFDFEFFF"}"#
      ), (.map([.int(1): .bool(false)]), #"{"$map":[[1,false]]}"#),
      (.map([.text("$a"): .int(1)]), #"{"$map":[["$a",1]]}"#), (.map([:]), "{}"), (.document(0), "null"),
    ]
    for (value, text) in forms { #expect(value.json.encoded == Array(text.utf8), "\(value)") }
    #expect(Set(UserInfoValue.JSONForm.allCases.map(\.rawValue)).count == 6)
  }

  @Test("Random values come back equal through text")
  func comesBack() throws {
    var generator = Numbers(state: 7)
    for _ in 0..<2000 {
      let value = Self.value(&generator, depth: 0)
      let back = try UserInfoValue(json: JSONValue(decoding: value.json.encoded))
      #expect(back == value)
    }
  }

  @Test(
    "An object with a dollar sign that stands for nothing is refused, with its name",
    arguments: [
      #"{"$date":"now"}"#, #"{"$data":"?"}"#, #"{"$data":1}"#, #"{"$uuid":"1"}"#, #"{"$url":1}"#,
      #"{"$set":{}}"#,
      #"{"$map":[[1]]}"#, #"{"$map":{}}"#, #"{"$other":1}"#, #"{"$date":1,"a":2}"#, #"{"a":{"$x":1}}"#,
      #"{"$uuid":"0F1F2F3F4F5F-6F7F-8F9F-AFBFCFDFEFFF-"}"#,
    ])
  func refuses(_ text: String) throws {
    let json = try JSONValue(decoding: Array(text.utf8))
    let error = #expect(throws: ContinuityError.self) { try UserInfo(json: json) }
    #expect(error?.code == .invalidRequest)
    #expect(error?.description.contains("$") == true, "\(error?.description ?? "")")
  }

  @Test("What is no dictionary is no user info")
  func dictionaries() {
    for json: JSONValue in [nil, 1, "a", [1], ["$date": 1]] {
      #expect(throws: ContinuityError.self) { try UserInfo(json: json) }
    }
    #expect((try? UserInfo(json: ["$map": [[1, 2]]])) == [.int(1): .int(2)])
  }

  /// Doubles are never whole: JSON does not tell 1.0 from 1.
  private static func value(_ generator: inout Numbers, depth: Int) -> UserInfoValue {
    let texts = ["", "a", "$", "$date", "é😀漢\t\u{0}", "\"\\/"]
    switch Int.random(in: 0..<(depth < 4 ? 12 : 9), using: &generator) {
    case 0: return .null
    case 1: return .bool(.random(using: &generator))
    case 2: return .int(.random(in: .min ... .max, using: &generator))
    case 3: return .double(Double(Int.random(in: -999...999, using: &generator)) + 0.5)
    case 4: return .text(texts[Int.random(in: 0..<texts.count, using: &generator)])
    case 5:
      return .bytes(
        (0..<Int.random(in: 0..<9, using: &generator)).map { _ in .random(in: 0...255, using: &generator) })
    case 6: return .date(Double(Int.random(in: 0...99, using: &generator)))
    case 7: return .url("file:///\(texts[Int.random(in: 0..<3, using: &generator)])")
    case 8: return .uuid((0..<16).map { _ in .random(in: 0...255, using: &generator) })
    case 9: return .array((0..<3).map { _ in value(&generator, depth: depth + 1) })
    case 10: return .set(Set((0..<3).map { _ in value(&generator, depth: depth + 1) }))
    default:
      return .map(
        Dictionary(
          (0..<3).map { _ in (value(&generator, depth: depth + 2), value(&generator, depth: depth + 1)) },
          uniquingKeysWith: { $1 }))
    }
  }
}

/// Numbers that are the same in each run.
struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
