// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import SyncedFolders

/// The private copies of a device: on another file system than its folder, so that their bytes go there.
final class SimulatedCopies: CopyFiles {
  /// Where they lie.
  static let root = Array("/copies".utf8)

  private let process: AgentProcess
  private let files: MemoryFolder
  private lazy var opened = SimulatedFolder(process, files, at: Self.root)

  init(_ process: AgentProcess) {
    self.process = process
    files = process.device.copies
  }

  /// A world without a network has nothing sent.
  var isThere: Bool { process.world.wires != nil }

  func folder() throws(ContinuityError) -> any SyncedFolder {
    if files.find(RecordFiles.names) == nil { try make(RecordFiles.names) }
    return opened
  }

  func make(_ copy: PrivateCopy.ID) throws(ContinuityError) { try make(Self.place(of: copy)) }

  private func make(_ path: [[UInt8]]) throws(ContinuityError) {
    guard process.isAlive, process.device.reachDisk(), !process.device.storeIsFull,
      let made = try? files.make(path, isFolder: true)
    else { throw ContinuityError(.folderUnavailable, description: "The disk is full.") }
    try? files.synchronize(made)
  }

  func rename(_ name: [UInt8], to other: [UInt8], of copy: PrivateCopy.ID, replaces: Bool) -> Bool {
    let place = Self.place(of: copy)
    guard process.isAlive, process.device.reachDisk(), replaces || files.find(place + [other]) == nil,
      let file = files.find(place + [name]), (try? files.rename(place + [name], place + [other])) != nil
    else { return false }
    try? files.synchronize(file)
    return true
  }

  func remove(_ name: [UInt8], of copy: PrivateCopy.ID) {
    let path = Self.place(of: copy) + [name]
    guard process.isAlive, process.device.reachDisk(), let content = files.content(at: path) else { return }
    process.world.judge { $0.removedCopy(process.device, content) }
    try? files.unlink(path)
  }

  func removeFolder(of copy: PrivateCopy.ID) { removeFolder(Self.place(of: copy)) }

  func removeEmptyFolders() {
    for name in files.inodes[0].entries.keys where name != SyncNames.recordFolder { removeFolder([name]) }
  }

  private func removeFolder(_ path: [[UInt8]]) {
    guard process.isAlive, let folder = files.find(path), files.inodes[folder].entries.keys.isEmpty else {
      return
    }
    try? files.unlink(path)
  }

  private static func place(of copy: PrivateCopy.ID) -> [[UInt8]] { [Array(copy.description.utf8)] }
}
