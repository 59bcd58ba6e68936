// SPDX-License-Identifier: MIT

package import ActivityModel

/// Time, and what is to happen later. Everything in this room runs on the one thread of its scheduler, in
/// turns: one turn is what happens between two waits.
package protocol Scheduler: AnyObject {
  /// The monotonic clock; it stands still while the machine sleeps.
  var now: Instant { get }
  /// Civil time, which may jump.
  var wall: WallTime { get }
  /// How a moment of civil time reads to a person here.
  func shown(_ moment: WallTime) -> ShownMoment
  /// Counts the turns, so that a caller can tell whether anything else had its turn since.
  var turns: UInt64 { get }
  /// Calls `body` once `now` has reached `due`, in a later turn or at the end of this one; timers that are
  /// due together are called by their moments, and those of one moment in the order in which they were asked
  /// for.
  /// The timer holds `body` until then.
  @discardableResult func schedule(at due: Instant, perform body: @escaping () -> Void) -> TimerNumber
  /// The timer's body is not called any more. Nothing happens for nil, or one that was called.
  func cancel(_ timer: TimerNumber?)
}

/// One timer of a `Scheduler`; never given out twice.
package struct TimerNumber: Hashable, Sendable {
  /// As its scheduler counts.
  package let value: UInt64

  /// For schedulers.
  package init(value: UInt64) { self.value = value }
}

extension Instant {
  /// The next whole minute of this clock: what is done once a minute is done in one wake-up.
  package var nextMinute: Instant {
    let minute: UInt64 = 60_000_000_000
    return Instant(nanoseconds: nanoseconds / minute * minute) + .nanoseconds(Int64(minute))
  }
}
