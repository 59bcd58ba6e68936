// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import CLinux
import Glibc

/// Reads frame by frame and never across a frame's end, so that a descriptor belongs to the frame whose first
/// byte it came beside.
struct FrameInput {
  enum Result {
    case frame([UInt8], Int32?)
    case wouldBlock
    case ended
    case failed(Int32)
    case nonsense(ContinuityError)
  }

  private var bytes: [UInt8] = []
  private var wanted = 4
  private var isContent = false
  private var beside: Int32?

  mutating func read(from socket: Int32) -> Result {
    while true {
      if bytes.count == wanted, let result = finishPart() { return result }
      var chunk = [UInt8](repeating: 0, count: wanted - bytes.count)
      guard !chunk.isEmpty else { continue }
      var received: Int32 = -1
      let count = continuo_receive(socket, &chunk, chunk.count, &received)
      if count < 0 {
        let code = errno
        if code == EINTR { continue }
        return code == EAGAIN || code == EWOULDBLOCK ? .wouldBlock : .failed(code)
      }
      take(received)
      if count == 0 { return .ended }
      bytes += chunk.prefix(count)
    }
  }

  /// Closes what was received and not handed on.
  mutating func discard() {
    if let beside { close(beside) }
    beside = nil
  }

  private mutating func take(_ received: Int32) {
    guard received >= 0 else { return }
    if beside == nil { beside = received } else { close(received) }
  }

  /// Nil after a length: its content is to be read now.
  private mutating func finishPart() -> Result? {
    let part = bytes
    bytes = []
    if isContent {
      isContent = false
      wanted = 4
      defer { beside = nil }
      return .frame(part, beside)
    }
    let length = part.reduce(0) { $0 << 8 | Int($1) }
    guard (1...CBOR.Limits.message.bytes).contains(length) else {
      return .nonsense(
        ContinuityError(.invalidBytes, subject: "frame", "The agent sent a frame of \(length) bytes."))
    }
    isContent = true
    wanted = length
    return nil
  }
}

/// Frames that wait for the socket, each with the descriptor that goes beside its first byte.
struct FrameOutput {
  enum Result {
    case done
    case wouldBlock
    case failed(Int32)
  }

  private struct Frame {
    var bytes: [UInt8]
    var sent = 0
    var descriptor: Int32?
  }

  /// The most bytes that wait; an agent this far behind is taken as gone.
  static let byteLimit = 4 * 1024 * 1024
  /// The most frames that wait.
  static let frameLimit = 4096

  private var frames: [Frame] = []
  private var first = 0
  private var waiting = 0

  var isEmpty: Bool { first == frames.count }

  /// Takes a frame and a duplicate of the descriptor; false beyond the limits.
  mutating func append(_ bytes: [UInt8], descriptor: Int32?) -> Bool {
    guard waiting + bytes.count <= Self.byteLimit, frames.count - first < Self.frameLimit else {
      return false
    }
    // Without a duplicate (descriptor table full) the frame still goes: the agent opens the file by itself.
    let copy = descriptor.flatMap { original in
      let copy = fcntl(original, F_DUPFD_CLOEXEC, 0)
      return copy >= 0 ? copy : nil
    }
    frames.append(Frame(bytes: bytes, descriptor: copy))
    waiting += bytes.count
    return true
  }

  mutating func write(to socket: Int32) -> Result {
    while first < frames.count {
      let frame = frames[first]
      let count = frame.bytes[frame.sent...].withUnsafeBytes {
        continuo_send(socket, $0.baseAddress, $0.count, frame.descriptor ?? -1)
      }
      if count < 0 {
        let code = errno
        if code == EINTR { continue }
        return code == EAGAIN || code == EWOULDBLOCK ? .wouldBlock : .failed(code)
      }
      advance(by: count)
    }
    frames.removeAll(keepingCapacity: true)
    first = 0
    return .done
  }

  mutating func removeAll() {
    for frame in frames[first...] {
      if let descriptor = frame.descriptor { close(descriptor) }
    }
    self = FrameOutput()
  }

  private mutating func advance(by count: Int) {
    if let descriptor = frames[first].descriptor {
      close(descriptor)
      frames[first].descriptor = nil
    }
    frames[first].sent += count
    waiting -= count
    if frames[first].sent == frames[first].bytes.count {
      frames[first].bytes = []
      first += 1
    }
  }
}
