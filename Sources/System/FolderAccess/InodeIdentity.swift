// SPDX-License-Identifier: MIT

import CLinux

/// Which folder an open one is, also after it was closed: numbers of inodes are given out again, with the
/// moment of their making they are not.
struct InodeIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  /// Zero where the file system does not keep it.
  private let born: UInt64

  /// Of an open descriptor; nil with `errno` set.
  init?(of descriptor: CInt) {
    var found: [UInt64] = [0, 0, 0]
    guard continuo_identity(descriptor, &found) == 0 else { return nil }
    (device, inode, born) = (found[0], found[1], found[2])
  }
}
