// SPDX-License-Identifier: MIT

public import ActivityModel

/// The agent's decisions: what this device offers, what it is offered, and the life of each continuation.
///
/// Pure: no clock, no I/O. The caller performs the actions in order and feeds back what came of them.
public struct ExchangeMachine: Sendable {
  private let timing: Timing
  private let bootNonce: [UInt8]
  private var own = OwnActivities()
  private var schedule = RecordSchedule()
  private var claims: ContinuationClaims
  private var catalog: OfferCatalog
  private var continuations: ActiveContinuations

  /// A machine of a device that has offered nothing yet in this run.
  public init(
    bootNonce: [UInt8], continued: [OfferID: WallTime] = [:], toldClaims: Set<RequestID> = [],
    timing: Timing = Timing()
  ) {
    self.bootNonce = bootNonce
    self.timing = timing
    claims = ContinuationClaims(told: toldClaims)
    catalog = OfferCatalog(continued: continued, clockSkew: timing.clockSkew)
    continuations = ActiveContinuations(timing: timing)
  }

  /// Decides. `wall` is this device's civil time: for expiry and display only.
  public mutating func handle(_ event: Event, at now: Instant, wall: WallTime) -> [Action] {
    var actions = react(to: event, at: now, wall: wall)
    let ended = catalog.endedRestorations { continuations.concern($0) }
    for each in ended { actions += drop(each) }
    for (client, offers) in catalog.show(wall: wall) { actions.append(.report(client, .offers(offers))) }
    publishIfDue(at: now, wall: wall, &actions)
    actions.append(.wake(at: nextMoment(at: now, wall: wall)))
    return actions
  }

  private mutating func react(to event: Event, at now: Instant, wall: WallTime) -> [Action] {
    switch event {
    case .restored(let state): restore(state)
    case .connected(let client, let manifest): connect(client, manifest, at: now, wall: wall)
    case .disconnected(let client): disconnect(client, at: now, wall: wall)
    case .updated(let client, let snapshot, let remarks): update(client, snapshot, remarks, at: now)
    case .withheld(let client, let activity): withhold(client, activity)
    case .withdrew(let client, let activity): withdraw(client, activity)
    case .foundLeftOpen(let activity, let version): find(version, ofLeftOpen: activity)
    case .received(let device, let name, let sequence, let state):
      catalog.isKnown(sequence, of: device, called: name)
        ? []
        : receive(device, RemoteDevice(name: name, sequence: sequence, state: state), at: now, wall: wall)
    case .left(let devices): devices.sorted().flatMap { forget($0) }
    case .arrival(let offer, let status):
      catalog.record(status, of: offer, wall: wall)
        ? continuations.proceed(with: offer, in: catalog, at: now) : []
    case .arrivedAside(let offer, let status):
      continuations.proceed(with: offer, in: catalog, standing: status, at: now)
    case .accepted(let client, let offer, let request):
      continuations.accept(offer, by: client, request, in: catalog, at: now, wall: wall)
    case .restores(let offer, let deviceName, let snapshot, let remark):
      hold(offer, of: deviceName, snapshot, remark, at: now)
    case .awaitsApp(let app, let offer, let request):
      continuations.awaitApp(app, for: offer, request, in: catalog, at: now, wall: wall)
    case .startFailed(let app, let cause): continuations.failStart(of: app, cause, in: &catalog)
    case .notOpened(let offer, let cause): continuations.offerAgain(offer, because: cause, in: &catalog)
    case .extended(let request, let seconds):
      quietly { $0.continuations.extend(request, by: seconds, at: now) }
    case .cancelled(let request):
      fail(request, ContinuityError(.userCancelled, because: .cancelled))
    case .chose(let request, let choice): continuations.choose(request, choice, in: &catalog, at: now)
    case .delivered(let request, let document): deliver(request, document, at: now)
    case .deliveryPostponed(let request, let status):
      continuations.postpone(request, status, in: &catalog, at: now)
    case .draftFailed(let request, let remark):
      continuations.forgoDraft(request, because: remark, in: catalog, at: now)
    case .deliveryFailed(let request, let error): fail(request, error)
    case .explained(let client, let request, let message):
      quietly { $0.continuations.explain(request, message, by: client) }
    case .outcome(let client, let request, let outcome): conclude(client, request, outcome, wall: wall)
    case .concluded(let client, let request, let ended): conclude(client, request, ended, wall: wall)
    case .audienceChanged: quietly { $0.schedule.request() }
    case .linksChanged(let isLinked):
      quietly {
        $0.schedule.isLinked = isLinked
        $0.continuations.linksChanged(isLinked)
      }
    case .meetsDevices: quietly { $0.continuations.meetDevices(until: now + $0.timing.meeting) }
    case .saveEnded(let offer, let outcome):
      continuations.endSave(offer, outcome, in: catalog, at: now)
    case .publishFailed: quietly { $0.schedule.retry(at: now + $0.timing.publishRetry) }
    case .timer: expire(at: now)
    case .stopping: quietly { $0.schedule.stopWaiting() }
    }
  }

  /// A change that asks for no action of its own.
  private mutating func quietly(_ change: (inout Self) -> Void) -> [Action] {
    change(&self)
    return []
  }

  /// What an app begins with the document from now on goes on with what was delivered.
  private mutating func deliver(
    _ request: RequestID, _ document: DocumentReference?, at now: Instant
  ) -> [Action] {
    if let document { own.endSuccession(at: document) }
    return continuations.deliver(request, in: catalog, at: now)
  }

  private mutating func fail(_ request: RequestID, _ error: ContinuityError) -> [Action] {
    continuations.fail(request, error, in: &catalog)
  }

  private mutating func expire(at now: Instant) -> [Action] {
    var actions = continuations.expire(in: &catalog, at: now)
    actions += continuations.forgetOrphans(in: &catalog, at: now)
    if own.endLeftOpen(at: now) { schedule.request() }
    return actions + catalog.endTheFuture(at: now).flatMap { drop($0) }
  }

  // MARK: What is asked of the machine

  /// What this device continued, and in which state of the activity: such an offer is not shown again.
  public var continued: [OfferID: WallTime] { catalog.continued }

  /// Claims of other devices that were told to their app, so that each is told once.
  public var toldClaims: Set<RequestID> { claims.told }

  /// The app that offers an activity; nil when it is not offered, or left open.
  public func holder(of activity: ActivityID) -> ClientNumber? { own.holder(of: activity) }

  /// Every activity that this device's apps have current or left open, newest first: what
  /// `continuo offers --own` prints. `refusal` tells why the folder around a local path is not
  /// used, if it is not; `shown` how a moment reads here. At most `limit` of them: a list must fit one
  /// message.
  public func ownActivities(
    wall: WallTime, limit: Int = 24, shown: (WallTime) -> ShownMoment = { _ in ShownMoment(time: "") },
    refusal: ([UInt8]) -> Reason? = { _ in nil }
  ) -> [OwnActivity] {
    own.list(wall: wall, limit: limit, refusal: refusal) {
      catalog.remarks(onOwn: $0, since: $1, shown: shown)
    }
  }

  /// The documents of what an app offers.
  package func documents(of client: ClientNumber) -> [ActivityID: DocumentReference] {
    own.documents(of: client)
  }

  /// The state of an activity of this device that is offered, or would be if nothing stood against it.
  package func ownSnapshot(of activity: ActivityID) -> ActivitySnapshot? { own.snapshot(of: activity) }

  /// What other devices' last records hold and nobody is shown here, with the reason; newest first.
  public func hiddenOffers(wall: WallTime) -> [HiddenOffer] { catalog.hidden(wall: wall) }

  /// Since when an offer's document stands as it does, by the clock here: since it was first found so.
  public func since(_ offer: OfferID) -> WallTime? { catalog.since(offer) }

  /// What each other device said last, in the order of their IDs.
  public var deviceReports: [DeviceReport] { catalog.reports }

  /// The documents of these activities, offered or not, as they were last published.
  public var ownDocuments: [DocumentReference] { own.documents }

  /// Those of which an app here has text that it did not save.
  public var unsavedDocuments: [DocumentReference] { own.unsavedDocuments }

  /// Every offer of every other device, newest first: what `continuo offers` prints.
  ///
  /// `folderName` names a folder as this device calls it.
  public func offers(wall: WallTime, folderName: (FolderID) -> String?) -> [Offer] {
    catalog.offers(wall: wall).map { offer in
      var named = offer
      if let folder = snapshot(of: offer.id)?.document?.folder { named.folderName = folderName(folder) ?? "" }
      return named
    }
  }

  /// A saved activity of this device that a person wants, as an offer; nil for anything else.
  package func restoredOffer(_ id: OfferID) -> Offer? { catalog.restoredOffer(id) }

  /// The state in which an offer stands, for its delivery.
  public func snapshot(of offer: OfferID) -> ActivitySnapshot? { catalog.snapshot(of: offer) }

  /// What is to be said of the offer's document: what is not in it, as its device said when it was asked to
  /// save first, or that it changed since it was saved for search.
  package func saveRemark(on offer: OfferID) -> Reason? { continuations.saveRemark(on: offer) }

  /// The folder of the offer's document; nil without one.
  package func folder(of offer: OfferID) -> FolderID? { catalog.folder(of: offer) }

  /// Whether the delivery that `open` asked for is still wanted by that client: it may have been cancelled,
  /// or its app may have come back as another process.
  public func isOpening(_ request: RequestID, for client: ClientNumber) -> Bool {
    continuations.isOpening(request, for: client)
  }

  /// The apps that wait for the document of the offer.
  public func clients(awaiting offer: OfferID) -> Set<ClientNumber> {
    continuations.clients(awaiting: offer)
  }

  /// Whether an app is being started for the offer.
  public func isStarting(for offer: OfferID) -> Bool { continuations.isStarting(for: offer) }

  /// Whether that app is being started, for whichever offer: it is not started twice.
  public func isStarting(_ app: AppManifest) -> Bool { continuations.isStarting(app) }

  /// The apps that are being started, by what they will be handed: what outlives the agent.
  public var startedApps: [RequestID: StartedApp] { continuations.startedApps }

  /// Whether an app that was started then may still come for what it was started for.
  public func isAwaited(_ started: StartedApp, wall: WallTime) -> Bool {
    let end = started.startedAt.milliseconds + UInt64(timing.starting.components.seconds) * 1000
    return started.startedAt <= wall && wall.milliseconds < end
  }

  /// What the app is called that an offer is on its way to, or that has it; nil where none is.
  package func appName(continuing offer: OfferID) -> String? {
    continuations.appName(continuing: offer, in: catalog)
  }

  /// The devices of which nothing is offered, for two computers use their identity.
  public var copiedDevices: [DeviceID] { catalog.copiedDevices }

  // MARK: What this device offers

  private mutating func restore(_ state: DeviceState) -> [Action] {
    own.restore(state.activities)
    claims.restore(state.claims)
    schedule.restore(stated: own.ids)
    return []
  }

  private mutating func connect(
    _ client: ClientNumber, _ manifest: AppManifest, at now: Instant, wall: WallTime
  ) -> [Action] {
    catalog.connect(client, manifest)
    own.connect(manifest.appID, endsAt: now + timing.reconnection)
    return continuations.adopt(by: client, in: catalog, at: now, wall: wall)
  }

  private mutating func disconnect(_ client: ClientNumber, at now: Instant, wall: WallTime) -> [Action] {
    let manifest = catalog.disconnect(client)
    if own.disconnect(client, at: now) { schedule.request() }
    return continuations.abandonAll(by: client, manifest, in: &catalog, at: now, wall: wall)
  }

  /// Whether the app may change what `holder` has: an app that lost its connection may be back before that
  /// is noticed here.
  private func mayChange(_ manifest: AppManifest, whatIsOf holder: ClientNumber?) -> Bool {
    holder.map { catalog.manifest(of: $0)?.appID == manifest.appID } ?? true
  }

  private mutating func update(
    _ client: ClientNumber, _ snapshot: ActivitySnapshot, _ remarks: [Reason], at now: Instant
  ) -> [Action] {
    guard let manifest = catalog.manifest(of: client),
      mayChange(manifest, whatIsOf: own.holder(of: snapshot.id))
    else { return [] }
    // Who made it is what its app said in its hello, whatever the state claims.
    let remarks = remarks + [snapshot.leftOutAddresses].compactMap { $0 }
    var snapshot = snapshot.withWebAddressesOnly
    (snapshot.appID, snapshot.team) = (manifest.appID, manifest.team)
    own.succeed(to: snapshot, at: now, patience: timing.returning)
    own.update(snapshot, by: client, remarks: remarks)
    schedule.request()
    // A claim may have come while the app was away.
    return catalog.devicesInOrder.flatMap { tellClaims(of: $0) }
  }

  private mutating func withhold(_ client: ClientNumber, _ activity: OwnActivity) -> [Action] {
    guard let manifest = catalog.manifest(of: client),
      mayChange(manifest, whatIsOf: own.withholder(of: activity.id))
    else { return [] }
    var activity = activity
    activity.appID = manifest.appID
    own.withhold(activity, by: client)
    return []
  }

  private mutating func withdraw(_ client: ClientNumber, _ activity: ActivityID) -> [Action] {
    if own.withdraw(activity, by: client) { schedule.request() }
    return []
  }

  /// An app may end between a save and telling of it. What another device says it has there came from that
  /// device, and nobody left it open here.
  private mutating func find(_ version: DocumentVersion, ofLeftOpen activity: ActivityID) -> [Action] {
    guard var document = own.snapshot(of: activity)?.document else { return [] }
    let isOfAnother = catalog.devicesInOrder.contains { device in
      device.state.activities.contains {
        $0.document?.path == document.path && $0.document?.version.digest == version.digest
      }
    }
    document.version = version
    if !isOfAnother, own.replaceLeftOpen(activity, by: document) { schedule.request() }
    return []
  }

  // MARK: This device's record

  /// The record is written at once when the last one is old enough, else when it is: the last state counts.
  /// Folders get the newest one that links have.
  private mutating func publishIfDue(at now: Instant, wall: WallTime, _ actions: inout [Action]) {
    schedule.requestRenewal(at: now)
    if own.endExpired(stated: schedule.stated, wall: wall) { schedule.request() }
    guard let duty = schedule.duty(at: now) else { return }
    guard duty != .folders else {
      schedule.lay(timing, at: now)
      return actions.append(.layRecord)
    }
    var state = DeviceState(issuedAt: wall, bootNonce: bootNonce)
    state.claims = claims.recorded(wall: wall)
    state.acknowledgements = catalog.sequences
    state.activities = own.recorded(wall: wall)
    schedule.record(stated: Set(state.activities.map(\.id)), for: duty, timing, at: now)
    actions.append(duty == .links ? .publishOnLinks(state) : .publish(state))
  }

  /// The next moment at which something is due without an event.
  private func nextMoment(at now: Instant, wall: WallTime) -> Instant? {
    // The next time at which something that is offered, here or by others, expires.
    let ownExpiry = own.expiry(of: schedule.stated)
    let expiry = catalog.nextExpiry.map { min($0, ownExpiry ?? $0) } ?? ownExpiry
    let expires = expiry.flatMap { expiry -> Instant? in
      guard expiry > wall else { return nil }
      return now + .milliseconds(Int64(clamping: expiry.milliseconds - wall.milliseconds))
    }
    return continuations.nextMoment.orEarlier(schedule.nextMoment).orEarlier(expires)
      .orEarlier(catalog.nextEnd).orEarlier(own.nextEnd)
  }

  // MARK: What other devices say

  private mutating func receive(
    _ device: DeviceID, _ news: RemoteDevice, at now: Instant, wall: WallTime
  ) -> [Action] {
    var news = news
    news.keep(
      catalog.openedBesideContinued(on: device).filter {
        continuations.isAwaited(OfferID(device: device, activity: $0.id))
      })
    guard let change = catalog.receive(news, of: device, at: now, wall: wall) else { return [] }
    var actions = change.ended.flatMap { drop($0) }
    for (offer, snapshot, before) in change.standing {
      actions += renew(offer, snapshot, before: before, at: now)
    }
    actions += continuations.goOn(withOffersOf: device, in: catalog, at: now, wall: wall)
    return actions + tellClaims(of: change.device)
  }

  /// Its offers are withdrawn, and what is being continued from it ends with the reason.
  private mutating func forget(_ device: DeviceID) -> [Action] {
    guard let (name, offers) = catalog.forget(device) else { return [] }
    let error = ContinuityError(
      .handoffFailed, subject: name, because: .deviceRemoved(device: name))
    return offers.flatMap { drop($0, error) }
  }

  private mutating func drop(
    _ offer: OfferID,
    _ error: ContinuityError = ContinuityError(.handoffFailed, because: .ended)
  ) -> [Action] {
    continuations.drop(offer, error, in: &catalog)
  }

  private mutating func renew(
    _ offer: OfferID, _ snapshot: ActivitySnapshot, before: ActivitySnapshot?, at now: Instant
  ) -> [Action] {
    let isOutdated = catalog.renew(offer, snapshot, before: before)
    let goesOn = continuations.renew(offer, snapshot, in: catalog, at: now)
    guard let document = snapshot.document else {
      return goesOn + (before?.document == nil ? [] : [.untrack(offer)])
    }
    return goesOn + (isOutdated ? [.track(offer, document, isAwaited: continuations.isAwaited(offer))] : [])
  }

  /// A saved activity of this device is wanted; one that is on its way already goes on.
  private mutating func hold(
    _ offer: OfferID, of deviceName: String, _ snapshot: ActivitySnapshot, _ remark: Reason?, at now: Instant
  ) -> [Action] {
    guard !continuations.concern(offer) else { return [] }
    let before = catalog.snapshot(of: offer)
    let activity = RestoredActivities.Activity(offer, deviceName: deviceName, snapshot)
    let givenUp = catalog.hold(activity).flatMap { drop($0) }
    let actions = givenUp + renew(offer, snapshot, before: before, at: now)
    continuations.note(remark, on: offer)
    return actions
  }

  private mutating func tellClaims(of device: RemoteDevice) -> [Action] {
    var actions: [Action] = []
    for claim in device.state.claims where claim.outcome.isContinued {
      guard let (client, activity, receipt) = own.receipt(of: claim, by: device.name), claims.record(claim)
      else { continue }
      actions.append(.report(client, .continued(activity, receipt)))
    }
    claims.forgetTold(except: catalog.claimedRequests)
    return actions
  }

  // MARK: How continuations end

  private mutating func conclude(
    _ client: ClientNumber, _ request: RequestID, _ outcome: ContinuationOutcome, wall: WallTime
  ) -> [Action] {
    guard let ended = continuations.conclude(request, outcome, by: client) else { return [] }
    // A saved activity can be restored again, and no other device asks how that went.
    guard !ended.isRestored else { return [] }
    let (offer, changedAt, message) = (ended.offer, ended.changedAt, ended.message)
    if outcome.isContinued { catalog.recordContinued(offer, changedAt: changedAt) }
    claim(offer, changedAt, outcome, message, request, by: client, wall: wall)
    return []
  }

  /// Told again after a reconnect: what the agent before this one heard stands in its record; the rest is
  /// claimed now. The source need not have been heard of: an agent that has just started may not be able to
  /// read its record yet, and the app says this only once in a connection.
  private mutating func conclude(
    _ client: ClientNumber, _ request: RequestID, _ ended: ConcludedContinuation, wall: WallTime
  ) -> [Action] {
    guard catalog.manifest(of: client) != nil else { return [] }
    continuations.forget(request, by: client)
    guard !claims.hasMade(request) else { return [] }
    if ended.outcome.isContinued, !catalog.isContinued(ended.offer, changedAt: ended.changedAt) {
      catalog.recordContinued(ended.offer, changedAt: ended.changedAt)
    }
    claim(ended.offer, ended.changedAt, ended.outcome, "", request, by: client, wall: wall)
    return []
  }

  /// Says how it ended: of the offer, for people here, and in the record, for its source.
  private mutating func claim(
    _ offer: OfferID, _ changedAt: WallTime, _ outcome: ContinuationOutcome, _ message: String,
    _ request: RequestID, by client: ClientNumber, wall: WallTime
  ) {
    let cause = OfferRemarks.cause(of: outcome, message, in: catalog.name(of: client))
    catalog.remark(cause, on: offer, changedAt: changedAt)
    claims.make(
      Claim(
        source: offer.device, activity: offer.activity, request: request, outcome: outcome, at: wall,
        message: message, changedAt: changedAt))
    schedule.request()
  }
}
