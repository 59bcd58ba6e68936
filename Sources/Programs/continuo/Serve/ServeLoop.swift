// SPDX-License-Identifier: MIT

import ActivityModel
import EditorProtocol
import Glibc

/// Waits for the editor, the agent and signals, and lets the desk do the rest. One thread.
final class ServeLoop {
  private let desk: StdioServer
  private let signals: EndSignals
  private var output = EditorOutput()
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  init(desk: StdioServer, signals: EndSignals) {
    self.desk = desk
    self.signals = signals
  }

  /// Returns the exit code when the editor is served.
  func run() -> Int32 {
    while true {
      collect()
      if let code = desk.exitCode {
        drain()
        return code
      }
      if output.count > EditorOutput.limit {
        Terminal.complain("The editor reads nothing: \(output.count) bytes wait. Start it again.")
        desk.handle(.ended)
        return 1
      }
      turn()
    }
  }

  private func turn() {
    let reads = output.count < EditorOutput.patience
    var polled = [
      pollfd(fd: reads ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: output.count > 0 ? STDOUT_FILENO : -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: desk.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&polled, nfds_t(polled.count), timeout) >= 0 else { return }
    if polled[3].revents != 0 { desk.end(hearing: signals.descriptor) }
    if polled[1].revents != 0, !output.write(to: STDOUT_FILENO) { return desk.handle(.ended) }
    if polled[2].revents != 0 { desk.dispatch() }
    if polled[0].revents != 0 { read() }
    desk.tick()
  }

  private var timeout: Int32 {
    guard let deadline = desk.nextDeadline else { return -1 }
    let left = max(.zero, deadline - MonotonicClock.now)
    return Int32(clamping: (left.nanoseconds + 999_999) / 1_000_000)
  }

  private func read() {
    let count = buffer.withUnsafeMutableBytes { Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    desk.handle(count > 0 ? .received(Array(buffer.prefix(count))) : .ended)
  }

  private func collect() {
    for frame in desk.takeFrames() { output.append(frame) }
  }

  /// The last answers, as long as somebody reads them.
  private func drain() {
    let deadline = MonotonicClock.now + .seconds(1)
    while output.count > 0, MonotonicClock.now < deadline {
      var polled = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
      guard poll(&polled, 1, 100) >= 0 || errno == EINTR else { return }
      if polled.revents != 0, !output.write(to: STDOUT_FILENO) { return }
    }
  }
}
