// SPDX-License-Identifier: MIT

public import ActivityModel
import CLinux
import Glibc

/// One descriptor that stands for a socket and a timer, for hosts that wait for it in a loop of their own: an
/// epoll(7), level-triggered. One thread.
public final class WaitSet {
  private var events: Descriptor?
  private var timer: Descriptor?
  private var socket: CInt = -1
  private var hasRoomWanted = false
  private var armed: Instant?

  /// A set that nothing makes ready yet. Throws what epoll_create1(2) fails with.
  public init() throws(Errno) {
    let events = Descriptor(owning: try calling { continuo_epoll() })
    let timer = Descriptor(owning: try calling { continuo_timer() })
    try calling { continuo_epoll_watch(events.number, timer.number, 1, 0) }
    (self.events, self.timer) = (events, timer)
  }

  /// What to wait for; -1 after `close()`.
  public var descriptor: CInt { events?.number ?? -1 }

  /// Closes it, before its owner goes.
  public func close() { (events, timer) = (nil, nil) }

  /// Adds a connected socket, which stays the caller's.
  public func watch(_ socket: CInt) {
    self.socket = socket
    hasRoomWanted = false
    continuo_epoll_watch(descriptor, socket, 1, 0)
  }

  /// Takes the socket away, before it is closed.
  public func forget() {
    guard socket >= 0 else { return }
    continuo_epoll_forget(descriptor, socket)
    socket = -1
  }

  /// Sets whether room in the socket makes the descriptor ready, too.
  public func setRoomWanted(_ isWanted: Bool) {
    guard socket >= 0, isWanted != hasRoomWanted else { return }
    hasRoomWanted = isWanted
    continuo_epoll_watch(descriptor, socket, 0, isWanted ? 1 : 0)
  }

  /// Makes the descriptor ready from `moment` on; nil for no time.
  public func arm(at moment: Instant?, now: Instant) {
    guard let timer, moment != armed else { return }
    armed = moment
    let pause = moment.map { max(1, ($0 - now).nanoseconds) } ?? 0
    continuo_timer_arm(timer.number, UInt64(clamping: pause))
  }

  /// Notes that what the timer told was heard.
  public func drain() { if let timer, Wakeup.drain(timer.number) { armed = nil } }
}
