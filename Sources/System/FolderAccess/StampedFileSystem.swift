// SPDX-License-Identifier: MIT

import LinuxSystem
public import SyncedFolders

extension SyncedDirectory {
  /// How far stamps of files here stand for their bytes. May block as long as the disk takes.
  ///
  /// They do where this kernel alone writes the file system, and stamps each change with its own clock:
  /// servers and FUSE programs have clocks and caches of their own. They do at once where the kernel notes
  /// who looked at a file, and leaves its coarse clock at the next change (multigrain timestamps).
  public var stampTrust: StampTrust {
    guard let root = try? openRoot() else { return .never }
    let kind = root.fileSystem & 0xffff_ffff
    if Self.kernelIsExact, Self.exact.contains(kind) { return .always }
    return Self.stamping.contains(kind) ? .onceStill : .never
  }

  /// Whether each write gives a file another time of change, also one through a mapping of somebody who
  /// opens it from now on, and a lease tells whether anybody has it mapped for writing: ext4, Btrfs, XFS. On
  /// tmpfs a page that was read in a mapping is written without a word; on overlayfs a lease sees no mapping.
  package var tellsEachWrite: Bool {
    guard let root = try? openRoot() else { return false }
    return Self.onDisk.contains(root.fileSystem & 0xffff_ffff)
  }

  /// ext2 to ext4, Btrfs, XFS, F2FS, tmpfs, overlayfs, ZFS, bcachefs.
  private static let stamping: Set<Int64> = [
    0xef53, 0x9123_683e, 0x5846_5342, 0xf2f5_2010, 0x0102_1994, 0x794c_7630, 0x2fc1_2fc1, 0xca45_1a4e,
  ]

  /// ext4, Btrfs, XFS.
  private static let onDisk: Set<Int64> = [0xef53, 0x9123_683e, 0x5846_5342]

  /// Those and tmpfs. ext2 has ext4's number, and stamps whole seconds, which are never exact.
  private static let exact = onDisk.union([0x0102_1994])

  /// Linux 6.13 and later.
  private static let kernelIsExact: Bool = {
    let parts = CurrentProcess.kernelRelease.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    return parts.count == 2 && (parts[0], parts[1]) >= (6, 13)
  }()
}
