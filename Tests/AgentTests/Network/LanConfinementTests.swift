// SPDX-License-Identifier: MIT

import ActivityWire
import LinuxSystem
import LocalNetwork
import TestSupport
import Testing

@testable import Agent

/// What a network process can do that somebody has taken over. In a build for tests it tries by itself, right
/// before the first frame.
@Suite(.waiting) struct LanConfinementTests {
  @Test func neitherKeysNorDocumentsNorTheAgentNorOtherProgramsAreReached() throws {
    let world = try World()
    let scratch = world.scratch
    let targets = ["device.key", "document.txt", "agent.sock"].map { scratch.path + "/" + $0 }
    try Scratch.write([1], to: targets[0])
    try Scratch.write([1], to: targets[1])
    let agent = try UnixSocket.make()
    try UnixSocket.bind(agent, to: targets[2])
    try UnixSocket.listen(agent, backlog: 1)
    let log = try FilePath(scratch.path + "/log").open([.writeOnly, .create], mode: 0o600)
    let (own, others) = try UnixSocket.pair()
    var start = ChildProcess.Start(try #require(InstalledProgram.path(of: "continuo-lan")))
    start.changes = ["CONTINUO_LAN_FAULT": targets.joined(separator: ":")]
    start.standard = [others.number, nil, log.number]
    let child = try ChildProcess(start)
    var input = FrameInput(limit: 64)
    var greeting: LinkGreeting?
    while greeting == nil {
      try #require(Poll.wait(for: own.number, until: .readable, atMost: .seconds(8)))
      if case .frame(let content, _) = input.read(from: own.number) {
        greeting = try LinkGreeting(decoding: content)
      }
    }
    let status = try #require(Scratch.bytes(at: "/proc/\(child.process)/status"))
    let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
    #expect(lines.contains("NoNewPrivs:\t1") && lines.contains("Seccomp:\t2"))
    own.close()
    #expect(child.wait() == .code(0), "it ends with its agent")

    let text = String(decoding: try #require(Scratch.bytes(at: scratch.path + "/log")), as: UTF8.self)
    let tried = text.split(separator: "\n").map { $0.split(separator: ":").map { $0.drop { $0 == " " } } }
    #expect(tried.allSatisfy { $0.count == 3 && ["EPERM", "EACCES"].contains($0[2]) }, "\(text)")
    let calls = [
      "ptrace", "execve", "process_vm_readv", "socket", "unix socket", "connect", "bind", "clone", "kill",
      "sendmsg that connects", "sendto", "fcntl for signals", "setsockopt", "code", "pidfd_open",
      "io_uring_setup",
    ]
    for what in targets + calls { #expect(tried.contains { $0[0] == "seccomp" && $0[1] == what }, "\(what)") }
    // Without the list of calls the paths are out of reach as well, where the kernel knows how.
    if try #require(greeting).isWithoutPaths {
      for what in targets + ["ptrace", "execve"] {
        #expect(tried.contains { $0[0] == "landlock" && $0[1] == what }, "\(what)")
      }
    }
  }

  /// Nobody but the agent has anything to say to it.
  @Test func withoutAnAgentItSaysWhatItIsFor() throws {
    let program = try #require(InstalledProgram.path(of: "continuo-lan"))
    let (read, write) = try Pipe.make()
    var start = ChildProcess.Start(program)
    start.standard = [read.number, write.number, write.number]
    #expect(try ChildProcess(start).wait() == .code(2))
    start.arguments = ["--help"]
    #expect(try ChildProcess(start).wait() == .code(0))
    write.close()
    let text = String(decoding: try read.readToEnd(), as: UTF8.self)
    #expect(text.contains("for the agent; run `continuo lan`") && text.contains("usage: continuo-lan"))
  }
}
