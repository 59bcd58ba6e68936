// SPDX-License-Identifier: MIT

import Continuo
import Glibc
import Synchronization

/// Signals as bytes on a pipe, so that the loop meets them like any other event.
enum SignalPipe {
  private static let writeEnd = Atomic<Int32>(-1)

  /// Starts to listen; the returned descriptor is readable when a signal has come. Once per process.
  static func open() throws(ContinuityError) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw ContinuityError(.invalidRequest, "No pipe could be made: too many files are open.")
    }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    writeEnd.store(ends[1], ordering: .releasing)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    for number in [SIGWINCH, SIGTERM, SIGHUP, SIGINT] { sigaction(number, &action, nil) }
    // Whoever started the editor may have blocked them.
    var caught = sigset_t()
    sigemptyset(&caught)
    for number in [SIGWINCH, SIGTERM, SIGHUP, SIGINT] { sigaddset(&caught, number) }
    pthread_sigmask(SIG_UNBLOCK, &caught, nil)
    signal(SIGPIPE, SIG_IGN)
    return ends[0]
  }

  /// The signals since the last call.
  static func take(_ descriptor: Int32) -> Set<Int32> {
    var bytes = [UInt8](repeating: 0, count: 64)
    var signals: Set<Int32> = []
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return signals }
      signals.formUnion(bytes.prefix(count).map(Int32.init))
    }
  }

  /// Formed outside every actor: it runs on whichever thread the kernel chooses.
  private static let handler: @convention(c) (Int32) -> Void = { signal in
    let saved = errno
    var byte = UInt8(truncatingIfNeeded: signal)
    _ = write(writeEnd.load(ordering: .acquiring), &byte, 1)
    errno = saved
  }
}
