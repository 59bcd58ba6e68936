// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem
import Synchronization
import Testing

@testable import UserActivities

/// Streams over real sockets. The limit counts the time that other tests have the main actor, too.
@MainActor @Suite(.timeLimit(.minutes(20))) struct ContinuationStreamTests {
  private let input: InputStream
  private let output: OutputStream
  private let ends: StreamEnds
  private let other: Descriptor

  init() throws {
    let (end, other) = try UnixSocket.pair()
    let streams = ContinuationStreams(over: end)
    (input, output, ends) = (streams.input, streams.output, streams.ends)
    self.other = other
  }

  private func write(_ text: String) -> Int {
    let bytes = Array(text.utf8)
    return output.write(bytes, maxLength: bytes.count)
  }

  /// What one read gives; nil when it failed.
  private func read() -> String? {
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = input.read(&bytes, maxLength: bytes.count)
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// What one read of the other end gives; nil when there is nothing yet.
  private func readOther() -> String? {
    var bytes = [UInt8](repeating: 0, count: 100)
    guard let count = try? other.read(into: &bytes) else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test func nothingIsReadOrWrittenBeforeTheyAreOpen() throws {
    try other.writeAll(Array("hello".utf8))
    #expect(read() == nil && write("hello") == -1)
    #expect(input.streamStatus == .notOpen && input.streamError == nil && !input.hasBytesAvailable)
    input.open()
    output.open()
    #expect(input.streamStatus == .open && input.hasBytesAvailable && output.hasSpaceAvailable)
    #expect(read() == "hello" && !input.hasBytesAvailable)
    #expect(write("hello") == 5 && readOther() == "hello")
    #expect(input.read(UnsafeMutablePointer(bitPattern: 8)!, maxLength: -1) == 0 && write("") == 0)
  }

  @Test func s24d_oneDirectionEndsAndTheOtherGoesOn() throws {
    input.open()
    output.open()
    #expect(write("the last") == 8)
    output.close()
    #expect(write("more") == -1 && output.streamStatus == .closed)
    #expect(readOther() == "the last" && readOther() == "", "what was written, and then the end")
    try other.writeAll(Array("the answer".utf8))
    UnixSocket.shutDown(other, ending: .writing)
    #expect(read() == "the answer" && input.streamStatus == .open)
    #expect(read() == "" && input.streamStatus == .atEnd && read() == "")
    input.close()
    #expect(read() == nil && input.streamStatus == .closed)
  }

  @Test func s24d_whoWritesHearsThatNobodyReads() throws {
    output.open()
    UnixSocket.shutDown(other, ending: .reading)
    #expect(write("anybody?") == -1 && output.streamStatus == .error)
    let error = try #require(output.streamError as? ContinuityError)
    #expect(error.code == .connectionUnavailable)
    #expect(error.description.hasPrefix("The other end of the stream is gone: "))
    // The other way round, also for whoever waits for room.
    input.open()
    while (try? UnixSocket.sendAtOnce([1, 2, 3], to: other.number)) != nil {}
    input.close()
    #expect(Poll.wait(for: other.number, until: .writable, atMost: .seconds(10)))
    #expect(throws: Errno.brokenPipe) { try UnixSocket.sendAtOnce([1], to: other.number) }
  }

  /// An end that came before the link ended is one.
  @Test(arguments: [true, false]) func s24c_whatEndedBeforeIsWhole(hasEnded: Bool) throws {
    input.open()
    output.open()
    try other.writeAll(Array("all".utf8))
    if hasEnded { UnixSocket.shutDown(other, ending: .writing) }
    let reason = ContinuityError(.connectionUnavailable, subject: "streams", description: "No link.")
    ends.fail(reason)
    other.close()
    #expect(write("more") == -1 && output.streamError as? ContinuityError == reason)
    #expect(read() == "all")
    #expect(read() == (hasEnded ? "" : nil))
    #expect(input.streamStatus == (hasEnded ? .atEnd : .error))
    #expect(input.streamError as? ContinuityError == (hasEnded ? nil : reason))
  }

  @Test func streamsThatAreGivenUpEnd() throws {
    let (end, other) = try UnixSocket.pair()
    var streams: ContinuationStreams? = ContinuationStreams(over: end)
    streams?.output.open()
    #expect(streams?.output.write([1], maxLength: 1) == 1)
    streams = nil
    var bytes: [UInt8] = [0, 0]
    #expect(try other.read(into: &bytes) == 1)
    #expect(try other.read(into: &bytes) == 0)
  }

  @Test func whoReadsNothingIsSentNoMoreThanASocketHolds() throws {
    output.open()
    let piece = [UInt8](repeating: 1, count: 64 << 10)
    var count = 0
    while output.hasSpaceAvailable { count += output.write(piece, maxLength: piece.count) }
    #expect((1..<(4 << 20)).contains(count))
    var room = [UInt8](repeating: 0, count: 64 << 10)
    var read = 0
    while let more = try? other.read(into: &room) { read += more }
    #expect(read == count && output.hasSpaceAvailable)
  }

  @Test func aStreamThatIsClosedMeanwhileWaitsNoMore() throws {
    for direction in [UnixSocket.Direction.reading, .writing] {
      let (end, other) = try UnixSocket.pair()
      let half = SocketHalf(of: end, for: direction)
      half.open()
      let bytes = [UInt8](repeating: 1, count: 1 << 20)
      if direction == .writing {
        while half.isReady { _ = bytes.withUnsafeBytes { half.write($0) } }
      }
      try DetachedThread.start { half.close() }
      var room = bytes
      let ended =
        direction == .reading
        ? room.withUnsafeMutableBytes { half.read(into: $0) } : bytes.withUnsafeBytes { half.write($0) }
      #expect(ended == -1)
      withExtendedLifetime(other) {}
    }
  }

  // MARK: Events

  /// Writes what it is told down, reads what is there, and writes one piece.
  private final class Reader: NSObject, StreamDelegate, Sendable {
    let events = Mutex<[Stream.Event]>([])
    let read = Mutex("")
    let ended = DispatchSemaphore(value: 0)
    let onEnd: @Sendable () -> Void

    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    func stream(_ stream: Stream, handle event: Stream.Event) {
      events.withLock { $0.append(event) }
      if event == .hasBytesAvailable, let input = stream as? InputStream {
        var bytes: [UInt8] = [0, 0, 0]
        let count = input.read(&bytes, maxLength: bytes.count)
        read.withLock { $0 += String(decoding: bytes[..<max(0, count)], as: UTF8.self) }
      }
      guard event == .endEncountered || event == .errorOccurred else { return }
      stream.close()
      onEnd()
    }
  }

  private func check(_ reader: Reader) {
    let events = reader.events.withLock { $0 }
    #expect(events.first == .openCompleted && events.last == .endEncountered)
    #expect(events.dropFirst().dropLast().allSatisfy { $0 == .hasBytesAvailable } && events.count >= 5)
    #expect(reader.read.withLock { $0 } == "one, two")
  }

  @Test func theMainLoopTellsWhatTheDelegateHasNotRead() async throws {
    try other.writeAll(Array("one, two".utf8))
    UnixSocket.shutDown(other, ending: .writing)
    let input = input
    var reader: Reader?
    await withCheckedContinuation { continuation in
      let new = Reader { continuation.resume() }
      reader = new
      input.delegate = new
      input.schedule(in: .main, forMode: .default)
      input.open()
    }
    check(try #require(reader))
  }

  @Test func aLoopOfAnotherThreadStaysUntilTheEnd() async throws {
    let (end, other) = try UnixSocket.pair()
    let reader = Reader {}
    await withCheckedContinuation { continuation in
      let thread = Thread {
        let input = ContinuationStreams(over: end).input
        input.delegate = reader
        input.schedule(in: .current, forMode: .default)
        input.open()
        // What comes after the loop began wakes it.
        let writing = Timer(timeInterval: 0, repeats: false) { _ in
          _ = try? DetachedThread.start {
            try? other.writeAll(Array("one, two".utf8))
            UnixSocket.shutDown(other, ending: .writing)
          }
        }
        RunLoop.current.add(writing, forMode: .default)
        while input.streamStatus != .closed, RunLoop.current.run(mode: .default, before: .distantFuture) {}
        continuation.resume()
      }
      thread.start()
    }
    check(reader)
  }

  @Test func theDelegateOfAnOutputIsToldOnceUntilItWrites() async throws {
    let output = output
    let events = Mutex(0)
    final class Writer: NSObject, StreamDelegate {
      var onSpace: (OutputStream) -> Void = { _ in }
      func stream(_ stream: Stream, handle event: Stream.Event) {
        if event == .hasSpaceAvailable, let output = stream as? OutputStream { onSpace(output) }
      }
    }
    let writer = Writer()
    output.delegate = writer
    await withCheckedContinuation { continuation in
      writer.onSpace = { output in
        let count = events.withLock { count in
          count += 1
          return count
        }
        if count <= 3 { _ = output.write([UInt8(count)], maxLength: 1) } else { continuation.resume() }
      }
      output.schedule(in: .main, forMode: .default)
      output.open()
    }
    var bytes = [UInt8](repeating: 0, count: 9)
    #expect(try other.read(into: &bytes) == 3 && Array(bytes[..<3]) == [1, 2, 3])
    output.remove(from: .main, forMode: .default)
    _ = output.write([4], maxLength: 1)
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    #expect(events.withLock { $0 } == 4)
  }
}
