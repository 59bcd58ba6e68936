// SPDX-License-Identifier: MIT

import ActivityModel
import AppSession
import Dispatch
import Foundation
import LinuxSystem
import Synchronization

/// One direction of a connected socket, as one stream uses it, with the events that the stream's delegate is
/// told of. Any thread; the socket is closed when both halves are gone.
///
/// An event comes once for what was read or written: the next one after the stream was used again, as with
/// Apple's streams.
final class SocketHalf: Sendable {
  private struct Schedule: @unchecked Sendable {  // timers are added on any thread: the loop guards itself
    let loop: RunLoop
    let mode: RunLoop.Mode
    /// A loop for which nothing is left ends: this is left until the stream is removed or closed. The loop of
    /// another thread is woken by it, too: a timer that is added while that arms its own may not wake it.
    let stay: Timer

    init(_ loop: RunLoop, mode: RunLoop.Mode) {
      (self.loop, self.mode) = (loop, mode)
      stay =
        loop === RunLoop.main
        ? Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
        : Timer(timeInterval: 1, repeats: true) { _ in }
      loop.add(stay, forMode: mode)
    }
  }

  private struct Waiting: @unchecked Sendable {  // libdispatch guards what belongs to it
    let source: any DispatchSourceProtocol

    func cancel() { source.cancel() }
  }

  private struct State {
    var status = Stream.Status.notOpen
    var failure: ContinuityError?
    /// Why there will be no more than what the socket holds.
    var isCutOff: ContinuityError?
    var schedules: [Schedule] = []
    /// Waits for the socket to be ready, so that the delegate is told.
    var waiting: Waiting?
  }

  private struct Listener: @unchecked Sendable {  // used in the run loop that the stream is scheduled in
    weak var stream: Stream?
  }

  /// The most bytes that are handed to the kernel at a time.
  private static let pieceSize = 256 << 10

  private let socket: Descriptor
  private let direction: UnixSocket.Direction
  private let state = Mutex(State())
  private let listener = Mutex(Listener())

  init(of socket: Descriptor, for direction: UnixSocket.Direction) {
    (self.socket, self.direction) = (socket, direction)
  }

  deinit { close() }

  /// Whose delegate is told.
  func tell(_ stream: Stream) {
    let listener = Listener(stream: stream)
    self.listener.withLock { $0 = listener }
  }

  var status: Stream.Status { state.withLock { $0.status } }

  var error: ContinuityError? { state.withLock { $0.failure } }

  /// Whether reading or writing does not wait; so it is at the end, too, which only that finds out.
  var isReady: Bool { status == .open && Poll.wait(for: socket.number, until: interest, atMost: .zero) }

  private var interest: Readiness { direction == .reading ? .readable : .writable }

  // MARK: From opening to closing

  func open() {
    guard change(from: .notOpen, to: .open) else { return }
    deliver(.openCompleted)
    wait()
  }

  /// Ends this direction: the other end reads what was written and then the end, or can write no more.
  func close() {
    let isFirst = state.withLock { state in
      guard state.status != .closed else { return false }
      state.status = .closed
      state.waiting?.cancel()
      state.waiting = nil
      for schedule in state.schedules { schedule.stay.invalidate() }
      state.schedules = []
      return true
    }
    if isFirst { UnixSocket.shutDown(socket, ending: direction) }
  }

  /// Ends this direction for that reason: writing at once, reading where what came ends, unless that is an
  /// end of the other app's.
  func fail(_ error: ContinuityError) {
    if direction == .reading, Poll.wait(for: socket.number, until: .ended, atMost: .zero) { return }
    state.withLock { $0.isCutOff = error }
    if direction == .writing, change(from: .open, to: .error, because: error) { deliver(.errorOccurred) }
  }

  /// False where it is another one by now.
  private func change(
    from former: Stream.Status, to new: Stream.Status, because failure: ContinuityError? = nil
  ) -> Bool {
    state.withLock { state in
      guard state.status == former else { return false }
      (state.status, state.failure) = (new, failure)
      return true
    }
  }

  // MARK: Bytes

  /// Waits for bytes, and reads as many as are there and have room; 0 at the end, -1 for a stream that is not
  /// open, or failed.
  func read(into room: UnsafeMutableRawBufferPointer) -> Int {
    if status == .atEnd || room.isEmpty { return 0 }
    return transfer { () throws(Errno) in try socket.read(into: room) }
  }

  /// Waits for room, and writes as many bytes as have some; -1 for a stream that is not open, or failed.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    let piece = Array(bytes.prefix(Self.pieceSize))
    return transfer { () throws(Errno) in try UnixSocket.sendAtOnce(piece[...], to: socket.number) }
  }

  /// Waits until the socket is ready for `step`, and returns what that does.
  private func transfer(_ step: () throws(Errno) -> Int) -> Int {
    while status == .open {
      do throws(Errno) {
        let count = try step()
        guard count > 0 || direction == .writing else { return end() }
        wait()
        return count
      } catch {
        if error == .wouldBlock {
          waitForSocket()
        } else {
          fail(because: .lostStreams(because: error.clause))
        }
      }
    }
    return -1
  }

  /// Not for ever: what this process ends itself makes no room for the one who waits to write.
  private func waitForSocket() { Poll.wait(for: socket.number, until: interest, atMost: .seconds(1)) }

  private func end() -> Int {
    if let reason = state.withLock({ $0.isCutOff }) {
      fail(because: reason)
      return -1
    }
    guard change(from: .open, to: .atEnd) else { return -1 }
    deliver(.endEncountered)
    return 0
  }

  private func fail(because error: ContinuityError) {
    let reason = state.withLock { $0.isCutOff } ?? error
    if change(from: .open, to: .error, because: reason) { deliver(.errorOccurred) }
  }

  // MARK: Events

  func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode) {
    let schedule = Schedule(loop, mode: mode)
    let isOpen = state.withLock { state in
      guard state.status != .closed else { return false }
      state.schedules.append(schedule)
      return true
    }
    if isOpen { wait() } else { schedule.stay.invalidate() }
  }

  func remove(from loop: RunLoop, forMode mode: RunLoop.Mode) {
    let identity = ObjectIdentifier(loop)
    state.withLock { state in
      state.schedules.removeAll { schedule in
        guard ObjectIdentifier(schedule.loop) == identity, schedule.mode == mode else { return false }
        schedule.stay.invalidate()
        return true
      }
    }
  }

  /// Has the delegate told when the socket is ready.
  private func wait() {
    state.withLock { state in
      guard state.status == .open, state.waiting == nil, !state.schedules.isEmpty else { return }
      let number = socket.number
      let source: any DispatchSourceProtocol =
        direction == .reading
        ? DispatchSource.makeReadSource(fileDescriptor: number)
        : DispatchSource.makeWriteSource(fileDescriptor: number)
      source.setEventHandler { [weak self] in self?.becomeReady() }
      // The number is not given to another file while it is waited for.
      source.setCancelHandler { [socket] in withExtendedLifetime(socket) {} }
      state.waiting = Waiting(source: source)
      source.resume()
    }
  }

  private func becomeReady() {
    let isAwaited = state.withLock { state in
      guard let waiting = state.waiting else { return false }
      waiting.cancel()
      state.waiting = nil
      return true
    }
    if isAwaited { deliver(direction == .reading ? .hasBytesAvailable : .hasSpaceAvailable) }
  }

  /// Tells the delegate, in the loop that the stream is scheduled in: the main one by the main queue, which
  /// loops that are not Foundation's drain, too (`MainLoop`).
  private func deliver(_ event: Stream.Event) {
    guard let schedule = state.withLock({ $0.schedules.first }) else { return }
    if schedule.loop === RunLoop.main {
      DispatchQueue.main.async { self.handle(event) }
    } else {
      let timer = Timer(timeInterval: 0, repeats: false) { _ in self.handle(event) }
      schedule.loop.add(timer, forMode: schedule.mode)
    }
  }

  private func handle(_ event: Stream.Event) {
    guard state.withLock({ $0.status != .closed && !$0.schedules.isEmpty }),
      let stream = listener.withLock({ $0 }).stream
    else { return }
    stream.delegate?.stream(stream, handle: event)
  }
}
