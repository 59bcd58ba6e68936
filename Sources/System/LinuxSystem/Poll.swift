// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import Glibc

/// What a descriptor is waited for, or is ready for; see poll(2).
public struct Readiness: OptionSet, Sendable {
  /// As the kernel numbers them.
  public let rawValue: Int16
  /// Kinds of readiness with those bits.
  public init(rawValue: Int16) { self.rawValue = rawValue }

  /// Reading does not wait.
  public static let readable = Readiness(rawValue: Int16(POLLIN))
  /// Writing does not wait.
  public static let writable = Readiness(rawValue: Int16(POLLOUT))
  /// The other end of a socket writes no more: POLLRDHUP, which Glibc's module leaves out.
  public static let ended = Readiness(rawValue: 0x2000)
  /// The other end is gone, or the descriptor is none. Told whether it is asked for or not.
  public static let hungUp = Readiness(rawValue: Int16(POLLHUP | POLLERR | POLLNVAL))
}

/// Waiting for several descriptors at once.
public enum Poll {
  /// One descriptor that is waited for.
  public struct Entry: Sendable {
    /// The number; a negative one is left out.
    public var descriptor: CInt
    /// What it is waited for.
    public var interest: Readiness
    /// What it is ready for, after a wait.
    public fileprivate(set) var ready: Readiness = []

    /// `descriptor`, waited for until it is ready for something of `interest`.
    public init(_ descriptor: CInt, for interest: Readiness = .readable) {
      self.descriptor = descriptor
      self.interest = interest
    }
  }

  /// Waits until something is ready, a signal came, or `limit` has passed; for ever without a limit. Whether
  /// something is ready, which `entries` then tell. A limit is rounded up to whole milliseconds.
  @discardableResult
  public static func wait(for entries: inout [Entry], atMost limit: Duration? = nil) -> Bool {
    (try? waitOrFail(for: &entries, atMost: limit)) ?? false
  }

  /// The same; throws where poll(2) fails, a signal included.
  public static func waitOrFail(
    for entries: inout [Entry], atMost limit: Duration? = nil
  ) throws(Errno) -> Bool {
    var polled = entries.map { pollfd(fd: $0.descriptor, events: $0.interest.rawValue, revents: 0) }
    let count = poll(&polled, nfds_t(polled.count), limit.map(milliseconds) ?? -1)
    for index in entries.indices {
      entries[index].ready = count > 0 ? Readiness(rawValue: polled[index].revents) : []
    }
    if count < 0 { throw .current }
    return count > 0
  }

  /// Waits for one descriptor.
  @discardableResult
  public static func wait(
    for descriptor: CInt, until interest: Readiness, atMost limit: Duration? = nil
  ) -> Bool {
    var entries = [Entry(descriptor, for: interest)]
    return wait(for: &entries, atMost: limit)
  }

  private static func milliseconds(_ limit: Duration) -> CInt {
    limit <= .zero ? 0 : CInt(clamping: (limit.nanoseconds + 999_999) / 1_000_000)
  }
}

/// A descriptor that one thread waits for and any other makes ready; see eventfd(2).
public final class Wakeup: Sendable {
  private let event: Descriptor

  /// One that is not ready. Throws what eventfd(2) fails with.
  public init() throws(Errno) { event = Descriptor(owning: try calling { continuo_eventfd() }) }

  /// What to wait for.
  public var descriptor: CInt { event.number }

  /// Makes the descriptor readable. On any thread.
  public func signal() {
    var one: UInt64 = 1
    _ = Glibc.write(event.number, &one, MemoryLayout<UInt64>.size)
  }

  /// Makes the descriptor wait again; whether it was readable.
  public func drain() -> Bool { Self.drain(event.number) }

  /// The same for the event descriptor of somebody else.
  @discardableResult
  public static func drain(_ descriptor: CInt) -> Bool {
    var count: UInt64 = 0
    return read(descriptor, &count, MemoryLayout<UInt64>.size) == MemoryLayout<UInt64>.size
  }
}
