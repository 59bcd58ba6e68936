// SPDX-License-Identifier: MIT

import ActivityModel
import Dispatch
import FolderWatch
import LinuxSystem
import Synchronization

/// Finds out whether a folder answers before somebody touches it: a server that is gone would make the loop's
/// thread wait without end.
///
/// Only folders on file systems of other computers, or of programs, are asked, on a thread of their own. One
/// that hangs keeps that one thread, is not asked again meanwhile, and counts as away. On any thread. A
/// server that goes in the moment after it answered still makes the caller wait.
final class MountGuard: Sendable {
  /// How long one waits for an answer.
  private static let patience = DispatchTimeInterval.seconds(1)
  /// How long an answer holds: one look at a folder is many calls.
  private static let trust = Duration.milliseconds(50)

  private let mountTable: @Sendable () -> MountTable
  private let look: @Sendable ([UInt8]) -> Void
  /// By the number of the mount.
  private let asked = Mutex<[[UInt8]: Question]>([:])
  private let returned = Mutex<@Sendable () -> Void>({})

  /// Called, on another thread, when a folder answers that had been given up.
  var onReturn: @Sendable () -> Void {
    get { returned.withLock { $0 } }
    set { returned.withLock { $0 = newValue } }
  }

  /// One look that is under way, or was answered.
  private final class Question: Sendable {
    let answer = DispatchGroup()
    let deadline = DispatchTime.now() + MountGuard.patience
    /// Of its own: a concurrent queue starts no further thread for a second when those it has are waiting.
    let queue = DispatchQueue(label: "continuo.mounts")
    let answeredAt = Mutex<Instant?>(nil)

    init() { answer.enter() }

    func end() {
      answeredAt.withLock { $0 = .now }
      answer.leave()
    }

    var isFresh: Bool { answeredAt.withLock { $0.map { .now - $0 < MountGuard.trust } ?? true } }
  }

  convenience init() {
    self.init(mountTable: MountTable.current) { path in
      // Not stat(2), which the kernel answers from what it remembers.
      try? FilePath(bytes: path).askFileSystem()
    }
  }

  /// For tests: another table, and another way to look.
  init(mountTable: @escaping @Sendable () -> MountTable, look: @escaping @Sendable ([UInt8]) -> Void) {
    self.mountTable = mountTable
    self.look = look
  }

  /// False when the folder lies on a file system that does not answer.
  func answers(_ path: [UInt8]) -> Bool {
    guard let mount = mountTable().mount(of: path), mount.isSilent else { return true }
    let (question, isNew) = asked.withLock { asked -> (Question, Bool) in
      if let known = asked[mount.number], known.isFresh { return (known, false) }
      let fresh = Question()
      asked[mount.number] = fresh
      return (fresh, true)
    }
    if isNew {
      question.queue.async { [self] in
        look(mount.point)
        question.end()
        if DispatchTime.now() > question.deadline { onReturn() }
      }
    }
    if question.answer.wait(timeout: question.deadline) == .success { return true }
    if isNew { AgentLog.record("a folder's file system does not answer; the folder counts as away") }
    return false
  }

  /// What is to be asked before each touch of a folder that lies on such a file system now; nil where nothing
  /// hangs.
  func question(for path: [UInt8]) -> (@Sendable () -> Bool)? {
    guard mountTable().mount(of: path)?.isSilent == true else { return nil }
    return { [self] in answers(path) }
  }
}

extension MountTable {
  /// Reading it touches no file system.
  static func current() -> MountTable {
    let bytes = try? FilePath("/proc/self/mountinfo").open(.readOnly).readToEnd()
    return MountTable(parsing: bytes ?? [])
  }
}
