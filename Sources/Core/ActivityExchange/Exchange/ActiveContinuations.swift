// SPDX-License-Identifier: MIT

import ActivityModel

/// The life of each continuation on this device, from the acceptance to its outcome (semantics 36, 37). It
/// looks into the catalog of offers, and says there what became of one.
struct ActiveContinuations: Sendable {
  typealias Action = ExchangeMachine.Action

  private let timing: ExchangeMachine.Timing
  private var accepted = AcceptedOffers()
  private var orphans = OrphanedAcceptances()
  private var saves = AwaitedSaves()
  private var awaited = AwaitedOffers()

  init(timing: ExchangeMachine.Timing) { self.timing = timing }

  /// The next moment at which something is due.
  var nextMoment: Instant? {
    accepted.nextMoment.orEarlier(orphans.nextMoment).orEarlier(saves.nextMoment)
      .orEarlier(awaited.nextMoment)
  }

  /// Whether a person waits for the document of that offer.
  func isAwaited(_ offer: OfferID) -> Bool { accepted.isAwaited(offer) || orphans.isStarting(for: offer) }

  /// Whether the offer is on its way to an app, or one has it and is still to say how that went.
  func concern(_ offer: OfferID) -> Bool { !open(of: offer).isEmpty || orphans.concern(offer) }

  /// Those of the offer that no app left without an answer.
  private func open(of offer: OfferID) -> [AcceptedOffer] {
    accepted.requests(of: offer).compactMap { accepted[$0] }.filter { $0.phase != .unanswered }
  }

  /// What the app is called that an offer is on its way to, or that has it; nil where none is.
  func appName(continuing offer: OfferID, in catalog: OfferCatalog) -> String? {
    open(of: offer).first.map(\.client).flatMap(catalog.name) ?? orphans.startedApp(for: offer)?.name
  }

  /// The apps that wait for it; one that is being started is none of them yet.
  func clients(awaiting offer: OfferID) -> Set<ClientNumber> { accepted.clients(awaiting: offer) }

  /// Whether an app is being started for that offer.
  func isStarting(for offer: OfferID) -> Bool { orphans.isStarting(for: offer) }

  /// Whether that app is being started: it gets all that waits for it once it is connected.
  func isStarting(_ app: AppManifest) -> Bool { orphans.isStarting(AppIdentity(app)) }

  /// Whether that client waits for the document to be opened and verified.
  func isOpening(_ request: RequestID, for client: ClientNumber) -> Bool {
    accepted[request].map { $0.phase == .opening && $0.client == client } ?? false
  }

  /// The apps that are being started, by what they will be handed.
  var startedApps: [RequestID: StartedApp] { orphans.started }

  // MARK: Acceptance

  mutating func accept(
    _ offer: OfferID, by client: ClientNumber, _ request: RequestID, in catalog: OfferCatalog,
    at now: Instant, wall: WallTime
  ) -> [Action] {
    guard let app = catalog.identity(of: client) else { return [] }
    var wait: AcceptedOffer.Wait?
    if let known = accepted[request] {
      // The request is known: an app that reconnected repeats it, at times before its old connection has
      // ended. What an older connection still held is no news.
      guard known.client < client else { return [] }
      guard known.offer == offer, catalog.identity(of: known.client) == app else {
        return [.report(client, .fail(request, Self.requestInUse))]
      }
      accepted[request] = nil
      wait = known.wait
    } else {
      orphans.forget(request)
    }
    guard let held = catalog.offer(offer, wall: wall) else {
      if awaited.keep(request, of: offer, by: client, at: now) { return [] }
      return [.report(client, .fail(request, Self.offerGone))]
    }
    return begin(request, client, held, wait: wait, in: catalog, at: now)
  }

  /// Links to other devices may come until then, with what they offer.
  mutating func meetDevices(until moment: Instant) { awaited.meet(until: moment) }

  /// That device has told what it offers.
  mutating func goOn(
    withOffersOf device: DeviceID, in catalog: OfferCatalog, at now: Instant, wall: WallTime
  ) -> [Action] {
    awaited.take(of: device).flatMap { request, acceptance in
      accept(acceptance.offer, by: acceptance.client, request, in: catalog, at: now, wall: wall)
    }
  }

  /// Tells the app, and goes on as the arrival allows; a `wait` that had begun before is not begun anew.
  private mutating func begin(
    _ request: RequestID, _ client: ClientNumber, _ held: RemoteOffer, wait: AcceptedOffer.Wait?,
    in catalog: OfferCatalog, at now: Instant
  ) -> [Action] {
    let asksToSave = wait == nil && saves.begin(request, of: held, until: now + timing.saving)
    let wait = wait ?? AcceptedOffer.Wait(until: now + timing.arrivalDeadline)
    accepted[request] = AcceptedOffer(
      of: held.id, by: client, held.snapshot, wait: wait, takesWhatIsHere: catalog.isRestored(held.id))
    var actions = [Action.report(client, .willContinue(request, offer: catalog.shownOffer(held)))]
    if asksToSave { actions.append(.askSave(held.id)) }
    actions += retrack(held.id, in: catalog) + proceed(request, in: catalog, at: now)
    // The question stands, also in a process that was not there when it was asked.
    if accepted[request]?.phase == .overdue, let status = catalog.standing(of: held.id) {
      actions.append(.report(client, .progress(request, Self.question(status))))
    }
    return actions
  }

  // MARK: The document

  /// Goes on with a waiting continuation as the arrival allows.
  private mutating func proceed(
    _ request: RequestID, in catalog: OfferCatalog, standing: ArrivalStatus? = nil, at now: Instant
  ) -> [Action] {
    guard let continuation = accepted[request], continuation.phase.isWaiting else { return [] }
    // A draft is opened in place of the document, wherever that is.
    let isDraft = continuation.snapshot.continuedDraft != nil
    guard
      let status = isDraft ? ArrivalStatus(.current) : standing ?? catalog.standing(of: continuation.offer)
    else { return [] }
    if let cause = saves.cause(of: request, for: continuation.offer) {
      return [.report(continuation.client, .progress(request, ArrivalStatus(.behind, because: cause)))]
    }
    guard accepted[request]?.open(status, at: now) == true else {
      return [.report(continuation.client, .progress(request, status))]
    }
    return [.open(request, continuation.client, continuation.offer, continuation.snapshot, status)]
  }

  /// The document of an offer stands otherwise.
  mutating func proceed(
    with offer: OfferID, in catalog: OfferCatalog, standing: ArrivalStatus? = nil, at now: Instant
  ) -> [Action] {
    accepted.requests(of: offer).flatMap { proceed($0, in: catalog, standing: standing, at: now) }
  }

  /// The other device has another state of the activity.
  mutating func renew(
    _ offer: OfferID, _ snapshot: ActivitySnapshot, in catalog: OfferCatalog, at now: Instant
  ) -> [Action] {
    for request in accepted.requests(of: offer) { accepted[request]?.renew(snapshot) }
    return saves.renew(offer, snapshot) ? goOn(with: offer, in: catalog, at: now) : []
  }

  // MARK: What is saved on the other device first

  /// What is not in the offer's document, as far as its device said so.
  func saveRemark(on offer: OfferID) -> Reason? { saves.remark(on: offer) }

  /// What is to be said of a saved activity's document.
  mutating func note(_ remark: Reason?, on offer: OfferID) {
    saves.forget(offer)
    if let remark { saves.note(remark, on: offer) }
  }

  /// Whether any other device is linked.
  mutating func linksChanged(_ isLinked: Bool) { saves.isLinked = isLinked }

  /// What came of asking the offer's device to save first.
  mutating func endSave(
    _ offer: OfferID, _ outcome: SaveOutcome, in catalog: OfferCatalog, at now: Instant
  ) -> [Action] {
    guard let snapshot = catalog.snapshot(of: offer), saves.end(offer, outcome, snapshot) else { return [] }
    return goOn(with: offer, in: catalog, at: now)
  }

  /// Nothing is awaited any more. How the document stands is told once more: what came beside its folder
  /// meanwhile, too.
  private mutating func goOn(with offer: OfferID, in catalog: OfferCatalog, at now: Instant) -> [Action] {
    proceed(with: offer, in: catalog, at: now) + retrack(offer, in: catalog)
  }

  private mutating func endLateSaves(in catalog: OfferCatalog, at now: Instant) -> [Action] {
    saves.expire(at: now).flatMap { goOn(with: $0, in: catalog, at: now) }
  }

  mutating func deliver(_ request: RequestID, in catalog: OfferCatalog, at now: Instant) -> [Action] {
    guard let continuation = accepted[request], continuation.phase == .opening else { return [] }
    accepted[request]?.deliver(answerUntil: now + timing.answer)
    return retrack(continuation.offer, in: catalog)
  }

  /// The draft beside a document did not come: the document is continued as it was saved.
  mutating func forgoDraft(
    _ request: RequestID, because remark: Reason, in catalog: OfferCatalog, at now: Instant
  ) -> [Action] {
    guard let continuation = accepted[request], continuation.phase == .opening else { return [] }
    accepted[request]?.forgoDraft()
    saves.note(remark, on: continuation.offer)
    return proceed(request, in: catalog, at: now) + retrack(continuation.offer, in: catalog)
  }

  /// The document turned out to be another one while it was opened.
  mutating func postpone(
    _ request: RequestID, _ status: ArrivalStatus, in catalog: inout OfferCatalog, at now: Instant
  ) -> [Action] {
    guard let continuation = accepted[request], continuation.phase == .opening else { return [] }
    accepted[request]?.postpone(status, secondLook: timing.secondLook, at: now)
    catalog.outdate(continuation.offer, found: status)
    // Tracked afresh: what was known of the file turned out to be out of date.
    return [.report(continuation.client, .progress(request, status)), .untrack(continuation.offer)]
      + retrack(continuation.offer, in: catalog)
  }

  /// Repeats `track` with whether somebody waits now, unless the offer is gone or has no document.
  private func retrack(_ offer: OfferID, in catalog: OfferCatalog) -> [Action] {
    guard let document = catalog.snapshot(of: offer)?.document else { return [] }
    return [.track(offer, document, isAwaited: isAwaited(offer))]
  }

  // MARK: The person

  mutating func extend(_ request: RequestID, by seconds: UInt64, at now: Instant) {
    accepted[request]?.extend(by: seconds, at: now)
  }

  mutating func choose(
    _ request: RequestID, _ choice: ArrivalChoice, in catalog: inout OfferCatalog, at now: Instant
  ) -> [Action] {
    guard let continuation = accepted[request], continuation.phase.isWaiting else { return [] }
    switch choice {
    case .giveUp:
      return fail(request, ContinuityError(.userCancelled, because: .givenUp), in: &catalog)
    case .keepWaiting:
      accepted[request]?.keepWaiting(until: now + timing.arrivalDeadline)
      return []
    case .openHere:
      guard let status = catalog.standing(of: continuation.offer) else { return [] }
      // There is nothing to open here, and asking again would ask for ever.
      guard status.arrival.hasSomethingHere else {
        return fail(request, ExchangeMachine.failure(of: status), in: &catalog)
      }
      saves.release(request, of: continuation.offer)
      accepted[request]?.agree(to: status.arrival)
      return proceed(request, in: catalog, at: now)
    }
  }

  /// Deadlines: first the person is asked, then the continuation fails with what was missing.
  mutating func expire(in catalog: inout OfferCatalog, at now: Instant) -> [Action] {
    endLateSaves(in: catalog, at: now) + endLate(in: &catalog, at: now)
      + awaited.takeLate(at: now).map { request, acceptance in
        .report(acceptance.client, .fail(request, Self.offerGone))
      }
  }

  private mutating func endLate(in catalog: inout OfferCatalog, at now: Instant) -> [Action] {
    accepted.requestsDue(at: now).flatMap { request -> [Action] in
      guard let continuation = accepted[request] else { return [] }
      let status =
        catalog.standing(of: continuation.offer) ?? continuation.postponed
        ?? ArrivalStatus(.missing, because: .absent)
      switch accepted[request]?.expire(choiceEnd: now + timing.choiceDeadline) {
      case .asks: return [.report(continuation.client, .progress(request, Self.question(status)))]
      case .fails: return fail(request, ExchangeMachine.failure(of: status), in: &catalog)
      case .staysUnanswered:
        // Ours has Apple's number 4610 for it. The offer stood all the time; now it says why it still does.
        catalog.remark(
          .appSilent(app: catalog.name(of: continuation.client)), on: continuation.offer,
          changedAt: continuation.snapshot.changedAt)
        return [.log("an app does not answer a continuation: code \(ContinuityError.Code.remoteTimedOut)")]
      case nil: return []
      }
    }
  }

  // MARK: The end

  /// Ends a continuation that was not delivered: the app gets `fail`, once.
  mutating func fail(
    _ request: RequestID, _ error: ContinuityError, in catalog: inout OfferCatalog
  ) -> [Action] {
    if let acceptance = awaited.forget(request) {
      return [.report(acceptance.client, .fail(request, error))]
    }
    guard let continuation = accepted[request], !continuation.phase.isDelivered else { return [] }
    accepted[request] = nil
    if error.code != .userCancelled {
      catalog.remark(
        error.cause, on: continuation.offer, changedAt: continuation.snapshot.changedAt)
    }
    return [.report(continuation.client, .fail(request, error))] + retrack(continuation.offer, in: catalog)
  }

  /// The offer ended, and with it what is being continued from it.
  mutating func drop(
    _ offer: OfferID, _ error: ContinuityError, in catalog: inout OfferCatalog
  ) -> [Action] {
    catalog.forget(offer)
    orphans.forget(of: offer)
    saves.forget(offer)
    return [.untrack(offer)] + accepted.requests(of: offer).flatMap { fail($0, error, in: &catalog) }
  }

  mutating func explain(_ request: RequestID, _ message: String, by client: ClientNumber) {
    if accepted[request]?.client == client { accepted[request]?.explain(message) }
  }

  /// The app says how a delivered continuation ended; nil when it was given nothing under that request.
  mutating func conclude(
    _ request: RequestID, _ outcome: ContinuationOutcome, by client: ClientNumber
  ) -> (offer: OfferID, changedAt: WallTime, message: String, isRestored: Bool)? {
    guard let continuation = accepted[request], continuation.client == client,
      continuation.phase.isDelivered
    else { return nil }
    accepted[request] = nil
    let message = outcome == .failed ? continuation.explanation : ""
    return (continuation.offer, continuation.snapshot.changedAt, message, continuation.takesWhatIsHere)
  }

  /// The app says how a continuation of an earlier connection ended.
  mutating func forget(_ request: RequestID, by client: ClientNumber) {
    if accepted[request]?.client == client { accepted[request] = nil }
  }

  // MARK: Apps that end while they continue something, and come back (semantics 37)

  /// The app `former` went away, which was `client`.
  mutating func abandonAll(
    by client: ClientNumber, _ former: AppManifest?, in catalog: inout OfferCatalog, at now: Instant,
    wall: WallTime
  ) -> [Action] {
    awaited.forgetAll(by: client)
    return accepted.requests(by: client).flatMap {
      abandon($0, of: former, in: &catalog, at: now, wall: wall)
    }
  }

  /// Before the delivery the acceptance waits for the app's next hello, unless that was heard first;
  /// afterwards only the person can try again, for it may be the activity that ended the app.
  private mutating func abandon(
    _ request: RequestID, of former: AppManifest?, in catalog: inout OfferCatalog, at now: Instant,
    wall: WallTime
  ) -> [Action] {
    guard let continuation = accepted[request] else { return [] }
    accepted[request] = nil
    guard let former else { return [] }
    let ended = retrack(continuation.offer, in: catalog)
    guard var wait = continuation.wait else {
      catalog.remark(
        .appEnded(app: former.name), on: continuation.offer, changedAt: continuation.snapshot.changedAt)
      return ended
    }
    wait.forgetAgreement(choiceEnd: now + timing.choiceDeadline)
    let app = AppIdentity(former)
    orphans.add(
      OrphanedAcceptances.Orphan(
        app: app, offer: continuation.offer, wait: wait, until: now + timing.returning), request)
    guard let next = catalog.successor(of: continuation.client, app) else { return ended }
    return ended + adopt(by: next, in: catalog, at: now, wall: wall)
  }

  /// The app is back, perhaps as another process: what it had accepted begins anew, under the same request,
  /// so that a process that lived on does not begin it twice. Its time goes on: what reconnects again and
  /// again would wait for ever else.
  mutating func adopt(
    by client: ClientNumber, in catalog: OfferCatalog, at now: Instant, wall: WallTime
  ) -> [Action] {
    guard let app = catalog.identity(of: client) else { return [] }
    return orphans.adopt(by: app).flatMap { request, orphan -> [Action] in
      guard let held = catalog.offer(orphan.offer, wall: wall) else { return [] }
      return begin(request, client, held, wait: orphan.wait, in: catalog, at: now)
    }
  }

  mutating func forgetOrphans(in catalog: inout OfferCatalog, at now: Instant) -> [Action] {
    let late = orphans.forgetLate(at: now)
    guard !late.isEmpty else { return [] }
    return late.flatMap { orphan -> [Action] in
      guard let started = orphan.started else { return [] }
      return offerAgain(orphan.offer, because: .neverConnected(app: started.app.name), in: &catalog)
    } + [.log("an accepted activity is offered again: its app did not come")]
  }

  // MARK: Apps that are started for an offer

  /// The offer waits for that app, which is being started. Its document is looked for meanwhile.
  mutating func awaitApp(
    _ app: AppManifest, for offer: OfferID, _ request: RequestID, in catalog: OfferCatalog, at now: Instant,
    wall: WallTime
  ) -> [Action] {
    guard let held = catalog.offer(offer, wall: wall) else {
      return [.log("an app is started for an offer that is gone")]
    }
    // While the app starts.
    let isToAsk = saves.begin(request, of: held, until: now + timing.saving)
    let saving = isToAsk ? [Action.askSave(offer)] : []
    let identity = AppIdentity(app)
    orphans.add(
      OrphanedAcceptances.Orphan(
        app: identity, offer: offer, wait: AcceptedOffer.Wait(until: now + timing.arrivalDeadline),
        until: now + timing.starting, started: StartedApp(offer: offer, app: app, startedAt: wall)), request)
    // It may have connected by itself in the moment before.
    if let client = catalog.newestClient(of: identity) {
      return saving + adopt(by: client, in: catalog, at: now, wall: wall)
    }
    return saving + retrack(offer, in: catalog)
  }

  /// The app cannot be started: all that waits for it is offered again.
  mutating func failStart(of app: AppManifest, _ cause: Reason, in catalog: inout OfferCatalog) -> [Action] {
    orphans.forgetStarted(AppIdentity(app)).flatMap { offerAgain($0.offer, because: cause, in: &catalog) }
  }

  /// What the person pressed came to nothing, before any app had the offer: it stands, and says why.
  func offerAgain(_ offer: OfferID, because cause: Reason, in catalog: inout OfferCatalog) -> [Action] {
    guard let snapshot = catalog.snapshot(of: offer) else { return [] }
    catalog.remark(cause, on: offer, changedAt: snapshot.changedAt)
    return retrack(offer, in: catalog)
  }

  // MARK: Reasons

  private static var requestInUse: ContinuityError {
    ContinuityError(
      .invalidRequest, subject: "request", description: "Another app uses this request; choose a fresh one.")
  }

  private static var offerGone: ContinuityError {
    ContinuityError(.handoffFailed, because: .offerGone)
  }

  private static func question(_ status: ArrivalStatus) -> ArrivalStatus {
    var asked = status
    asked.cause = .overdue(status.cause)
    return asked
  }
}
