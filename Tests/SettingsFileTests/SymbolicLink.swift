// SPDX-License-Identifier: MIT

import Glibc
import LinuxSystem

/// What only tests make.
enum SymbolicLink {
  static func make(_ path: FilePath, _ target: String) throws {
    guard symlink(target, path.shown) == 0 else { throw Errno.current }
  }
}
