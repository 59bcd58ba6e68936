// SPDX-License-Identifier: MIT

import ActivityExchange
package import ActivityModel
import ActivityWire
import SyncedFolders
package import Trust

// A device goes on to another computer. Of both steps the file comes first and the keys go last, so that no
// crash leaves the device without either. For an agent that was not started.
extension AgentCore {
  /// All that the new computer needs. Throws `invalidRequest` where this device cannot go on elsewhere, and
  /// what reading its files throws.
  package func packed(home: [UInt8]) throws(ContinuityError) -> MovingDevice {
    let identity = store.identity
    try identity.checkMayMove()
    guard store.state.copied != identity.id else {
      throw ContinuityError(.invalidRequest, subject: identity.name, because: .copied)
    }
    if let copy = copies.left { throw copy }
    var record = store.ownRecord()
    record?.activities = []
    return MovingDevice(
      identity: identity, state: store.state.leaving.encoded, record: record?.recordPayload().bytes,
      home: home)
  }

  /// Why the file must not lie at the absolute path: whoever stores a synced folder would keep it for ever.
  /// Nil where it may. Also where a folder is not there now.
  package func obstacle(toFileAt path: [UInt8]) -> ContinuityError? {
    let place = ports.disks.realPath(ofFile: path) ?? path
    let holder = store.state.folders.first { folder in
      let real = ports.disks.answers(folder.path) ? ports.disks.realPath(folder.path) : nil
      return FolderRegistry.contains(real ?? folder.path, place)
    }
    return holder.map {
      ContinuityError(
        .invalidRequest, subject: DisplayText.shown(path),
        description: "\(DisplayText.shown(path)) lies in the synced folder \($0.name), whose copies are kept "
          + "by others: choose a place that is not synced, such as a memory stick.")
    }
  }

  /// The keys go from this computer; afterwards it says its last word into the folders, which withdraws what
  /// it offers. Throws what the disk refuses: ask `StateStore.hasLeft` then. A folder that takes no last word
  /// hears the new computer's first.
  package func leave() throws(ContinuityError) {
    try store.leave(at: ports.wall)
    folders.restore(store.state.folders)
    do throws(ContinuityError) {
      try records.publisher.sayLastWord(TwinWatch.leaving)
    } catch {
      ports.log("the last record before the move could not be written: code \(error.code)")
    }
  }

  /// This computer goes on as `moved`, in the place of the device that it was: its numbers and folders come
  /// first and its keys last. Throws `invalidRequest` where others know the device that this one is, and what
  /// the disk refuses.
  package func become(_ moved: MovingDevice, home: [UInt8]) throws(ContinuityError) {
    let before = store.identity
    try before.checkMayYield(to: moved.identity)
    let known = try AgentState(decoding: moved.state)
    folders.restore(store.state.folders)
    if let error = folders.syncedKeys() { throw error }
    try store.change { $0 = $0.takingOver(known, home: (moved.home, home)) }
    if let record = moved.record { try store.rememberOwnRecord(record) }
    try store.changeIdentity { (identity) throws(ContinuityError) in identity = moved.identity }
    records.publisher.leaveCircle(of: before)
  }

  /// The folders that this device knows, and whether each is here now.
  package var registeredFolders: [SyncedRoot] {
    store.state.folders.map { folder in
      let records = folder.path + [UInt8(ascii: "/")] + SyncNames.recordFolder
      let isHere = ports.disks.answers(folder.path) && ports.disks.exists(records)
      return SyncedRoot(id: folder.id, name: folder.name, path: folder.path, isPresent: isHere)
    }
  }

  /// Where another device was before, in a circle of its own: forgets what that one had heard. Throws what
  /// the disk refuses.
  package func forgetMoved() throws(ContinuityError) {
    try store.change { ($0.highWater, $0.copied) = ([:], nil) }
  }
}
