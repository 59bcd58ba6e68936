// SPDX-License-Identifier: MIT

import CLinux

/// Which folder an open one is, also after it was closed: numbers of inodes are given out again, with the
/// moment of their making they are not.
public struct InodeIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  /// Zero where the file system does not keep it.
  private let born: UInt64

  /// Of an open file. Throws what statx(2) fails with.
  public init(of descriptor: some OpenDescriptor) throws(Errno) {
    var found: [UInt64] = [0, 0, 0]
    try calling { continuo_identity(descriptor.number, &found) }
    (device, inode, born) = (found[0], found[1], found[2])
  }
}
