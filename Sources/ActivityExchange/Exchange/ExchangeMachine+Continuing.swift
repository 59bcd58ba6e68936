// SPDX-License-Identifier: MIT

public import ActivityModel

extension ExchangeMachine {
  /// One accepted offer on its way to an app.
  struct Continuation: Hashable, Sendable {
    var client: ClientNumber
    var offer: OfferID
    var snapshot: ActivitySnapshot
    var phase: Phase
    var deadline: Instant
    /// What the person agreed to open though it is not the version meant.
    var agreed: Arrival?
    /// While the document is opened: whether the person had been asked before, and has not answered.
    var wasOverdue = false
    /// While the document is opened: since when.
    var openingSince: Instant?
    /// What the last delivery in vain found.
    var postponed: ArrivalStatus?
    /// Why the app will have failed, as it says.
    var explanation = ""
    /// How far the wait has come; nil once the app has the document.
    var wait: Wait? {
      let isOverdue = phase == .overdue || phase == .opening && wasOverdue
      guard !phase.isDelivered else { return nil }
      return Wait(isOverdue: isOverdue, deadline: deadline, agreed: agreed, postponed: postponed)
    }
  }

  /// How far a wait has come: it goes on where it was when the app's connection is lost and made again, for
  /// the person has waited all the time.
  struct Wait: Hashable, Sendable {
    var isOverdue = false
    var deadline: Instant
    var agreed: Arrival?
    var postponed: ArrivalStatus?
  }

  enum Phase: Hashable, Sendable {
    /// For the version.
    case waiting
    /// For the person's choice, the deadline having passed.
    case overdue
    /// For the shell to open and verify the document.
    case opening
    /// For the app's outcome.
    case delivered
    /// For nothing: the app has it and does not answer. A late outcome still counts.
    case unanswered

    /// Whether the app has it.
    var isDelivered: Bool { self == .delivered || self == .unanswered }
    /// Whether it is the document, or the person, that is awaited.
    var isWaiting: Bool { self == .waiting || self == .overdue }
    /// Whether something happens when its time is over.
    var hasDeadline: Bool { isWaiting || self == .delivered }
  }

  mutating func accept(
    _ client: ClientNumber, _ offer: OfferID, _ request: RequestID, at now: Instant, wall: WallTime
  ) -> [Action] {
    guard clients[client] != nil else { return [] }
    guard continuations[request] == nil else {
      return acceptAgain(client, offer, request, at: now, wall: wall)
    }
    orphans[request] = nil
    guard let (name, snapshot) = standing(of: offer, wall: wall) else {
      return [.report(client, .fail(request, Self.offerGone))]
    }
    return begin(request, client, offer, snapshot, deviceName: name, at: now, wall: wall)
  }

  /// Tells the app, and goes on as the arrival allows; a `wait` that had begun before is not begun anew.
  mutating func begin(
    _ request: RequestID, _ client: ClientNumber, _ offer: OfferID, _ snapshot: ActivitySnapshot,
    deviceName: String, wait: Wait? = nil, at now: Instant, wall: WallTime
  ) -> [Action] {
    let wait = wait ?? Wait(deadline: now + timing.arrivalDeadline)
    continuations[request] = Continuation(
      client: client, offer: offer, snapshot: snapshot, phase: wait.isOverdue ? .overdue : .waiting,
      deadline: wait.deadline, agreed: wait.agreed, postponed: wait.postponed)
    let shownOffer = allOffers(wall: wall).first { $0.id == offer }
    let begun = Action.report(
      client,
      .willContinue(
        request,
        offer: shownOffer
          ?? Offer(
            id: offer, deviceName: deviceName, snapshot: snapshot, folderName: "",
            status: arrivals[offer] ?? lookingStatus(of: offer))))
    var actions = [begun] + [retrack(offer)].compactMap { $0 } + proceed(request, at: now)
    // The question stands, also in a process that was not there when it was asked.
    if continuations[request]?.phase == .overdue, let status = arrivals[offer] {
      actions.append(.report(client, .progress(request, Self.question(status))))
    }
    return actions
  }

  /// Goes on with a waiting continuation as the arrival allows.
  private mutating func proceed(_ request: RequestID, at now: Instant) -> [Action] {
    guard let continuation = continuations[request], continuation.phase.isWaiting,
      let status = arrivals[continuation.offer]
    else { return [] }
    let mayOpen =
      status.arrival == .current || status.arrival == .ahead || continuation.agreed == status.arrival
    guard mayOpen else {
      return [.report(continuation.client, .progress(request, status))]
    }
    // Who answered agreed to this alone, and is asked about anything else.
    continuations[request]?.wasOverdue = continuation.phase == .overdue && continuation.agreed == nil
    continuations[request]?.phase = .opening
    continuations[request]?.openingSince = now
    return [.open(request, continuation.client, continuation.offer, continuation.snapshot, status)]
  }

  mutating func arrive(_ offer: OfferID, _ status: ArrivalStatus, at now: Instant) -> [Action] {
    guard snapshot(of: offer) != nil, arrivals[offer] != status else { return [] }
    arrivals[offer] = status
    formerArrivals[offer] = nil
    return continuations.filter { $0.value.offer == offer }.keys.sorted().flatMap { proceed($0, at: now) }
  }

  mutating func extend(_ request: RequestID, by seconds: UInt64, at now: Instant) -> [Action] {
    guard let continuation = continuations[request], continuation.phase.isWaiting else { return [] }
    let base = max(continuation.deadline, now)
    continuations[request]?.deadline = base + .seconds(Int64(clamping: min(seconds, 86400)))
    if continuation.phase == .overdue { continuations[request]?.phase = .waiting }
    continuations[request]?.postponed = nil
    return []
  }

  mutating func choose(_ request: RequestID, _ choice: ArrivalChoice, at now: Instant) -> [Action] {
    guard let continuation = continuations[request], continuation.phase.isWaiting else { return [] }
    switch choice {
    case .giveUp: return end(request, ContinuityError(.userCancelled, because: .givenUp))
    case .keepWaiting:
      continuations[request]?.phase = .waiting
      continuations[request]?.deadline = now + timing.arrivalDeadline
      continuations[request]?.agreed = nil
      continuations[request]?.postponed = nil
      return []
    case .openHere:
      guard let status = arrivals[continuation.offer] else { return [] }
      // There is nothing to open here, and asking again would ask for ever.
      guard ![.missing, .unreadable, .folderUnknown].contains(status.arrival) else {
        return end(request, Self.failure(of: status))
      }
      continuations[request]?.agreed = status.arrival
      return proceed(request, at: now)
    }
  }

  mutating func note(delivered request: RequestID, at now: Instant) -> [Action] {
    guard let continuation = continuations[request], continuation.phase == .opening else { return [] }
    continuations[request]?.phase = .delivered
    continuations[request]?.deadline = now + timing.answer
    return [retrack(continuation.offer)].compactMap { $0 }
  }

  mutating func postpone(_ request: RequestID, _ status: ArrivalStatus, at now: Instant) -> [Action] {
    guard let continuation = continuations[request], continuation.phase == .opening else { return [] }
    // The wait goes on where it was: a person who was asked is not asked a second time, and one who answered
    // soon, for the question's time is over. Reading may have taken longer than the wait: once there is as
    // much time to look again.
    continuations[request]?.phase = continuation.wasOverdue ? .overdue : .waiting
    let again = now + max(timing.secondLook, now - (continuation.openingSince ?? now))
    if continuation.postponed == nil {
      let isAnswered = continuation.agreed != nil
      continuations[request]?.deadline = isAnswered ? again : max(continuation.deadline, again)
    }
    continuations[request]?.postponed = status
    arrivals[continuation.offer] = nil
    formerArrivals[continuation.offer] = status
    // Tracked afresh: what was known of the file turned out to be out of date.
    return [.report(continuation.client, .progress(request, status)), .untrack(continuation.offer)]
      + [retrack(continuation.offer)].compactMap { $0 }
  }

  /// Ends a continuation that was not delivered: the app gets `fail`, once.
  mutating func end(_ request: RequestID, _ error: ContinuityError) -> [Action] {
    guard let continuation = continuations[request], !continuation.phase.isDelivered else { return [] }
    continuations[request] = nil
    if error.code != .userCancelled {
      remark(continuation.offer, continuation.snapshot.changedAt, error.cause)
    }
    return [.report(continuation.client, .fail(request, error))]
      + [retrack(continuation.offer)].compactMap { $0 }
  }

  mutating func conclude(
    _ client: ClientNumber, _ request: RequestID, _ outcome: ContinuationOutcome, wall: WallTime
  ) -> [Action] {
    guard let continuation = continuations[request], continuation.client == client,
      continuation.phase.isDelivered
    else { return [] }
    continuations[request] = nil
    let message = outcome == .failed ? continuation.explanation : ""
    remark(continuation.offer, continuation.snapshot.changedAt, outcome, message, in: client)
    if outcome.isContinued { remember(continuation.offer, continuation.snapshot.changedAt) }
    claims.append(
      Claim(
        source: continuation.offer.device, activity: continuation.offer.activity, request: request,
        outcome: outcome, at: wall, message: message))
    publishing.isDue = true
    return []
  }

  mutating func note(explanation: String, of request: RequestID, by client: ClientNumber) -> [Action] {
    if continuations[request]?.client == client { continuations[request]?.explanation = explanation }
    return []
  }

  /// Told again after a reconnect: what the agent before this one heard stands in its record; the rest is
  /// claimed now. The source need not have been heard of: an agent that has just started may not be able to
  /// read its record yet, and the app says this only once in a connection.
  mutating func conclude(
    _ client: ClientNumber, _ request: RequestID, _ ended: ConcludedContinuation, wall: WallTime
  ) -> [Action] {
    guard clients[client] != nil else { return [] }
    if continuations[request]?.client == client { continuations[request] = nil }
    guard !claims.contains(where: { $0.request == request }) else { return [] }
    if ended.outcome.isContinued, continued[ended.offer].map({ $0 < ended.changedAt }) ?? true {
      remember(ended.offer, ended.changedAt)
    }
    remark(ended.offer, ended.changedAt, ended.outcome, in: client)
    claims.append(
      Claim(
        source: ended.offer.device, activity: ended.offer.activity, request: request, outcome: ended.outcome,
        at: wall))
    publishing.isDue = true
    return []
  }

  private mutating func remember(_ offer: OfferID, _ changedAt: WallTime) {
    continued[offer] = changedAt
    guard continued.count > Self.memory else { return }
    let oldest = continued.min { ($0.value, $0.key) < ($1.value, $1.key) }
    if let oldest { continued[oldest.key] = nil }
  }

  /// Deadlines: first the person is asked, then the continuation fails with what was missing.
  mutating func expire(at now: Instant) -> [Action] {
    continuations.filter { $0.value.deadline <= now }.keys.sorted().flatMap { request -> [Action] in
      guard let continuation = continuations[request] else { return [] }
      let status =
        arrivals[continuation.offer] ?? continuation.postponed
        ?? ArrivalStatus(.missing, because: .absent)
      switch continuation.phase {
      case .waiting:
        // An answer was about what lay there then; without it this question is the last.
        continuations[request]?.agreed = nil
        continuations[request]?.phase = .overdue
        continuations[request]?.deadline = now + timing.choiceDeadline
        return [.report(continuation.client, .progress(request, Self.question(status)))]
      case .overdue: return end(request, Self.failure(of: status))
      case .delivered:
        // Ours has Apple's number 4610 for it. The offer stood all the time; now it says why it still does.
        continuations[request]?.phase = .unanswered
        remark(
          continuation.offer, continuation.snapshot.changedAt,
          .appSilent(app: clients[continuation.client]?.name))
        return [.log("an app does not answer a continuation: code \(ContinuityError.Code.remoteTimedOut)")]
      case .opening, .unanswered: return []
      }
    }
  }

  /// Repeats `track` with whether somebody waits now; nil when the offer is gone or has no document.
  func retrack(_ offer: OfferID) -> Action? {
    guard let document = snapshot(of: offer)?.document else { return nil }
    return .track(offer, document, isAwaited: isAwaited(offer))
  }

  func isAwaited(_ offer: OfferID) -> Bool {
    continuations.values.contains { $0.offer == offer && !$0.phase.isDelivered }
  }

  /// Whether the delivery that `open` asked for is still wanted by that client: it may have been cancelled,
  /// or its app may have come back as another process.
  public func isOpening(_ request: RequestID, for client: ClientNumber) -> Bool {
    continuations[request].map { $0.phase == .opening && $0.client == client } ?? false
  }

  static var offerGone: ContinuityError {
    ContinuityError(.handoffFailed, because: .offerGone)
  }

  private static func question(_ status: ArrivalStatus) -> ArrivalStatus {
    var asked = status
    asked.cause = .overdue(status.cause)
    return asked
  }

  /// Why a wait ends without the version.
  static func failure(of status: ArrivalStatus) -> ContinuityError {
    let code: ContinuityError.Code =
      switch status.arrival {
      case .missing: .documentMissing
      case .diverged: .documentDiverged
      case .unreadable: .documentUnreadable
      case .folderUnknown: .folderUnknown
      case .behind, .current, .ahead: .versionNeverArrived
      }
    return ContinuityError(code, because: status.cause ?? .told(""))
  }
}
