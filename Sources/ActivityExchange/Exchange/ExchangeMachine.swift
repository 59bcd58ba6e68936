// SPDX-License-Identifier: MIT

public import ActivityModel

/// The agent's decisions: what this device offers, what it is offered, and the life of each continuation.
///
/// Pure: no clock, no I/O. The caller performs the actions in order and feeds back what came of them.
public struct ExchangeMachine: Sendable {
  let timing: Timing
  let bootNonce: [UInt8]
  var clients: [ClientNumber: AppManifest] = [:] { didSet { showing = nil } }
  var local: [ActivityID: LocalActivity] = [:]
  var remote: [DeviceID: RemoteDevice] = [:] { didSet { showing = nil } }
  var arrivals: [OfferID: ArrivalStatus] = [:] { didSet { showing = nil } }
  /// How the document of an offer stood before it was to be looked at anew.
  var formerArrivals: [OfferID: ArrivalStatus] = [:] { didSet { showing = nil } }
  var continuations: [RequestID: Continuation] = [:]
  /// Accepted, and its app went away: begun anew when the app is back.
  var orphans: [RequestID: Orphan] = [:]
  var remarks: [OfferID: Remark] = [:] { didSet { showing = nil } }
  var withheld: [ActivityID: Withheld] = [:]
  var claims: [Claim] = []
  var shown: [ClientNumber: [Offer]] = [:]
  /// Nil once something changed of which offers are made.
  var showing: Showing?
  var publishing = Publishing()
  /// What this device continued, and in which state of the activity: such an offer is not shown again.
  public internal(set) var continued: [OfferID: WallTime] { didSet { showing = nil } }
  /// Claims of other devices that were told to their app, so that each is told once.
  public internal(set) var toldClaims: Set<RequestID>

  /// What is offered from here, and whose it is; nil once the app went away.
  struct LocalActivity: Hashable, Sendable {
    var snapshot: ActivitySnapshot
    var client: ClientNumber?
    /// When it ends unless its app, which is back, says it again.
    var endsAt: Instant?
    /// What of it does not travel.
    var remarks: [Reason] = []
    var appID: String { snapshot.appID }
  }

  struct RemoteDevice: Hashable, Sendable {
    var name: String
    var sequence: UInt64
    var state: DeviceState
    /// What of an activity no app is handed.
    var leftOut: [ActivityID: Reason] = [:]
    /// Runs of its agent that had ended when another one spoke, the last ones.
    var formerRuns: [[UInt8]] = []
    /// A run spoke again that had ended: two computers are this device (threat T41). They would take turns,
    /// so nothing of either stands.
    var isCopied = false
    /// Whether the run that speaks now had ended once, and no run was heard for the first time since.
    var hasReturned = false
    /// When a record ends that its device dates so far ahead that the clock here would never end it.
    var endsAt: Instant?

    init(name: String, sequence: UInt64, state: DeviceState) {
      self.name = name
      self.sequence = sequence
      self.state = state
      for place in state.activities.indices {
        leftOut[state.activities[place].id] = state.activities[place].leftOutAddresses
        self.state.activities[place] = state.activities[place].withWebAddressesOnly
      }
    }
  }

  /// How many continuations, and how many told claims, are remembered: more than 32 devices' records can
  /// hold.
  static let memory = 1024

  struct Publishing: Hashable, Sendable {
    var isDue = false
    var earliest: Instant?
    var renewal: Instant?
    /// What the last record offered.
    var stated: Set<ActivityID> = []
  }

  /// A machine of a device that has offered nothing yet in this run.
  public init(
    bootNonce: [UInt8], continued: [OfferID: WallTime] = [:], toldClaims: Set<RequestID> = [],
    timing: Timing = Timing()
  ) {
    self.bootNonce = bootNonce
    self.continued = continued
    self.toldClaims = toldClaims
    self.timing = timing
  }

  /// Decides. `wall` is this device's civil time: for expiry and display only.
  public mutating func handle(_ event: Event, at now: Instant, wall: WallTime) -> [Action] {
    var actions = react(to: event, at: now, wall: wall)
    showOffers(wall: wall, &actions)
    publishIfDue(at: now, wall: wall, &actions)
    actions.append(.wake(at: nextMoment(at: now, wall: wall)))
    return actions
  }

  private mutating func react(to event: Event, at now: Instant, wall: WallTime) -> [Action] {
    switch event {
    case .restored(let state): restore(state)
    case .connected(let client, let manifest):
      connect(client, manifest, at: now) + adopt(by: client, at: now, wall: wall)
    case .disconnected(let client): disconnect(client, at: now, wall: wall)
    case .updated(let client, let snapshot, let remarks): update(client, snapshot, remarks)
    case .withheld(let client, let activity): withhold(client, activity)
    case .withdrew(let client, let activity): withdraw(client, activity)
    case .received(let device, let name, let sequence, let state):
      receive(device, RemoteDevice(name: name, sequence: sequence, state: state), at: now, wall: wall)
    case .left(let devices): devices.sorted().flatMap { forget($0) }
    case .arrival(let offer, let status): arrive(offer, status, at: now)
    case .accepted(let client, let offer, let request): accept(client, offer, request, at: now, wall: wall)
    case .extended(let request, let seconds): extend(request, by: seconds, at: now)
    case .cancelled(let request):
      end(request, ContinuityError(.userCancelled, because: .cancelled))
    case .chose(let request, let choice): choose(request, choice, at: now)
    case .delivered(let request): note(delivered: request, at: now)
    case .deliveryPostponed(let request, let status): postpone(request, status, at: now)
    case .deliveryFailed(let request, let error): end(request, error)
    case .explained(let client, let request, let message): note(explanation: message, of: request, by: client)
    case .outcome(let client, let request, let outcome): conclude(client, request, outcome, wall: wall)
    case .concluded(let client, let request, let ended): conclude(client, request, ended, wall: wall)
    case .audienceChanged: publishAnew()
    case .publishFailed: retryPublishing(at: now)
    case .timer: expire(at: now) + forgetOrphans(at: now) + endLeftOpen(at: now) + endTheFuture(at: now)
    case .stopping: publishWhatWaits()
    }
  }

  // MARK: What this device offers

  private mutating func restore(_ state: DeviceState) -> [Action] {
    for activity in state.activities {
      var snapshot = activity.withWebAddressesOnly
      snapshot.flags.insert([.leftOpen, .handoff])
      local[snapshot.id] = LocalActivity(snapshot: snapshot, client: nil)
    }
    claims = state.claims
    publishing.stated = Set(local.keys)
    return []
  }

  /// An app's next hello ends what its last run left open. What it still has, it says again, and until then
  /// that stands: a record without it would end the waits of other devices.
  private mutating func connect(_ client: ClientNumber, _ manifest: AppManifest, at now: Instant) -> [Action]
  {
    clients[client] = manifest
    for (id, activity) in local where activity.client == nil && activity.appID == manifest.appID {
      local[id]?.endsAt = activity.endsAt ?? now + timing.reconnection
    }
    return []
  }

  private mutating func endLeftOpen(at now: Instant) -> [Action] {
    for (id, activity) in local where activity.client == nil && activity.endsAt.map({ $0 <= now }) == true {
      local[id] = nil
      publishing.isDue = true
    }
    return []
  }

  private mutating func disconnect(
    _ client: ClientNumber, at now: Instant, wall: WallTime
  ) -> [Action] {
    let manifest = clients.removeValue(forKey: client)
    shown[client] = nil
    for (id, activity) in local where activity.client == client {
      local[id]?.client = nil
      local[id]?.snapshot.flags.insert(.leftOpen)
      publishing.isDue = true
    }
    withheld = withheld.filter { $0.value.client != client }
    return continuations.filter { $0.value.client == client }.keys.sorted().flatMap {
      abandon($0, of: manifest, at: now, wall: wall)
    }
  }

  private mutating func update(
    _ client: ClientNumber, _ snapshot: ActivitySnapshot, _ remarks: [Reason]
  ) -> [Action] {
    guard let manifest = clients[client] else { return [] }
    // An app that lost its connection may be back before that is noticed here.
    if let held = local[snapshot.id]?.client, clients[held]?.appID != manifest.appID { return [] }
    // Who made it is what its app said in its hello, whatever the state claims.
    let remarks = remarks + [snapshot.leftOutAddresses].compactMap { $0 }
    var snapshot = snapshot.withWebAddressesOnly
    (snapshot.appID, snapshot.team) = (manifest.appID, manifest.team)
    withheld[snapshot.id] = nil
    local[snapshot.id] = LocalActivity(snapshot: snapshot, client: client, remarks: remarks)
    forgetOldest(of: client)
    publishing.isDue = true
    // A claim may have come while the app was away.
    return remote.sorted { $0.key < $1.key }.flatMap { tellClaims(of: $0.value) }
  }

  /// A record holds few activities: an app that makes them without end does not fill the memory.
  private mutating func forgetOldest(of client: ClientNumber) {
    let own = local.filter { $0.value.client == client }
    guard own.count > 4 * DeviceState.activityLimit else { return }
    let oldest = own.min { ($0.value.snapshot.changedAt, $0.key) < ($1.value.snapshot.changedAt, $1.key) }
    if let oldest { local[oldest.key] = nil }
  }

  /// The app that offers an activity; nil when it is not offered, or left open.
  public func holder(of activity: ActivityID) -> ClientNumber? { local[activity]?.client }

  private mutating func withdraw(_ client: ClientNumber, _ activity: ActivityID) -> [Action] {
    if withheld[activity]?.client == client { withheld[activity] = nil }
    guard local[activity]?.client == client else { return [] }
    local[activity] = nil
    publishing.isDue = true
    return []
  }

  // MARK: What other devices say

  private mutating func receive(
    _ device: DeviceID, _ news: RemoteDevice, at now: Instant, wall: WallTime
  ) -> [Action] {
    if let known = remote[device], known.sequence >= news.sequence {
      // The device was renamed since, or another one came that has its name.
      if known.sequence == news.sequence, known.name != news.name { remote[device]?.name = news.name }
      return []
    }
    var news = news
    if let known = remote[device] { news.follow(known, of: device) }
    if isFromTheFuture(news.state, wall: wall) {
      news.endsAt = now + .seconds(Int64(clamping: news.state.lifetime + timing.clockSkew))
    }
    let old = remote[device]?.state.activities ?? []
    let before = remote[device].map { offered(by: $0, wall: wall) } ?? []
    remote[device] = news
    let new = news.state.activities
    let after = offered(by: news, wall: wall)
    var actions: [Action] = []
    for id in before.map({ old[$0].id }).sorted() where !after.contains(where: { new[$0].id == id }) {
      actions += drop(OfferID(device: device, activity: id))
    }
    for place in after.sorted(by: { new[$0].id < new[$1].id }) {
      let id = new[place].id
      let known = before.first { old[$0].id == id }.map { old[$0] }
      actions += renew(OfferID(device: device, activity: id), new[place], before: known)
    }
    return actions + tellClaims(of: news)
  }

  /// A record that its device dated far ahead ends when its lifetime has passed here since it came.
  private mutating func endTheFuture(at now: Instant) -> [Action] {
    let ended = remote.filter { $0.value.endsAt.map { $0 <= now } ?? false }
    return ended.sorted { $0.key < $1.key }.flatMap { device, held -> [Action] in
      remote[device]?.endsAt = nil
      remote[device]?.state.activities = []
      return held.state.activities.flatMap { drop(OfferID(device: device, activity: $0.id)) }
    }
  }

  /// Its offers are withdrawn, and what is being continued from it ends with the reason.
  private mutating func forget(_ device: DeviceID) -> [Action] {
    guard let held = remote.removeValue(forKey: device) else { return [] }
    let error = ContinuityError(
      .handoffFailed, subject: held.name, because: .deviceRemoved(device: held.name))
    return held.state.activities.flatMap { drop(OfferID(device: device, activity: $0.id), error) }
  }

  private mutating func drop(
    _ offer: OfferID,
    _ error: ContinuityError = ContinuityError(.handoffFailed, because: .ended)
  ) -> [Action] {
    arrivals[offer] = nil
    formerArrivals[offer] = nil
    remarks[offer] = nil
    orphans = orphans.filter { $0.value.offer != offer }
    let ended = continuations.filter { $0.value.offer == offer && !$0.value.phase.isDelivered }.keys.sorted()
    return [.untrack(offer)] + ended.flatMap { end($0, error) }
  }

  private mutating func renew(
    _ offer: OfferID, _ snapshot: ActivitySnapshot, before: ActivitySnapshot?
  ) -> [Action] {
    for (request, continuation) in continuations where continuation.offer == offer {
      if !continuation.phase.isDelivered { continuations[request]?.snapshot = snapshot }
    }
    guard let document = snapshot.document else {
      arrivals[offer] = ArrivalStatus(.current)
      return before?.document == nil ? [] : [.untrack(offer)]
    }
    guard before?.document != document || arrivals[offer] == nil else { return [] }
    formerArrivals[offer] = arrivals.removeValue(forKey: offer) ?? formerArrivals[offer]
    return [.track(offer, document, isAwaited: isAwaited(offer))]
  }

  private mutating func tellClaims(of device: RemoteDevice) -> [Action] {
    var actions: [Action] = []
    for claim in device.state.claims where claim.outcome.isContinued {
      guard let client = local[claim.activity]?.client, toldClaims.insert(claim.request).inserted else {
        continue
      }
      actions.append(.report(client, .continued(claim.activity, by: device.name)))
    }
    if toldClaims.count > Self.memory {
      toldClaims.formIntersection(remote.values.flatMap { $0.state.claims.map(\.request) })
    }
    return actions
  }
}
