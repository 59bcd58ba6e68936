// SPDX-License-Identifier: MIT

import ActivityModel

/// The look at a document that is under way, and when the next one is due. One look is under way at most; a
/// hint that comes meanwhile makes its answer older than the hint.
struct DocumentLook: Hashable, Sendable {
  /// What was asked for and not answered yet.
  enum Kind: Hashable, Sendable { case none, observing, hashing, searching }

  /// What the answer to a look is worth.
  enum Answer: Hashable, Sendable {
    /// Nothing: it was not asked for.
    case stray
    /// Nothing: it is about another path, or about a folder that was away meanwhile.
    case outdated
    /// It stands, unless a hint came meanwhile.
    case useful(isHinted: Bool)
  }

  /// The path of the look under way, or of the last one.
  private(set) var path: RelativePath
  private var kind = Kind.none
  private var isHinted = false
  private var isOutdated = false
  private var nextAt: Instant?
  /// Until when an absent file may be within an update.
  private(set) var graceEnd: Instant?

  init(at path: RelativePath) { self.path = path }

  var isIdle: Bool { kind == .none }
  var isSearching: Bool { kind == .searching }
  /// Whether a reading is under way whose answer will be of use.
  var isReading: Bool { kind == .hashing && !isOutdated }

  // MARK: The look under way

  /// Takes a hint in: true when a look may begin now, false when it follows the one under way.
  mutating func hint() -> Bool {
    isHinted = !isIdle
    return isIdle
  }

  /// Observes `path`; `isHinted` when a hint came that this look does not answer.
  mutating func observe(_ path: RelativePath, isHinted: Bool = false) {
    kind = .observing
    self.path = path
    self.isHinted = isHinted
  }

  mutating func hash() { kind = .hashing }

  mutating func search() { kind = .searching }

  /// Ends the look under way if it is one of this kind.
  mutating func finish(_ kind: Kind) -> Answer {
    guard self.kind == kind else { return .stray }
    defer { (isHinted, isOutdated) = (false, false) }
    self.kind = .none
    return isOutdated ? .outdated : .useful(isHinted: isHinted)
  }

  /// The look under way is about another file: true when what it waits for may stop.
  mutating func outdate() -> Bool {
    isOutdated = !isIdle
    return kind == .hashing || kind == .searching
  }

  // MARK: The next look

  /// The next moment at which a look is due. An absent file is looked at after the look under way.
  var nextMoment: Instant? { nextAt.orEarlier(isIdle ? graceEnd : nil) }

  mutating func schedule(at moment: Instant) { nextAt = moment }

  /// Schedules a look, unless one is scheduled.
  mutating func scheduleOnce(at moment: Instant) { nextAt = nextAt ?? moment }

  mutating func unschedule() { nextAt = nil }

  /// Whether the scheduled look is due; it is scheduled no more.
  mutating func takeSchedule(at now: Instant) -> Bool {
    guard let nextAt, nextAt <= now else { return false }
    self.nextAt = nil
    return true
  }

  func isGraceOver(at now: Instant) -> Bool { graceEnd.map { $0 <= now } ?? false }

  mutating func beginGrace(until end: Instant) { graceEnd = end }

  mutating func endGrace() { graceEnd = nil }

  /// Neither a later look nor the end of an absence is awaited any more.
  mutating func clearTimes() { (nextAt, graceEnd) = (nil, nil) }
}
