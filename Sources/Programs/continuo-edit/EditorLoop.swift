// SPDX-License-Identifier: MIT

import Continuo
import Glibc
import TextEditing

/// The program's one loop: waits for keys, for signals and for the main queue, and draws what changed.
@MainActor struct EditorLoop {
  let terminal: Terminal
  let session: EditorSession
  let signals: Int32

  /// Runs until the person quits, or the editor is told to go; the latter returns the signal.
  func run() -> Int32? {
    session.resize(terminal.size)
    while !session.isFinished {
      terminal.draw(session.frame)
      var ready = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: MainLoop.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      ]
      poll(&ready, nfds_t(ready.count), timeout)
      if ready[2].revents != 0, let ending = takeSignals() { return ending }
      if ready[0].revents != 0, !takeKeys() { return SIGHUP }
      if ready[1].revents != 0 {
        MainLoop.drain()
        session.noteConnection()
        session.handle(.documentsChanged)
      }
      if let wakeAt = session.wakeAt, EditorSession.now >= wakeAt { session.handle(.tick) }
    }
    return nil
  }

  private var timeout: Int32 {
    guard let wakeAt = session.wakeAt else { return -1 }
    let left = max(.zero, wakeAt - EditorSession.now)
    return Int32(clamping: left.nanoseconds / 1_000_000 + 1)
  }

  private func takeSignals() -> Int32? {
    let taken = SignalPipe.take(signals)
    if taken.contains(SIGWINCH) { session.resize(terminal.resize()) }
    return taken.first { $0 != SIGWINCH }
  }

  private func takeKeys() -> Bool {
    guard let keys = terminal.readKeys() else { return false }
    for key in keys where !session.isFinished { session.handle(.key(key)) }
    return true
  }

  /// Runs the main queue until `task` is done: for what is asynchronous before and after the screen.
  static func wait<Success: Sendable>(for task: @escaping @MainActor () async -> Success) -> Success {
    var result: Success?
    Task { result = await task() }
    while true {
      MainLoop.drain()
      if let result { return result }
      var ready = pollfd(fd: MainLoop.descriptor, events: Int16(POLLIN), revents: 0)
      poll(&ready, 1, -1)
    }
  }
}
