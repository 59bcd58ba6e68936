// SPDX-License-Identifier: MIT

public import ActivityModel
import LinuxSystem
import SyncedFolders

extension SyncedDirectory {
  /// Whether a merge left conflict markers in the first mebibyte of the document (R8); false when it cannot
  /// be read, which is told where it is looked at. Blocks as long as the disk takes, on any thread.
  public func hasConflictMarkers(_ path: RelativePath) -> Bool {
    guard let document = try? open(path) else { return false }
    var markers = ConflictMarkers()
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    var offset = 0
    while offset < ConflictMarkers.limit, !markers.isFound {
      let count = try? document.descriptor.read(into: &piece, at: offset)
      guard let count, count > 0 else {
        markers.finish()
        break
      }
      markers.scan(piece[..<count])
      offset += count
    }
    return markers.isFound
  }
}
