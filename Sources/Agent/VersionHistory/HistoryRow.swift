// SPDX-License-Identifier: MIT

import ActivityModel
import GRDB
import StateDatabase
import SyncedFolders

extension DocumentHistories.Place {
  /// From a row of ID, folder and path; nil when they are none.
  init?(_ row: Row) {
    let components = row.bytes(2)?.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let folder = row.bytes(1).flatMap({ FolderID(bytes: $0) }),
      let path = components.flatMap({ RelativePath(components: $0.map(Array.init)) })
    else { return nil }
    self.init(folder: folder, path: path)
  }
}
