// SPDX-License-Identifier: MIT

public import ActivityModel

/// When a device tells the circle what it keeps for search (semantics 11i): soon after a change, at most once
/// in 30 s, and only those parts that say something else than before.
///
/// What a part says is known by a digest of its content and of the key that it is sealed with. That is kept
/// across restarts, so that nothing is told anew for one, and all is under another key.
public struct SavedListMachine: Hashable, Sendable {
  /// How long it takes.
  public struct Timing: Hashable, Sendable {
    /// What changes together is told together.
    public var patience = Duration.seconds(2)
    /// The least time between two tellings.
    public var pause = Duration.seconds(30)

    /// The usual one.
    public init() {}
  }

  /// What a part is to say now.
  public struct Part: Hashable, Sendable {
    /// Of the content and the key.
    public var digest: [UInt8]
    /// Whether it says nothing.
    public var isEmpty: Bool

    /// A part of that digest.
    public init(digest: [UInt8], isEmpty: Bool) { (self.digest, self.isEmpty) = (digest, isEmpty) }
  }

  /// What the shell tells.
  public enum Event: Hashable, Sendable {
    /// Something may be to be told.
    case changed
    /// The moment that was asked for has come.
    case timer
    /// What each part is to say.
    case prepared([Part])
    /// The part of that place lies in the folders, and says this.
    case said(part: Int, [UInt8])
    /// A part could not be sealed, or not be remembered.
    case failed
    /// A folder does not have what the part of that place said last.
    case missing(part: Int)
  }

  /// What the shell does.
  public enum Action: Hashable, Sendable {
    /// Find out what each part is to say.
    case prepare
    /// Tell the part of that place.
    case say(part: Int)
    /// Say when this moment has come, and forget an earlier one.
    case wake(Instant)
  }

  private let timing: Timing
  /// What each part said last; to be kept durably.
  public private(set) var said: [Int: [UInt8]]
  /// Parts that are told again, whatever they said.
  private var missing: Set<Int> = []
  private var due: Instant?
  private var last: Instant?

  /// A device of which each part `said` this last.
  public init(said: [Int: [UInt8]] = [:], timing: Timing = Timing()) {
    self.said = said
    self.timing = timing
  }

  /// Decides.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .changed: return plan(after: timing.patience, at: now)
    case .timer:
      guard let due else { return [] }
      guard now >= due else { return [.wake(due)] }
      self.due = nil
      return [.prepare]
    case .prepared(let parts):
      let news = parts.indices.filter { isNews(parts[$0], at: $0) }
      if !news.isEmpty { last = now }
      return news.map { .say(part: $0) }
    case .said(let part, let digest):
      said[part] = digest
      missing.remove(part)
      return []
    case .failed: return plan(after: timing.pause, at: now)
    case .missing(let part):
      missing.insert(part)
      return plan(after: timing.patience, at: now)
    }
  }

  private func isNews(_ part: Part, at place: Int) -> Bool {
    if missing.contains(place) { return true }
    // A part that never said anything needs none that says nothing.
    return part.isEmpty && said[place] == nil ? false : said[place] != part.digest
  }

  private mutating func plan(after pause: Duration, at now: Instant) -> [Action] {
    guard due == nil else { return [] }
    let soonest = now + pause
    let moment = last.map { max($0 + timing.pause, soonest) } ?? soonest
    due = moment
    return [.wake(moment)]
  }
}
