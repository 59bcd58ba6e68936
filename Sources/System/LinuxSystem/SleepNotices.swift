// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// Becomes readable when the machine wakes from sleep, or its civil clock is set, and never otherwise.
public final class SleepNotices: Sendable {
  private let timer: Descriptor

  /// Tells of what happens from now on. Throws what timerfd_create(2) or timerfd_settime(2) fails with.
  public init() throws(Errno) {
    let made = Descriptor(owning: try calling { continuo_clock_changes() })
    try calling { continuo_clock_changes_taken(made.number) }
    timer = made
  }

  /// What to wait for.
  public var descriptor: CInt { timer.number }

  /// Takes what was told, and waits for the next time.
  public func drain() { _ = continuo_clock_changes_taken(timer.number) }

  /// How long the machine has slept since it was started.
  public static func slept() -> Duration {
    .nanoseconds(reading(of: CLOCK_BOOTTIME).nanoseconds - reading(of: CLOCK_MONOTONIC).nanoseconds)
  }
}
