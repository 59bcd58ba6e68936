// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import SyncedFolders

// Hints, and whether the folder is there.
extension Agent {
  var recordFolder: Int? { folder.find(Self.records) }

  func take(_ hint: FolderHint) throws {
    switch hint {
    case .watching:
      isWatched = true
      try look([])
    case .changed(_, let path, let change):
      world.note(path.last ?? [])
      world.note(change.rawValue)
      try look(path)
    case .moved(_, let from, let to, _):
      try renamed(from, to)
      try look(from)
      try look(to)
    case .rescan(_, let path): try look(path)
    case .rootLost:
      isWatched = false
      try checkPresence()
    case .watchLimit, .polling, .synchronized: break
    }
  }

  private func look(_ path: [[UInt8]]) throws {
    if path.isEmpty || path[0] == Self.records[0] {
      if path.count <= 1 { try checkPresence() }
      scheduleCollect()
    }
    for offer in trackers.keys.sorted() {
      if let event = trackers[offer]?.event(forHintAt: path) { try feed(offer, event) }
    }
    try hintOpened(path)
  }

  func checkPresence() throws {
    let found = recordFolder
    guard found != presence else { return }
    presence = found
    if found != nil {
      known = SortedTable()
      knownChanges = nil
      try collect()
      try supply()
      device.watch?.add()
    }
    tellRoots()
    for offer in trackers.keys.sorted() {
      guard let reference = trackers[offer]?.machine.reference else { continue }
      try feed(offer, .history(histories[reference.path] ?? DocumentHistory()))
      try feed(offer, .folder(folderPresence))
    }
    if found != nil, current == nil { try feed(.audienceChanged) }
  }

  var folderPresence: ArrivalMachine.FolderPresence {
    presence != nil ? .here(name: world.folderName) : .away(name: world.folderName)
  }

  /// Each minute, because an unmount makes no event; sooner while something is missing.
  func scheduleRounds() {
    let isMissing = presence == nil || !isWatched
    let pause: Duration = isMissing ? .seconds(5) : .seconds(isUnsupplied ? 30 : 60)
    device.schedule(.presence, at: device.now + pause) { [self] in
      guard !isDead else { return }
      try checkPresence()
      if !isWatched, presence != nil { device.watch?.add() }
      if isUnsupplied { try supply() }
      scheduleRounds()
    }
  }
}
