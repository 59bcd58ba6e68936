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
  /// What the machine is told. Each `observe`, `hash`, `search` and `listCopies` is answered by one event.
  public enum Event: Hashable, Sendable {
    /// Something may have changed at the path, or at one of its parents.
    case hint
    /// Conflict copies may have come or gone.
    case hintBeside
    /// Something may have changed elsewhere, while the document is looked for (`isSought`).
    case hintElsewhere
    /// The watcher saw this name, of a file or a folder, become that one, both as names from the root down.
    case renamed(from: [[UInt8]], to: [[UInt8]])
    /// An app saved this into the document, or got it from there.
    case holds(Holding)
    /// The answer to `observe`.
    case observed(FileObservation)
    /// The answer to `hash`.
    case hashed(HashOutcome)
    /// The answer to `search`: where the document is, if anywhere.
    case found(Place?)
    /// The answer to `listCopies`: the names of the document's conflict copies.
    case copies([[UInt8]])
    /// The moment of the last `wake` has come.
    case timer
  }

  /// Bytes that a document has.
  public struct Holding: Hashable, Sendable {
    /// Their digest.
    public var digest: ContentDigest
    /// How many they are.
    public var size: UInt64

    /// So many bytes of that digest.
    public init(_ digest: ContentDigest, size: UInt64) { (self.digest, self.size) = (digest, size) }
  }

  /// Where a document is.
  public struct Place: Hashable, Sendable {
    /// Another synced folder than the one that it was in; nil: the same.
    public var folder: FolderID?
    /// Its path there.
    public var path: RelativePath

    /// At `path`; in the folder where it was unless told otherwise.
    public init(folder: FolderID? = nil, path: RelativePath) { (self.folder, self.path) = (folder, path) }
  }

  /// What the shell is to do.
  public enum Action: Hashable, Sendable {
    /// `lstat` this path, then send `observed`.
    case observe(RelativePath)
    /// Hash the file with this stamp at the document's path, then send `hashed`.
    case hash(FileStamp)
    /// Look for the document under other names, in its folder first and then, with
    /// `DocumentSearch.inOtherFolder`, in the others, and send `found`.
    case search(DocumentSearch)
    /// Look for conflict copies of the file at this path, then send `copies`.
    case listCopies(of: RelativePath)
    /// The document held this for a moment. An engine may have picked it up: then it is an older version
    /// elsewhere, and no foreign one.
    case held(ContentDigest, size: UInt64)
    /// The document holds this, of so many bytes.
    case saved(ContentDigest, size: UInt64)
    /// The document is gone.
    case deleted
    /// The document has this place from now on; `path` tells it, too.
    case moved(to: Place)
    /// These conflict copies lie beside the document now, by name. Perhaps they did before.
    case conflict([[UInt8]])
    /// Send `timer` then; replaces every earlier wake. Nil: no timer is needed.
    case wake(at: Instant?)
  }

  /// How long things take.
  public struct Timing: Hashable, Sendable {
    /// How long a file must lie still before it counts as saved.
    public var settled: Duration = .milliseconds(100)
    /// The same for an empty one.
    public var emptySettled: Duration = .seconds(1)
    /// How long the file may be gone within an update before it counts as deleted.
    public var grace: Duration = .seconds(1)
    /// The same when the watcher saw it get another name, one that no editor gives to what it replaces.
    public var renamed: Duration = .milliseconds(250)
    /// How long after it was deleted the document is still looked for.
    public var afterlife: Duration = .seconds(60)
    /// The least time between two searches for one document.
    public var searchPause: Duration = .seconds(2)
    /// How long the folder is left alone before conflict copies are looked for.
    public var copiesSettled: Duration = .milliseconds(100)
    /// Files above this size are read only after they lay still.
    public var throttledSize: UInt64 = 1 << 20
    /// The first wait after a file changed while it was read; doubled each time up to `longestRetry`.
    public var retry: Duration = .milliseconds(50)
    /// The longest such wait.
    public var longestRetry: Duration = .seconds(5)
    /// How often a file that cannot be read is looked at again without a hint.
    public var recheck: Duration = .seconds(30)

    /// The times that an agent keeps.
    public init() {}
  }

  enum Look: Hashable {
    case none, observing, hashing, searching
    /// At the name that the watcher saw.
    case following(RelativePath)
    /// Once more at the own path, before the document is said to be elsewhere.
    case confirming(Place)
  }

  struct Reading: Hashable {
    var stamp: FileStamp
    var digest: ContentDigest
    var quiet: Duration
    var at: Instant
  }

  /// The document's path in its folder.
  public private(set) var path: RelativePath

  let timing: Timing
  var look = Look.none
  var isHinted = false
  private var seen: (stamp: FileStamp, since: Instant)?
  private var reading: Reading?
  private var failures = 0
  var goneAt: Instant?
  /// When it was told as deleted.
  var deletedAt: Instant?
  var lookAt: Instant?
  /// What it held last, and what the file was then: by this it is found again.
  var last: Last?
  /// The name that the watcher saw it get.
  var renamedTo: [[UInt8]]?
  var searchedAt: Instant?
  var isSearchDue = false
  var listAt: Instant?
  var isListing = false
  private var wake: Instant?
  var actions: [Action] = []

  /// A machine that has seen nothing yet, for the document at `path`.
  public init(path: RelativePath, timing: Timing = Timing()) {
    self.path = path
    self.timing = timing
  }

  /// Takes one event in and says what to do, in order.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .hint: beginLook()
    case .hintBeside: listAt = listAt ?? now + timing.copiesSettled
    case .hintElsewhere: takeHintElsewhere(at: now)
    case .renamed(let from, let to): noteRename(from, to, at: now)
    case .holds(let holding): noteHolding(holding)
    case .observed(let observation): take(observation, at: now)
    case .hashed(let outcome): take(outcome, at: now)
    case .found(let place): takeFinding(place, at: now)
    case .copies(let names): takeCopies(names)
    case .timer: takeTimer(at: now)
    }
    let next = [lookAt, isListing ? nil : listAt].compactMap { $0 }.min()
    if next != wake {
      wake = next
      actions.append(.wake(at: next))
    }
    defer { actions = [] }
    return actions
  }

  private mutating func takeTimer(at now: Instant) {
    wake = nil
    if let lookAt, lookAt <= now {
      self.lookAt = nil
      beginLook()
    }
    if let listAt, listAt <= now, !isListing {
      self.listAt = nil
      isListing = true
      actions.append(.listCopies(of: path))
    }
  }

  mutating func beginLook() {
    guard look == .none else {
      isHinted = true
      return
    }
    isHinted = false
    look = .observing
    actions.append(.observe(path))
  }

  private mutating func take(_ observation: FileObservation, at now: Instant) {
    switch look {
    case .following(let path): return takeCandidate(path, observation, at: now)
    case .confirming(let place) where observation == .absent: return conclude(place)
    case .observing, .confirming: break
    case .none, .hashing, .searching: return
    }
    look = .none
    lookAt = nil
    switch observation {
    case .absent: takeAbsence(at: now)
    // A disk that works again makes no event.
    case .unreadable:
      goneAt = nil
      lookAt = now + timing.recheck
    // The next hint tells when something else lies there.
    case .other: goneAt = nil
    case .file(let stamp):
      endAbsence()
      take(stamp, at: now)
    }
    if isHinted, look == .none { beginLook() }
  }

  /// The document is somewhere else from now on, and looked at there.
  mutating func move(to place: Place) {
    path = place.path
    actions.append(.moved(to: place))
    listAt = nil
  }

  mutating func forgetSeen() {
    seen = nil
    reading = nil
  }

  private mutating func take(_ stamp: FileStamp, at now: Instant) {
    if seen?.stamp != stamp { seen = (stamp, now) }
    if let reading, reading.stamp == stamp {
      if reading.quiet >= stamp.tick { return judge(reading, at: now) }
      // Too young to be believed: it is read once more when it has lain still, not for each hint until then.
      let rest = timing.settled - (reading.quiet + (now - reading.at))
      if rest > .zero { return lookAt = now + rest }
    }
    let since = seen?.since ?? now
    if stamp.size > timing.throttledSize, since + timing.settled > now {
      return lookAt = since + timing.settled
    }
    look = .hashing
    actions.append(.hash(stamp))
  }

  private mutating func take(_ outcome: HashOutcome, at now: Instant) {
    guard look == .hashing else { return }
    look = .none
    switch outcome {
    case .stable(let digest, let stamp, let quiet):
      failures = 0
      let reading = Reading(stamp: stamp, digest: digest, quiet: quiet, at: now)
      self.reading = reading
      last = Last(reading)
      if !isHinted { judge(reading, at: now) }
    case .unstable, .cancelled:
      lookAt = now + min(timing.retry * (1 << min(failures, 10)), timing.longestRetry)
      failures += 1
    case .failed: lookAt = now + timing.recheck
    }
    if isHinted { beginLook() }
  }

  private mutating func judge(_ reading: Reading, at now: Instant) {
    let needed = reading.stamp.size == 0 ? timing.emptySettled : timing.settled
    let rest = needed - (reading.quiet + (now - reading.at))
    guard rest > .zero else { return actions.append(.saved(reading.digest, size: reading.stamp.size)) }
    lookAt = now + rest
    if reading.stamp.size > 0 { actions.append(.held(reading.digest, size: reading.stamp.size)) }
  }
}
