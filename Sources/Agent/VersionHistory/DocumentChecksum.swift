// SPDX-License-Identifier: MIT

import ActivityModel
import StateDatabase
import SyncedFolders

// SQLite does not see a flipped bit in a row. One that moved a version to another document, or changed the
// order of two, could make an older document pass for the newer one, so what is read is checked.
extension DocumentPast {
  /// Of all that decides which version descends from which, and of when and how each was met; 64-bit FNV-1a.
  func checksum(at place: DocumentHistories.Place) -> Int64 {
    var sum = Checksum()
    sum.add(place.path.bytes)
    sum.add(history.generation)
    for row in rows {
      sum.add(UInt64(bitPattern: row.position))
      sum.add(row.version.digest?.bytes ?? row.version.prefix.bytes)
      for field in [row.version.size, row.version.seen?.milliseconds, row.version.changed?.milliseconds] {
        sum.add(field == nil ? 0 : 1)
        sum.add(field ?? 0)
      }
      sum.add(row.version.generation)
      sum.add(UInt64(row.version.sources.rawValue))
    }
    return Int64(bitPattern: sum.value) ^ Self.checksum(of: place.folder)
  }

  /// The folder's part, which can be taken out.
  static func checksum(of folder: FolderID) -> Int64 {
    var sum = Checksum()
    sum.add(folder.bytes)
    return Int64(bitPattern: sum.value)
  }
}
