// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Glibc

/// Hints on their way to standard output: collected, then written in one piece, so that a burst costs few
/// writes.
final class HintOutput {
  enum Form {
    /// For the agent.
    case frames
    /// For people; names of the roots by number.
    case json(rootNames: [[UInt8]])
  }

  /// How many of the roots named for JSON are still followed.
  private(set) var liveRoots: Int
  private let form: Form
  private var buffer: [UInt8] = []

  init(_ form: Form) {
    self.form = form
    if case .json(let names) = form { liveRoots = names.count } else { liveRoots = 0 }
  }

  /// Whether it is time to write although more is coming.
  var isLarge: Bool { buffer.count >= 64 * 1024 }

  func append(_ hint: FolderHint) {
    if case .rootLost = hint { liveRoots -= 1 }
    switch form {
    case .frames: buffer += hint.frame
    case .json(let names):
      buffer += HintLine(rootNames: names).text(hint).utf8
      buffer.append(UInt8(ascii: "\n"))
    }
  }

  /// Writes everything, waiting for the reader as long as it takes: nothing is dropped, and if the kernel's
  /// queue overflows meanwhile, that is told as a rescan. False when the reader is gone.
  func flush() throws(Failure) -> Bool {
    var sent = 0
    while sent < buffer.count {
      let count = buffer[sent...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count >= 0 {
        sent += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var room = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&room, 1, -1)
      case EPIPE: return false
      default: throw .runtime("Writing failed: \(systemReason(errno)).")
      }
    }
    buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20)
    return true
  }
}
