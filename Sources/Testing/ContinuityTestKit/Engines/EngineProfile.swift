// SPDX-License-Identifier: MIT

import ActivityModel

/// How an engine puts a file in its place, and what it does in a conflict: the table of recorded behaviour.
struct EngineProfile: Sendable {
  enum Writing { case temporary, inPlace, overOld, removeThenWrite }
  enum Times { case exact, seconds, notKept }
  enum Conflict { case loserRenamed, laterStaysAside, skipped, bothRenamed, overwritten, merged }

  let kind: EngineKind
  let writing: Writing
  /// The old file is removed before the new one takes its name.
  var removesFirst = false
  let times: Times
  /// The times are set after the file has its name.
  var setsTimesLast = false
  let conflict: Conflict

  init(_ kind: EngineKind) {
    self.kind = kind
    switch kind {
    case .syncthing:
      (writing, times, conflict) = (.temporary, .exact, .loserRenamed)
      (removesFirst, setsTimesLast) = (true, true)
    case .nextcloud:
      (writing, times, conflict) = (.temporary, .seconds, .laterStaysAside)
      removesFirst = true
    case .unison: (writing, times, conflict) = (.temporary, .notKept, .skipped)
    case .rclone:
      (writing, times, conflict) = (.inPlace, .exact, .bothRenamed)
      setsTimesLast = true
    case .rsync: (writing, times, conflict) = (.temporary, .exact, .overwritten)
    case .rsyncInPlace:
      (writing, times, conflict) = (.overOld, .exact, .overwritten)
      setsTimesLast = true
    case .git: (writing, times, conflict) = (.removeThenWrite, .notKept, .merged)
    case .copy: (writing, times, conflict) = (.inPlace, .notKept, .overwritten)
    }
  }

  /// What a file is called until it is whole.
  func temporaryName(of name: [UInt8], _ random: inout Randomness) -> [UInt8] {
    let digits = Array((0..<4).map { _ in UInt8(truncatingIfNeeded: random.below(256)) }.hexadecimal.utf8)
    return switch kind {
    case .syncthing: Array(".syncthing.".utf8) + name + ".tmp".utf8
    case .nextcloud: [UInt8(ascii: ".")] + name + ".~".utf8 + digits
    case .unison:
      Array(".unison.".utf8) + name + ".".utf8 + digits + digits + digits + digits + ".unison.tmp".utf8
    default: [UInt8(ascii: ".")] + name + ".".utf8 + digits.prefix(6)
    }
  }

  /// What the version that lost a conflict is called: the same on every device.
  func conflictName(of name: [UInt8], by device: Int, at second: Int64) -> [UInt8] {
    let text = String(decoding: name, as: UTF8.self)
    let dot = text.lastIndex(of: ".") ?? text.endIndex
    let (stem, suffix) = (text[..<dot], text[dot...])
    let clock = Self.digits(second % 1_000_000, 6)
    let conflict =
      switch kind {
      case .syncthing: "\(stem).sync-conflict-20260101-\(clock)-ABCDEF\(2 + device)\(suffix)"
      case .nextcloud: "\(stem) (conflicted copy 2026-01-01 \(clock))\(suffix)"
      case .unison: "\(stem) (conflict_on_2026-01-01)\(suffix)"
      case .rclone: "\(text)..path\(1 + device % 2)"
      default: "\(stem) (conflicted copy 2026-01-02 \(clock))\(suffix)"
      }
    return Array(conflict.utf8)
  }

  private static func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  func kept(_ modified: Int64, now: Int64) -> Int64 {
    switch times {
    case .exact: modified
    case .seconds: modified / 1_000_000_000 * 1_000_000_000
    case .notKept: now
    }
  }
}
