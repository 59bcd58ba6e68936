// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

// What the answers to `follow` mean.
extension WatchTree {
  mutating func followed(_ folder: Int32, _ descriptor: Int32, _ listing: Listing) {
    guard answered(folder) else {
      if !table.isWatched(descriptor) { unwatch(descriptor) }
      return
    }
    let number = table[folder].root
    retired.remove(descriptor)
    if table[folder].descriptor != descriptor { replaceWatch(folder, descriptor) }
    endPolling(folder)
    let (top, path) = table.path(folder)
    guard let root = roots[number], top == root.top else { return moves.markStale(top) }
    if isInsideItself(folder) { return drop(folder) }
    // What a silent folder holds was told by its `polled`, which comes first.
    if root.phase == .live, polled[folder] == nil { tellFound(listing, number, path) }
    if !listing.isComplete {
      report(.rescan(number, path: path))
      setPolled(folder, Polled(cause: .failed(reason: "The folder could be read in part only.")))
    }
    reconcile(folder, listing.folders, isComplete: listing.isComplete, walkAll: root.phase != .live)
  }

  mutating func notFollowed(_ folder: Int32, _ failure: FollowFailure) {
    if table[folder].state == .followed { return pollFailed(folder, failure) }
    guard answered(folder) else { return }
    let number = table[folder].root
    let (top, path) = table.path(folder)
    guard let root = roots[number], top == root.top else {
      moves.markStale(top)
      return top == folder ? () : drop(folder)
    }
    if case .limit(let limit) = failure { report(.watchLimit(number, path: path, limit: limit)) }
    if top == folder { return lose(number, Self.rootReason(failure)) }
    if case .rootGone(let reason) = failure { return lose(number, reason) }
    if case .later(let reason) = failure { return failed(folder, reason) }
    if case .refused = failure { report(.rescan(number, path: path)) }
    drop(folder)
  }

  static func rootReason(_ failure: FollowFailure) -> String {
    switch failure {
    case .gone: "There is no folder at this path; create it, or remove it from the list."
    case .limit: "The kernel's limit of watches is reached; raise it with sysctl fs.inotify.max_user_watches."
    case .refused(let reason), .later(let reason), .rootGone(let reason): reason
    }
  }

  /// False when the folder was dropped meanwhile; its entry is free then. Otherwise it counts as followed
  /// from here on, also for `drop` to count it off.
  mutating func answered(_ folder: Int32) -> Bool {
    switch table[folder].state {
    case .free: return false
    case .dropped:
      table.release(folder)
      return false
    case .followed: break
    case .asked:
      change(table[folder].root) { root in
        root.asked -= 1
        root.followed += 1
      }
      table.setState(folder, .followed)
    }
    change(table[folder].root) { [drains] in $0.lastFollow = drains }
    mayBeSettled = true
    return true
  }

  // Another inode has the name now: what was known below it belongs to the old one.
  private mutating func replaceWatch(_ folder: Int32, _ descriptor: Int32) {
    leaveInode(folder)
    table.setDescriptor(folder, descriptor)
  }

  mutating func leaveInode(_ folder: Int32) {
    guard table[folder].descriptor >= 0 else { return }
    for child in table.children(folder) { drop(child) }
    if let old = table.clearDescriptor(folder) { unwatch(old) }
    rescanWhenSettled(folder)
  }

  /// Whether a folder above has the same watch, as a mount of a folder inside itself has.
  private func isInsideItself(_ folder: Int32) -> Bool {
    var each = table[folder].parent
    while each >= 0 {
      if table[each].descriptor == table[folder].descriptor { return true }
      each = table[each].parent
    }
    return false
  }

  mutating func tellFound(_ listing: Listing, _ root: RootNumber, _ path: [[UInt8]]) {
    for name in listing.folders { report(.changed(root, path: path + [name], change: .created)) }
    guard let files = listing.files else { return report(.rescan(root, path: path)) }
    for name in files where WatchCookie.cookie(inName: name) == nil {
      report(.changed(root, path: path + [name], change: .created))
    }
  }

  mutating func reconcile(_ folder: Int32, _ names: [[UInt8]], isComplete: Bool, walkAll: Bool) {
    if isComplete, table[folder].firstChild >= 0 {
      let found = Set(names)
      for child in table.children(folder) where !found.contains(table[child].name) { drop(child) }
    }
    for name in names {
      if let child = table.child(folder, name) {
        if walkAll, table[child].state == .followed { ask(child) }
      } else {
        askNew(name, in: folder)
      }
    }
  }
}
