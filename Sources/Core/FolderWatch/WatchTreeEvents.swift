// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

// What the kernel's events mean.
extension WatchTree {
  mutating func kernel(_ event: KernelEvent, at now: Instant) {
    if event.mask.contains(.overflow) { return eventsLost() }
    let folders = table.watched(by: event.descriptor)
    if folders.isEmpty, !event.mask.contains(.ignored), !retired.contains(event.descriptor) {
      return eventsLost()
    }
    for folder in folders where table[folder].descriptor == event.descriptor {
      if event.name.isEmpty { itself(folder, event.mask) } else { named(event, in: folder, at: now) }
    }
    if event.mask.contains(.ignored) { retired.remove(event.descriptor) }
  }

  /// Everything is suspect: all roots are walked again, adding watches anew, and told as `rescan`.
  private mutating func eventsLost() {
    for half in moves.all() { release(half) }
    for number in roots.keys.sorted() { walkAgain(number) }
  }

  mutating func walkAgain(_ number: RootNumber) {
    guard let root = roots[number] else { return }
    if root.phase == .live, table[root.top].state == .followed {
      roots[number]?.phase = .rewalking
      ask(root.top)
    } else {
      roots[number]?.again = true
    }
  }

  private mutating func itself(_ folder: Int32, _ mask: KernelEvent.Mask) {
    let number = table[folder].root
    guard let root = roots[number] else { return }
    if root.top == folder {
      if mask.contains(.moveSelf) {
        return lose(number, "The folder was moved away; register it at its new place.")
      }
      if mask.contains(.unmount) { return lose(number, "The folder was unmounted; mount it again.") }
      if !mask.isDisjoint(with: [.deleteSelf, .ignored]) {
        return lose(number, "The folder was deleted; create it again, or remove it from the list.")
      }
    } else if !mask.isDisjoint(with: [.unmount, .ignored]) {
      watchEnded(folder, followAgain: mask.contains(.unmount))
    } else if mask.contains(.moveSelf), table[folder].parent >= 0,
      table[table[folder].parent].descriptor < 0
    {
      // The folder above is polled and tells no rename: the watch would go on under a name that is wrong.
      let (parent, name) = (table[folder].parent, table[folder].name)
      drop(folder)
      rescanWhenSettled(askNew(name, in: parent))
    }
  }

  private mutating func watchEnded(_ folder: Int32, followAgain: Bool) {
    let (parent, name, root) = (table[folder].parent, table[folder].name, table[folder].root)
    let top = table.path(folder).top
    _ = table.clearDescriptor(folder)
    moves.markStale(top)
    // In the middle of a rename: its half still names the folder, which is followed afresh as a stale one.
    guard parent >= 0 else { return }
    drop(folder)
    guard followAgain, top == roots[root]?.top else { return }
    rescanWhenSettled(askNew(name, in: parent))
  }

  private mutating func named(_ event: KernelEvent, in folder: Int32, at now: Instant) {
    let number = table[folder].root
    guard let root = roots[number] else { return }
    let (top, path) = table.path(folder, and: event.name)
    guard top == root.top else { return moves.markStale(top) }
    let isFolder = event.mask.contains(.isFolder)
    if !isFolder, let cookie = WatchCookie.cookie(inName: event.name) {
      if event.mask.contains(.create), Self.isCookiePlace(path.dropLast()) { synchronize(number, cookie) }
      return
    }
    let child = isFolder ? table.child(folder, event.name) : nil
    if event.mask.contains(.movedFrom) {
      movedFrom(child, event, RenamePairing.Half(root: number, path: path, isFolder: isFolder, at: now))
    } else if event.mask.contains(.movedTo) {
      movedTo(folder, path, event, replacing: child)
    } else if event.mask.contains(.create) {
      report(.changed(number, path: path, change: .created))
      if isFolder, child == nil { askNew(event.name, in: folder) }
    } else if event.mask.contains(.delete) {
      report(.changed(number, path: path, change: .deleted))
      if let child { drop(child) }
    } else if event.mask.contains(.closeWrite) {
      report(.changed(number, path: path, change: .written))
    } else if event.mask.contains(.attributes) {
      report(.changed(number, path: path, change: .attributes))
      // A folder that could not be read may be readable now.
      if isFolder, child == nil { rescanWhenSettled(askNew(event.name, in: folder)) }
      if let child, isFailing(child) { followSoon(child) }
    }
  }

  private static func isCookiePlace(_ path: ArraySlice<[UInt8]>) -> Bool {
    path.isEmpty || path == [Array(".continuo".utf8)]
  }

  private mutating func synchronize(_ root: RootNumber, _ cookie: [UInt8]) {
    // A half whose partner is not here by now is not part of what happened before the cookie as a pair.
    for half in moves.all() { release(half) }
    roots[root]?.cookies.append(cookie)
    mayBeSettled = true
  }

  private mutating func movedFrom(_ child: Int32?, _ event: KernelEvent, _ half: RenamePairing.Half) {
    var half = half
    half.folder = child
    if let child { table.detach(child) }
    if let replaced = moves.wait(half, cookie: event.cookie) { release(replaced) }
  }

  /// The name left the watched folders.
  mutating func release(_ half: RenamePairing.Half) {
    if let folder = half.folder { drop(folder) }
    report(.changed(half.root, path: half.path, change: .movedOut))
    if let taken = followed(half.root, half.path) {
      // Another folder took the name while the half waited: what was told of it came before `movedOut`.
      rescanWhenSettled(taken)
    } else if half.isFolder {
      followOldName(half)
    }
  }

  private mutating func movedTo(
    _ parent: Int32, _ path: [[UInt8]], _ event: KernelEvent, replacing existing: Int32?
  ) {
    let root = table[parent].root
    if let existing { drop(existing) }
    guard let half = moves.partner(event.cookie, in: root) else {
      report(.changed(root, path: path, change: .movedIn))
      guard event.mask.contains(.isFolder) else { return }
      let new = askNew(event.name, in: parent)
      if existing != nil { rescanWhenSettled(new) }
      return
    }
    report(.moved(root, from: half.path, to: path, isFolder: half.isFolder))
    guard half.isFolder else { return }
    let isSure = existing == nil && !half.isStale && roots[root]?.lastFollow != drains
    if isSure, let folder = half.folder { return table.attach(folder, to: parent, name: event.name) }
    if let folder = half.folder { drop(folder) }
    rescanWhenSettled(askNew(event.name, in: parent))
    followOldName(half)
  }

  // After an exchange of two folders the old name is in use, and nothing else tells so.
  private mutating func followOldName(_ half: RenamePairing.Half) {
    guard let top = roots[half.root]?.top, let name = half.path.last, followed(half.root, half.path) == nil,
      let parent = table.folder(at: half.path.dropLast(), below: top)
    else { return }
    rescanWhenSettled(askNew(name, in: parent))
  }

  private func followed(_ root: RootNumber, _ path: [[UInt8]]) -> Int32? {
    roots[root].flatMap { table.folder(at: path, below: $0.top) }
  }
}
