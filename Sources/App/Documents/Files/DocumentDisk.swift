// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// Where the folder of a document lay. What a disk that is gone was mounted on is another folder, and a file
/// that is made there is hidden as soon as the disk is back.
struct DocumentDisk: Hashable, Sendable {
  /// `st_dev` of the folder. A disk that comes back, or another start of the machine, may give it another
  /// number.
  var device: UInt64
  /// `st_ino` of the folder, which stays.
  var folder: UInt64

  init(device: UInt64, folder: UInt64) { (self.device, self.folder) = (device, folder) }

  /// Nil when the folder is not there.
  init?(ofFolder path: FilePath) {
    guard let stamp = (try? path.status())?.stamp else { return nil }
    self.init(device: stamp.device, folder: stamp.inode)
  }

  /// Whether `found`, at the same place, is what the disk was mounted on.
  func isGone(where found: FileStamp) -> Bool { found.device != device && found.inode != folder }
}
