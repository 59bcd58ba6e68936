// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import Glibc

/// The one descriptor of a session: an epoll(7) that holds the agent's socket and a timer. Level-triggered.
final class Wakeups {
  private(set) var descriptor: Int32
  private var timer: Int32
  private var socket: Int32 = -1
  private var hasRoomWanted = false
  private var armed: Instant?

  init() throws(ContinuityError) {
    descriptor = continuo_epoll()
    timer = continuo_timer()
    guard descriptor >= 0, timer >= 0, continuo_epoll_watch(descriptor, timer, 1, 0) == 0 else {
      let code = errno
      close()
      throw ContinuityError(
        .invalidRequest, subject: "descriptor",
        "No descriptor can be had (\(String(cString: strerror(code)))): too many files are open.")
    }
  }

  deinit { close() }

  func close() {
    for each in [descriptor, timer] where each >= 0 { Glibc.close(each) }
    descriptor = -1
    timer = -1
  }

  /// Adds the agent's socket.
  func watch(_ socket: Int32) {
    self.socket = socket
    hasRoomWanted = false
    continuo_epoll_watch(descriptor, socket, 1, 0)
  }

  /// Before the socket is closed.
  func forget() {
    guard socket >= 0 else { return }
    continuo_epoll_forget(descriptor, socket)
    socket = -1
  }

  /// Whether room in the socket is an event, too.
  func wantsRoom(_ isWanted: Bool) {
    guard socket >= 0, isWanted != hasRoomWanted else { return }
    hasRoomWanted = isWanted
    continuo_epoll_watch(descriptor, socket, 0, isWanted ? 1 : 0)
  }

  /// Readable from `moment` on; nil for no time.
  func arm(at moment: Instant?, now: Instant) {
    guard moment != armed else { return }
    armed = moment
    let pause = moment.map { max(1, ($0 - now).nanoseconds) } ?? 0
    continuo_timer_arm(timer, UInt64(clamping: pause))
  }

  /// What the timer told was heard.
  func taken() {
    var count: UInt64 = 0
    if read(timer, &count, MemoryLayout<UInt64>.size) > 0 { armed = nil }
  }
}

/// This machine's clocks.
enum Clocks {
  static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
  }

  static var wallTime: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(milliseconds: UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000)
  }
}
