// SPDX-License-Identifier: MIT

public import ActivityModel
import Glibc

extension FileMark {
  /// The file that `descriptor` leads to, as `fstat(2)` tells it now; nil for no descriptor and no file. On
  /// any thread.
  public init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(
      inode: UInt64(status.st_ino), size: UInt64(clamping: status.st_size),
      modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
  }
}
