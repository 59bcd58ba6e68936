// SPDX-License-Identifier: MIT

public import ActivityModel

/// How the document of one reference stands on this device, and the wait until it is the version meant.
///
/// The guarantee: `current` is reported only after bytes with exactly the reference's digest were read under
/// the document's own name, from a descriptor opened after the last hint, with the file unchanged around the
/// reading. Sizes, times, silence and events only decide when it is worth reading (rules R1 to R5, R9, R12).
/// Whoever opens the document hashes once more on the descriptor that is handed over.
///
/// A document that was here and went away is looked for under other names before it is called missing
/// (`location`); as soon as its own name is back, that is the document again (R6).
///
/// Without a reader waiting and without a change the machine asks for no timer.
public struct ArrivalMachine: Sendable {
  /// What is awaited.
  public private(set) var reference: DocumentReference

  private let deviceName: String
  private let timing: Timing
  private var folder: FolderPresence = .unknown(name: nil)
  private var past = KnownPast()
  private var look: DocumentLook
  private var file = FileReadings()
  private var rename = RenameSearch()
  private var conflicts = ConflictEvidence()
  private var unfinished = UnfinishedCopy()
  private var wait = ArrivalWait()
  private var standing = ReportedStanding()
  private var wake: Instant?
  private var actions: [Action] = []

  /// A machine for `reference`, published by the device that people call `deviceName`.
  public init(reference: DocumentReference, deviceName: String, timing: Timing = Timing()) {
    self.reference = reference
    self.deviceName = deviceName
    self.timing = timing
    look = DocumentLook(at: reference.path)
  }

  /// The last reported standing; nil until the first look ended.
  public var status: ArrivalStatus? { standing.status }

  /// How the document stands to `reference`, as was reported; nil while that is still to be found out.
  public var answer: ArrivalStatus? { standing.answer }

  /// Since when somebody waits; nil when nobody does.
  public var waitingSince: Instant? { wait.since }

  /// Where the document lies: the reference's path, or the name under which it was found after a rename.
  public var location: RelativePath { rename.found ?? reference.path }

  /// Whether hints elsewhere in the folder may be about the document: it was here and is missing.
  var isSought: Bool { standing.arrival == .missing && rename.wasHere(past) }

  /// Takes one event in and says what to do, in order.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .folder(let presence): become(presence, at: now)
    case .hint:
      beginLook()
      measureSoon(at: now)
    case .hintElsewhere: receiveHintElsewhere(at: now)
    case .observed(let observation): receive(observation, at: now)
    case .reading(let bytes): receiveProgress(bytes)
    case .hashed(let outcome): receive(outcome, at: now)
    case .siblings(let found): receive(found)
    case .markers(let found): receive(markers: found)
    case .found(let path): receiveFinding(path)
    case .partial(let bytes): receive(partial: bytes, at: now)
    case .history(let known):
      past.record(known)
      judgeAgain(at: now)
    case .ancestors(let known):
      past.record(ancestors: known)
      judgeAgain(at: now)
    case .reference(let newer, let known): change(to: newer, known, at: now)
    case .accepted(let limit), .extended(let limit): wait(limit, at: now)
    case .ended: wait.end()
    case .timer: fire(at: now)
    }
    schedule()
    defer { actions = [] }
    return actions
  }

  // MARK: - Time

  private mutating func wait(_ limit: Duration, at now: Instant) {
    wait.begin(for: limit, recheck: timing.recheck, at: now)
    beginLook()
    measureSoon(at: now)
  }

  private mutating func fire(at now: Instant) {
    wake = nil
    if wait.isOver(at: now), standing.isAwaited {
      actions.append(.expired(facts.expiry(at: now)))
      wait.end()
    }
    if wait.recheck(every: timing.recheck, at: now) { beginLook() }
    if unfinished.isDue(at: now) { measure(at: now) }
    if look.takeSchedule(at: now) { beginLook() }
    if look.isGraceOver(at: now) { beginLook() }
  }

  private mutating func schedule() {
    let awaited = standing.isAwaited ? wait.nextMoment.orEarlier(unfinished.nextMoment) : nil
    let next = look.nextMoment.orEarlier(awaited)
    guard next != wake else { return }
    wake = next
    actions.append(.wake(at: next))
  }

  // MARK: - The folder and the reference

  private var isFolderHere: Bool { if case .here = folder { true } else { false } }

  private mutating func become(_ presence: FolderPresence, at now: Instant) {
    folder = presence
    guard isFolderHere else {
      outdate()
      forgetFile()
      return report(.folderUnknown)
    }
    beginLook()
  }

  private mutating func change(to newer: DocumentReference, _ known: DocumentHistory?, at now: Instant) {
    guard newer != reference else { return }
    if let known { past.record(known) }
    if newer.path != reference.path || newer.folder != reference.folder {
      // Another path has another past.
      past.record(known ?? DocumentHistory())
      file.forget()
      rename.forget()
      look.endGrace()
      outdate()
    }
    past.recordOutdated(reference.version)
    let isElsewhere = newer.folder != reference.folder
    reference = newer
    standing.expectReport()
    conflicts.forgetCopies()
    unfinished.forget()
    guard !isElsewhere else { return folder = .unknown(name: nil) }
    // Before anything was told of the folder there is nothing to say of it.
    guard isFolderHere else { return status == nil ? () : report(.folderUnknown) }
    judgeAgain(at: now)
    beginLook()
  }

  // MARK: - Looking

  /// Looks now, or again after the look under way: its answer may be older than the hint.
  private mutating func beginLook() {
    guard isFolderHere, look.hint() else { return }
    observe(reference.path)
  }

  private mutating func observe(_ path: RelativePath, isHinted: Bool = false) {
    look.observe(path, isHinted: isHinted)
    actions.append(.observe(path))
  }

  /// The look under way is about another file: what it waits for may stop.
  private mutating func outdate() {
    if look.outdate() { actions.append(.cancel) }
  }

  /// Ends the look under way. Nil when its answer is of no use; else whether a hint came meanwhile.
  private mutating func endLook(_ kind: DocumentLook.Kind) -> Bool? {
    switch look.finish(kind) {
    case .stray: return nil
    case .outdated:
      beginLook()
      return nil
    case .useful(let isHinted): return isHinted
    }
  }

  private mutating func receive(_ observation: FileObservation, at now: Instant) {
    guard let isHinted = endLook(.observing) else { return }
    if let moved = rename.found, look.path == reference.path {
      guard observation != .absent else { return observe(moved, isHinted: isHinted) }
      // R6: when the old name is back, the old name wins.
      rename.end(found: nil)
      file.forgetSighting()
    }
    switch observation {
    case .absent: receiveAbsence(at: now)
    case .unreadable(let why):
      reportUnreadable(why)
      // A disk that works again makes no event.
      if !isHinted { look.schedule(at: now + timing.recheck) }
    case .other(let kind): reportUnreadable("it is \(kind.description), not a file")
    case .file(let stamp): receive(stamp, at: now)
    }
    // Hashing opens the file only now, after the hint; anything else must look once more.
    if isHinted, look.isIdle || look.isSearching { beginLook() }
  }

  private mutating func forgetFile() {
    file.forgetSighting()
    look.clearTimes()
  }

  private mutating func reportUnreadable(_ why: String) {
    forgetFile()
    report(.unreadable, .unreadable(why))
  }

  private mutating func receive(_ stamp: FileStamp, at now: Instant) {
    look.clearTimes()
    file.see(stamp, at: now)
    if let reading = file.reading(for: stamp) {
      rename.recordDocument(reading, at: now)
      return judge(reading, at: now)
    }
    let size = reference.version.size
    if let pauseEnd = file.pauseEnd(of: stamp, expected: size, timing), pauseEnd > now {
      look.schedule(at: pauseEnd)
      if file.isRewritten { return reportWriting() }
      return stamp.size == size ? () : report(.behind, .otherSize(stamp.size))
    }
    look.hash()
    actions.append(.hash(look.path, stamp))
  }

  private mutating func receive(_ outcome: HashOutcome, at now: Instant) {
    guard let isHinted = endLook(.hashing) else { return }
    switch outcome {
    case .stable(let digest, let stamp, let quiet):
      let reading = FileReading(stamp: stamp, digest: digest, quiet: quiet, at: now)
      file.record(reading)
      rename.recordDocument(reading, at: now)
      if !isHinted { judge(reading, at: now) }
    case .unstable, .cancelled:
      let pause = file.recordFailure(timing)
      if !isHinted { look.schedule(at: now + pause) }
      reportWriting()
    case .failed(let why):
      reportUnreadable(why)
      if !isHinted { look.schedule(at: now + timing.recheck) }
    }
    if isHinted { beginLook() }
  }

  // MARK: - Nothing under the document's name

  /// Every update of some engines removes the file for a moment (R5): what was waited for is still waited
  /// for, and only a claim about bytes that are gone is taken back at once.
  private mutating func receiveAbsence(at now: Instant) {
    file.forgetSighting()
    look.unschedule()
    rename.end(found: nil)
    if look.graceEnd != nil {
      if look.isGraceOver(at: now) { search(at: now) }
      return
    }
    switch standing.arrival {
    case nil, .missing, .folderUnknown: return search(at: now)
    case .behind: look.beginGrace(until: now + timing.grace)
    case .current, .ahead, .diverged, .unreadable:
      look.beginGrace(until: now + timing.grace)
      report(.missing, .replaced)
    }
  }

  private mutating func receiveHintElsewhere(at now: Instant) {
    guard look.isIdle, look.graceEnd == nil, standing.arrival == .missing else { return }
    look.scheduleOnce(at: now + timing.settled)
  }

  /// Nothing is under the reference's path. One search in a while, however much happens beside it.
  private mutating func search(at now: Instant) {
    look.endGrace()
    if standing.arrival == .missing, let pauseEnd = rename.pauseEnd(timing.settled, at: now) {
      look.schedule(at: pauseEnd)
      return concludeMissing()
    }
    guard let search = rename.begin(for: reference, past: past, at: now) else { return concludeMissing() }
    look.search()
    actions.append(.search(search))
  }

  private mutating func receiveFinding(_ path: RelativePath?) {
    guard let isHinted = endLook(.searching) else { return }
    rename.end(found: path)
    if path == nil { concludeMissing() }
    if isHinted || path != nil { beginLook() }
  }

  private mutating func concludeMissing() {
    report(.missing)
    askForCopies()
  }

  // MARK: - Judging what was read

  /// Judges the file that lies there when it was read already; what is known has changed, it has not.
  private mutating func judgeAgain(at now: Instant) {
    guard look.isIdle, let reading = file.ofSeenFile else { return }
    judge(reading, at: now)
  }

  private mutating func judge(_ reading: FileReading, at now: Instant) {
    let found = past.standing(of: reading.digest, to: reference.version, isMoved: rename.found != nil)
    if found.isCertain {
      conflicts.forgetCopies()
      return report(found.arrival)
    }
    // Somebody's version (R9), or a file that is just being written. Lying still tells.
    let rest = timing.settled - reading.quiet(at: now)
    guard rest <= .zero else {
      look.schedule(at: now + rest)
      return reportWriting()
    }
    report(found.arrival)
    guard found.arrival == .diverged else { return }
    askForCopies()
    if conflicts.askForMarkers(in: reading.stamp) { actions.append(.readMarkers(look.path)) }
  }

  private mutating func askForCopies() {
    conflicts.expectCopies()
    actions.append(.listSiblings)
  }

  private mutating func receive(_ found: [ConflictCopy]) {
    let isWanted = standing.arrival == .missing || standing.arrival == .diverged
    if conflicts.receive(found, wanted: isWanted) { reportAgain() }
  }

  private mutating func receive(markers found: Bool) {
    conflicts.receive(markers: found)
    if standing.arrival == .diverged { reportAgain() }
  }

  // MARK: - How much is here

  /// A reading is under way. Whoever believes the file current or ahead goes on doing so until it ended.
  private mutating func receiveProgress(_ bytes: UInt64) {
    guard look.isReading, standing.isAwaited, let size = file.size else { return }
    report(.behind, .reading(min(bytes, size), of: size))
  }

  private mutating func receive(partial bytes: UInt64?, at now: Instant) {
    unfinished.receive(bytes)
    guard standing.isAwaited else { return }
    unfinished.schedule(at: waitingSince == nil ? nil : now + timing.measuring)
    reportAgain()
  }

  private var mayMeasure: Bool { isFolderHere && standing.isAwaited }

  /// Something happened beside the document, or somebody waits: perhaps an engine is bringing it.
  private mutating func measureSoon(at now: Instant) {
    guard mayMeasure, reference.version.size > timing.measuredSize else { return }
    if unfinished.request(every: timing.measuring, at: now) { measure(at: now) }
  }

  private mutating func measure(at now: Instant) {
    if unfinished.begin(wanted: mayMeasure, at: now) { actions.append(.measure) }
  }

  // MARK: - Reporting

  /// What sentences are made of.
  private var facts: ArrivalFacts {
    ArrivalFacts(
      reference: reference, deviceName: deviceName, folder: folder, status: status,
      waitingSince: waitingSince, moved: rename.found, growing: file.growingSize, partial: unfinished.bytes,
      copies: conflicts.copies, isMarked: conflicts.isMarked(file.readStamp))
  }

  /// The file is being written: no claim about it holds, what was waited for is still waited for.
  private mutating func reportWriting() { report(.behind, .writing) }

  /// The same standing, told with what became known since; not how it stood to a former reference.
  private mutating func reportAgain() {
    if let status = answer { report(status.arrival, standing.circumstance) }
  }

  private mutating func report(_ arrival: Arrival, _ circumstance: ArrivalFacts.Circumstance = .plain) {
    let facts = facts
    let next = ArrivalStatus(
      arrival, because: facts.reason(for: arrival, circumstance),
      received: facts.received(for: arrival, circumstance), expected: reference.version.size)
    if standing.report(next, circumstance) { actions.append(.report(next)) }
  }
}
