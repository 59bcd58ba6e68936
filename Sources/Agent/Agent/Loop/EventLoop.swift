// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import CLinux
import Glibc
import LinuxSystem
import Synchronization

/// The agent's one thread: waits for descriptors, timers and posted work, and calls handlers in turn.
///
/// Everything but `Mailbox.post` belongs to the thread that calls `run`. An idle loop sleeps in poll(2).
final class EventLoop: Scheduler {
  struct Readiness: OptionSet {
    let rawValue: Int16
    static let readable = Readiness(rawValue: Int16(POLLIN))
    static let writable = Readiness(rawValue: Int16(POLLOUT))
    static let hungUp = Readiness(rawValue: Int16(POLLHUP | POLLERR | POLLNVAL))
  }

  private struct Source {
    /// A descriptor's number is reused at once: what was ready belongs to this watching only.
    let number: UInt64
    var interest: Readiness
    let handler: (Readiness) -> Void
  }

  private struct Timer {
    let due: Instant
    let handler: () -> Void
  }

  let mailbox: Mailbox
  private var sources: [Int32: Source] = [:]
  private var timers: [UInt64: Timer] = [:]
  private var nextTimer: UInt64 = 0
  private var nextSource: UInt64 = 0
  private var isRunning = true
  /// Counts the waits, so that a handler can tell whether anything else had its turn since.
  private(set) var turns: UInt64 = 0

  init() throws(ContinuityError) {
    let descriptor = continuo_eventfd()
    guard descriptor >= 0 else {
      throw ContinuityError(
        .agentUnavailable, "The kernel gives no event descriptor: too many files are open.")
    }
    mailbox = Mailbox(descriptor: descriptor)
  }

  /// Watches `descriptor`, which stays the caller's, until `forget`.
  func watch(_ descriptor: Int32, for interest: Readiness = .readable, handler: @escaping (Readiness) -> Void)
  {
    nextSource += 1
    sources[descriptor] = Source(number: nextSource, interest: interest, handler: handler)
  }

  var now: Instant { .now }

  var wall: WallTime { .now }

  func setInterest(_ interest: Readiness, of descriptor: Int32) { sources[descriptor]?.interest = interest }

  /// Before the descriptor is closed.
  func forget(_ descriptor: Int32) { sources[descriptor] = nil }

  @discardableResult
  func schedule(at due: Instant, perform handler: @escaping () -> Void) -> TimerNumber {
    nextTimer += 1
    timers[nextTimer] = Timer(due: due, handler: handler)
    return TimerNumber(value: nextTimer)
  }

  func cancel(_ timer: TimerNumber?) {
    if let timer { timers[timer.value] = nil }
  }

  func stop() { isRunning = false }

  func run() {
    while isRunning { turn() }
  }

  /// One wait, and the handlers of what it brought.
  func turn() {
    let ready = wait()
    turns += 1
    mailbox.drain()
    for each in ready {
      // Forgotten in this very turn, and perhaps watched anew as somebody else's.
      guard let source = sources[each.descriptor], source.number == each.source else { continue }
      source.handler(each.readiness)
    }
    fireTimers()
  }

  private func wait() -> [(descriptor: Int32, source: UInt64, readiness: Readiness)] {
    let watched = sources.map { ($0.key, $0.value) }
    var polled = watched.map { pollfd(fd: $0, events: $1.interest.rawValue, revents: 0) }
    polled.append(pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0))
    guard poll(&polled, nfds_t(polled.count), timeout()) > 0 else { return [] }
    return zip(polled, watched).filter { $0.0.revents != 0 }
      .map { ($0.fd, $1.1.number, Readiness(rawValue: $0.revents)) }
  }

  private func timeout() -> Int32 {
    guard let due = timers.values.map(\.due).min() else { return -1 }
    let left = (due - .now).nanoseconds
    return left <= 0 ? 0 : Int32(clamping: (left + 999_999) / 1_000_000)
  }

  private func fireTimers() {
    guard !timers.isEmpty else { return }
    let now = Instant.now
    let due = timers.filter { $0.value.due <= now }.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
    for (number, timer) in due where timers.removeValue(forKey: number) != nil { timer.handler() }
  }
}

/// Brings results of other threads to the loop's thread. Safe from any thread.
final class Mailbox: Sendable {
  let descriptor: Int32
  private let posted = Mutex<[@Sendable () -> Void]>([])

  fileprivate init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Runs `work` on the loop's thread, in the order of posting.
  func post(_ work: @escaping @Sendable () -> Void) {
    posted.withLock { $0.append(work) }
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  fileprivate func drain() {
    var count: UInt64 = 0
    guard read(descriptor, &count, 8) == 8 else { return }
    let work = posted.withLock { held in
      defer { held = [] }
      return held
    }
    for each in work { each() }
  }
}
