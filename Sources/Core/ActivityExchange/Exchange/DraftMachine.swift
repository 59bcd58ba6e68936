// SPDX-License-Identifier: MIT

public import ActivityModel

/// The drafts that accepted offers are continued with, on their way to apps here: until it is known whether
/// the app takes one, until the text has come, and until it is kept. Each ends in one action. Without links,
/// files and a clock.
public struct DraftMachine: Sendable {
  /// What an app takes is said behind its hello: one that was just started may not have said it yet.
  static let greetingPatience = Duration.seconds(1)
  /// Nobody waits for a text longer than that: a device may send a byte now and then.
  static let patience = Duration.seconds(60)

  /// What happened.
  public enum Event: Sendable {
    /// An accepted offer is to be continued with a draft: whether its app is known to take one, and whether
    /// the text is here. What that acceptance waited for before counts no more.
    case wanted(RequestID, Draft, isTaken: Bool, isHere: Bool)
    /// The app of that acceptance takes drafts, as it says now.
    case taken(RequestID)
    /// The text came; its bytes are to be judged.
    case came(RequestID, ContentDigest)
    /// It did not.
    case missed(RequestID, ContentDigest)
    /// What came is kept, or is not what was offered.
    case kept(RequestID, ContentDigest, isRight: Bool)
    /// Time has passed.
    case time
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// Have the text sent; then tell `came` or `missed`.
    case fetch(RequestID, Draft)
    /// Keep what came; then tell `kept`.
    case keep(RequestID, Draft)
    /// The text is here: the app gets it.
    case deliver(RequestID, Draft)
    /// The other device does not send it: it may offer another one by now.
    case lookAgain(RequestID, Draft)
    /// The text is not to be had.
    case fail(RequestID)
    /// The app takes no drafts.
    case refuse(RequestID)
  }

  private enum Stage {
    case greeting(isHere: Bool)
    case coming
    case keeping
  }

  private struct Wait {
    let draft: Draft
    var stage: Stage
    var until: Instant
  }

  private var waits: [RequestID: Wait] = [:]

  /// Without any.
  public init() {}

  /// When time is to be told next.
  public var nextMoment: Instant? { waits.values.lazy.map(\.until).min() }

  /// What to do about an event.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .wanted(let request, let draft, let isTaken, let isHere):
      if isTaken { return begin(request, draft, isHere: isHere, at: now) }
      waits[request] = Wait(
        draft: draft, stage: .greeting(isHere: isHere), until: now + Self.greetingPatience)
      return []
    case .taken(let request):
      guard let wait = waits[request], case .greeting(let isHere) = wait.stage else { return [] }
      return begin(request, wait.draft, isHere: isHere, at: now)
    case .came(let request, let digest):
      guard let wait = waits[request], case .coming = wait.stage, wait.draft.digest == digest else {
        return []
      }
      waits[request]?.stage = .keeping
      return [.keep(request, wait.draft)]
    case .missed(let request, let digest):
      guard let wait = waits[request], case .coming = wait.stage, wait.draft.digest == digest else {
        return []
      }
      waits[request] = nil
      return [.lookAgain(request, wait.draft)]
    case .kept(let request, let digest, let isRight):
      guard let wait = waits[request], case .keeping = wait.stage, wait.draft.digest == digest else {
        return []
      }
      waits[request] = nil
      return [isRight ? .deliver(request, wait.draft) : .fail(request)]
    case .time: return expire(at: now)
    }
  }

  private mutating func begin(
    _ request: RequestID, _ draft: Draft, isHere: Bool, at now: Instant
  ) -> [Action] {
    waits[request] = isHere ? nil : Wait(draft: draft, stage: .coming, until: now + Self.patience)
    return [isHere ? .deliver(request, draft) : .fetch(request, draft)]
  }

  private mutating func expire(at now: Instant) -> [Action] {
    waits.filter { $0.value.until <= now }.sorted { $0.key < $1.key }.map { request, wait in
      waits[request] = nil
      return if case .greeting = wait.stage { .refuse(request) } else { .fail(request) }
    }
  }
}
