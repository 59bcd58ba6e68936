// SPDX-License-Identifier: MIT

import ActivityModel
import FolderWatch
import SyncedFolders

/// The kernel's queue of events for one watch process.
struct EventSource {
  var queue: [KernelEvent] = []
  var limit = 64
  /// At most so many watches.
  var watchLimit = Int.max
  /// A file system that raises no events.
  var isSilent = false
  /// A folder that goes is held by another process: neither its end nor that of its watch is told.
  var losesSelf = false
  var watched: [Int32: Int] = [:]
  /// Told when the queue is not empty any more.
  var wake: (() -> Void)?
  private var lastWatch: Int32 = 0
  private var lastCookie: UInt32 = 0

  mutating func nextCookie() -> UInt32 {
    lastCookie += 1
    return lastCookie
  }

  mutating func nextWatch() -> Int32 {
    lastWatch += 1
    return lastWatch
  }

  mutating func add(_ event: KernelEvent) {
    if queue.last == event { return }
    guard queue.count < limit else {
      if queue.last?.mask != .overflow { queue.append(KernelEvent(descriptor: -1, mask: .overflow)) }
      return
    }
    queue.append(event)
    if queue.count == 1 { wake?() }
  }
}

// inotify, as far as the watch tree sees it.
extension MemoryFolder {
  func raise(_ mask: KernelEvent.Mask, _ inode: Int) {
    let parent = inodes[inode].parent
    guard parent >= 0, inodes[parent].watch >= 0, inodes[parent].entries[inodes[inode].name] == inode else {
      return
    }
    raise(mask, name: inodes[inode].name, in: parent, isFolder: inodes[inode].isFolder)
  }

  func raise(
    _ mask: KernelEvent.Mask, name: [UInt8], in folder: Int, isFolder: Bool, cookie: UInt32 = 0
  ) {
    guard inodes[folder].watch >= 0, !events.isSilent else { return }
    events.add(
      KernelEvent(
        descriptor: inodes[folder].watch, mask: isFolder ? mask.union(.isFolder) : mask, cookie: cookie,
        name: name))
  }

  func raiseSelf(_ mask: KernelEvent.Mask, _ inode: Int) {
    guard inodes[inode].watch >= 0, !events.isSilent else { return }
    events.add(KernelEvent(descriptor: inodes[inode].watch, mask: mask.union(.isFolder)))
  }

  func endWatch(_ inode: Int, _ mask: KernelEvent.Mask) {
    let watch = inodes[inode].watch
    guard watch >= 0 else { return }
    raiseSelf(mask, inode)
    removeWatch(watch)
  }

  func removeWatch(_ watch: Int32) {
    guard let inode = events.watched.removeValue(forKey: watch) else { return }
    inodes[inode].watch = -1
    if !events.isSilent { events.add(KernelEvent(descriptor: watch, mask: .ignored)) }
  }

  func endAllWatches() {
    for inode in inodes.indices { inodes[inode].watch = -1 }
    events.watched = [:]
    events.queue = []
  }

  /// Watches the folder, then lists it.
  func follow(_ path: [[UInt8]]) -> Result<(Int32, Listing), FollowFailure> {
    guard let inode = find(path), inodes[inode].isFolder else {
      return .failure(path.isEmpty ? .rootGone(reason: "The folder is gone.") : .gone)
    }
    if inodes[inode].watch < 0 {
      guard events.watched.count < events.watchLimit else {
        return .failure(.limit(UInt64(clamping: events.watchLimit)))
      }
      inodes[inode].watch = events.nextWatch()
      events.watched[inodes[inode].watch] = inode
    }
    return .success((inodes[inode].watch, listing(inode)))
  }

  private func listing(_ folder: Int) -> Listing {
    var (folders, files): ([[UInt8]], [[UInt8]]) = ([], [])
    let entries = inodes[folder].entries
    for index in entries.keys.indices {
      if inodes[entries.values[index]].isFolder {
        folders.append(entries.keys[index])
      } else {
        files.append(entries.keys[index])
      }
    }
    return Listing(folders: folders, files: files)
  }

  private static let recent: Int64 = 3_000_000_000

  /// What was found, for as long as looking would find the same.
  struct Look {
    var changes: UInt64
    /// When the first of the files is recent no more.
    var end: Int64
    var snapshot: FolderSnapshot
  }

  /// What stat(2) finds; nil when there is no folder.
  func snapshot(_ path: [[UInt8]]) -> FolderSnapshot? {
    guard let folder = find(path), inodes[folder].isFolder else { return nil }
    if let look = looks[folder], look.changes == inodes[folder].changes, fileTime < look.end {
      return look.snapshot
    }
    var snapshot = FolderSnapshot()
    var end = Int64.max
    let entries = inodes[folder].entries
    for (name, inode) in zip(entries.keys, entries.values) {
      let file = inodes[inode]
      if file.isFolder {
        snapshot.folders[name] = UInt64(inode)
      } else {
        snapshot.files?[name] = FolderSnapshot.File(
          inode: UInt64(inode), size: Int64(file.content.size), modified: file.modified,
          changed: file.changed, isRecent: fileTime - file.changed < Self.recent)
        if fileTime - file.changed < Self.recent { end = min(end, file.changed + Self.recent) }
      }
    }
    looks[folder] = Look(changes: inodes[folder].changes, end: end, snapshot: snapshot)
    return snapshot
  }
}

/// The folder as the product's rules see it.
extension MemoryFolder: FolderContents {
  func entries(of folder: RelativePath?) -> [FolderEntry]? {
    guard let inode = find(folder?.components ?? []), inodes[inode].isFolder else { return nil }
    let entries = inodes[inode].entries
    return entries.keys.indices.map {
      FolderEntry(name: entries.keys[$0], kind: inodes[entries.values[$0]].isFolder ? .folder : .regular)
    }
  }

  func observe(_ path: RelativePath) -> FileObservation {
    guard isMounted, let inode = find(path.components) else { return .absent }
    if inodes[inode].isFolder { return .other(.folder) }
    return isFailing ? .unreadable("the disk fails") : .file(stamp(inode))
  }

  func digest(of path: RelativePath) -> HashOutcome {
    guard let inode = find(path.components), !inodes[inode].isFolder else { return .unstable }
    return hash(inode, at: path)
  }

  /// Reads an open file to its end; `unstable` unless the path names that very file.
  func hash(_ inode: Int, at path: RelativePath) -> HashOutcome {
    if isFailing { return .failed("the disk fails") }
    guard find(path.components) == inode else { return .unstable }
    let stamp = stamp(inode)
    let quiet = max(0, Int64(world.time) - stamp.changed)
    return .stable(world.contents.digest(of: inodes[inode].content), stamp, quiet: .nanoseconds(quiet))
  }
}
