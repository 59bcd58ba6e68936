// SPDX-License-Identifier: MIT

import Continuo
import LinuxSystem
import TextEditing

/// The program's one loop: waits for keys, for signals and for the main queue, and draws what changed.
@MainActor struct EditorLoop {
  let terminal: Terminal
  let session: EditorSession
  let signals: SignalPipe

  /// From now on the loop meets signals like any other event. Throws a sentence when too many files are open.
  static func catchSignals() throws(ContinuityError) -> SignalPipe {
    do throws(Errno) {
      let signals = try SignalPipe([.windowChange, .terminate, .hangUp, .interrupt])
      Signal.ignoreBrokenPipes()
      return signals
    } catch {
      throw ContinuityError(.invalidRequest, description: "No pipe could be made: too many files are open.")
    }
  }

  /// Runs until the person quits, or the editor is told to go; the latter returns the signal.
  func run() -> Signal? {
    session.resize(terminal.size)
    while !session.isFinished {
      terminal.draw(session.frame)
      var waited = [
        Poll.Entry(BorrowedDescriptor.standardInput.number), Poll.Entry(MainLoop.descriptor),
        Poll.Entry(signals.descriptor),
      ]
      Poll.wait(for: &waited, atMost: session.wakeAt.map { $0 - .now })
      if !waited[2].ready.isEmpty, let ending = takeSignals() { return ending }
      if !waited[0].ready.isEmpty, !takeKeys() { return .hangUp }
      if !waited[1].ready.isEmpty {
        MainLoop.drain()
        session.noteConnection()
        session.handle(.documentsChanged)
      }
      if let wakeAt = session.wakeAt, .now >= wakeAt { session.handle(.tick) }
    }
    return nil
  }

  private func takeSignals() -> Signal? {
    let taken = signals.read()
    if taken.contains(.windowChange) { session.resize(terminal.resize()) }
    return taken.first { $0 != .windowChange }
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
      Poll.wait(for: MainLoop.descriptor, until: .readable)
    }
  }
}
