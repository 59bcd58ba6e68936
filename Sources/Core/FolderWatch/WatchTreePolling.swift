// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

// Folders that are looked at again and again, and which of them get a watch first.
extension WatchTree {
  /// The root and its records: without them nothing is known of any document.
  static let alwaysNeeded: Set<[[UInt8]]> = [[], [Array(".continuo".utf8)]]

  struct Polled: Sendable {
    var cause: PollingCause
    var snapshot: FolderSnapshot?
    /// Files that are told once more with the next look: two changes may carry the same times.
    var again: Set<[UInt8]> = []
  }

  struct PollingCount: Hashable, Sendable {
    var limited: UInt64 = 0
    var silent: UInt64 = 0
    var unwatched: UInt64 = 0
    var limit: UInt64 = 0
    var setting = ""
    var fileSystem = ""
  }

  /// Folders that are to be looked at by `polled`; such that failed, by `follow` again. In no order, and
  /// valid until the next event.
  public var polledFolders: [FolderNumber] { polled.keys.map { FolderNumber($0) } }

  /// Whether there are any.
  public var isPolling: Bool { !polled.isEmpty }

  /// Why the folder is polled; nil when it is not.
  public func pollingCause(of number: FolderNumber) -> PollingCause? { polled[number.index]?.cause }

  /// Whether a folder of the tree has this watch.
  public func isWatched(_ descriptor: Int32) -> Bool { table.isWatched(descriptor) }

  mutating func setPolled(_ folder: Int32, _ new: Polled?) {
    guard new != nil || polled[folder] != nil else { return }
    let root = table[folder].root
    let old = polled[folder]
    if old?.cause != new?.cause {
      if let old { roots[root]?.polling.count(old.cause, by: -1) }
      if let new { roots[root]?.polling.count(new.cause, by: 1) }
    }
    polled[folder] = new
    mayBeSettled = true
  }

  func isFailing(_ folder: Int32) -> Bool {
    if case .failed = polled[folder]?.cause { true } else { false }
  }

  mutating func followSoon(_ folder: Int32) {
    guard table[folder].state == .followed else { return }
    rescanWhenSettled(folder)
    ask(folder)
  }

  /// A watch was had after all.
  mutating func endPolling(_ folder: Int32) {
    guard let old = polled[folder] else { return }
    if case .silent = old.cause { return }
    setPolled(folder, nil)
    if roots[table[folder].root]?.phase == .live { rescanWhenSettled(folder) }
  }

  mutating func failed(_ folder: Int32, _ reason: String) {
    report(.rescan(table[folder].root, path: table.path(folder).names))
    setPolled(folder, Polled(cause: .failed(reason: reason), snapshot: polled[folder]?.snapshot))
  }

  mutating func pollFailed(_ folder: Int32, _ failure: FollowFailure) {
    let number = table[folder].root
    let top = table.path(folder).top
    guard let root = roots[number], top == root.top, polled[folder] != nil else { return }
    switch failure {
    case .rootGone(let reason): lose(number, reason)
    case .gone where folder == top: lose(number, Self.rootReason(failure))
    // The folder above tells of it: it may as well have been renamed, of which the event is still to come.
    // What it holds is compared with what it held when it can be looked at again.
    case .gone, .limit, .refused, .later: break
    }
  }

  mutating func polled(_ folder: Int32, _ cause: PollingCause, _ snapshot: FolderSnapshot) {
    let isAnswer = table[folder].state == .asked
    guard answered(folder) else { return }
    let number = table[folder].root
    let (top, path) = table.path(folder)
    guard let root = roots[number], top == root.top else { return moves.markStale(top) }
    if case .limit(let limit, _) = cause {
      if isAnswer { leaveInode(folder) }
      if isAnswer, root.needed.contains(path), exchangeWatch(for: folder, cause) { return }
      if !root.toldLimit { report(.watchLimit(number, path: path, limit: limit)) }
      roots[number]?.toldLimit = true
    }
    let old = polled[folder]
    var new = Polled(cause: cause, snapshot: snapshot)
    if let before = old?.snapshot {
      let again = old?.again ?? []
      // Mostly nothing changed.
      if !again.isEmpty || before != snapshot || before.hasRecentFiles {
        new.again = tellChanges(from: before, to: snapshot, again, number, path)
        replaceFolders(folder, before, snapshot)
      }
    } else if old != nil {
      // Between its last event and this look anything may have happened.
      report(.rescan(number, path: path))
    } else if isAnswer, root.phase == .live {
      tellFound(snapshot.listing, number, path)
    }
    if !snapshot.isComplete { report(.rescan(number, path: path)) }
    setPolled(folder, new)
    reconcile(
      folder, snapshot.folderNames, isComplete: snapshot.isComplete,
      walkAll: isAnswer && root.phase != .live)
  }

  /// Tells what differs; returns the files to be told once more.
  private mutating func tellChanges(
    from old: FolderSnapshot, to new: FolderSnapshot, _ again: Set<[UInt8]>, _ root: RootNumber,
    _ path: [[UInt8]]
  ) -> Set<[UInt8]> {
    func told(_ name: [UInt8], _ change: FolderHint.Change) -> FolderHint {
      .changed(root, path: path + [name], change: change)
    }
    if new.isComplete {
      for name in old.folderNames where new.folders[name] == nil { report(told(name, .deleted)) }
      // A folder that took a file's name is told as created: what is below it may be known already.
      for name in old.fileNames ?? [] where new.files?[name] == nil && new.folders[name] == nil {
        if new.files != nil, WatchCookie.cookie(inName: name) == nil { report(told(name, .deleted)) }
      }
    }
    for name in new.folderNames where old.folders[name] == nil { report(told(name, .created)) }
    guard let before = old.files, let now = new.files else {
      let differs = old.fingerprint != new.fingerprint || (old.files == nil) != (new.files == nil)
      if differs { report(.rescan(root, path: path)) }
      return []
    }
    var next: Set<[UInt8]> = []
    for name in new.fileNames ?? [] where WatchCookie.cookie(inName: name) == nil {
      guard let change = Self.change(before[name], now[name]) else {
        if again.contains(name) || before[name]?.isRecent == true { report(told(name, .written)) }
        continue
      }
      report(told(name, change))
      next.insert(name)
    }
    return next
  }

  private static func change(_ old: FolderSnapshot.File?, _ new: FolderSnapshot.File?) -> FolderHint.Change? {
    guard let old else { return .created }
    guard let new else { return nil }
    if (old.inode, old.size, old.modified) != (new.inode, new.size, new.modified) { return .written }
    return old.changed == new.changed ? nil : .attributes
  }

  // Another folder has the name now.
  private mutating func replaceFolders(_ folder: Int32, _ old: FolderSnapshot, _ new: FolderSnapshot) {
    for (name, inode) in new.folders {
      guard let before = old.folders[name], before != inode, let child = table.child(folder, name) else {
        continue
      }
      drop(child)
      rescanWhenSettled(askNew(name, in: folder))
    }
  }

  mutating func prefer(_ number: RootNumber, _ paths: Set<[[UInt8]]>) {
    guard roots[number] != nil else { return }
    var needed = Self.alwaysNeeded
    for path in paths {
      for count in 1...max(1, path.count) { needed.insert(Array(path.prefix(count))) }
    }
    roots[number]?.needed = needed
    for folder in polled.keys.sorted() where table[folder].root == number && table[folder].state == .followed
    {
      guard case .limit = polled[folder]?.cause, needed.contains(table.path(folder).names) else { continue }
      ask(folder)
    }
  }

  /// Takes the watch of a folder that does not matter, for one that does. False when all matter.
  ///
  /// The other folder is not asked for again at once: it might take the watch that was made free for this
  /// one.
  private mutating func exchangeWatch(for folder: Int32, _ cause: PollingCause) -> Bool {
    guard let victim = victim(), let watch = table.clearDescriptor(victim) else { return false }
    unwatch(watch)
    setPolled(victim, Polled(cause: cause))
    ask(folder)
    return true
  }

  private func victim() -> Int32? {
    (0..<table.count).reversed().first { each in
      let folder = table[each]
      guard folder.state == .followed, folder.descriptor >= 0, polled[each] == nil,
        table.watched(by: folder.descriptor).count == 1, let root = roots[folder.root]
      else { return false }
      let (top, path) = table.path(each)
      return top == root.top && !root.needed.contains(path)
    }
  }

  /// Tells how a root is polled, when that changed.
  mutating func tellPolling(_ number: RootNumber) {
    guard let root = roots[number], root.polling != root.toldPolling else { return }
    roots[number]?.toldPolling = root.polling
    guard root.polling.causes != root.toldPolling.causes else { return }
    if root.polling.limited == 0 { roots[number]?.toldLimit = false }
    report(
      .polling(number, folders: root.polling.folders, reason: root.polling.reason))
  }
}

extension WatchTree.PollingCount {
  mutating func count(_ cause: PollingCause, by step: Int) {
    switch cause {
    case .limit(let limit, let setting):
      limited = UInt64(Int(limited) + step)
      (self.limit, self.setting) = (limit, setting)
    case .instances(let limit, let setting):
      unwatched = UInt64(Int(unwatched) + step)
      (self.limit, self.setting) = (limit, setting)
    case .silent(let name):
      silent = UInt64(Int(silent) + step)
      fileSystem = name
    case .failed: break
    }
  }

  /// How many folders are looked at for a reason that is told.
  var folders: UInt64 { limited + silent + unwatched }

  /// What is told, the shortage first.
  var causes: [PollingCause] {
    var causes: [PollingCause] = []
    if unwatched > 0 {
      causes.append(.instances(limit, setting: setting))
    } else if limited > 0 {
      causes.append(.limit(limit, setting: setting))
    }
    if silent > 0 { causes.append(.silent(fileSystem: fileSystem)) }
    return causes
  }

  /// One or two sentences for people; empty when no folder is polled.
  var reason: String { causes.map(Self.sentence).joined(separator: " ") }

  private static func sentence(_ cause: PollingCause) -> String {
    switch cause {
    case .instances(let limit, let setting):
      let more = limit < .max / 4 ? max(limit, 128) * 2 : limit
      return
        "The kernel allows \(limit) inotify instances, and all are in use: everything is looked at every few "
        + "seconds; end another watcher, or raise the limit with `sysctl \(setting)=\(more)`."
    case .limit(let limit, let setting):
      let more = limit < .max / 4 ? max(limit, 4096) * 2 : limit
      return
        "The kernel allows \(limit) watches, too few for all folders; the others are looked at every few "
        + "seconds: raise the limit with `sysctl \(setting)=\(more)`."
    case .silent(let name):
      return "Its file system (\(name)) tells nothing of changes made elsewhere: it is looked at every few "
        + "seconds."
    case .failed(let reason): return reason
    }
  }
}
