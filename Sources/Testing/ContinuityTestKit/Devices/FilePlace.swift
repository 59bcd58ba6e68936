// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders

/// Where a file of a device lies: in its synced folder, or among its private copies.
struct FilePlace: Hashable {
  let path: RelativePath
  let isCopy: Bool

  init(_ path: RelativePath) { (self.path, isCopy) = (path, false) }

  /// Nil where the path leads into neither.
  init?(absolute: [UInt8]) {
    if let path = Self.relative(absolute, to: EditorApp.root) {
      (self.path, isCopy) = (path, false)
    } else if let path = Self.relative(absolute, to: SimulatedCopies.root) {
      (self.path, isCopy) = (path, true)
    } else {
      return nil
    }
  }

  private static func relative(_ path: [UInt8], to root: [UInt8]) -> RelativePath? {
    SyncedRoot(id: World.folder, name: "notes", path: root).relativePath(of: path)
  }

  var absolute: [UInt8] {
    (isCopy ? SimulatedCopies.root : EditorApp.root) + [UInt8(ascii: "/")] + path.bytes
  }

  func folder(of device: Device) -> MemoryFolder { isCopy ? device.copies : device.folder }

  func inode(on device: Device) -> Int? { folder(of: device).find(path.components) }

  /// The whole file there, as far as it is one.
  func content(on device: Device) -> Content? { folder(of: device).content(at: path.components) }
}
