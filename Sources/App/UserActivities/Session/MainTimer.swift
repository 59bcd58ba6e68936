// SPDX-License-Identifier: MIT

import ActivityModel
import Dispatch

/// One pending call on the main queue.
@MainActor
final class MainTimer {
  private var deadline: Instant?
  private var item: DispatchWorkItem?

  /// Whether `arm` would leave the timer as it is.
  func isArmed(for moment: Instant?) -> Bool {
    guard let moment, let deadline else { return moment == nil && deadline == nil }
    return deadline <= moment
  }

  /// Calls `body` at `moment`. A later moment than the one already armed leaves the timer alone, for the
  /// owner arms again whenever it is called; nil cancels.
  func arm(at moment: Instant?, now: Instant, _ body: @escaping @MainActor () -> Void) {
    guard !isArmed(for: moment) else { return }
    guard let moment else { return cancel() }
    cancel()
    deadline = moment
    let item = DispatchWorkItem { [weak self] in
      MainActor.assumeIsolated {
        self?.deadline = nil
        self?.item = nil
        body()
      }
    }
    self.item = item
    let pause = max(.zero, moment - now)
    let interval = DispatchTimeInterval.nanoseconds(Int(clamping: pause.nanoseconds))
    DispatchQueue.main.asyncAfter(deadline: .now() + interval, execute: item)
  }

  /// Calls nothing any more.
  func cancel() {
    item?.cancel()
    item = nil
    deadline = nil
  }
}
