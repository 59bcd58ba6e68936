// SPDX-License-Identifier: MIT

/// The frames that come from a socket, each of a length in four bytes and a content. Reads frame by frame and
/// never across a frame's end, so that a descriptor belongs to the frame whose first byte it came beside.
public struct FrameInput {
  /// What the socket gave.
  public enum Result {
    /// A frame's content, and the descriptor that came beside it.
    case frame([UInt8], Descriptor?)
    /// Nothing more for now.
    case wouldBlock
    /// The other end closed the socket.
    case ended
    /// The socket failed.
    case failed(Errno)
    /// A frame of so many bytes was announced, which none may have.
    case nonsense(length: Int)
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  private var wanted = 4
  private var isContent = false
  private var beside: Descriptor?

  /// At the beginning of a connection whose frames have `limit` bytes of content at most.
  public init(limit: Int) { self.limit = limit }

  /// The next frame, or why there is none.
  public mutating func read(from socket: CInt) -> Result {
    while true {
      if bytes.count == wanted, let result = finishPart() { return result }
      var chunk = [UInt8](repeating: 0, count: wanted - bytes.count)
      guard !chunk.isEmpty else { continue }
      do throws(Errno) {
        let received = try UnixSocket.receive(into: &chunk, from: socket)
        beside = beside ?? received.beside
        if received.count == 0 { return .ended }
        bytes += chunk.prefix(received.count)
      } catch {
        return error == .wouldBlock ? .wouldBlock : .failed(error)
      }
    }
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
    guard (1...limit).contains(length) else { return .nonsense(length: length) }
    isContent = true
    wanted = length
    return nil
  }
}

/// Frames that wait for the socket, each with the descriptor that goes beside its first byte.
public struct FrameOutput {
  /// How far the socket took what waits.
  public enum Result {
    /// Nothing waits any more.
    case done
    /// The rest waits for room.
    case wouldBlock
    /// The socket failed.
    case failed(Errno)
  }

  private struct Frame {
    var bytes: [UInt8]
    var sent = 0
    var descriptor: Descriptor?
  }

  private let byteLimit: Int
  private let frameLimit: Int
  private var frames: [Frame] = []
  private var first = 0
  /// How many bytes wait.
  public private(set) var byteCount = 0

  /// With nothing that waits. Another end that is `byteLimit` bytes or `frameLimit` frames behind is taken as
  /// gone.
  public init(byteLimit: Int = 4 << 20, frameLimit: Int = 4096) {
    self.byteLimit = byteLimit
    self.frameLimit = frameLimit
  }

  /// Whether nothing waits.
  public var isEmpty: Bool { first == frames.count }

  /// Takes a frame, and a descriptor that goes beside it; false beyond the limits.
  public mutating func append(_ bytes: [UInt8], beside descriptor: Descriptor?) -> Bool {
    guard bytes.count <= byteLimit - byteCount, frames.count - first < frameLimit else { return false }
    frames.append(Frame(bytes: bytes, descriptor: descriptor))
    byteCount += bytes.count
    return true
  }

  /// Sends what waits, as far as the socket takes it.
  public mutating func write(to socket: CInt) -> Result {
    while first < frames.count {
      let frame = frames[first]
      do throws(Errno) {
        advance(by: try UnixSocket.send(frame.bytes[frame.sent...], beside: frame.descriptor, to: socket))
      } catch {
        return error == .wouldBlock ? .wouldBlock : .failed(error)
      }
    }
    frames.removeAll(keepingCapacity: true)
    first = 0
    return .done
  }

  /// Forgets what waits, and closes the descriptors that would have gone with it.
  public mutating func removeAll() { self = FrameOutput(byteLimit: byteLimit, frameLimit: frameLimit) }

  private mutating func advance(by count: Int) {
    frames[first].descriptor = nil
    frames[first].sent += count
    byteCount -= count
    guard frames[first].sent == frames[first].bytes.count else { return }
    frames[first].bytes = []
    first += 1
    // Another end that is always a little behind: what was sent does not stay for ever.
    if first >= 64, first * 2 > frames.count {
      frames.removeFirst(first)
      first = 0
    }
  }
}
