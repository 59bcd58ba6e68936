// SPDX-License-Identifier: MIT

import CDesktopGLib
import Glibc

/// The agent's end of this program: frames from standard input, frames to standard output. Waits for neither.
final class AgentLink {
  /// Set before `open`.
  var onFrame: (DesktopFrame) -> Void = { _ in }
  /// The agent is gone, or what it sent is broken; nothing is read after it.
  var onEnd: (DesktopFault?) -> Void = { _ in }

  private var reader = DesktopFrameReader()
  private var unsent: [UInt8] = []
  private var input: LoopWatch?
  private var output: LoopWatch?

  /// An agent that takes nothing any more.
  private static let unsentLimit = 1 << 20

  func open() {
    let flags = fcntl(STDOUT_FILENO, F_GETFL)
    if flags >= 0 { _ = fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK) }
    input = LoopWatch(STDIN_FILENO, for: G_IO_IN) { [weak self] in self?.readSome() }
  }

  func send(_ fields: [String]) {
    unsent += DesktopFrame.bytes(of: fields)
    if output == nil { writeSome() }
  }

  private func readSome() {
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    let count = read(STDIN_FILENO, &piece, piece.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else { return end(reader.isInTheMidst ? DesktopFrame.cut : nil) }
    reader.take(piece.prefix(count))
    do throws(DesktopFault) {
      while input != nil, let frame = try reader.next() { onFrame(frame) }
    } catch { end(error) }
  }

  private func writeSome() {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN, unsent.count <= Self.unsentLimit {
        if output == nil {
          output = LoopWatch(STDOUT_FILENO, for: G_IO_OUT) { [weak self] in self?.writeSome() }
        }
        return
      }
      guard count > 0 else {
        unsent = []
        output = nil
        return end(nil)
      }
      unsent.removeFirst(count)
    }
    output = nil
  }

  /// Reads no more; for a frame that was not understood.
  func end(_ fault: DesktopFault?) {
    guard input != nil else { return }
    input = nil
    onEnd(fault)
  }
}
