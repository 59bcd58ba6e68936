// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import SyncedFolders

/// One offer's document, on its way here.
final class Tracker {
  var machine: ArrivalMachine
  var isAwaited = false
  /// False once the offer is not followed any more, or by another tracker.
  var isCurrent = true
  var events: [ArrivalMachine.Event] = []
  var isFeeding = false
  var timers = 0
  /// How many looks were begun; the answer to an earlier one is of no use.
  private(set) var looks = 0
  /// What the file was found to hold last.
  var read: ContentDigest?
  /// The machine decides by what it sees now, not by what it knew.
  var hasJustLooked = false

  init(_ reference: DocumentReference, from deviceName: String) {
    machine = ArrivalMachine(reference: reference, deviceName: deviceName)
  }

  /// What a hint means for the document.
  func event(forHintAt path: [[UInt8]]) -> ArrivalMachine.Event? { Self.event(of: &machine, path) }

  // By reference: a machine that an object holds would be copied for the question.
  private static func event(of machine: inout ArrivalMachine, _ path: [[UInt8]]) -> ArrivalMachine.Event? {
    machine.event(forHintAt: path)
  }

  func beginLook() -> Int {
    looks += 1
    return looks
  }
}

// Looks and hashes as the arrival machines ask.
extension Agent {
  func track(_ offer: OfferID, _ reference: DocumentReference, isAwaited: Bool) throws {
    if let entry = trackers[offer] {
      if entry.machine.reference != reference {
        try feed(offer, .reference(reference, history: histories[reference.path] ?? DocumentHistory()))
      } else if let status = entry.machine.answer {
        try arrived(status, offer)
      }
    } else {
      let entry = Tracker(reference, from: world.name(of: offer.device))
      trackers[offer] = entry
      try begin(offer, entry)
    }
    guard let entry = trackers[offer], entry.isAwaited != isAwaited else { return }
    entry.isAwaited = isAwaited
    try feed(offer, isAwaited ? .accepted(.seconds(86400)) : .ended)
  }

  private func begin(_ offer: OfferID, _ entry: Tracker) throws {
    guard let count = distrusts[offer] else { return try start(offer, entry) }
    let delay = min(Duration.milliseconds(25 << min(count, 8)), .seconds(5))
    device.schedule(.timer, at: device.now + delay) { [self] in
      guard !isDead, entry.isCurrent else { return }
      try start(offer, entry)
    }
  }

  private func start(_ offer: OfferID, _ entry: Tracker) throws {
    try feed(offer, .history(histories[entry.machine.reference.path] ?? DocumentHistory()))
    try feed(offer, .folder(folderPresence))
  }

  func distrust(_ offer: OfferID) {
    guard let entry = trackers.removeValue(forKey: offer) else { return }
    entry.isCurrent = false
    distrusts[offer, default: 0] += 1
  }

  func untrack(_ offer: OfferID) {
    guard let entry = trackers.removeValue(forKey: offer) else { return }
    entry.isCurrent = false
    distrusts[offer] = nil
  }

  func historyChanged(_ path: RelativePath) throws {
    for offer in trackers.keys.sorted() where trackers[offer]?.machine.reference.path == path {
      try feed(offer, .history(histories[path] ?? DocumentHistory()))
    }
  }

  func feed(_ offer: OfferID, _ event: ArrivalMachine.Event) throws {
    guard let entry = trackers[offer] else { return }
    entry.events.append(event)
    guard !entry.isFeeding else { return }
    entry.isFeeding = true
    defer { entry.isFeeding = false }
    while !entry.events.isEmpty {
      let event = entry.events.removeFirst()
      switch event {
      case .observed, .hashed: entry.hasJustLooked = true
      default: entry.hasJustLooked = false
      }
      let actions = entry.machine.handle(event, at: device.now)
      for action in actions where entry.isCurrent { try perform(action, offer, entry) }
    }
  }

  private func perform(_ action: ArrivalMachine.Action, _ offer: OfferID, _ entry: Tracker) throws {
    let reference = entry.machine.reference
    switch action {
    case .observe(let path): try feed(offer, .observed(presence == nil ? .absent : folder.observe(path)))
    case .hash(let path, let stamp):
      guard presence != nil else { return try feed(offer, .hashed(.unstable)) }
      let look = entry.beginLook()
      try hash(folder.find(path.components), at: path, size: stamp.size) { [self] outcome in
        guard entry.isCurrent, entry.looks == look else { return }
        if case .stable(let digest, _, _) = outcome { entry.read = digest }
        try feed(offer, .hashed(outcome))
      }
    case .search(let search):
      let path = presence == nil ? nil : folder.find(search)
      let look = entry.beginLook()
      world.schedule(.hash, device.number, after: world.random.between(.zero, .milliseconds(5))) { [self] in
        guard !isDead, entry.isCurrent, entry.looks == look else { return }
        try feed(offer, .found(path))
      }
    case .cancel:
      // Either answer is right: the machine takes the one that it waits for.
      _ = entry.beginLook()
      try feed(offer, .hashed(.cancelled))
      try feed(offer, .found(nil))
    case .measure:
      try feed(offer, .partial(presence == nil ? nil : folder.partialSize(of: reference.path)))
    case .readMarkers(let path): try feed(offer, .markers(folder.hasConflictMarkers(path)))
    case .listSiblings:
      let copies =
        presence == nil
        ? [] : folder.conflictCopies(of: reference.path, awaitedSize: reference.version.size)
      try feed(offer, .siblings(copies))
    case .report(let status): try arrived(status, offer, there: there(entry))
    case .expired: break
    case .wake(let moment):
      entry.timers += 1
      let number = entry.timers
      guard let moment else { return }
      device.schedule(.timer, at: moment) { [self] in
        guard !isDead, entry.isCurrent, entry.timers == number else { return }
        try feed(offer, .timer)
      }
    }
  }

  /// Small files at once, large ones beside everything else; `unstable` when the file changed meanwhile.
  func hash(
    _ inode: Int?, at path: RelativePath, size: UInt64, done: @escaping (HashOutcome) throws -> Void
  ) throws {
    efforts += 1
    guard let inode, !folder.inodes[inode].isFolder else { return try done(.unstable) }
    guard size > 1 << 20 else { return try done(folder.hash(inode, at: path)) }
    let before = folder.stamp(inode)
    let quiet = max(0, Int64(world.time) - before.changed)
    // A slow disk, or one that has other work.
    let delay = size * 10 + world.random.between(.zero, .seconds(world.random.chance(50) ? 5 : 1))
    world.schedule(.hash, device.number, after: delay) { [self] in
      guard !isDead else { return }
      let outcome = folder.hash(inode, at: path)
      guard case .stable(let digest, let after, _) = outcome, after == before else {
        if case .stable = outcome { return try done(.unstable) }
        return try done(outcome)
      }
      try done(.stable(digest, after, quiet: .nanoseconds(quiet)))
    }
  }

  /// A version that was here is part of the document's history here.
  private func arrived(
    _ status: ArrivalStatus, _ offer: OfferID, there: ContentDigest? = nil
  ) throws {
    world.note(status.arrival.rawValue)
    if status.arrival == .current, let reference = exchange.snapshot(of: offer)?.document {
      try changeHistory(of: reference.path) { $0.adopt(reference.version) }
      world.oracle.adopted(device, offer.device, reference)
    }
    if let entry = trackers[offer] {
      world.judge {
        $0.stands(
          device, status, entry.machine.reference, offer.device,
          read: entry.hasJustLooked ? entry.read : nil, there: there)
      }
    }
    try feed(.arrival(offer, status))
  }

  /// What lies there at this moment, where nothing can have happened since the look.
  private func there(_ entry: Tracker) -> ContentDigest? {
    guard entry.hasJustLooked, let content = folder.content(at: entry.machine.location.components),
      content.size <= 1 << 20
    else { return nil }
    return world.contents.digest(of: content)
  }

  /// Other offers of the same document are judged by what is known now.
  func changeHistory(of path: RelativePath, _ change: (inout DocumentHistory) -> Void) throws {
    let before = histories[path] ?? DocumentHistory()
    var changed = before
    change(&changed)
    guard changed != before else { return }
    histories[path] = changed
    historiesAreDirty = true
    try historyChanged(path)
  }
}
