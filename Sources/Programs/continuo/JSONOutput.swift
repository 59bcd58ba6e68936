// SPDX-License-Identifier: MIT

import ActivityModel
import FoundationEssentials

/// What a program reads. Texts for people are cleaned before they come here, so that whoever prints one
/// prints one row; what a program goes on with is an identifier, a number or a URL, and lossless.
enum JSONOutput {
  /// One value: on several rows, or on one.
  static func say(_ value: some Encodable, isPretty: Bool = true) {
    for row in rows(value, isPretty: isPretty) { Terminal.say(row) }
  }

  /// One value that must reach whoever reads it, for it is told once. Throws when it did not.
  static func deliver(_ value: some Encodable) throws(ContinuityError) {
    for row in rows(value, isPretty: true) { try Terminal.deliver(row) }
  }

  private static func rows(_ value: some Encodable, isPretty: Bool) -> [String] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    // Strings, numbers, Booleans and lists of them always encode.
    let text = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    return text.split(separator: "\n").map(String.init)
  }

  /// With milliseconds, in UTC.
  static func date(_ time: WallTime) -> String {
    Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
