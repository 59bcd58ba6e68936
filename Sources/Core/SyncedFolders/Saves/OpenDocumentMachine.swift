// SPDX-License-Identifier: MIT

public import ActivityModel

/// What other programs do to a document that an app has open: tells a save from the moments within it.
///
/// Editors make a file anew or cut it to nothing before they write, and take it away for a moment (R5, R13).
/// What the disk holds counts as saved once the inode lay still, by the file system's own clock; how often
/// and how late hints come makes no difference. An empty file has to lie still longer, for that is how most
/// saves begin. A file that is gone is looked for under other names before it counts as deleted: engines
/// rename by making a second file and taking the first one away, in either order. Without a change the
/// machine asks for no timer, unless the file cannot be read.
public struct OpenDocumentMachine: Sendable {
  /// What was asked for and not answered yet.
  private enum Look: Hashable {
    case none, observing, hashing, searching
    /// At the name that the watcher saw.
    case following(RelativePath)
    /// Once more at the own path, before the document is said to be elsewhere.
    case confirming(Place)
  }

  /// The document's path in its folder.
  public private(set) var path: RelativePath

  private let timing: Timing
  private var look = Look.none
  private var isHinted = false
  private var lookAt: Instant?
  private var file = SavedFile()
  private var absence = DocumentAbsence()
  private var listing = CopyListing()
  private var wake: Instant?
  private var actions: [Action] = []

  /// A machine that has seen nothing yet, for the document at `path`.
  public init(path: RelativePath, timing: Timing = Timing()) {
    self.path = path
    self.timing = timing
  }

  /// Whether the document is gone, and every change anywhere may be it: then `hintElsewhere` counts.
  public var isSought: Bool { absence.isSought }

  /// Whether the document was told as deleted and has not come back.
  public var isDeleted: Bool { absence.isDeleted }

  /// Takes one event in and says what to do, in order.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .hint: beginLook()
    case .hintBeside: listing.request(at: now + timing.copiesSettled)
    case .hintElsewhere: receiveHintElsewhere(at: now)
    case .renamed(let from, let to): receiveRename(from, to, at: now)
    case .holds(let holding): absence.record(holding)
    case .observed(let observation): receive(observation, at: now)
    case .hashed(let outcome): receive(outcome, at: now)
    case .found(let place): receiveFinding(place, at: now)
    case .copies(let names): if listing.end() { actions.append(.conflict(names)) }
    case .timer: fire(at: now)
    }
    let next = lookAt.orEarlier(listing.nextMoment)
    if next != wake {
      wake = next
      actions.append(.wake(at: next))
    }
    defer { actions = [] }
    return actions
  }

  private mutating func fire(at now: Instant) {
    wake = nil
    if let lookAt, lookAt <= now {
      self.lookAt = nil
      beginLook()
    }
    if listing.beginIfDue(at: now) { actions.append(.listCopies(of: path)) }
  }

  // MARK: Looking and reading

  private mutating func beginLook() {
    guard look == .none else {
      isHinted = true
      return
    }
    isHinted = false
    look = .observing
    actions.append(.observe(path))
  }

  private mutating func receive(_ observation: FileObservation, at now: Instant) {
    switch look {
    case .following(let path): return receiveCandidate(path, observation, at: now)
    case .confirming(let place) where observation == .absent: return conclude(place)
    case .observing, .confirming: break
    case .none, .hashing, .searching: return
    }
    look = .none
    lookAt = nil
    switch observation {
    case .absent: receiveAbsence(at: now)
    // A disk that works again makes no event.
    case .unreadable:
      absence.endGrace()
      lookAt = now + timing.recheck
    // The next hint tells when something else lies there.
    case .other: absence.endGrace()
    case .file(let stamp):
      absence.resolve()
      receive(stamp, at: now)
    }
    if isHinted, look == .none { beginLook() }
  }

  private mutating func receive(_ stamp: FileStamp, at now: Instant) {
    switch file.see(stamp, timing, at: now) {
    case .isRead(let reading): judge(reading, at: now)
    case .waits(let moment): lookAt = moment
    case .isUnread:
      look = .hashing
      actions.append(.hash(stamp))
    }
  }

  private mutating func receive(_ outcome: HashOutcome, at now: Instant) {
    guard look == .hashing else { return }
    look = .none
    switch outcome {
    case .stable(let digest, let stamp, let quiet):
      let reading = FileReading(stamp: stamp, digest: digest, quiet: quiet, at: now)
      file.record(reading)
      absence.record(reading)
      if !isHinted { judge(reading, at: now) }
    case .unstable, .cancelled: lookAt = now + file.recordFailure(timing)
    case .failed: lookAt = now + timing.recheck
    }
    if isHinted { beginLook() }
  }

  private mutating func judge(_ reading: FileReading, at now: Instant) {
    let needed = reading.stamp.size == 0 ? timing.emptySettled : timing.settled
    let rest = needed - reading.quiet(at: now)
    guard rest > .zero else { return actions.append(.saved(reading.digest, size: reading.stamp.size)) }
    lookAt = now + rest
    if reading.stamp.size > 0 { actions.append(.held(reading.digest, size: reading.stamp.size)) }
  }

  // MARK: Nothing under the document's name

  private mutating func receiveAbsence(at now: Instant) {
    file.forget()
    guard !isDeleted else {
      if absence.isSearchDue(timing, at: now) { beginSearch(at: now) }
      return
    }
    let end = absence.beginGrace(of: path, timing, at: now)
    guard end <= now else { return lookAt = end }
    guard let candidate = absence.candidate else { return beginSearch(at: now) }
    look = .following(candidate)
    actions.append(.observe(candidate))
  }

  private mutating func receiveRename(_ from: [[UInt8]], _ to: [[UInt8]], at now: Instant) {
    guard absence.recordRename(from, to, of: path) else { return }
    if isDeleted { receiveHintElsewhere(at: now) } else { beginLook() }
  }

  /// What was deleted may be moved yet: an engine took the old file away long before it made the new one.
  private mutating func receiveHintElsewhere(at now: Instant) {
    guard absence.requestSearch(timing, at: now), look == .none, lookAt == nil else { return }
    lookAt = absence.searchTime(timing, at: now)
  }

  private mutating func receiveCandidate(
    _ path: RelativePath, _ observation: FileObservation, at now: Instant
  ) {
    look = .none
    guard case .file(let stamp) = observation, absence.mayBeDocument(stamp) else {
      return beginSearch(at: now)
    }
    confirm(Place(path: path))
  }

  private mutating func beginSearch(at now: Instant) {
    guard let search = absence.beginSearch(of: path, at: now) else { return concludeDeleted(at: now) }
    look = .searching
    actions.append(.search(search))
  }

  private mutating func receiveFinding(_ place: Place?, at now: Instant) {
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

  /// The document is somewhere else from now on, and looked at there.
  private mutating func conclude(_ place: Place) {
    look = .none
    lookAt = nil
    absence.resolve()
    path = place.path
    actions.append(.moved(to: place))
    beginLook()
    actions.append(.listCopies(of: path))
    listing.begin()
  }

  private mutating func concludeDeleted(at now: Instant) {
    if absence.wantsSearch { lookAt = absence.searchTime(timing, at: now) }
    if absence.concludeDeleted(at: now) { actions.append(.deleted) }
  }
}
