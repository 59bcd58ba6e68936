// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import SyncedFolders

/// The version log on the device's disk.
final class MemoryVersionLog: VersionLog {
  private let process: AgentProcess

  init(_ process: AgentProcess) { self.process = process }

  private(set) var problem: String?
  let losses: [String] = []
  var placesInUse: () -> Set<DocumentPlace> = { [] }
  var ownVersions: () -> [(place: DocumentPlace, version: DocumentVersion)] = { [] }

  subscript(place: DocumentPlace) -> DocumentHistory {
    process.device.disk.histories[place] ?? DocumentHistory()
  }

  func change(
    _ place: DocumentPlace, because sighting: VersionSighting, at wall: WallTime,
    by change: (inout DocumentHistory) -> Void
  ) {
    guard process.isAlive else { return }
    change(&process.device.disk.histories[place, default: DocumentHistory()])
  }

  func recall(_ version: DocumentVersion, of place: DocumentPlace, at wall: WallTime) {
    guard process.isAlive, !self[place].contains(version.digest) else { return }
    process.device.disk.histories[place, default: DocumentHistory()].adopt(version)
  }

  func move(from old: FolderID, to new: FolderID) {
    guard process.isAlive, old != new else { return }
    for (place, past) in process.device.disk.histories.sorted(by: { $0.key < $1.key })
    where place.folder == old {
      process.device.disk.histories[place] = nil
      let target = DocumentPlace(folder: new, path: place.path)
      if process.device.disk.histories[target] == nil { process.device.disk.histories[target] = past }
    }
  }

  func save() throws(ContinuityError) {
    guard process.isAlive, process.device.reachDisk() else {
      throw ContinuityError(.folderUnavailable, description: "The power is gone.")
    }
    guard !process.device.storeIsFull else {
      problem = "The disk is full."
      throw ContinuityError(.folderUnavailable, description: "The disk is full.")
    }
    problem = nil
    process.device.disk.saveHistories()
  }
}
