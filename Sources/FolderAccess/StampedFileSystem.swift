// SPDX-License-Identifier: MIT

import CLinux

extension SyncedDirectory {
  /// Whether stamps of files here may stand for their bytes: the file system is one that this kernel alone
  /// writes, and stamps each change with the kernel's own clock. Servers and FUSE programs have clocks and
  /// caches of their own. May block as long as the disk takes.
  public var stampsAreKept: Bool {
    guard case .success(let root) = openRoot() else { return false }
    return Self.stamping.contains(continuo_file_system(root.number) & 0xffff_ffff)
  }

  /// ext2 to ext4, Btrfs, XFS, F2FS, tmpfs, overlayfs, ZFS, bcachefs.
  private static let stamping: Set<Int64> = [
    0xef53, 0x9123_683e, 0x5846_5342, 0xf2f5_2010, 0x0102_1994, 0x794c_7630, 0x2fc1_2fc1, 0xca45_1a4e,
  ]
}
