// SPDX-License-Identifier: MIT

public import ActivityModel

/// What other programs do to a document that an app has open: tells a save from the moments within it.
///
/// Editors make a file anew or cut it to nothing before they write, and take it away for a moment (R5, R13).
/// What the disk holds counts as saved once the inode lay still, by the file system's own clock; how often
/// and how late hints come makes no difference. An empty file has to lie still longer, for that is how most
/// saves begin. Without a change the machine asks for no timer.
public struct OpenDocumentMachine: Sendable {
  /// What the machine is told. Each `observe` and `hash` is answered by one event.
  public enum Event: Hashable, Sendable {
    /// Something may have changed at the path, or at one of its parents.
    case hint
    /// The answer to `observe`.
    case observed(FileObservation)
    /// The answer to `hash`.
    case hashed(HashOutcome)
    /// The moment of the last `wake` has come.
    case timer
  }

  /// What the shell is to do.
  public enum Action: Hashable, Sendable {
    /// `lstat` the path, then send `observed`.
    case observe
    /// Hash the file with this stamp, then send `hashed`.
    case hash(FileStamp)
    /// The document held this for a moment. An engine may have picked it up: then it is an older version
    /// elsewhere, and no foreign one.
    case held(ContentDigest, size: UInt64)
    /// The document holds this, of so many bytes.
    case saved(ContentDigest, size: UInt64)
    /// The document is gone.
    case deleted
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
    /// Files above this size are read only after they lay still.
    public var throttledSize: UInt64 = 1 << 20
    /// The first wait after a file changed while it was read; doubled each time up to `longestRetry`.
    public var retry: Duration = .milliseconds(50)
    /// The longest such wait.
    public var longestRetry: Duration = .seconds(5)

    /// The times that an agent keeps.
    public init() {}
  }

  private enum Look: Hashable { case none, observing, hashing }

  private struct Reading: Hashable {
    var stamp: FileStamp
    var digest: ContentDigest
    var quiet: Duration
    var at: Instant
  }

  private let timing: Timing
  private var look = Look.none
  private var isHinted = false
  private var seen: (stamp: FileStamp, since: Instant)?
  private var reading: Reading?
  private var failures = 0
  private var goneAt: Instant?
  private var isDeleted = false
  private var lookAt: Instant?
  private var wake: Instant?
  private var actions: [Action] = []

  /// A machine that has seen nothing yet.
  public init(timing: Timing = Timing()) { self.timing = timing }

  /// Takes one event in and says what to do, in order.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .hint: beginLook()
    case .observed(let observation): take(observation, at: now)
    case .hashed(let outcome): take(outcome, at: now)
    case .timer:
      wake = nil
      if let lookAt, lookAt <= now {
        self.lookAt = nil
        beginLook()
      }
    }
    if lookAt != wake {
      wake = lookAt
      actions.append(.wake(at: lookAt))
    }
    defer { actions = [] }
    return actions
  }

  private mutating func beginLook() {
    guard look == .none else {
      isHinted = true
      return
    }
    isHinted = false
    look = .observing
    actions.append(.observe)
  }

  private mutating func take(_ observation: FileObservation, at now: Instant) {
    guard look == .observing else { return }
    look = .none
    lookAt = nil
    switch observation {
    case .absent: takeAbsence(at: now)
    // Nothing can be read there; the next hint tells when that has changed.
    case .unreadable, .other: goneAt = nil
    case .file(let stamp):
      goneAt = nil
      isDeleted = false
      take(stamp, at: now)
    }
    if isHinted, look == .none { beginLook() }
  }

  private mutating func takeAbsence(at now: Instant) {
    seen = nil
    reading = nil
    guard !isDeleted else { return }
    let end = goneAt ?? now + timing.grace
    goneAt = end
    guard end <= now else { return lookAt = end }
    goneAt = nil
    isDeleted = true
    actions.append(.deleted)
  }

  private mutating func take(_ stamp: FileStamp, at now: Instant) {
    if seen?.stamp != stamp { seen = (stamp, now) }
    if let reading, reading.stamp == stamp, reading.quiet >= stamp.tick { return judge(reading, at: now) }
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
      if !isHinted { judge(reading, at: now) }
    case .unstable, .cancelled:
      lookAt = now + min(timing.retry * (1 << min(failures, 10)), timing.longestRetry)
      failures += 1
    case .failed: break
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
