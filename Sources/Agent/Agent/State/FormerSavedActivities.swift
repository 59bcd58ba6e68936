// SPDX-License-Identifier: MIT

import ActivityIndex
import ActivityModel
import ActivityWire
import FolderAccess
import StateDatabase

/// The file in which older releases kept what apps had saved: read once, and taken over into the index.
struct FormerSavedActivities {
  /// Oldest first.
  private(set) var entries: [SavedActivity] = []

  private static let limits = CBOR.Limits(depth: 16, entries: 65536, items: 1 << 20, bytes: 4 << 20)

  init(decoding bytes: [UInt8]) throws(ContinuityError) {
    for element in try CBOR(decoding: bytes, limits: Self.limits).array("saved activities") {
      let parts = try element.array("saved activity", count: 2)
      let snapshot = try ActivitySnapshot(cbor: parts[1])
      entries.append(SavedActivity(appID: try parts[0].text("app"), snapshot: snapshot))
    }
  }

  /// Where releases before 0070 kept them.
  static let fileName = "saved-activities"

  /// Takes over what an older release kept, once; then its file is overwritten and removed, for what is
  /// deleted later would be readable there. One that is damaged is as well, and told.
  ///
  /// Where the disk refuses, the file stays, and is taken over at the next start.
  static func takeOver(from directory: OwnDirectory, into index: ActivityIndex, at wall: WallTime) {
    do throws(ContinuityError) {
      guard let bytes = try directory.read(fileName, limit: 16 << 20) else { return }
      try index.save(try FormerSavedActivities(decoding: bytes).entries, at: wall)
    } catch {
      guard error.code == .agentUnavailable || error.code == .invalidBytes else { return }
      index.noteLoss(
        "The activities that apps had saved for search were damaged: open their documents again.")
    }
    try? DatabaseFile(directory: directory.displayPath, name: fileName).erase()
  }
}
