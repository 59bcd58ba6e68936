// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// Files that are kept for a while in a directory of their own, and no more of them than a limit.
enum KeptFiles {
  /// Takes away what is older than `lifetime`, and the oldest while all of them, with `size` bytes more, are
  /// larger than `limit`. What cannot be removed stays.
  static func makeRoom(for size: Int, in folder: Descriptor, limit: Int, lifetime: Duration) {
    var kept: [(name: [UInt8], status: FileStatus)] = []
    try? folder.forEachName { name, kind in
      if kind() == .regular, let status = try? folder.status(of: name) { kept.append((name, status)) }
      return true
    }
    var total = kept.reduce(size) { $0 + $1.status.size }
    for (name, status) in kept.sorted(by: { $0.status.stamp.modified < $1.status.stamp.modified })
    where total > limit || status.stamp.ageOfContent > lifetime {
      try? folder.unlink(name)
      total -= status.size
    }
  }
}
