// SPDX-License-Identifier: MIT

import ActivityModel
import FolderWatch
import Glibc
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// Who is watched by which process, with real watch processes and a mount table that the test writes.
@Suite struct WatchSupervisorTests {
  private static func table(_ lines: String) -> MountTable {
    MountTable(parsing: Array(("21 1 8:1 / / rw - ext4 /dev/sda1 rw\n" + lines).utf8))
  }

  /// What was told of each root.
  private final class Told {
    var hints: [FolderHint] = []

    func has(_ root: RootNumber, _ file: String) -> Bool {
      hints.contains {
        if case .changed(root, [Array(file.utf8)], _) = $0 { true } else { false }
      }
    }

    func isWatched(_ root: RootNumber) -> Bool {
      hints.contains { if case .watching(root, _) = $0 { true } else { false } }
    }
  }

  private let near = RootNumber(rawValue: 1)
  private let far = RootNumber(rawValue: 2)

  @Test func aProcessThatHangsOnAServerHoldsUpNoOtherFolder() throws {
    let world = try World()
    let (home, server) = (try world.scratch.folder("near"), try world.scratch.folder("far"))
    let told = Told()
    let watch = WatchSupervisor(
      loop: world.loop, mountTable: { Self.table("22 21 0:20 / \(server) rw - nfs4 server:/notes rw\n") })
    watch.onHint = { told.hints.append($0) }
    defer { watch.stop() }
    watch.watch(near, path: Array(home.utf8))
    watch.watch(far, path: Array(server.utf8))
    try world.run("both folders") { told.isWatched(near) && told.isWatched(far) }
    #expect(watch.process(of: near) != watch.process(of: far) && watch.process == watch.process(of: near))

    // A process that waits for its server does not go on, whoever needs it.
    let hanging = pid_t(watch.process(of: far))
    kill(hanging, SIGSTOP)
    defer { kill(hanging, SIGCONT) }
    try Scratch.write([1], to: server + "/unseen")
    try Scratch.write([1], to: home + "/seen")
    try world.run("the hint of this computer's folder") { told.has(near, "seen") }
    #expect(!told.has(far, "unseen"))
    kill(hanging, SIGCONT)
    try world.run("the hint of the server's folder") { told.has(far, "unseen") }
  }

  @Test func aFolderThatLiesOnAnotherMountNowGoesToAnotherProcess() throws {
    let world = try World()
    let folder = try world.scratch.folder("near")
    let (told, lines) = (Told(), Lines())
    let watch = WatchSupervisor(loop: world.loop, mountTable: { Self.table(lines.text) })
    watch.onHint = { told.hints.append($0) }
    defer { watch.stop() }
    watch.watch(near, path: Array(folder.utf8))
    try world.run("the folder") { told.isWatched(near) }
    let first = watch.process(of: near)
    for (number, line) in [
      "31 21 0:3 / \(folder) rw - fuse.sshfs far: rw\n", "32 21 0:3 / \(folder)/in rw - nfs4 far: rw\n",
    ]
    .enumerated() {
      lines.text = line
      told.hints = []
      let before = watch.process(of: near)
      watch.watch(near, path: Array(folder.utf8))
      try world.run("the folder") { told.isWatched(near) }
      #expect(watch.process(of: near) != before, "mount \(number)")
      try Scratch.write([1], to: folder + "/\(number)")
      try world.run("its hint") { told.has(near, "\(number)") }
    }
    lines.text = ""
    watch.watch(near, path: Array(folder.utf8))
    #expect(watch.process(of: near) == first, "this computer's process goes on")
    watch.unwatch(near)
    #expect(watch.process(of: near) == 0)
  }

  private final class Lines {
    var text = ""
  }
}
