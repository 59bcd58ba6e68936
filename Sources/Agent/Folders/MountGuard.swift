// SPDX-License-Identifier: MIT

import Dispatch
import FolderWatch
import Glibc
import Synchronization

/// Finds out whether a folder answers before the loop's thread touches it: a server that is gone would make
/// it wait without end.
///
/// Only folders on file systems of other computers, or of programs, are asked, on a thread of their own. One
/// that hangs keeps that one thread, is not asked again meanwhile, and counts as away. Loop thread only. A
/// server that goes in the moment after it answered still makes the loop wait.
final class MountGuard {
  /// How long the loop waits for an answer.
  private static let patience = DispatchTimeInterval.seconds(1)

  private let mountTable: () -> MountTable
  private let look: @Sendable ([UInt8]) -> Void
  private let queue = DispatchQueue(label: "continuo.mounts", attributes: .concurrent)
  private var asked: [[UInt8]: Question] = [:]

  private final class Question: Sendable {
    let isAnswered = Mutex(false)
  }

  convenience init() {
    self.init(mountTable: Self.currentTable) { path in
      var status = stat()
      _ = path.withUnsafeCString { stat($0, &status) }
    }
  }

  /// For tests: another table, and another way to look.
  init(mountTable: @escaping () -> MountTable, look: @escaping @Sendable ([UInt8]) -> Void) {
    self.mountTable = mountTable
    self.look = look
  }

  /// False when the folder lies on a file system that does not answer.
  func answers(_ path: [UInt8]) -> Bool {
    if let question = asked[path] {
      guard question.isAnswered.withLock({ $0 }) else { return false }
      asked[path] = nil
    }
    guard mountTable().mount(of: path)?.isSilent == true else { return true }
    let question = Question()
    let answer = DispatchSemaphore(value: 0)
    queue.async { [look] in
      look(path)
      question.isAnswered.withLock { $0 = true }
      answer.signal()
    }
    if answer.wait(timeout: .now() + Self.patience) == .success { return true }
    AgentLog.note("a folder's file system does not answer; the folder counts as away")
    asked[path] = question
    return false
  }

  /// Reading it touches no file system.
  private static func currentTable() -> MountTable {
    let file = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return MountTable(parsing: []) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(file, &chunk, chunk.count)
      guard count > 0 else { return MountTable(parsing: bytes) }
      bytes += chunk[..<count]
    }
  }
}
