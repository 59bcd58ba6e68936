// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import FolderWatch
import SyncedFolders

/// Why an operation on a folder failed.
enum FileError: Error { case absent, exists, noSpace, readOnly, inputOutput }

/// A file that somebody has open: the inode, whatever its name has become.
final class OpenFile: AgentEngine.OpenFile, @unchecked Sendable {  // guarded by the world: it has one thread
  let inode: Int
  unowned let folder: MemoryFolder

  init(_ inode: Int, in folder: MemoryFolder) { (self.inode, self.folder) = (inode, folder) }

  func isOther(than stamp: FileStamp) -> Bool {
    UInt64(inode) != stamp.inode || folder.fileSystem != stamp.device
  }

  var size: UInt64 { UInt64(content.size) }

  /// What it holds; a file without a name is not synchronised by anybody.
  var content: Content {
    get { folder.inodes[inode].content }
    set { folder.inodes[inode].content = newValue }
  }
}

/// A synced folder of one device: inodes and names, in what the kernel shows and what the disk has kept,
/// with inotify's events and a bounded queue of them.
///
/// Operations that change names stand in a journal until something is synchronised or time passes; bytes are
/// pending until their file is. Losing power keeps a beginning of the journal, and tears pending bytes.
final class MemoryFolder {
  struct Inode {
    var isFolder: Bool
    var content = Content.empty
    var durable = Content.empty
    /// When the bytes last changed, in virtual time; writeback makes them durable after a while.
    var writtenAt: UInt64 = 0
    var modified: Int64 = 0
    var changed: Int64 = 0
    var parent = -1
    var name: [UInt8] = []
    var entries = SortedTable<[UInt8], Int>()
    /// Counts the changes of a folder's names, and of the bytes and times of the files in it.
    var changes: UInt64 = 0
    var watch: Int32 = -1
  }

  struct NameChange {
    var folder: Int
    var name: [UInt8]
    var before: Int?
    var after: Int?
    var at: UInt64
    /// Changes of one operation are kept or lost together.
    var group: Int
  }

  /// Where time, texts and waiting for the queue come from.
  unowned let world: World
  let device: Int
  let fileSystem: UInt64
  var inodes: [Inode] = [Inode(isFolder: true)]
  var journal: [NameChange] = []
  /// Every file's path, in order, until a name changes.
  var listed: [(path: [[UInt8]], inode: Int)]?
  /// Looks at folders, by inode.
  var looks: [Int: Look] = [:]
  private var groups = 0
  var events = EventSource()
  var isFull = false
  var isReadOnly = false
  var isFailing = false
  /// False while the folder is not mounted: its path leads to nothing.
  var isMounted = true

  /// How long bytes may stay in memory alone; how long names may.
  static let bytesPending: UInt64 = 30_000_000_000
  static let namesPending: UInt64 = 5_000_000_000
  /// The clock tick with which the kernel stamps inodes.
  static let tick: Int64 = 4_000_000

  init(world: World, device: Int, fileSystem: UInt64 = 1) {
    self.world = world
    self.fileSystem = fileSystem
    self.device = device
  }

  // MARK: Looking

  /// What the files in a folder hold, by name.
  func contents(of path: [[UInt8]]) -> [Content] {
    guard let place = find(path) else { return [] }
    return inodes[place].entries.values.map { inodes[$0] }.filter { !$0.isFolder }.map(\.content)
  }

  func find(_ path: some Sequence<[UInt8]>) -> Int? {
    guard isMounted else { return nil }
    var inode = 0
    for name in path {
      guard let next = inodes[inode].entries[name] else { return nil }
      inode = next
    }
    return inode
  }

  func stamp(_ inode: Int) -> FileStamp {
    FileStamp(
      device: fileSystem, inode: UInt64(inode), size: UInt64(inodes[inode].content.size),
      modified: inodes[inode].modified, changed: inodes[inode].changed)
  }

  /// The whole file at a path, as far as it is one.
  func content(at path: some Sequence<[UInt8]>) -> Content? {
    find(path).flatMap { inodes[$0].isFolder ? nil : inodes[$0].content }
  }

  var fileTime: Int64 { Int64(world.time) / Self.tick * Self.tick }

  // MARK: Changing

  private func check() throws(FileError) {
    if !isMounted { throw .absent }
    if isReadOnly { throw .readOnly }
    if isFailing { throw .inputOutput }
  }

  private func place(_ path: [[UInt8]]) throws(FileError) -> (folder: Int, name: [UInt8]) {
    guard let name = path.last, let folder = find(path.dropLast()), inodes[folder].isFolder else {
      throw .absent
    }
    return (folder, name)
  }

  private func set(_ folder: Int, _ name: [UInt8], _ inode: Int?, group: Int) {
    journal.append(
      NameChange(
        folder: folder, name: name, before: inodes[folder].entries[name], after: inode, at: world.time,
        group: group))
    inodes[folder].entries[name] = inode
    inodes[folder].changes += 1
    listed = nil
    if let inode { (inodes[inode].parent, inodes[inode].name) = (folder, name) }
    inodes[folder].modified = fileTime
    inodes[folder].changed = fileTime
  }

  private func nextGroup() -> Int {
    groups += 1
    return groups
  }

  /// Makes an empty file or folder; `exists` when the name is taken.
  @discardableResult
  func make(_ path: [[UInt8]], isFolder: Bool = false) throws(FileError) -> Int {
    try check()
    let (folder, name) = try place(path)
    guard inodes[folder].entries[name] == nil else { throw .exists }
    if isFull { throw .noSpace }
    inodes.append(Inode(isFolder: isFolder))
    let inode = inodes.count - 1
    (inodes[inode].modified, inodes[inode].changed) = (fileTime, fileTime)
    set(folder, name, inode, group: nextGroup())
    raise(.create, inode)
    return inode
  }

  /// A file without a name, which no folder has and no fault reaches.
  func makeNameless() -> OpenFile {
    inodes.append(Inode(isFolder: false))
    return OpenFile(inodes.count - 1, in: self)
  }

  /// Lays `written` bytes of `text` over the file from its beginning. MODIFY is not subscribed.
  func write(_ text: UInt32, _ written: UInt32, to inode: Int, from old: Content) throws(FileError) {
    try check()
    if isFull, written > 0 { throw .noSpace }
    let size = max(written, old.size)
    change(inode, world.contents.laid(text, written, over: old, size: size))
  }

  /// Cuts the file at `size` bytes, or lengthens it by zeros.
  func cut(_ inode: Int, to size: UInt32) throws(FileError) {
    try check()
    let old = inodes[inode].content
    let written = min(old.written, size)
    if old.size == size { return }
    if size == 0 { return change(inode, .empty) }
    change(inode, world.contents.laid(old.text, written, over: old, size: size))
  }

  /// The file holds exactly these bytes, torn as they may be.
  func fill(_ inode: Int, with content: Content) throws(FileError) {
    try check()
    if isFull, content.size > 0 { throw .noSpace }
    change(inode, content)
  }

  private func change(_ inode: Int, _ content: Content) {
    settleBytes(inode)
    inodes[inode].content = content
    inodes[inode].writtenAt = world.time
    (inodes[inode].modified, inodes[inode].changed) = (fileTime, fileTime)
    countChange(of: inode)
  }

  private func countChange(of inode: Int) {
    if inodes[inode].parent >= 0 { inodes[inodes[inode].parent].changes += 1 }
  }

  /// What was pending long enough has been written back meanwhile.
  private func settleBytes(_ inode: Int) {
    if world.time - inodes[inode].writtenAt > Self.bytesPending {
      inodes[inode].durable = inodes[inode].content
    }
  }

  /// A writer closed the file.
  func close(_ inode: Int) { raise(.closeWrite, inode) }

  func setTimes(_ inode: Int, modified: Int64) throws(FileError) {
    try check()
    inodes[inode].modified = modified
    inodes[inode].changed = fileTime
    countChange(of: inode)
    raise(.attributes, inode)
  }

  func rename(_ from: [[UInt8]], _ to: [[UInt8]]) throws(FileError) {
    try check()
    let (old, oldName) = try place(from)
    let (new, newName) = try place(to)
    guard let inode = inodes[old].entries[oldName] else { throw .absent }
    let group = nextGroup()
    let cookie = events.nextCookie()
    raise(.movedFrom, name: oldName, in: old, isFolder: inodes[inode].isFolder, cookie: cookie)
    set(old, oldName, nil, group: group)
    set(new, newName, inode, group: group)
    inodes[inode].changed = fileTime
    raise(.movedTo, name: newName, in: new, isFolder: inodes[inode].isFolder, cookie: cookie)
    if inodes[inode].isFolder { raiseSelf(.moveSelf, inode) }
  }

  func unlink(_ path: [[UInt8]]) throws(FileError) {
    try check()
    let (folder, name) = try place(path)
    guard let inode = inodes[folder].entries[name] else { throw .absent }
    set(folder, name, nil, group: nextGroup())
    if inodes[inode].isFolder, !events.losesSelf { endWatch(inode, .deleteSelf) }
    raise(.delete, name: name, in: folder, isFolder: inodes[inode].isFolder)
  }

  /// The file's bytes, and the journal up to now, are on the disk.
  func synchronize(_ inode: Int) throws(FileError) {
    if isFailing { throw .inputOutput }
    inodes[inode].durable = inodes[inode].content
    journal.removeAll(keepingCapacity: true)
  }
}
