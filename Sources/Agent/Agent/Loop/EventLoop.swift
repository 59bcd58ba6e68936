// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import LinuxSystem
import Synchronization

/// The agent's one thread: waits for descriptors, timers and posted work, and calls handlers in turn.
///
/// Everything but `Mailbox.post` belongs to the thread that calls `run`. An idle loop sleeps in poll(2).
final class EventLoop: Scheduler {
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
  /// Is called before a rest that `RestPace` calls long.
  var beforeRest: (() -> Void)?
  private var restPace = RestPace()
  /// Counts the waits, so that a handler can tell whether anything else had its turn since.
  private(set) var turns: UInt64 = 0

  init() throws(ContinuityError) {
    do throws(Errno) { mailbox = Mailbox(try Wakeup()) } catch {
      throw ContinuityError(
        .agentUnavailable, description: "The kernel gives no event descriptor: too many files are open.")
    }
  }

  /// Watches `descriptor`, which stays the caller's, until `forget`.
  func watch(_ descriptor: Int32, for interest: Readiness = .readable, handler: @escaping (Readiness) -> Void)
  {
    nextSource += 1
    sources[descriptor] = Source(number: nextSource, interest: interest, handler: handler)
  }

  var now: Instant { .now }

  var wall: WallTime { .now }

  func shown(_ moment: WallTime) -> ShownMoment { LocalTime.shown(moment) ?? ShownMoment(time: "?") }

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
    var entries = watched.map { Poll.Entry($0, for: $1.interest) } + [Poll.Entry(mailbox.wakeup.descriptor)]
    var due = timers.values.map(\.due).min()
    if let beforeRest {
      switch restPace.rest(from: .now, until: due) {
      case .short: break
      case .long: beforeRest()
      case .longFrom(let moment): due = moment
      }
    }
    guard Poll.wait(for: &entries, atMost: due.map { $0 - .now }) else { return [] }
    return zip(entries, watched).filter { !$0.0.ready.isEmpty }
      .map { ($0.descriptor, $1.1.number, $0.ready) }
  }

  private func fireTimers() {
    guard !timers.isEmpty else { return }
    let now = Instant.now
    let due = timers.filter { $0.value.due <= now }.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
    for (number, timer) in due where timers.removeValue(forKey: number) != nil { timer.handler() }
  }
}

/// Before which rests of the loop there is time to clear up: those of a second or more, if nothing comes; at
/// most once a second, for a person's pauses while typing look like that.
struct RestPace: Sendable {
  enum Rest: Equatable {
    case short
    /// To be cleared up before.
    case long
    /// Not yet: the loop is to look again then, if nothing comes.
    case longFrom(Instant)
  }

  private var last: Instant?

  /// `due` is when a timer ends the rest, nil for none.
  mutating func rest(from now: Instant, until due: Instant?) -> Rest {
    if let due, due < now + .seconds(1) { return .short }
    if let last, now < last + .seconds(1) { return .longFrom(last + .seconds(1)) }
    last = now
    return .long
  }
}

/// Brings results of other threads to the loop's thread. Safe from any thread.
final class Mailbox: Sendable {
  fileprivate let wakeup: Wakeup
  private let posted = Mutex<[@Sendable () -> Void]>([])

  fileprivate init(_ wakeup: Wakeup) { self.wakeup = wakeup }

  /// Runs `work` on the loop's thread, in the order of posting.
  func post(_ work: @escaping @Sendable () -> Void) {
    posted.withLock { $0.append(work) }
    wakeup.signal()
  }

  fileprivate func drain() {
    guard wakeup.drain() else { return }
    let work = posted.withLock { held in
      defer { held = [] }
      return held
    }
    for each in work { each() }
  }
}
