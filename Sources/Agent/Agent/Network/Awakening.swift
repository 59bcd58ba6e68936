// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// A word when this computer has slept. Loop thread only.
final class Awakening {
  /// Told right after the computer woke up.
  var onResume: () -> Void = {}
  private let loop: EventLoop
  private let slept: () -> Duration
  private var before: Duration
  private var notices: SleepNotices?

  /// A clock that was set is no sleep; both clocks are not read at one moment.
  private static let unnoticed = Duration.seconds(1)

  /// `slept` tells how long the computer has slept since it was started.
  init(loop: EventLoop, slept: @escaping () -> Duration = SleepNotices.slept) {
    (self.loop, self.slept, before) = (loop, slept, slept())
  }

  deinit { stop() }

  /// Tells from now on. Where the kernel has no descriptor left, nothing is told: what was linked is found
  /// out by its silence.
  func start() {
    guard notices == nil, let made = try? SleepNotices() else { return }
    (notices, before) = (made, slept())
    loop.watch(made.descriptor) { [weak self] _ in
      self?.notices?.drain()
      self?.look()
    }
  }

  /// Tells nothing more.
  func stop() {
    if let notices { loop.forget(notices.descriptor) }
    notices = nil
  }

  /// Whether the computer slept since somebody looked.
  func look() {
    let now = slept()
    guard now - before > Self.unnoticed else { return }
    before = now
    onResume()
  }
}
