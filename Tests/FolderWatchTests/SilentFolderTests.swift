// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Foundation
import Glibc
import TestSupport
import Testing

/// File systems that tell nothing of changes made elsewhere.
@Suite("On silent file systems", .waiting, .serialized)
struct SilentFolderTests {
  let folder: TemporaryFolder
  let tools: TemporaryFolder
  let root = RootNumber(rawValue: 0)

  init() throws {
    folder = try TemporaryFolder()
    tools = try TemporaryFolder()
  }

  private func polling(_ process: WatchProcess) throws -> String {
    let hints = try process.hints { if case .polling = $0 { true } else { false } }
    guard case .polling(_, _, let reason)? = hints.last else { return "" }
    return reason
  }

  /// Changes what no event tells of, and waits until the looks have told it.
  private func expectTold(_ process: WatchProcess, changesIn elsewhere: TemporaryFolder) throws {
    try elsewhere.write("a/made".names)
    _ = try process.hints(covering: ["a/made".names])
    try elsewhere.make("a/new".names)
    try elsewhere.write("a/new/below".names)
    _ = try process.hints(covering: ["a/new/below".names])
    try elsewhere.move("a".names, "b".names)
    _ = try process.hints(covering: ["a".names, "b".names, "b/new/below".names])
    elsewhere.remove("b/new/below".names)
    _ = try process.hints { $0 == .changed(root, path: "b/new/below".names, change: .deleted) }
  }

  @Test("A FUSE mount: what is changed behind it is told")
  func fuse() throws {
    let behind = try TemporaryFolder()
    try behind.make("a".names)
    // It goes on in the background, and would hold what `Process` waits on.
    let closing =
      "for f in /proc/$$/fd/*; do n=${f##*/}; [ $n -gt 2 ] && eval \"exec $n>&-\"; done; exec \"$@\""
    guard Command.succeeds("bash", "-c", closing, "bash", "bindfs", behind.path, folder.path) else {
      print("FUSE: no mount can be made here; the shim's tests alone show it")
      return
    }
    defer { _ = Command.succeeds("umount", "-l", folder.path) }
    print("FUSE: a real mount of bindfs")
    let process = try WatchProcess()
    try process.watch(folder)
    #expect(try polling(process).contains("fuse"))
    try expectTold(process, changesIn: behind)
  }

  @Test("NFS, by the number that statfs(2) gives (a shim): what raises no event is told")
  func magicNumber() throws {
    try folder.make("a".names)
    let shim = try ProcessShim(ProcessShim.silence(tools.path, fileSystem: "0x6969"), in: tools)
    let process = try WatchProcess(environment: shim.environment)
    try process.watch(folder)
    #expect(try polling(process).contains("nfs"))
    try expectTold(process, changesIn: folder)
  }

  @Test("A file system that nobody knows is polled when the agent says that a cookie did not return")
  func cookieThatDoesNotReturn() throws {
    try folder.make("a".names)
    let shim = try ProcessShim(ProcessShim.silence(tools.path, fileSystem: "0x7357"), in: tools)
    let process = try WatchProcess(environment: shim.environment)
    try process.watch(folder)
    try process.send(.poll(root))
    #expect(try polling(process).contains("tells nothing"))
    try expectTold(process, changesIn: folder)
  }

  @Test("After the computer slept, every root is looked at in full")
  func afterTheComputerSlept() throws {
    let clock = tools.path + "/slept"
    try "0".write(toFile: clock, atomically: true, encoding: .utf8)
    let shim = try ProcessShim(ProcessShim.sleepClock(clock), in: tools)
    let process = try WatchProcess(environment: shim.environment)
    try process.watch(folder)
    try folder.write("f".names)
    #expect(!(try process.hintsUpToNow(folder)).contains(.rescan(root, path: [])))
    try "3600".write(toFile: clock, atomically: true, encoding: .utf8)
    // Whatever ends its wait; on a machine that wakes the kernel does.
    try folder.write("g".names)
    _ = try process.hints { $0 == .rescan(root, path: []) }
    #expect(!(try process.hintsUpToNow(folder)).contains(.rescan(root, path: [])))
  }
}

/// Runs other programs to their end.
enum Command {
  static func succeeds(_ words: String...) -> Bool {
    let command = Process()
    command.executableURL = URL(filePath: "/usr/bin/env")
    command.arguments = words
    command.standardError = FileHandle.nullDevice
    command.standardOutput = FileHandle.nullDevice
    guard (try? command.start()) != nil else { return false }
    command.waitUntilExit()
    return command.terminationStatus == 0
  }
}
