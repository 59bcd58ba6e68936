// SPDX-License-Identifier: MIT

import ActivityModel
import FoundationEssentials

/// What a program reads. Texts for people are cleaned before they come here, so that whoever prints one
/// prints one row; what a program goes on with is an identifier, a number or a URL, and lossless.
enum JSONOutput {
  /// One value: on several rows, or on one.
  static func say(_ value: some Encodable, isPretty: Bool = true) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    // Strings, numbers, Booleans and lists of them always encode.
    let text = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    for row in text.split(separator: "\n") { Terminal.say(String(row)) }
  }

  /// With milliseconds, in UTC.
  static func date(_ time: WallTime) -> String {
    Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
