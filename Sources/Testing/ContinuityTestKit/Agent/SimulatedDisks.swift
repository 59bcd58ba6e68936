// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import SyncedFolders

/// The device's file systems: its synced folder, and the state directory.
final class SimulatedDisks: Disks {
  /// Where the agent's own files lie.
  static let stateDirectory = Array("/state".utf8)

  private let process: AgentProcess
  var onReturn: () -> Void = {}

  init(_ process: AgentProcess) { self.process = process }

  private var folder: MemoryFolder { process.device.folder }

  func answers(_ path: [UInt8]) -> Bool { true }
  func realPath(_ path: [UInt8]) -> [UInt8]? { exists(path) ? path : nil }

  func isFolder(_ path: [UInt8]) -> Bool {
    if path == Self.stateDirectory { return true }
    guard let (folder, inode) = find(path) else { return false }
    return folder.inodes[inode].isFolder
  }

  func exists(_ path: [UInt8]) -> Bool { path == Self.stateDirectory || find(path) != nil }

  private func find(_ path: [UInt8]) -> (folder: MemoryFolder, inode: Int)? {
    let device = process.device
    if path == EditorApp.root { return folder.find([]).map { (folder, $0) } }
    if path == SimulatedCopies.root { return device.copies.find([]).map { (device.copies, $0) } }
    guard let place = FilePlace(absolute: path), let inode = place.inode(on: device) else { return nil }
    return (place.folder(of: device), inode)
  }

  func open(folder path: [UInt8]) throws(ContinuityError) -> any SyncedFolder {
    guard process.isAlive, path == EditorApp.root, folder.isMounted else {
      throw ContinuityError(.folderUnavailable, description: "The folder is not there.")
    }
    return SimulatedFolder(process, folder, at: path)
  }
}

/// One opening of the device's synced folder, or of that with its private copies.
final class SimulatedFolder: SyncedFolder, @unchecked Sendable {  // guarded by the world: it has one thread
  let process: AgentProcess
  let folder: MemoryFolder
  let path: [UInt8]
  /// What a reading that takes time found at its beginning.
  var begun: ReadingBeginning?

  init(_ process: AgentProcess, _ folder: MemoryFolder, at path: [UInt8]) {
    (self.process, self.folder, self.path) = (process, folder, path)
  }

  var isInPlace: Bool { folder.isMounted }
  var stampTrust: StampTrust { .onceStill }

  /// The file that a reading of `path` reads: the one that was handed over, if one was.
  func beginning(of path: RelativePath, _ file: (any AgentEngine.OpenFile)?) -> ReadingBeginning? {
    guard let file = opened(path, file) else { return nil }
    let stamp = file.folder.stamp(file.inode)
    return ReadingBeginning(inode: file.inode, stamp: stamp, quiet: age(of: stamp))
  }

  private func opened(_ path: RelativePath, _ file: (any AgentEngine.OpenFile)?) -> OpenFile? {
    file as? OpenFile ?? folder.find(path.components).map { OpenFile($0, in: folder) }
  }

  func entries(of inner: RelativePath?) -> [FolderEntry]? { folder.entries(of: inner) }
  func observe(_ path: RelativePath) -> FileObservation { folder.observe(path) }
  func digest(of path: RelativePath) -> HashOutcome { folder.digest(of: path) }
  func hasConflictMarkers(_ path: RelativePath) -> Bool { folder.hasConflictMarkers(path) }
  func age(of stamp: FileStamp) -> Duration { folder.age(of: stamp) }

  func open(document path: RelativePath) throws(ContinuityError) -> OpenedDocument {
    guard let inode = folder.find(path.components), !folder.inodes[inode].isFolder else {
      throw ContinuityError(
        .documentMissing, subject: path.displayName, description: "The document is not there.")
    }
    guard !folder.isFailing else {
      throw ContinuityError(.documentUnreadable, subject: path.displayName, description: "The disk fails.")
    }
    return OpenedDocument(path: path, file: OpenFile(inode, in: folder), stamp: folder.stamp(inode))
  }

  func hash(
    _ path: RelativePath, file: (any AgentEngine.OpenFile)?, isCancelled: () -> Bool,
    progress: (UInt64) -> Void
  ) -> HashOutcome {
    process.efforts += 1
    if isCancelled() { return .cancelled }
    guard let file = opened(path, file), !file.folder.inodes[file.inode].isFolder else { return .unstable }
    let (inode, outcome) = (file.inode, file.folder.hash(file.inode, at: path))
    guard case .stable(let digest, let stamp, _) = outcome else { return outcome }
    progress(stamp.size)
    guard let begun, begun.inode == inode else { return outcome }
    let isWhole = begun.stamp.covers(Int(clamping: stamp.size), until: stamp)
    return isWhole ? .stable(digest, stamp, quiet: begun.quiet) : .unstable
  }

  func ownFiles(creating: Bool) throws(ContinuityError) -> (any OwnFiles)? {
    if creating, folder.find(RecordFiles.names) == nil {
      _ = try? folder.make(RecordFiles.names, isFolder: true)
    }
    return folder.find(RecordFiles.names).map { RecordFiles(process, inode: $0) }
  }
}

/// A file as a reading found it when it began.
struct ReadingBeginning {
  let inode: Int
  let stamp: FileStamp
  let quiet: Duration
}

extension MemoryFolder {
  /// How long ago the file was changed.
  func age(of stamp: FileStamp) -> Duration { .nanoseconds(max(0, Int64(world.time) - stamp.changed)) }
}
