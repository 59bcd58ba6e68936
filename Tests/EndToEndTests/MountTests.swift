// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// Folders on mounts, with real file systems: nothing keeps one busy, and one that hangs holds up no other.
@Suite(.waiting, .serialized, .timeLimit(.minutes(20))) struct MountTests {
  private func run(_ words: String...) throws {
    _ = try ChildProcess.run(
      "/usr/bin/env", words, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], input: "", expecting: 0)
  }

  /// Puts a disk in the folder's place, with what the folder holds on it. What mounts it again; nil where
  /// mounting is refused.
  private func mountDisk(at folder: String, image: String) throws -> (() throws -> Void)? {
    try Files.writeInPlace(image, [])
    guard truncate(image, 24 << 20) == 0 else { throw Failure("an image", lastSeen: lastSystemError()) }
    try run("mv", folder, folder + ".before")
    try Files.makeDirectory(folder)
    let disk = image + ".disk"
    try Files.makeDirectory(disk)
    // Filled before it is there: an agent writes into a folder as soon as it is back.
    let fill = { _ = try self.run("cp", "-a", folder + ".before/.", disk) }
    let again: () throws -> Void
    if (try? run("mkfs.ext4", "-q", image)) != nil, (try? run("mount", "-o", "loop", image, disk)) != nil {
      print("mount: a disk of its own, ext4")
      try fill()
      try run("umount", disk)
      again = { try self.run("mount", "-o", "loop", image, folder) }
    } else {
      guard (try? run("mount", "-t", "tmpfs", "none", disk)) != nil else { return nil }
      print("mount: a tmpfs, bound to the folder's place")
      try fill()
      again = { try self.run("mount", "--bind", disk, folder) }
    }
    try again()
    return again
  }

  /// Without `-l`. It may meet the agent at work for a moment, and is tried again then, as a person would.
  private func unmount(_ folder: String) throws {
    let deadline = Deadline(seconds: 10)
    var tries = 1
    while (try? run("umount", folder)) == nil {
      guard !deadline.hasPassed else { throw Failure("a plain `umount`", lastSeen: "busy \(tries) times") }
      tries += 1
    }
    print("umount: done at try \(tries)")
  }

  @Test func aPlainUnmountIsNeverBusyAndTheDiskComesBack() throws {
    let devices = try TwoDevices()
    let laptop = devices.laptop.device
    let app = devices.laptop.app
    let image = laptop.root + "/disk.img"
    defer { for place in [laptop.folder, image + ".disk"] { _ = try? run("umount", "-l", place) } }
    guard let again = try mountDisk(at: laptop.folder, image: image) else {
      print("mount: refused here; FolderTests show the same with a folder that is renamed")
      return
    }
    try devices.offer("plan.md", "alpha")
    try app.resume("plan.md", since: WallTime(milliseconds: 0))
    try app.expectDelivery(of: "plan.md", text: "alpha", line: 1, column: 1)

    for round in 1...3 {
      #expect(try laptop.status().watchProcess > 0)
      try unmount(laptop.folder)
      _ = try app.wait(for: "the folder's absence") { $0.roots?.first?.isPresent == false ? () : nil }
      #expect(Files.list(laptop.folder) == [], "nothing is written where the disk was")
      try again()
      _ = try app.wait(for: "the folder's return") { $0.roots?.first?.isPresent == true ? () : nil }
      let now = WallTime(milliseconds: wallNow())
      try devices.offer("next\(round).md", "beta \(round)")
      try app.resume("next\(round).md", since: now)
      try app.expectDelivery(of: "next\(round).md", text: "beta \(round)", line: 1, column: 1)
    }
  }

  // MARK: - A file system that hangs

  private func isMounted(_ folder: String) -> Bool {
    Files.text("/proc/self/mountinfo")?.contains(" \(folder) ") == true
  }

  /// bindfs, in the foreground, so that it can be stopped; nil where FUSE is refused. The kernel remembers
  /// names and attributes for long, as it does of network folders: what it remembers is no answer.
  private func mountFUSE(_ behind: String, at folder: String) throws -> ChildProcess? {
    let mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    defer { close(mounts) }
    let server: ChildProcess
    do {
      server = try ChildProcess(
        "bindfs", ["-f", "-o", "attr_timeout=60,entry_timeout=60", behind, folder],
        environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    } catch {
      return nil
    }
    try Waiting.wait(
      for: "the mount", by: Deadline(seconds: 20), on: { server.descriptors + [mounts] },
      lastState: { server.state }
    ) { () -> Void? in
      server.takeNews()
      return server.exit != nil || isMounted(folder) ? () : nil
    }
    return server.exit == nil ? server : nil
  }

  /// Milliseconds.
  private func timed(_ work: () throws -> Void) rethrows -> UInt64 {
    let start = monotonicNow()
    try work()
    return (monotonicNow() - start) / 1_000_000
  }

  private func watchProcesses(of device: Device) throws -> Int {
    guard let agent = try WireConnection(socketPath: device.socket)?.agentProcess else { return 0 }
    return Descendants.all(of: agent).count { Files.text("/proc/\($0)/comm") == "continuo-watch\n" }
  }

  @Test func aMountThatHangsLeavesOtherFoldersAndTheAgentAtWork() throws {
    let devices = try TwoDevices()
    let laptop = devices.laptop.device
    let (behind, far) = (laptop.root + "/behind", laptop.root + "/Far")
    for folder in [behind, far] { try Files.makeDirectory(folder) }
    defer { _ = try? run("umount", "-l", far) }
    guard let server = try mountFUSE(behind, at: far) else {
      print("FUSE: refused here; WatchSupervisorTests and MountGuardTests show it with a stopped process")
      return
    }
    print("FUSE: a real mount of bindfs, stopped by SIGSTOP")
    defer { server.signal(.resume) }
    try laptop.continuo("folder", "add", far, "--name", "Far")
    try laptop.waitForStatus("Folder Far: Its file system (fuse")
    #expect(try watchProcesses(of: laptop) == 2)
    var before: UInt64 = 0
    for name in ["before.md", "still before.md"] { before = try timed { try devices.offer(name, "alpha") } }
    print("before: an offer in another folder was seen after \(before) ms")

    server.signal(.stop)
    // The first touch waits a second for an answer; nothing waits for more.
    for round in 1...3 {
      let time = try timed { try devices.offer("plan\(round).md", "alpha \(round)") }
      print("hung: an offer in another folder was seen after \(time) ms")
      #expect(time < before + 1500)
    }
    // What the laptop says itself goes to each folder that answers.
    try Files.replace(laptop.folder + "/own.md", with: Array("mine".utf8))
    let own = try timed { try devices.laptop.publish("own.md", line: 1, column: 1) }
    print("hung: the laptop's own record was written after \(own) ms")
    #expect(own < 5000)
    try laptop.waitForStatus("does not answer")

    server.signal(.resume)
    try laptop.waitForStatus("Folder Far: Its file system (fuse", within: 90)
  }
}
