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
  public internal(set) var reference: DocumentReference
  /// The last reported standing; nil until the first look ended.
  public internal(set) var status: ArrivalStatus?
  /// Since when somebody waits; nil when nobody does.
  public internal(set) var waitingSince: Instant?

  let deviceName: String
  let timing: Timing
  var folder: FolderPresence = .unknown(name: nil)
  var history = DocumentHistory()
  var ancestors: Set<DigestPrefix> = []

  var look = Look.none
  var isHinted = false
  var isOutdated = false
  var circumstance = Circumstance.plain
  var seen: Sighting?
  var hashed: Reading?
  var failedHashes = 0
  var copies: [ConflictCopy] = []
  var partial: UInt64?
  var expectsCopies = false
  /// When the engine's unfinished copy was looked for, when it is again, and whether it is now.
  var measuredAt: Instant?
  var measureAt: Instant?
  var isMeasuring = false
  /// The file that was asked for conflict markers, and the one that has them.
  var asked: FileStamp?
  var marked: FileStamp?
  /// The reference changed: how it stands is told anew, also when that is as before.
  var owesReport = false

  /// Where the document was found instead of under the reference's own path.
  var moved: RelativePath?
  /// The path of the look under way.
  var looksAt: RelativePath
  /// What the document looked like when it was last here, and by the file system's clock when that was.
  var last: FileStamp?
  var lastSeen: Int64?
  var searched: Instant?

  var graceEnd: Instant?
  var lookAt: Instant?
  var recheckAt: Instant?
  var deadline: Instant?
  var wake: Instant?
  var actions: [Action] = []

  /// What was asked for and not answered yet.
  enum Look: Hashable { case none, observing, hashing, searching }

  /// A file as it was last seen.
  struct Sighting: Hashable {
    var stamp: FileStamp
    /// When this stamp was seen first.
    var since: Instant
    /// Whether the same inode had other bytes before: somebody writes in place.
    var isRewritten = false
    /// Whether it became longer while we looked.
    var isGrowing = false
  }

  /// What a file was found to hold.
  struct Reading: Hashable {
    var stamp: FileStamp
    var digest: ContentDigest
    var quiet: Duration
    var at: Instant
  }

  /// A machine for `reference`, published by the device that people call `deviceName`.
  public init(reference: DocumentReference, deviceName: String, timing: Timing = Timing()) {
    self.reference = reference
    self.deviceName = deviceName
    self.timing = timing
    looksAt = reference.path
  }

  /// How the document stands to `reference`, as was reported; nil while that is still to be found out.
  public var answer: ArrivalStatus? { owesReport ? nil : status }

  /// Where the document lies: the reference's path, or the name under which it was found after a rename.
  public var location: RelativePath { moved ?? reference.path }

  /// Takes one event in and says what to do, in order.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .folder(let presence): become(presence, at: now)
    case .hint:
      beginLook()
      measureSoon(at: now)
    case .hintElsewhere: takeHintElsewhere(at: now)
    case .observed(let observation): take(observation, at: now)
    case .reading(let bytes): takeReading(bytes)
    case .hashed(let outcome): take(outcome, at: now)
    case .siblings(let found): take(found)
    case .markers(let found): take(markers: found)
    case .found(let path): takeFinding(path)
    case .partial(let bytes): take(partial: bytes, at: now)
    case .history(let known): learn(at: now) { $0.history = known }
    case .ancestors(let known): learn(at: now) { $0.ancestors.formUnion(known) }
    case .reference(let newer, let known): change(to: newer, known, at: now)
    case .accepted(let limit): wait(limit, at: now)
    case .extended(let limit): wait(limit, at: now)
    case .ended: stopWaiting()
    case .timer: fire(at: now)
    }
    schedule()
    defer { actions = [] }
    return actions
  }

  // MARK: - Waiting

  /// Whether the standing is one that time and the engine are expected to change.
  var isAwaited: Bool {
    switch status?.arrival {
    case .current, .ahead: false
    default: true
    }
  }

  private mutating func wait(_ limit: Duration, at now: Instant) {
    waitingSince = waitingSince ?? now
    deadline = now + limit
    recheckAt = now + timing.recheck
    beginLook()
    measureSoon(at: now)
  }

  private mutating func stopWaiting() {
    waitingSince = nil
    deadline = nil
    recheckAt = nil
  }

  private mutating func fire(at now: Instant) {
    wake = nil
    if let deadline, deadline <= now, isAwaited {
      actions.append(.expired(expiry(at: now)))
      stopWaiting()
    }
    if let recheckAt, recheckAt <= now {
      self.recheckAt = now + timing.recheck
      beginLook()
    }
    if let measureAt, measureAt <= now { measure(at: now) }
    if let lookAt, lookAt <= now {
      self.lookAt = nil
      beginLook()
    }
    if let graceEnd, graceEnd <= now { beginLook() }
  }

  private mutating func schedule() {
    var next = lookAt
    func add(_ moment: Instant?) { if let moment { next = min(next ?? moment, moment) } }
    if look == .none { add(graceEnd) }
    if isAwaited {
      add(deadline)
      add(recheckAt)
      add(measureAt)
    }
    guard next != wake else { return }
    wake = next
    actions.append(.wake(at: next))
  }

  // MARK: - The folder and what is known

  private mutating func become(_ presence: FolderPresence, at now: Instant) {
    folder = presence
    guard case .here = presence else {
      outdate()
      seen = nil
      graceEnd = nil
      lookAt = nil
      report(.folderUnknown)
      return
    }
    beginLook()
  }

  private mutating func learn(at now: Instant, _ change: (inout Self) -> Void) {
    change(&self)
    judgeAgain(at: now)
  }

  private mutating func change(to newer: DocumentReference, _ known: DocumentHistory?, at now: Instant) {
    guard newer != reference else { return }
    if let known { history = known }
    if newer.path != reference.path || newer.folder != reference.folder {
      // Another path has another past.
      history = known ?? DocumentHistory()
      seen = nil
      hashed = nil
      graceEnd = nil
      moved = nil
      last = nil
      lastSeen = nil
      outdate()
    }
    ancestors.insert(reference.version.digest.prefix)
    ancestors.formUnion(reference.version.lineage)
    let isElsewhere = newer.folder != reference.folder
    reference = newer
    owesReport = true
    copies = []
    partial = nil
    guard !isElsewhere else { return folder = .unknown(name: nil) }
    // Before anything was told of the folder there is nothing to say of it.
    guard case .here = folder else { return status == nil ? () : report(.folderUnknown) }
    judgeAgain(at: now)
    beginLook()
  }

  private mutating func take(_ found: [ConflictCopy]) {
    guard expectsCopies else { return }
    expectsCopies = false
    guard status?.arrival == .missing || status?.arrival == .diverged else { return }
    copies = found.sorted()
    reportAgain()
  }
}
