// SPDX-License-Identifier: MIT

import FolderWatch

/// Folders in memory with inotify's rules, as far as `WatchTree` sees them.
///
/// It queues what the kernel queues for the subscribed events, follows inodes and not names, and ends watches
/// of deleted folders. It does not fake permissions other than `denied`, links, or several processes: both
/// halves of a rename always stand together.
struct MemoryKernel {
  typealias Path = [String]

  final class Inode {
    let number: Int
    let isFolder: Bool
    var names: [String: Inode] = [:]
    var version = 0
    var touches: Int64 = 0
    init(number: Int, isFolder: Bool) {
      self.number = number
      self.isFolder = isFolder
    }
  }

  let top = Inode(number: 0, isFolder: true)
  var queue: [KernelEvent] = []
  var watchLimit = Int.max
  var denied: Set<String> = []
  private(set) var watched: [Int32: Inode] = [:]
  private var inodes = 0
  private var lastWatch: Int32 = 0
  private var lastCookie: UInt32 = 0

  func find(_ path: Path) -> Inode? { path.reduce(top) { $0?.names[$1] } }

  func watch(on inode: Inode) -> Int32? { watched.first { $0.value === inode }?.key }

  /// False when the name is taken or its folder is missing.
  @discardableResult
  mutating func make(_ path: Path, folder: Bool) -> Bool {
    guard let (parent, name) = place(path), parent.names[name] == nil else { return false }
    inodes += 1
    parent.names[name] = Inode(number: inodes, isFolder: folder)
    report(.create, name, in: parent, folder: folder)
    if !folder { report(.closeWrite, name, in: parent, folder: false) }
    return true
  }

  mutating func write(_ path: Path) {
    guard let (parent, name) = place(path), let file = parent.names[name], !file.isFolder else { return }
    file.version += 1
    report(.closeWrite, name, in: parent, folder: false)
  }

  mutating func touch(_ path: Path) {
    guard let (parent, name) = place(path), let inode = parent.names[name] else { return }
    inode.touches += 1
    report(.attributes, name, in: parent, folder: inode.isFolder)
    report(.attributes, "", in: inode, folder: true)
  }

  mutating func remove(_ path: Path) {
    guard let (parent, name) = place(path), let inode = parent.names[name] else { return }
    for child in inode.names.keys.sorted() { remove(path + [child]) }
    parent.names[name] = nil
    retire(inode, .deleteSelf)
    report(.delete, name, in: parent, folder: inode.isFolder)
  }

  mutating func move(_ from: Path, _ to: Path) {
    guard let (old, oldName) = place(from), let inode = old.names[oldName], !to.starts(with: from),
      let (new, newName) = place(to)
    else { return }
    if let target = new.names[newName] {
      guard target.isFolder == inode.isFolder, target.names.isEmpty else { return }
      retire(target, .deleteSelf)
    }
    old.names[oldName] = nil
    new.names[newName] = inode
    reportMove(inode, old, oldName, new, newName)
  }

  mutating func exchange(_ left: Path, _ right: Path) {
    guard let (old, oldName) = place(left), let first = old.names[oldName], !left.starts(with: right),
      let (new, newName) = place(right), let second = new.names[newName], !right.starts(with: left)
    else { return }
    old.names[oldName] = second
    new.names[newName] = first
    reportMove(first, old, oldName, new, newName)
    reportMove(second, new, newName, old, oldName)
  }

  mutating func overflow() { queue = [KernelEvent(descriptor: -1, mask: .overflow)] }

  /// An event of a watch that never was.
  mutating func stray() {
    queue.append(KernelEvent(descriptor: 1_000_000, mask: .create, name: [UInt8(ascii: "x")]))
  }

  mutating func unmount(_ path: Path) {
    if let inode = find(path) { retire(inode, .unmount) }
  }

  mutating func unwatch(_ descriptor: Int32) {
    if watched.removeValue(forKey: descriptor) != nil {
      queue.append(KernelEvent(descriptor: descriptor, mask: .ignored))
    }
  }

  mutating func follow(_ path: Path, isRoot: Bool) -> Result<(Int32, Listing), FollowFailure> {
    guard let inode = find(path), inode.isFolder else {
      return .failure(isRoot ? .rootGone(reason: "gone") : .gone)
    }
    if denied.contains(path.joined(separator: "/")) { return .failure(.refused(reason: "denied")) }
    let sorted = inode.names.sorted { $0.key < $1.key }
    let listing = Listing(
      folders: sorted.filter(\.value.isFolder).map { Array($0.key.utf8) },
      files: sorted.filter { !$0.value.isFolder }.map { Array($0.key.utf8) })
    if let known = watch(on: inode) { return .success((known, listing)) }
    guard watched.count < watchLimit else { return .failure(.limit(UInt64(watchLimit))) }
    lastWatch += 1
    watched[lastWatch] = inode
    return .success((lastWatch, listing))
  }

  /// What stat(2) finds; nil when there is no folder.
  func snapshot(_ path: Path) -> FolderSnapshot? {
    guard let inode = find(path), inode.isFolder else { return nil }
    var snapshot = FolderSnapshot()
    for (name, child) in inode.names {
      if child.isFolder {
        snapshot.folders[Array(name.utf8)] = UInt64(child.number)
      } else {
        let time = Int64(child.version)
        snapshot.files?[Array(name.utf8)] = FolderSnapshot.File(
          inode: UInt64(child.number), size: 0, modified: time, changed: time + child.touches)
      }
    }
    return snapshot
  }

  private func place(_ path: Path) -> (Inode, String)? {
    guard let name = path.last, let parent = find(path.dropLast()), parent.isFolder else { return nil }
    return (parent, name)
  }

  private mutating func report(
    _ mask: KernelEvent.Mask, _ name: String, in folder: Inode, folder isFolder: Bool, cookie: UInt32 = 0
  ) {
    guard let descriptor = watch(on: folder) else { return }
    let full = isFolder ? mask.union(.isFolder) : mask
    queue.append(KernelEvent(descriptor: descriptor, mask: full, cookie: cookie, name: Array(name.utf8)))
  }

  private mutating func reportMove(
    _ inode: Inode, _ old: Inode, _ oldName: String, _ new: Inode, _ newName: String
  ) {
    lastCookie += 1
    report(.movedFrom, oldName, in: old, folder: inode.isFolder, cookie: lastCookie)
    report(.movedTo, newName, in: new, folder: inode.isFolder, cookie: lastCookie)
    report(.moveSelf, "", in: inode, folder: inode.isFolder)
  }

  private mutating func retire(_ inode: Inode, _ mask: KernelEvent.Mask) {
    guard let descriptor = watch(on: inode) else { return }
    queue.append(KernelEvent(descriptor: descriptor, mask: mask))
    unwatch(descriptor)
  }
}
