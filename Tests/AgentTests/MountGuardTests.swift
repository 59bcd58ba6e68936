// SPDX-License-Identifier: MIT

import Dispatch
import FolderWatch
import Synchronization
import Testing

@testable import Agent
@testable import AgentEngine

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

  @Test func whoeverAsksMeanwhileWaitsForTheSameAnswer() {
    let server = DispatchSemaphore(value: 0)
    let count = Counter()
    let mounts = MountGuard(mountTable: { Self.table }) { _ in
      count.add()
      server.wait()
    }
    let path = Array("/mnt/notes/Work".utf8)
    let answers = DispatchGroup()
    for number in 0..<4 {
      let queue = DispatchQueue(label: "asker \(number)")
      queue.async(group: answers) { #expect(mounts.answers(path)) }
    }
    while count.value == 0 {}
    server.signal()
    answers.wait()
    #expect(count.value == 1)
  }

  private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.wrappingAdd(1, ordering: .relaxed) }
  }

  @Test func onlyWhatMayHangIsAskedBeforeEachTouch() {
    let mounts = MountGuard(mountTable: { Self.table }) { _ in }
    #expect(mounts.question(for: Array("/home/notes".utf8)) == nil)
    #expect(mounts.question(for: Array("/mnt/notes/Work".utf8))?() == true)
  }
}
