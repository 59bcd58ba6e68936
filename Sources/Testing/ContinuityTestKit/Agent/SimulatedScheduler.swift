// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine

/// The clocks and timers of an agent, in virtual time. A turn is a step of the world.
final class SimulatedScheduler: Scheduler {
  private struct Timer {
    let due: Instant
    let number: UInt64
    let body: () -> Void
  }

  private let process: AgentProcess
  /// By moment, then in the order in which they were asked for.
  private var timers: [Timer] = []
  /// When steps come whose timers were cancelled: another timer of that moment needs none of its own.
  private var spare: [Instant] = []
  private var count: UInt64 = 0

  init(_ process: AgentProcess) { self.process = process }

  var now: Instant { process.clocks.now }
  var wall: WallTime { process.clocks.wall }

  /// In universal time, always as of today.
  func shown(_ moment: WallTime) -> ShownMoment {
    let minutes = moment.milliseconds / 60_000 % 1440
    let digits = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return ShownMoment(time: digits.joined(separator: ":"))
  }
  var turns: UInt64 { UInt64(process.world.step) }

  @discardableResult
  func schedule(at due: Instant, perform body: @escaping () -> Void) -> TimerNumber {
    count += 1
    guard process.isAlive else { return TimerNumber(value: count) }
    var index = timers.count
    while index > 0, timers[index - 1].due > due { index -= 1 }
    timers.insert(Timer(due: due, number: count, body: body), at: index)
    if let place = spare.firstIndex(of: due) {
      spare.remove(at: place)
    } else {
      process.device.schedule(.timer, at: due) { [self] in fire(due) }
    }
    return TimerNumber(value: count)
  }

  func cancel(_ timer: TimerNumber?) {
    guard let timer, let index = timers.firstIndex(where: { $0.number == timer.value }) else { return }
    spare.append(timers.remove(at: index).due)
  }

  /// No timer is left.
  func forget() { (timers, spare) = ([], []) }

  private func fire(_ due: Instant) {
    guard process.isAlive else { return }
    if let first = timers.first, first.due <= now {
      timers.removeFirst().body()
    } else if let place = spare.firstIndex(of: due) {
      spare.remove(at: place)
    }
  }
}
