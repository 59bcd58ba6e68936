// SPDX-License-Identifier: MIT

import CLinux
import Glibc

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

  /// Whether a file here that is changed after it was looked at gets another stamp in any case, however soon
  /// that happens: the kernel notes who looked, and leaves its coarse clock then (multigrain timestamps). May
  /// block as long as the disk takes.
  public var stampsAreExact: Bool {
    guard Self.kernelIsExact, case .success(let root) = openRoot() else { return false }
    return Self.exact.contains(continuo_file_system(root.number) & 0xffff_ffff)
  }

  /// ext4, Btrfs, XFS, tmpfs. ext2 has ext4's number, and stamps whole seconds, which are never exact.
  private static let exact: Set<Int64> = [0xef53, 0x9123_683e, 0x5846_5342, 0x0102_1994]

  /// Linux 6.13 and later.
  private static let kernelIsExact: Bool = {
    var names = utsname()
    guard uname(&names) == 0 else { return false }
    let release = withUnsafeBytes(of: names.release) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    let parts = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    return parts.count == 2 && (parts[0], parts[1]) >= (6, 13)
  }()
}
