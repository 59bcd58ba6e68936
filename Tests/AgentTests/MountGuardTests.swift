// SPDX-License-Identifier: MIT

import Dispatch
import FolderWatch
import Synchronization
import Testing

@testable import Agent

@Suite struct MountGuardTests {
  /// Static, for a value that no task owns cannot be captured.
  private static let hanging = Atomic<Bool>(true)

  private static let table = MountTable(
    parsing: Array(
      """
      21 1 8:1 / / rw - ext4 /dev/sda1 rw
      22 21 0:20 / /mnt/notes rw - nfs4 server:/notes rw
      """.utf8))

  @Test func aServerThatHangsIsAskedOnceAndCountsAsAwayUntilItAnswers() {
    let server = DispatchSemaphore(value: 0)
    let answered = DispatchSemaphore(value: 0)
    let mounts = MountGuard(mountTable: { Self.table }) { _ in
      if Self.hanging.load(ordering: .relaxed) { server.wait() }
      answered.signal()
    }
    let path = Array("/mnt/notes/Work".utf8)
    #expect(!mounts.answers(path))
    // Not asked again while the question hangs: this would wait a second each.
    let start = ContinuousClock.now
    for _ in 0..<100 { #expect(!mounts.answers(path)) }
    #expect(ContinuousClock.now - start < .seconds(1))
    Self.hanging.store(false, ordering: .relaxed)
    server.signal()
    answered.wait()
    while !mounts.answers(path) {}
  }

  @Test func aFolderOfThisComputerIsNotAsked() {
    let mounts = MountGuard(mountTable: { Self.table }) { _ in Issue.record("it was asked") }
    #expect(mounts.answers(Array("/home/notes".utf8)))
  }
}
