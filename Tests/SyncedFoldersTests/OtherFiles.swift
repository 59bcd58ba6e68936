// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders

/// The files of an arrival script that are not under the document's own name.
struct OtherFiles: FolderContents {
  struct File {
    var name: String
    var size: UInt64
    var inode: UInt64
    var changed: Instant
  }

  private let files: [RelativePath: File]
  private let now: Instant

  init(_ files: [RelativePath: File], at now: Instant) {
    self.files = files
    self.now = now
  }

  func entries(of folder: RelativePath?) -> [FolderEntry]? {
    let above = folder?.components ?? []
    let below = files.keys.filter { $0.components.starts(with: above) && $0.components.count > above.count }
    let entries = below.map {
      FolderEntry(
        name: $0.components[above.count],
        kind: $0.components.count == above.count + 1 ? .regular : .folder)
    }
    return Array(Set(entries))
  }

  func observe(_ path: RelativePath) -> FileObservation {
    guard let file = files[path] else { return .absent }
    return .file(
      FileStamp(
        device: 1, inode: file.inode, size: file.size, modified: 0, changed: Int64(file.changed.nanoseconds)))
  }

  func digest(of path: RelativePath) -> HashOutcome {
    guard let file = files[path], case .file(let stamp) = observe(path) else { return .unstable }
    return .stable(ArrivalScript.digest(file.name), stamp, quiet: now - file.changed)
  }
}
