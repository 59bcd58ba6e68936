// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Testing

@testable import continuo

@Suite("What waits for an editor to read it")
struct EditorOutputTests {
  private func ends(isSocket: Bool) throws -> (read: Int32, write: Int32) {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    if isSocket {
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    } else {
      try #require(continuo_pipe(&ends, 0) == 0)
    }
    return (ends[0], ends[1])
  }

  private func hasRoom(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  @Test(
    "It is written as far as there is room, in order, without a wait and without a change of flags",
    .timeLimit(.minutes(1)), arguments: [false, true])
  func writes(isSocket: Bool) throws {
    let (reader, writer) = try ends(isSocket: isSocket)
    defer { close(writer) }
    let flags = fcntl(writer, F_GETFL)
    let pieces = (0..<300).map { number in (0..<10_007).map { UInt8(truncatingIfNeeded: $0 + number) } }
    var output = EditorOutput()
    for piece in pieces { output.append(piece) }
    var isRead = true
    while hasRoom(writer) { isRead = output.write(to: writer) && isRead }
    #expect(output.count > 0, "Nobody holds three megabytes.")
    var received: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while received.count < pieces.count * 10_007 {
      let count = read(reader, &chunk, chunk.count)
      try #require(count > 0)
      received += chunk.prefix(count)
      while output.count > 0, hasRoom(writer) { isRead = output.write(to: writer) && isRead }
    }
    #expect(isRead)
    #expect(received == Array(pieces.joined()))
    #expect(output.count == 0)
    #expect(fcntl(writer, F_GETFL) == flags)
    close(reader)
    // A child that another test starts has the pipe open, too, until it runs its own program.
    let deadline = ContinuousClock.now + .seconds(20)
    repeat {
      output.append([1])
      isRead = output.write(to: writer)
    } while isRead && ContinuousClock.now < deadline
    #expect(!isRead, "Nobody is there any more.")
  }
}
