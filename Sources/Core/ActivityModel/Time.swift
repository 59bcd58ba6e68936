// SPDX-License-Identifier: MIT

/// A moment of this machine's monotonic clock, in nanoseconds since an arbitrary start. Never travels.
public struct Instant: Hashable, Sendable, Comparable {
  /// Nanoseconds since the clock's start.
  public var nanoseconds: UInt64

  /// A moment so many nanoseconds after the clock's start.
  public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// The same clock, later. Negative durations stop at the clock's start.
  public static func + (left: Self, right: Duration) -> Self {
    let sum = Int128(left.nanoseconds) + right.nanoseconds
    return Self(nanoseconds: UInt64(clamping: max(0, sum)))
  }

  /// How much later `left` is.
  public static func - (left: Self, right: Self) -> Duration {
    .nanoseconds(Int64(clamping: Int128(left.nanoseconds) - Int128(right.nanoseconds)))
  }

  /// Earlier moments are smaller.
  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Instant? {
  /// The earlier of two moments, either of which there may not be.
  package func orEarlier(_ other: Instant?) -> Instant? {
    guard let self else { return other }
    guard let other else { return self }
    return Swift.min(self, other)
  }
}

extension Duration {
  /// The whole duration in nanoseconds.
  public var nanoseconds: Int128 {
    // Below nine seconds the division is one of machine words, which a keystroke can afford.
    Int64(exactly: attoseconds).map { Int128($0 / 1_000_000_000) } ?? attoseconds / 1_000_000_000
  }
}

/// Civil time in milliseconds since 1970, as records carry it. For display and expiry only: order between
/// devices comes from sequence numbers, because clocks are wrong.
public struct WallTime: Hashable, Sendable, Comparable {
  /// Milliseconds since 1970-01-01 00:00:00 UTC.
  public var milliseconds: UInt64

  /// So many milliseconds after the epoch.
  public init(milliseconds: UInt64) { self.milliseconds = milliseconds }

  /// Earlier times are smaller.
  public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

  /// The same calendar, so many whole milliseconds later.
  public func adding(seconds: UInt64) -> Self {
    let (sum, overflow) = milliseconds.addingReportingOverflow(seconds &* 1000)
    return Self(milliseconds: overflow ? .max : sum)
  }
}

extension WallTime {
  /// “2026-11-22 040000”, in universal time: for names of files.
  public var compactUTC: String {
    let seconds = Int(clamping: milliseconds / 1000)
    // Days from the first of March of the year 0 on, in eras of 400 years.
    let days = seconds / 86_400 + 719_468
    let (era, day) = (days / 146_097, days % 146_097)
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let ofYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    let date = [
      year + era * 400 + (month < 10 ? 0 : 1), month < 10 ? month + 3 : month - 9,
      ofYear - (153 * month + 2) / 5 + 1,
    ]
    let time = [seconds % 86_400 / 3600, seconds % 3600 / 60, seconds % 60]
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return date.map(padded).joined(separator: "-") + " " + time.map(padded).joined()
  }
}

/// A moment as a person here reads it.
public struct ShownMoment: Hashable, Sendable {
  /// The time of day to the minute, “10:42”.
  public var time: String
  /// The date where it is not today's, “2026-01-31”.
  public var date: String?

  /// A moment of today, or of `date`.
  public init(time: String, date: String? = nil) {
    self.time = time
    self.date = date
  }

  /// Both in one text.
  public var text: String { (date.map { "\($0) " } ?? "") + time }
}
