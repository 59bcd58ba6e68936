// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import FolderAccess
import LinuxSystem

/// This computer's disks, each asked first where it may hang.
final class LocalDisks: Disks {
  let mounts: MountGuard
  var onReturn: () -> Void = {}

  init(loop: EventLoop, mounts: MountGuard = MountGuard()) {
    self.mounts = mounts
    let home = ReturnDelivery(disks: self)
    mounts.onReturn = { [mailbox = loop.mailbox] in mailbox.post { home.disks?.onReturn() } }
  }

  func answers(_ path: [UInt8]) -> Bool { mounts.answers(path) }

  func realPath(_ path: [UInt8]) -> [UInt8]? { (try? FilePath(bytes: path).realPath())?.bytes }

  func isFolder(_ path: [UInt8]) -> Bool { FilePath(bytes: path).isFolder }

  func exists(_ path: [UInt8]) -> Bool { FilePath(bytes: path).allows() }

  func open(folder path: [UInt8]) throws(ContinuityError) -> any SyncedFolder {
    try SyncedDirectory(path: path, mayTouch: mounts.question(for: path))
  }

  /// Carries a reference to another thread and back, without touching it there.
  private struct ReturnDelivery: @unchecked Sendable {  // guarded by the mailbox
    weak var disks: LocalDisks?
  }
}
