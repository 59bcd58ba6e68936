// SPDX-License-Identifier: MIT

import ActivityModel
import TestSupport
import Testing

@testable import LinuxSystem

/// Programs that are started, and signals that come.
@Suite(.waiting)
struct ProcessTests {
  @Test("a program gets what it is given and tells how it ended")
  func endsByItself() throws {
    let pipe = try Pipe.make()
    var start = ChildProcess.Start(
      "sh", arguments: ["-c", "echo $WORD; exit 7"], environment: ["WORD": "spoken", "PATH": "/usr/bin:/bin"])
    start.standard[1] = pipe.write.number
    let child = try ChildProcess(start)
    #expect(child.wait() == .code(7))
    #expect(child.wait() == .code(7))
    var printed = [UInt8](repeating: 0, count: 100)
    let count = try pipe.read.read(into: &printed)
    #expect(String(decoding: printed[..<count], as: UTF8.self) == "spoken\n")
  }

  @Test("a variable that is no UTF-8 is passed on as it is, beside those that differ")
  func passesVariablesOn() {
    let strange = Array("NAME=caf".utf8) + [0xe9]
    let own = [strange, Array("REPORT=7".utf8), Array("REPORTS=all".utf8)]
    #expect(ChildProcess.Start.entries(own, changed: [:]) == own)
    #expect(ChildProcess.Start.entries(own, changed: ["REPORT": nil]) == [own[0], own[2]])
    #expect(
      ChildProcess.Start.entries(own, changed: ["REPORT": "3"]) == [own[0], own[2], Array("REPORT=3".utf8)])
  }

  @Test("a process ends with the code that it says")
  func endsWithItsCode() async {
    await #expect(processExitsWith: .exitCode(7)) { CurrentProcess.exit(7) }
  }

  /// In a process of its own, where nothing else asks for memory.
  @Test("memory that lies free between blocks in use goes back to the system")
  func returnsFreeMemory() async {
    await #expect(processExitsWith: .success) {
      func pages() throws -> Int {
        let told = String(decoding: try #require(Scratch.bytes(at: "/proc/self/statm")), as: UTF8.self)
        return try #require(told.split(separator: " ").dropFirst().first.flatMap { Int($0) })
      }
      let blocks = (0..<20_000).map { _ in UnsafeMutableRawPointer.allocate(byteCount: 4000, alignment: 8) }
      for block in blocks { block.initializeMemory(as: UInt8.self, repeating: 1, count: 4000) }
      for (number, block) in blocks.enumerated() where !number.isMultiple(of: 100) { block.deallocate() }
      let before = try pages()
      CurrentProcess.returnFreeMemory()
      // 79 MB were freed, in pieces of 400 KB.
      #expect(try pages() < before - 10_000)
      for number in stride(from: 0, to: blocks.count, by: 100) { blocks[number].deallocate() }
    }
  }

  @Test("a process works in a folder, by its whole path")
  func workingFolder() throws {
    let here = try FilePath.workingFolder()
    #expect(here.isFolder && here.bytes.first == UInt8(ascii: "/"))
  }

  @Test("what a thread has computed counts from its own beginning, and grows")
  func processorTime() throws {
    let pipe = try Pipe.make()
    try DetachedThread.start {
      let first = ProcessorTime.ofThisThread.nanoseconds
      while ProcessorTime.ofThisThread.nanoseconds < first + 1_000_000 {}
      try? pipe.write.writeAll([first < 1_000_000_000 ? 1 : 0])
    }
    #expect(Poll.wait(for: pipe.read.number, until: .readable, atMost: .seconds(60)))
    var told: [UInt8] = [0]
    #expect(try pipe.read.read(into: &told) == 1 && told == [1])
  }

  @Test("a program that nobody asks for any more is killed, and no zombie is left of it")
  func isForgotten() throws {
    // Killed that often, some have not ended when the first look is over.
    let numbers = try (0..<20).map { _ in
      try ChildProcess(ChildProcess.Start("sleep", arguments: ["1000"])).process
    }
    let deadline = Instant.now + .seconds(60)
    for number in numbers {
      while (try? FilePath("/proc/\(number)").status(followingLinks: false)) != nil {
        try #require(Instant.now < deadline, "\(number) is still there")
      }
    }
  }

  @Test("a program that is ended has the signal that ended it, and its descriptor says so")
  func isKilled() throws {
    let child = try ChildProcess(ChildProcess.Start("sleep", arguments: ["1000"]))
    #expect(child.poll() == nil)
    let end = try child.endDescriptor()
    #expect(!Poll.wait(for: end.number, until: .readable, atMost: .zero))
    child.signal(.terminate)
    #expect(Poll.wait(for: end.number, until: .readable, atMost: .seconds(60)))
    #expect(child.kill() == .signal(Signal.terminate.rawValue))
  }

  @Test("one that takes too long is killed, and one that does not tells how it ended")
  func endsInTime() throws {
    #expect(
      try ChildProcess(.init("sh", arguments: ["-c", "exit 3"])).wait(atMost: .seconds(60)) == .code(3))
    let late = try ChildProcess(.init("sleep", arguments: ["600"]))
    #expect(try late.wait(atMost: .milliseconds(50)) == .signal(Signal.kill.rawValue))
  }

  @Test("what a program started in its group ends with it")
  func endsWithItsGroup() throws {
    let pipe = try Pipe.make()
    var start = ChildProcess.Start("sh", arguments: ["-c", "sleep 1000 & echo ready; wait"])
    start.standard[1] = pipe.write.number
    start.hasOwnGroup = true
    let child = try ChildProcess(start)
    #expect(Poll.wait(for: pipe.read.number, until: .readable, atMost: .seconds(60)))
    #expect(child.kill() == .signal(Signal.kill.rawValue))
  }

  @Test("no descriptor but the standard ones reaches a program")
  func inheritsNothing() throws {
    let open = try FilePath("/dev/null").open(.readOnly).duplicate(from: 77)
    let start = ChildProcess.Start("sh", arguments: ["-c", "test ! -e /proc/self/fd/\(open.number)"])
    #expect(try ChildProcess(start).wait() == .code(0))
  }

  @Test("a program that is not there is an error with its reason")
  func isMissing() {
    #expect(throws: Errno.noSuchFile) { try ChildProcess(ChildProcess.Start("/nowhere/at/all")) }
  }

  @Test("the program of this process is found, and what lies beside it")
  func ownProgram() throws {
    let own = try #require(CurrentProcess.program)
    #expect(own.allows(.execute))
    let name = String(decoding: own.name, as: UTF8.self)
    #expect(InstalledProgram.path(of: name) == String(decoding: own.bytes, as: UTF8.self))
    #expect(InstalledProgram.path(of: "sh")?.hasSuffix("/sh") == true)
  }
}
