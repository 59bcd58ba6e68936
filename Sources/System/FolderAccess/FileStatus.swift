// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import SyncedFolders

extension FileStatus {
  /// What stands there, in the words of the rules.
  var observation: FileObservation {
    if kind != .regular { return .other(kind) }
    return refusal.map { .unreadable($0) } ?? .file(stamp)
  }

  /// Why this is nobody's document here, to follow a colon; nil when it may be one (T07, T08).
  var refusal: String? {
    if kind != .regular { return "it is \(kind.description), not a file" }
    if !isOwn { return "it belongs to another user" }
    return nil
  }
}
