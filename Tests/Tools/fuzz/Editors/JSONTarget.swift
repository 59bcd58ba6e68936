// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import ActivityWire
import TestSamples

/// JSON and the user info that it stands for: read again, both are the same.
struct JSONTarget: FuzzTarget {
  static let name = "json"
  static let longest = 2048
  static let words = [
    "{", "}", "[", "]", "\"a\":", "null", "true", "1e308", "-1.5", "9223372036854775807", "1.0",
    "\\ud83d\\udc69",
    "\\u0000", "\\ud800", "{\"$date\":", "{\"$data\":\"AQ==\"}", "{\"$uuid\":\"", "{\"$url\":", "{\"$set\":[",
    "{\"$map\":[[", "]]}", "e\u{301}", "é",
  ].map { Array($0.utf8) }

  func seeds() throws -> [[UInt8]] {
    var generator = SeededGenerator(seed: 3)
    return [
      RecordSamples.fullSnapshot(generator: &generator).userInfo.json.encoded,
      Array(
        #"{"a":[1,2.5,true,"x\n\u00e9"],"b":{"$map":[[1,{"$uuid":"01020304-0506-0708-090a-0b0c0d0e0f10"}]]}}"#
          .utf8),
      Array(#"[{"$date":1.5},{"$data":"AQI="},{"$set":[1,2]},{"$url":"file:///a"}]"#.utf8),
    ]
  }

  func check(_ input: [UInt8]) throws {
    guard let json = try? JSONValue(decoding: input) else { return }
    let text = json.encoded
    let again = try? JSONValue(decoding: text)
    try expect(again?.encoded == text, "JSON is another one when read again")
    try expect(again == json, "a value of JSON is another one when read again")
    guard let value = try? UserInfoValue(json: json) else { return }
    let shown = value.json
    let back = try? UserInfoValue(json: shown)
    try expect(back?.json.encoded == shown.encoded, "user info is another one when read again")
    guard case .map(let userInfo) = value, (try? userInfo.checkLimits()) != nil else { return }
    let carried = try? UserInfo(encoded: userInfo.cbor.encoded)
    try expect(carried == userInfo, "user info within its limits does not travel")
  }
}
