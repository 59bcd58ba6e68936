// SPDX-License-Identifier: MIT

import ActivityModel

/// Nothing lies at the document's path: it is being replaced, has another name, or was deleted.
extension OpenDocumentMachine {
  /// What the document held when it was here last.
  struct Last: Hashable {
    var holding: Holding
    /// Nil when an app told of the bytes, and nobody has looked at the file since.
    var stamp: FileStamp?
    /// How long the file had lain still when it was looked at, and when that was.
    var quiet = Duration.zero
    var at: Instant?

    init(_ reading: Reading) {
      holding = Holding(reading.digest, size: reading.stamp.size)
      (stamp, quiet, at) = (reading.stamp, reading.quiet, reading.at)
    }

    init(_ holding: Holding) { self.holding = holding }

    /// Now, by the file system's clock.
    func fileTime(at now: Instant) -> Int64? {
      guard let stamp, let at else { return nil }
      return stamp.changed + Int64(clamping: (quiet + (now - at)).nanoseconds)
    }
  }

  /// Whether the document is gone, and every change anywhere may be it: then `hintElsewhere` counts.
  public var isSought: Bool { deletedAt != nil && last != nil }

  /// Whether the document was told as deleted and has not come back.
  public var isDeleted: Bool { deletedAt != nil }

  /// What a hint at `path`, in the document's folder, means to the machine.
  public func events(forHintAt path: [[UInt8]]) -> [Event] {
    let own = self.path.components
    if own.starts(with: path) { return path.count < own.count ? [.hint, .hintBeside] : [.hint] }
    if path.count == own.count, path.dropLast().elementsEqual(own.dropLast()), let name = path.last,
      name.starts(with: Self.stem(self.path.name).prefix(128)),
      SyncNames.isConflictCopy(name, of: self.path.name)
    {
      return [.hintBeside]
    }
    return isSought ? [.hintElsewhere] : []
  }

  mutating func noteHolding(_ holding: Holding) {
    if last?.holding != holding { last = Last(holding) }
  }

  mutating func noteRename(_ from: [[UInt8]], _ to: [[UInt8]], at now: Instant) {
    // Engines take a temporary name on the way.
    let name = renamedTo ?? path.components
    guard name.starts(with: from) else { return }
    renamedTo = to + name.dropFirst(from.count)
    if deletedAt == nil { beginLook() } else { takeHintElsewhere(at: now) }
  }

  mutating func takeAbsence(at now: Instant) {
    forgetSeen()
    if let deletedAt {
      guard isSearchDue, now - deletedAt < timing.afterlife else { return }
      return beginSearch(at: now)
    }
    let end = goneAt ?? now + (isSurelyRenamed ? timing.renamed : timing.grace)
    goneAt = end
    guard end <= now else { return lookAt = end }
    follow(at: now)
  }

  mutating func endAbsence() {
    goneAt = nil
    deletedAt = nil
    renamedTo = nil
    isSearchDue = false
  }

  /// What was deleted may be moved yet: an engine took the old file away long before it made the new one.
  mutating func takeHintElsewhere(at now: Instant) {
    guard isSought, let deletedAt, now - deletedAt < timing.afterlife else { return }
    isSearchDue = true
    guard look == .none, lookAt == nil else { return }
    scheduleSearch(at: now)
  }

  private mutating func scheduleSearch(at now: Instant) {
    lookAt = max(now + timing.settled, searchedAt.map { $0 + timing.searchPause } ?? now)
  }

  // MARK: Under another name

  private var candidate: RelativePath? {
    renamedTo.flatMap(RelativePath.init(components:)).flatMap { path in
      SyncNames.isPlausibleDocument(path) ? path : nil
    }
  }

  /// Not what an editor, or a program that rotates files, gives to the old file before it makes the new one.
  private var isSurelyRenamed: Bool {
    guard let candidate else { return false }
    return candidate.name == path.name || !candidate.name.starts(with: Self.stem(path.name))
  }

  private static func stem(_ name: [UInt8]) -> ArraySlice<UInt8> {
    name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? name[..<$0] : nil } ?? name[...]
  }

  private mutating func follow(at now: Instant) {
    guard let candidate else { return beginSearch(at: now) }
    look = .following(candidate)
    actions.append(.observe(candidate))
  }

  mutating func takeCandidate(_ path: RelativePath, _ observation: FileObservation, at now: Instant) {
    look = .none
    guard case .file(let stamp) = observation, last?.stamp.map(stamp.isSameFile) ?? true else {
      return beginSearch(at: now)
    }
    confirm(Place(path: path))
  }

  private mutating func beginSearch(at now: Instant) {
    isSearchDue = false
    searchedAt = now
    guard let last else { return concludeDeleted(at: now) }
    look = .searching
    actions.append(
      .search(
        DocumentSearch(
          path, last.holding, last: last.stamp, lastSeen: last.fileTime(at: deletedAt ?? now))))
  }

  mutating func takeFinding(_ place: Place?, at now: Instant) {
    guard look == .searching else { return }
    look = .none
    if let place { return confirm(place) }
    if isHinted { beginLook() } else { concludeDeleted(at: now) }
  }

  /// A search takes time: the document may be back.
  private mutating func confirm(_ place: Place) {
    look = .confirming(place)
    actions.append(.observe(path))
  }

  mutating func conclude(_ place: Place) {
    look = .none
    lookAt = nil
    endAbsence()
    move(to: place)
    beginLook()
    actions.append(.listCopies(of: path))
    isListing = true
  }

  private mutating func concludeDeleted(at now: Instant) {
    goneAt = nil
    if isSearchDue { scheduleSearch(at: now) }
    guard deletedAt == nil else { return }
    deletedAt = now
    actions.append(.deleted)
  }

  // MARK: Conflict copies

  mutating func takeCopies(_ names: [[UInt8]]) {
    guard isListing else { return }
    isListing = false
    actions.append(.conflict(names))
  }
}
