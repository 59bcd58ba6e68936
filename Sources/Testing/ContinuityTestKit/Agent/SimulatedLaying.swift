// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import SyncedFolders

extension SimulatedFolder {
  /// As the product's `DocumentLaying`, in one moment: what another program does meanwhile is for its tests.
  /// The power may go at each step. A file never comes itself: copies lie on another file system.
  func lay(
    _ document: LaidDocument, from file: any AgentEngine.OpenFile, keeping kept: any ReplacedFiles,
    isCancelled: () -> Bool, progress: (UInt64) -> Void
  ) -> (outcome: LayingOutcome, stamp: FileStamp?) {
    let outcome = lay(document, from: file, keeping: kept, isCancelled)
    guard outcome == .laid, case .file(let stamp) = observe(document.path) else { return (outcome, nil) }
    return (outcome, stamp)
  }

  private func lay(
    _ document: LaidDocument, from file: any AgentEngine.OpenFile, keeping kept: any ReplacedFiles,
    _ isCancelled: () -> Bool
  ) -> LayingOutcome {
    guard let received = (file as? OpenFile)?.content, !isCancelled() else { return .cancelled }
    guard process.isAlive, folder.isMounted, !folder.isFailing else {
      return .failed("the folder is not there")
    }
    process.efforts += 1
    let (world, path) = (process.world, document.path.components)
    if let former = folder.find(path) {
      guard !folder.inodes[former].isFolder else { return .failed("it is a folder, not a file") }
      let digest = digest(of: former, keptBy: kept)
      if digest == document.version.digest { return .laid }
      guard document.mayReplace(digest) else { return .kept }
    } else if !document.mayBeNew {
      return .kept
    }
    guard world.contents.digest(of: received) == document.version.digest else { return .otherBytes }
    do {
      try replace(path, with: received, modified: document.modified, keeping: kept)
      return .laid
    } catch {
      return .failed("\(error)")
    }
  }

  /// What it holds, read now or before.
  private func digest(of inode: Int, keptBy kept: any ReplacedFiles) -> ContentDigest {
    kept.digest(of: folder.stamp(inode), isCancelled: { false })
      ?? process.world.contents.digest(of: folder.inodes[inode].content)
  }

  private func replace(
    _ path: [[UInt8]], with content: Content, modified: Int64?, keeping kept: any ReplacedFiles
  ) throws {
    let (device, world) = (process.device, process.world)
    let temporary = RecordFiles.names + [(path.last ?? []) + Array("~".utf8)]
    try device.operate()
    let file = try folder.make(temporary)
    do {
      try folder.fill(file, with: content)
      if let modified { try folder.setTimes(file, modified: modified) }
      try device.operate()
      try folder.synchronize(file)
      let former = folder.find(path).map { OpenFile($0, in: folder) }
      if let former, let name = path.last {
        try kept.keep(former, called: name, digest: digest(of: former.inode, keptBy: kept))
      }
      try device.operate()
      try folder.rename(temporary, path)
      world.count(isOfCopies ? .copied : .laid)
      world.judge { $0.laid(device, path, content, over: former?.content) }
      try device.operate()
      try folder.synchronize(file)
    } catch {
      if !(error is PowerLoss) { try? folder.unlink(temporary) }
      throw error
    }
    if !isOfCopies { for engine in world.engines { engine.noticed(device.number) } }
  }

  private var isOfCopies: Bool { folder === process.device.copies }
}

/// What versions from links took the places of, on the agent's own disk.
final class SimulatedReplacedFiles: ReplacedFiles, @unchecked Sendable {  // guarded by the world's one thread
  fileprivate let process: AgentProcess

  init(_ process: AgentProcess) { self.process = process }

  func keep(
    _ file: any AgentEngine.OpenFile, called name: [UInt8], digest: ContentDigest
  ) throws(ContinuityError) {
    guard process.isAlive, process.device.reachDisk(), !process.device.storeIsFull else {
      throw ContinuityError(.folderUnavailable, description: "The disk is full.")
    }
    process.device.disk.replaced.insert(digest)
  }

  func begin(_ path: RelativePath, for size: UInt64, in folder: any SyncedFolder) -> any ReplacedFiles {
    SimulatedFormerVersion(of: path, in: folder, keptBy: self)
  }
}

/// What a document held when a version began to come that will be laid in its place, as the product's
/// `FormerVersion`: it stands for the file as long as its stamp does.
final class SimulatedFormerVersion: ReplacedFiles {
  private let replaced: SimulatedReplacedFiles
  private let read: (stamp: FileStamp, digest: ContentDigest)?

  init(of path: RelativePath, in folder: any SyncedFolder, keptBy replaced: SimulatedReplacedFiles) {
    self.replaced = replaced
    guard case .stable(let digest, let stamp, let quiet) = folder.digest(of: path),
      folder.stampTrust.holds(stamp, quiet: quiet)
    else {
      read = nil
      return
    }
    read = (stamp, digest)
  }

  func digest(of stamp: FileStamp, isCancelled: () -> Bool) -> ContentDigest? {
    read?.stamp == stamp ? read?.digest : nil
  }

  func keep(
    _ file: any AgentEngine.OpenFile, called name: [UInt8], digest: ContentDigest
  ) throws(ContinuityError) {
    try replaced.keep(file, called: name, digest: digest)
    guard let file = file as? OpenFile, file.folder.stamp(file.inode) == read?.stamp else { return }
    replaced.process.device.disk.readAhead += 1
  }
}
