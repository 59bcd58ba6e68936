// SPDX-License-Identifier: MIT

import ActivityModel

/// Continuations on one app's side (semantics 36-41). Each one that was announced ends in exactly one
/// `deliver` or `didFail`.
struct Continuations: Hashable, Sendable {
  typealias Action = SessionMachine.Action

  private var continuations: [RequestID: Continuation] = [:]
  /// The last ones that ended, oldest first: an agent that was restarted hears of them again.
  private var concluded: [Conclusion] = []
  /// Requests that ended here without a delivery, oldest first: an agent may not have heard of it.
  private var over: [RequestID] = []
  /// How often a connection was made.
  private var connections = 0
  private let pace: SessionMachine.Pace

  private struct Continuation: Hashable, Sendable {
    var offer: OfferID
    /// What the delegate was told; nil until `willContinue`.
    var announced: Offer?
    /// The app has it; the agent waits for the outcome.
    var isDelivered: Bool { changedAt != nil }
    /// The delivered state; nil until the delivery.
    var changedAt: WallTime?
    /// In which connection it was delivered: a later one's agent may know nothing of it.
    var connection = 0
    /// When an agent that was not lost has ended the wait.
    var until: Instant
    /// When this side ends it, where the agent had to be asked again.
    var limit: Instant?
    /// How the version stood, as the agent said last.
    var status: ArrivalStatus?
  }

  private struct Conclusion: Hashable, Sendable {
    var request: RequestID
    var ended: ConcludedContinuation
  }
  private static let memory = 8

  init(pace: SessionMachine.Pace) { self.pace = pace }

  /// When something is to end that nobody ended; `lost` is since when there is no agent.
  func nextDeadline(lost: Instant?) -> Instant? {
    guard continuations.values.contains(where: { !$0.isDelivered }) else { return nil }
    let limit = continuations.values.compactMap(\.limit).min()
    return [lost.map { $0 + pace.withoutAgent }, limit].compactMap { $0 }.min()
  }

  /// What a new connection's agent has to hear.
  mutating func connect(at now: Instant) -> [AgentRequest] {
    connections += 1
    limitWaiting(at: now)
    return concluded.map { .concluded($0.request, $0.ended) }
      + continuations.filter { !$0.value.isDelivered }.sorted { $0.key < $1.key }
      .map { .accept($0.value.offer, $0.key) }
  }

  /// Ends what waited for too long; `lost` is since when there is no agent.
  mutating func endLate(lost: Instant?, at now: Instant) -> [Action] {
    let abandoned = lost.map { $0 + pace.withoutAgent <= now } ?? false
    return (abandoned ? failAllWaiting() : []) + endOverlong(at: now)
  }

  /// Not delivered and not ended yet.
  private func waits(_ request: RequestID) -> Bool { continuations[request].map { !$0.isDelivered } ?? false }

  /// Announced at once when the offer is known (semantics 36); the agent's `willContinue` announces it
  /// otherwise.
  mutating func accept(_ id: OfferID, _ request: RequestID, as offer: Offer?, at now: Instant) -> [Action] {
    guard continuations[request] == nil else { return [] }
    var actions = supersede(by: request, of: id)
    continuations[request] = Continuation(offer: id, until: now + pace.version)
    if let offer { actions += announce(request, offer) }
    return actions + say(.accept(id, request))
  }

  mutating func cancel(_ request: RequestID) -> [Action] {
    guard waits(request) else { return [] }
    return say(.cancel(request)) + endWaiting(request, Self.cancelled(.cancelled))
  }

  mutating func receive(_ report: AgentReport, at now: Instant) -> [Action] {
    switch report {
    case .willContinue(let request, let offer): willContinue(request, offer, at: now)
    case .progress(let request, let status): progress(request, status)
    case .deliver(let request, let delivery): deliver(request, delivery)
    case .fail(let request, let error): waits(request) ? endWaiting(request, error) : []
    default: []
    }
  }

  /// The agent tells of a continuation begun for this app, or confirms one that the app began.
  private mutating func willContinue(
    _ request: RequestID, _ offer: Offer, at now: Instant
  ) -> [Action] {
    guard let known = continuations[request] else {
      // The person does not want it any more, and the agent did not hear that.
      guard !over.contains(request) else { return say(.cancel(request)) }
      if let told = conclusion(of: request) { return told }
      let actions = supersede(by: request, of: offer.id)
      continuations[request] = Continuation(offer: offer.id, until: now + pace.version)
      return actions + announce(request, offer)
    }
    return known.announced == nil ? announce(request, offer) : []
  }

  private mutating func announce(_ request: RequestID, _ offer: Offer) -> [Action] {
    continuations[request]?.announced = offer
    return [.willContinue(request, offer)]
  }

  private mutating func progress(_ request: RequestID, _ status: ArrivalStatus) -> [Action] {
    guard waits(request) else { return [] }
    continuations[request]?.status = status
    guard let offer = continuations[request]?.announced else { return [] }
    return [.waiting(request, offer, status)]
  }

  /// A delivery of a continuation that is over is turned down, so that the agent claims nothing for it.
  private mutating func deliver(_ request: RequestID, _ delivery: Delivery) -> [Action] {
    guard waits(request) else {
      guard continuations[request] == nil else { return [] }
      return conclusion(of: request) ?? say(.outcome(request, .failed))
    }
    continuations[request]?.changedAt = delivery.activity.changedAt
    continuations[request]?.connection = connections
    continuations[request]?.limit = nil
    // An agent of an older release hands over any address.
    var safe = delivery
    safe.activity = delivery.activity.withWebAddressesOnly
    return [.deliver(request, safe)]
  }

  /// What to say to an agent that begins or delivers again what is over here.
  private func conclusion(of request: RequestID) -> [Action]? {
    concluded.first { $0.request == request }.map { say(.concluded(request, $0.ended)) }
  }

  /// A newer continuation ends those that still wait (semantics 38), with an error that is not shown; but
  /// what was open together there comes together (semantics 52).
  private mutating func supersede(by request: RequestID, of offer: OfferID) -> [Action] {
    let waiting = continuations.filter { key, other in
      let isOfSameSet = other.offer != offer && other.offer.isOpenedTogether(with: offer)
      return !other.isDelivered && key != request && !isOfSameSet
    }
    return waiting.keys.sorted().flatMap {
      say(.cancel($0)) + endWaiting($0, Self.cancelled(.superseded))
    }
  }

  /// The one place where a waiting continuation ends without a delivery.
  private mutating func endWaiting(_ request: RequestID, _ error: ContinuityError) -> [Action] {
    guard let continuation = continuations.removeValue(forKey: request) else { return [] }
    over = (over + [request]).suffix(32)
    return [.didFail(request, type: continuation.announced?.type ?? "", error)]
  }

  private mutating func failAllWaiting() -> [Action] {
    continuations.filter { !$0.value.isDelivered }.keys.sorted().flatMap {
      endWaiting(
        $0, ContinuityError(.connectionUnavailable, subject: "agent", because: .agentUnreachable))
    }
  }

  mutating func extend(_ request: RequestID, _ seconds: UInt64, at now: Instant) -> [Action] {
    guard waits(request), let until = continuations[request]?.until else { return [] }
    wait(request, until: max(until, now) + .seconds(Int64(clamping: min(seconds, 86400))))
    return say(.extend(request, seconds: seconds))
  }

  mutating func choose(_ request: RequestID, _ choice: ArrivalChoice, at now: Instant) -> [Action] {
    guard waits(request) else { return [] }
    if choice == .keepWaiting { wait(request, until: now + pace.version) }
    return say(.choose(request, choice))
  }

  private mutating func wait(_ request: RequestID, until moment: Instant) {
    continuations[request]?.until = moment
    if continuations[request]?.limit != nil { continuations[request]?.limit = moment }
  }

  /// The agent is asked again, and may be one that knows nothing of the time that has passed. It has as long
  /// as the first look at a version takes, at least.
  private mutating func limitWaiting(at now: Instant) {
    for (request, continuation) in continuations where !continuation.isDelivered {
      let least = now + ExchangeMachine.Timing().arrivalDeadline
      continuations[request]?.limit = connections > 1 ? max(continuation.until, least) : nil
    }
  }

  /// Ends what waited for long enough through the loss of an agent, with what the last one said of it.
  private mutating func endOverlong(at now: Instant) -> [Action] {
    let late = continuations.filter { !$0.value.isDelivered && $0.value.limit.map { $0 <= now } ?? false }
    return late.sorted { $0.key < $1.key }.flatMap { request, continuation in
      let status = continuation.status ?? ArrivalStatus(.missing, because: .absent)
      return say(.cancel(request)) + endWaiting(request, ExchangeMachine.failure(of: status))
    }
  }

  mutating func finish(_ request: RequestID, _ outcome: ContinuationOutcome) -> [Action] {
    guard let continuation = continuations[request], let changedAt = continuation.changedAt else { return [] }
    continuations[request] = nil
    let ended = ConcludedContinuation(offer: continuation.offer, changedAt: changedAt, outcome: outcome)
    concluded = (concluded + [Conclusion(request: request, ended: ended)]).suffix(Self.memory)
    return say(
      continuation.connection == connections ? .outcome(request, outcome) : .concluded(request, ended))
  }

  /// The framework's own try failed; the delivery was the continuation's one answer.
  mutating func fail(delivered request: RequestID, _ error: ContinuityError) -> [Action] {
    guard let continuation = continuations[request], continuation.isDelivered else { return [] }
    return [.couldNotShow(request, type: continuation.announced?.type ?? "", error)]
      + explain(request, error.description) + finish(request, .failed)
  }

  mutating func explain(_ request: RequestID, _ message: String) -> [Action] {
    guard let continuation = continuations[request], continuation.isDelivered, !message.isEmpty else {
      return []
    }
    return say(.explain(request, message))
  }

  private static func cancelled(_ cause: Reason) -> ContinuityError {
    ContinuityError(.userCancelled, subject: "continuation", because: cause)
  }

  private func say(_ request: AgentRequest) -> [Action] { [.send(request)] }
}
