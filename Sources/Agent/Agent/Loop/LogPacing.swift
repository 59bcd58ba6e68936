// SPDX-License-Identifier: MIT

import ActivityModel

/// How often a log may say the same: whoever writes into a synced folder can make the agent say a thing each
/// time that it reads, and would fill the disk with it. A value without a clock.
struct LogPacing: Hashable, Sendable {
  /// So many lines of one kind are written within a window, the others are counted.
  static let burst = 8
  static let window = Duration.seconds(600)
  /// So many kinds are told apart.
  static let kinds = 128

  private struct Kind: Hashable, Sendable {
    var since: Instant
    var written = 0
    var leftOut = 0
  }

  private var known: [String: Kind] = [:]

  /// What to write for `sentence`: nothing, itself, or how many like it were left out and itself. Lines that
  /// differ in numbers alone are of one kind.
  mutating func lines(for sentence: String, at now: Instant) -> [String] {
    let name = Self.kind(of: sentence)
    var kind = known[name] ?? Kind(since: now)
    var lines: [String] = []
    if now - kind.since >= Self.window {
      if kind.leftOut > 0 { lines = ["\(kind.leftOut) more lines like the next one were left out"] }
      kind = Kind(since: now)
    }
    if kind.written < Self.burst {
      kind.written += 1
      lines.append(sentence)
    } else {
      kind.leftOut += 1
    }
    if known[name] == nil, known.count >= Self.kinds { forgetOldest() }
    known[name] = kind
    return lines
  }

  private mutating func forgetOldest() {
    let oldest = known.min { ($0.value.since, $0.key) < ($1.value.since, $1.key) }
    if let oldest { known[oldest.key] = nil }
  }

  /// The sentence without its numbers.
  private static func kind(of sentence: String) -> String {
    String(
      decoding: sentence.utf8.filter { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }, as: UTF8.self)
  }
}
