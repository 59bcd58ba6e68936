// SPDX-License-Identifier: MIT

import Dispatch
import LinuxSystem
import Synchronization

/// What a thread of its own makes. Any thread.
final class ThreadResult<Value: Sendable>: Sendable {
  private let box: Box

  /// What the thread holds: it goes on where nobody holds the result any more, until it looks.
  private final class Box: Sendable {
    let state = Mutex<(isAbandoned: Bool, value: Value?)>((false, nil))
    let ended = DispatchSemaphore(value: 0)
  }

  /// Begins at once. `make` asks every now and then whether it is still wanted. Throws when there can be no
  /// more threads.
  init(_ make: @escaping @Sendable (_ isAbandoned: () -> Bool) -> Value?) throws(Errno) {
    let box = Box()
    self.box = box
    try DetachedThread.start {
      let value = make { box.state.withLock { $0.isAbandoned } }
      box.state.withLock { if !$0.isAbandoned { $0.value = value } }
      box.ended.signal()
    }
  }

  deinit { abandon() }

  /// Nobody wants it.
  func abandon() {
    box.state.withLock { $0 = (true, nil) }
  }

  /// What was made; nil where that failed, and once `isCancelled`. Blocks until then.
  func value(_ isCancelled: () -> Bool) -> Value? {
    repeat {
      if isCancelled() { return nil }
    } while box.ended.wait(timeout: .now() + .milliseconds(50)) == .timedOut
    // For whoever asks again.
    box.ended.signal()
    return box.state.withLock { $0.value }
  }

  /// The same for the first who takes it, and nil for others.
  func take(_ isCancelled: () -> Bool) -> Value? {
    guard value(isCancelled) != nil else { return nil }
    return box.state.withLock { state in
      defer { state.value = nil }
      return state.value
    }
  }
}
