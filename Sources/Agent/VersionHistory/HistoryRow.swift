// SPDX-License-Identifier: MIT

import ActivityModel
import FoundationEssentials
import GRDB
import SyncedFolders

// Not by GRDB's subscripts: those end the process where a damaged file holds another type.
extension Row {
  func integer(_ index: Int) -> Int64? { Int64.fromDatabaseValue(self[index]) }

  func text(_ index: Int) -> String? { String.fromDatabaseValue(self[index]) }

  func bytes(_ index: Int) -> [UInt8]? { Data.fromDatabaseValue(self[index]).map(Array.init) }
}

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
