// SPDX-License-Identifier: MIT

package import ActivityModel
package import Foundation
package import LinuxSystem

// Foundation makes no streams over sockets on Linux.

/// What the other end of a connected socket wrote.
final class SocketInputStream: InputStream {
  /// Set once, by the initializer below.
  private var half: SocketHalf?

  fileprivate convenience init(_ half: SocketHalf) {
    self.init(data: Data())
    half.tell(self)
    self.half = half
  }

  deinit { half?.close() }

  override func open() { half?.open() }
  override func close() { half?.close() }
  override var streamStatus: Stream.Status { half?.status ?? .closed }
  override var streamError: (any Error)? { half?.error }
  override var hasBytesAvailable: Bool { half?.isReady ?? false }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
    half?.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: max(0, length))) ?? -1
  }

  /// There is none that would last.
  override func getBuffer(
    _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
  ) -> Bool { false }

  override func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode) {
    half?.schedule(in: loop, forMode: mode)
  }

  override func remove(from loop: RunLoop, forMode mode: RunLoop.Mode) {
    half?.remove(from: loop, forMode: mode)
  }
}

/// What the other end of a connected socket reads.
final class SocketOutputStream: OutputStream {
  /// Set once, by the initializer below.
  private var half: SocketHalf?

  fileprivate convenience init(_ half: SocketHalf) {
    self.init(toMemory: ())
    half.tell(self)
    self.half = half
  }

  deinit { half?.close() }

  override func open() { half?.open() }
  override func close() { half?.close() }
  override var streamStatus: Stream.Status { half?.status ?? .closed }
  override var streamError: (any Error)? { half?.error }
  override var hasSpaceAvailable: Bool { half?.isReady ?? false }

  override func write(_ buffer: UnsafePointer<UInt8>, maxLength length: Int) -> Int {
    half?.write(UnsafeRawBufferPointer(start: buffer, count: max(0, length))) ?? -1
  }

  override func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode) {
    half?.schedule(in: loop, forMode: mode)
  }

  override func remove(from loop: RunLoop, forMode mode: RunLoop.Mode) {
    half?.remove(from: loop, forMode: mode)
  }
}

/// The two streams of one app over its end of a connected socket.
package struct ContinuationStreams {
  /// What the other end wrote.
  package let input: InputStream
  /// What the other end reads.
  package let output: OutputStream
  /// What is left of both when nobody has them any more: nothing.
  package let ends: StreamEnds

  /// Both unopened. Reading and writing wait, as with any stream; a delegate is told of events in the run
  /// loop that the stream is scheduled in, the main one whatever its mode. Closing the output lets the other
  /// end read to the end, and closing the input lets it write no more; a stream that is given up closes
  /// itself. `socket` is closed with the last.
  package init(over socket: Descriptor) {
    let (reading, writing) = (
      SocketHalf(of: socket, for: .reading), SocketHalf(of: socket, for: .writing)
    )
    ends = StreamEnds(reading: reading, writing: writing)
    (input, output) = (SocketInputStream(reading), SocketOutputStream(writing))
  }
}

/// Both directions of a pair of streams, for whoever hears why they end; holds neither.
package struct StreamEnds: Sendable {
  private weak let reading: SocketHalf?
  private weak let writing: SocketHalf?

  fileprivate init(reading: SocketHalf, writing: SocketHalf) {
    (self.reading, self.writing) = (reading, writing)
  }

  /// The streams end for that reason: what came already is read first.
  package func fail(_ error: ContinuityError) {
    reading?.fail(error)
    writing?.fail(error)
  }
}
