// SPDX-License-Identifier: MIT

/// A log like those of servers: one line an event, each with its number, short enough for 80 columns, so that
/// editors that fold long lines and editors that cut them show the same.
struct LogFile {
  /// How many bytes it has at least.
  var size: Int

  static let small = LogFile(size: 4_000)
  static let large = LogFile(size: 50_000_000)

  private static let words = [
    "accepted", "closed", "retried", "queued", "flushed", "expired", "renewed", "dropped", "merged",
  ]

  var text: String {
    var text = ""
    text.reserveCapacity(size + 100)
    var number = 1
    while text.utf8.count < size {
      text += Self.line(number)
      number += 1
    }
    return text
  }

  /// The number of its last line.
  var lastLine: Int {
    var (number, count) = (0, 0)
    while count < size {
      number += 1
      count += Self.line(number).utf8.count
    }
    return number
  }

  /// How a line can be told from all others on a screen.
  static func mark(_ number: Int) -> String {
    let digits = String(number)
    return "event-" + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
  }

  private static func line(_ number: Int) -> String {
    let first = words[number % 9]
    let second = words[number / 9 % 9]
    return "2026-01-01 12:00:00 \(mark(number)) worker \(number % 64) \(first) after \(second)\n"
  }
}
