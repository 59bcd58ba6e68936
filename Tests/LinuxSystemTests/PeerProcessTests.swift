// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LinuxSystem

/// The process at the other end of a socket, which is told while it is that process and no longer.
@Suite(.waiting) struct PeerProcessTests {
  @Test("the peer of a socket is read by its number")
  func isRead() throws {
    let scratch = try Scratch("peer")
    let listener = try UnixSocket.make()
    try UnixSocket.bind(listener, to: scratch.path + "/socket")
    try UnixSocket.listen(listener, backlog: 1)
    let near = try UnixSocket.make()
    try UnixSocket.connect(near, to: scratch.path + "/socket")
    let peer = try #require(PeerProcess(of: try UnixSocket.accept(from: listener)))
    #expect(peer.number == CurrentProcess.number)
    #expect(peer.read { $0.appending(Array("exe".utf8)).linkTarget } == CurrentProcess.program)
  }

  @Test("what was read of a process that has ended meanwhile is not told, however many bear its number then")
  func endsWhileItIsRead() throws {
    let child = try ChildProcess(ChildProcess.Start("sleep", arguments: ["600"], environment: [:]))
    let peer = try #require(PeerProcess(openedByNumber: child.process))
    #expect(peer.read { $0.shown } == "/proc/\(child.process)")
    #expect(
      peer.read { folder in
        child.kill()
        return folder.shown
      } == nil)
    #expect(peer.read { $0.shown } == nil)
    #expect(PeerProcess(openedByNumber: child.process) == nil)
  }
}
