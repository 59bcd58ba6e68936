// SPDX-License-Identifier: MIT

public import ActivityModel

/// How far the stamps of a file system's files stand for their bytes.
public enum StampTrust: Hashable, Sendable {
  /// Not at all: a change may leave the stamp as it was.
  case never
  /// Once the file has been still for longer than its clock ticks.
  case onceStill
  /// From the first look on: each change after it gives another stamp. Whole seconds are never so exact.
  case always

  /// Whether a file holds what was read in it for as long as it has this stamp: it had been `quiet` for so
  /// long when it was read.
  public func holds(_ stamp: FileStamp, quiet: Duration) -> Bool {
    switch self {
    case .never: false
    case .onceStill: quiet >= stamp.tick
    case .always: quiet >= stamp.tick || stamp.tick <= HashOutcome.tick
    }
  }
}

/// What files were found to hold, by their stamps, so that an unchanged one is not read again (R4).
///
/// Taken in is only what was read when a later write gave the file another stamp: the inode had been still
/// for longer than its clock ticks, or the file system stamps exactly.
public struct DigestCache: Sendable {
  private struct Entry {
    var digest: ContentDigest
    var use: UInt64
  }

  private let limit: Int
  private var entries: [FileStamp: Entry] = [:]
  private var uses: UInt64 = 0

  /// A cache of at most `limit` files; when it is full, the half used longest ago goes.
  public init(limit: Int = 1024) { self.limit = max(2, limit) }

  /// Remembers a reading, unless its stamp may stand for other bytes later.
  public mutating func record(_ outcome: HashOutcome, trust: StampTrust = .onceStill) {
    guard case .stable(let digest, let stamp, let quiet) = outcome, trust.holds(stamp, quiet: quiet) else {
      return
    }
    if entries.count >= limit, entries[stamp] == nil { makeRoom() }
    uses += 1
    entries[stamp] = Entry(digest: digest, use: uses)
  }

  /// What the file with this stamp holds, if that is known.
  public mutating func digest(of stamp: FileStamp) -> ContentDigest? {
    guard let entry = entries[stamp] else { return nil }
    uses += 1
    entries[stamp]?.use = uses
    return entry.digest
  }

  /// Forgets everything: another file system may be where one was, with the same numbers.
  public mutating func removeAll() { entries = [:] }

  private mutating func makeRoom() {
    let middle = entries.values.map(\.use).sorted()[entries.count / 2]
    entries = entries.filter { $0.value.use > middle }
  }
}
