// SPDX-License-Identifier: MIT

import CNcurses
import Glibc

/// Gives the terminal back when the program dies of a fault: the modes it had, and the terminal's own
/// sequence for leaving full-screen mode. Everything the handler touches is prepared before; it only makes
/// system calls.
enum TerminalRescue {
  /// Written on the main thread before `handler` can see it, read by the handler only.
  nonisolated(unsafe) private static var modes = termios()
  nonisolated(unsafe) private static var hasModes = false
  nonisolated(unsafe) private static var exit: UnsafeMutablePointer<CChar>?
  nonisolated(unsafe) private static var exitLength = 0
  nonisolated(unsafe) private static var previous: [sigaction] = []

  private static let faults = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// Before full-screen mode.
  static func rememberModes() { hasModes = tcgetattr(STDIN_FILENO, &modes) == 0 }

  /// In full-screen mode, when the terminal's description is loaded.
  static func rememberExit() {
    let sequences = ["BD", "cnorm", "rmcup"].compactMap { (name: String) in
      continuo_capability(name).map { String(cString: $0) }
    }
    exit = strdup(Mouse.endingSequence + sequences.joined())
    exitLength = exit.map { strlen($0) } ?? 0
    previous = faults.map { fault in
      var old = sigaction()
      var action = sigaction()
      action.__sigaction_handler.sa_handler = handler
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(fault, &action, &old)
      return old
    }
  }

  /// After full-screen mode.
  static func forget() {
    hasModes = false
    for (fault, old) in zip(faults, previous) {
      var old = old
      sigaction(fault, &old, nil)
    }
    previous = []
  }

  /// Restores the terminal and returns with the former handlers in place: the signal, blocked while this
  /// runs, comes again and takes its usual way.
  private static let handler: @convention(c) (Int32) -> Void = { signal in
    if hasModes { tcsetattr(STDIN_FILENO, TCSANOW, &modes) }
    if let exit { _ = write(STDOUT_FILENO, exit, exitLength) }
    forget()
    raise(signal)
  }
}
