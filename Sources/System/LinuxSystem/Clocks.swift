// SPDX-License-Identifier: MIT

public import ActivityModel
import Glibc

/// How a clock of the kernel stands.
func reading(of clock: clockid_t) -> timespec {
  var time = timespec()
  clock_gettime(clock, &time)
  return time
}

extension Instant {
  /// This machine's monotonic clock; stands still while the machine sleeps.
  public static var now: Instant {
    let time = reading(of: CLOCK_MONOTONIC)
    return Instant(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
  }
}

extension WallTime {
  /// This machine's civil time.
  public static var now: WallTime {
    let time = reading(of: CLOCK_REALTIME)
    return WallTime(milliseconds: UInt64(max(0, time.tv_sec)) * 1000 + UInt64(time.tv_nsec) / 1_000_000)
  }
}

/// What processors have worked for somebody.
public struct ProcessorTime: Hashable, Sendable {
  /// The sum, whichever of them it was.
  public let nanoseconds: UInt64

  /// For the thread that asks, since it began. Stands still while that waits.
  public static var ofThisThread: ProcessorTime {
    let time = reading(of: CLOCK_THREAD_CPUTIME_ID)
    return ProcessorTime(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
  }
}

extension FileStamp {
  /// How long ago the kernel changed the inode, by this machine's clock; zero for a change in the future.
  public var age: Duration { max(.zero, Self.age(of: changed)) }

  /// How long ago the file was written, by this machine's clock and the file's own claim; less than zero for
  /// the future.
  public var ageOfContent: Duration { Self.age(of: modified) }

  private static func age(of nanoseconds: Int64) -> Duration {
    var now = timespec()
    guard clock_gettime(CLOCK_REALTIME, &now) == 0 else { return .zero }
    return .nanoseconds(now.nanoseconds.subtractingReportingOverflow(nanoseconds).partialValue)
  }
}

/// A moment in the calendar of this process's time zone.
public struct LocalTime: Hashable, Sendable {
  /// As the Gregorian calendar counts: 2026, 1 to 12, 1 to 31.
  public let year: Int, month: Int, day: Int
  /// As the clock on the wall says.
  public let hour: Int, minute: Int, second: Int

  /// Nil for a moment that no calendar has.
  public init?(_ moment: WallTime) {
    guard let seconds = time_t(exactly: moment.milliseconds / 1000) else { return nil }
    self.init(seconds: seconds)
  }

  /// When a file was written, by its own claim, which may also lie before 1970.
  public init?(ofContent stamp: FileStamp) {
    let (seconds, rest) = stamp.modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    self.init(seconds: time_t(rest < 0 ? seconds - 1 : seconds))
  }

  private init?(seconds: time_t) {
    var seconds = seconds
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return nil }
    (year, month, day) = (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
    (hour, minute, second) = (Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec))
  }

  /// How a moment reads here now; it has its date when that is not today's. Nil for one that no calendar
  /// has.
  public static func shown(_ moment: WallTime) -> ShownMoment? {
    guard let then = LocalTime(moment), let today = LocalTime(.now) else { return nil }
    return ShownMoment(time: then.clock, date: then.date == today.date ? nil : then.date)
  }

  /// How far this clock is ahead of UTC, for the moment that it shows.
  public func minutesEast(at moment: WallTime) -> Int {
    let difference = hour * 60 + minute - Int(moment.milliseconds / 60_000 % 1440)
    return difference > 840 ? difference - 1440 : difference < -720 ? difference + 1440 : difference
  }

  /// “2026-01-31”.
  public var date: String { "\(year)-\(Self.two(month))-\(Self.two(day))" }

  /// “09:05”.
  public var clock: String { "\(Self.two(hour)):\(Self.two(minute))" }

  /// “09:05:30”.
  public var clockWithSeconds: String { "\(clock):\(Self.two(second))" }

  private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
