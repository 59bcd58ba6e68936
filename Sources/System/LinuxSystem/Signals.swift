// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Synchronization

/// A signal; see signal(7).
public struct Signal: Hashable, Sendable, RawRepresentable {
  /// Its number.
  public let rawValue: CInt
  /// The signal with that number.
  public init(rawValue: CInt) { self.rawValue = rawValue }

  /// A person presses Ctrl-C.
  public static let interrupt = Signal(rawValue: SIGINT)
  /// The process is asked to end.
  public static let terminate = Signal(rawValue: SIGTERM)
  /// The terminal went away.
  public static let hangUp = Signal(rawValue: SIGHUP)
  /// The process ends without a word.
  public static let kill = Signal(rawValue: SIGKILL)
  /// The process stands still.
  public static let stop = Signal(rawValue: SIGSTOP)
  /// A process that stands still goes on.
  public static let resume = Signal(rawValue: SIGCONT)
  /// The terminal has another size.
  public static let windowChange = Signal(rawValue: SIGWINCH)

  /// Sends it to a process, whoever started that; whether there is one that took it.
  @discardableResult
  public func send(to process: CInt) -> Bool { Glibc.kill(process, rawValue) == 0 }

  /// A write to a pipe or socket that nobody reads gives `brokenPipe` from now on, and does not end the
  /// process.
  public static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}

/// Makes signals readable at a descriptor, instead of ending the process. One at a time in a process.
public final class SignalPipe: Sendable {
  private let readEnd: Descriptor
  private let writeEnd: Descriptor
  private let signals: [Signal]
  /// Where the handler writes; handlers may touch nothing that locks.
  private static let current = Atomic<CInt>(-1)

  /// Catches `signals` from now on, on whichever thread they come. Throws what pipe2(2) fails with.
  public init(_ signals: [Signal]) throws(Errno) {
    self.signals = signals
    (readEnd, writeEnd) = try Pipe.make(nonBlocking: true)
    Self.current.store(writeEnd.number, ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = Self.handler
    action.sa_flags = SA_RESTART
    var caught = sigset_t()
    sigemptyset(&caught)
    for signal in signals {
      sigaction(signal.rawValue, &action, nil)
      sigaddset(&caught, signal.rawValue)
    }
    pthread_sigmask(SIG_UNBLOCK, &caught, nil)
  }

  deinit { Self.current.store(-1, ordering: .relaxed) }

  /// Readable when a signal came.
  public var descriptor: CInt { readEnd.number }

  /// The signals that came since, oldest first. Does not wait.
  public func read() -> [Signal] {
    var bytes = [UInt8](repeating: 0, count: 64)
    var taken: [Signal] = []
    while let count = try? readEnd.read(into: &bytes), count > 0 {
      taken += bytes.prefix(count).map { Signal(rawValue: CInt($0)) }
    }
    return taken
  }

  private static let handler: @convention(c) (CInt) -> Void = { signal in
    let interrupted = errno
    var byte = UInt8(truncatingIfNeeded: signal)
    _ = write(SignalPipe.current.load(ordering: .relaxed), &byte, 1)
    errno = interrupted
  }
}

/// Two descriptors, of which one reads what is written to the other.
public enum Pipe {
  /// A pipe that has room at all has it for so many bytes.
  public static let smallestRoom = Int(PIPE_BUF)

  /// Both closed in programs that this one starts. Throws what pipe2(2) fails with.
  public static func make(nonBlocking: Bool = false) throws(Errno) -> (read: Descriptor, write: Descriptor) {
    var ends: [CInt] = [-1, -1]
    try calling { continuo_pipe(&ends, nonBlocking ? 1 : 0) }
    return (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
  }
}
