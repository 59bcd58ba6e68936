// SPDX-License-Identifier: MIT

import AgentEngine
import Dispatch
import LinuxSystem
import Synchronization

/// Work on a thread of its own that the loop's thread can pause, stop and ask how far it is. Safe from any
/// thread.
final class HashWorker: RunningReading, ReadingControl, Sendable {
  private struct State {
    var isPaused = false
    var isStopped = false
  }

  private let state = Mutex(State())
  private let resumed = DispatchSemaphore(value: 0)
  private let read = Atomic<UInt64>(0)

  /// Bytes read so far.
  var bytes: UInt64 { read.load(ordering: .relaxed) }

  func report(_ bytes: UInt64) { read.store(bytes, ordering: .relaxed) }

  func pause() { state.withLock { $0.isPaused = true } }

  func resume() {
    state.withLock { $0.isPaused = false }
    resumed.signal()
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    resumed.signal()
  }

  /// Asked on the work's thread between two pieces: blocks while it is paused; false when it is to end.
  func mayGoOn() -> Bool {
    while true {
      let state = state.withLock { $0 }
      if state.isStopped { return false }
      guard state.isPaused else { return true }
      resumed.wait()
    }
  }

  /// Runs `work` on a thread that ends with it. False when there can be no more threads.
  ///
  /// A queue of Dispatch would not do: work that pauses would keep others from its few threads.
  static func begin(_ work: @escaping @Sendable () -> Void) -> Bool {
    (try? DetachedThread.start(work)) != nil
  }
}

/// Readings, each on a thread of its own.
final class ReadingThreads: Readers {
  private let mailbox: Mailbox
  let limit: Int

  /// At most `limit` at once, by default as many as the loop's thread leaves processors.
  init(loop: EventLoop, limit: Int = CurrentProcess.processors - 1) {
    mailbox = loop.mailbox
    self.limit = limit
  }

  func start(
    _ reading: FolderReading, done: @escaping (FolderReading.Answer) -> Void
  ) -> (any RunningReading)? {
    let worker = HashWorker()
    let home = LoopDelivery(done: done)
    let hasBegun = HashWorker.begin { [mailbox] in
      let answer = reading.perform(worker)
      mailbox.post { home.done(answer) }
    }
    return hasBegun ? worker : nil
  }

  /// Carries a callback to another thread and back; it is called on the loop's thread only.
  private struct LoopDelivery: @unchecked Sendable {  // guarded by the mailbox
    let done: (FolderReading.Answer) -> Void
  }
}
