// SPDX-License-Identifier: MIT

import ActivityModel

// Apps that end while they continue something, and come back (semantics 37).
extension ExchangeMachine {
  /// Who an app is, whichever of its processes or connections speaks.
  struct AppIdentity: Hashable, Sendable {
    var appID: String
    var team: [UInt8]?

    init(_ manifest: AppManifest) {
      appID = manifest.appID
      team = manifest.team
    }
  }

  /// An acceptance whose app went away before it got the document.
  struct Orphan: Hashable, Sendable {
    var app: AppIdentity
    var offer: OfferID
    var wait: Wait
    /// The app may come back until then.
    var until: Instant
  }

  /// The app of a continuation went away. Before the delivery the acceptance waits for the app's next hello,
  /// unless that was heard first; afterwards only the person can try again, for it may be the activity that
  /// ended the app.
  mutating func abandon(
    _ request: RequestID, of app: AppManifest?, at now: Instant, wall: WallTime
  ) -> [Action] {
    guard let continuation = continuations.removeValue(forKey: request), let app else { return [] }
    let ended = [retrack(continuation.offer)].compactMap { $0 }
    guard var wait = continuation.wait else {
      remark(
        continuation.offer, continuation.snapshot.changedAt, .appEnded(app: app.name))
      return ended
    }
    // Another process may come back, in which nobody chose anything: the question is asked there.
    if wait.agreed != nil {
      wait.isOverdue = true
      wait.deadline = max(wait.deadline, now + timing.choiceDeadline)
    }
    wait.agreed = nil
    orphans[request] = Orphan(
      app: AppIdentity(app), offer: continuation.offer, wait: wait, until: now + timing.returning)
    let next = clients.filter { $0.key > continuation.client && AppIdentity($0.value) == AppIdentity(app) }
    return ended + (next.keys.max().map { adopt(by: $0, at: now, wall: wall) } ?? [])
  }

  /// The app is back, perhaps as another process: what it had accepted begins anew, under the same request,
  /// so that a process that lived on does not begin it twice. Its time goes on: what reconnects again and
  /// again would wait for ever else.
  mutating func adopt(by client: ClientNumber, at now: Instant, wall: WallTime) -> [Action] {
    guard let manifest = clients[client] else { return [] }
    let own = orphans.filter { $0.value.app == AppIdentity(manifest) }.sorted { $0.key < $1.key }
    return own.flatMap { request, orphan -> [Action] in
      orphans[request] = nil
      guard let (name, snapshot) = standing(of: orphan.offer, wall: wall) else { return [] }
      return begin(
        request, client, orphan.offer, snapshot, deviceName: name, wait: orphan.wait, at: now, wall: wall)
    }
  }

  /// The request is known: an app that reconnected repeats it, at times before its old connection has ended.
  mutating func acceptAgain(
    _ client: ClientNumber, _ offer: OfferID, _ request: RequestID, at now: Instant, wall: WallTime
  ) -> [Action] {
    // What an older connection still held is no news.
    guard let known = continuations[request], known.client < client, let manifest = clients[client] else {
      return []
    }
    guard known.offer == offer, clients[known.client].map(AppIdentity.init) == AppIdentity(manifest) else {
      let error = ContinuityError(
        .invalidRequest, subject: "request", "Another app uses this request; choose a fresh one.")
      return [.report(client, .fail(request, error))]
    }
    continuations[request] = nil
    guard let (name, snapshot) = standing(of: offer, wall: wall) else {
      return [.report(client, .fail(request, Self.offerGone))]
    }
    return begin(
      request, client, offer, snapshot, deviceName: name, wait: known.wait, at: now, wall: wall)
  }

  /// An offer that stands, and its device's name.
  func standing(of offer: OfferID, wall: WallTime) -> (name: String, snapshot: ActivitySnapshot)? {
    guard let held = remote[offer.device] else { return nil }
    let places = offered(by: held, wall: wall)
    guard let place = places.first(where: { held.state.activities[$0].id == offer.activity }) else {
      return nil
    }
    return (held.name, held.state.activities[place])
  }

  mutating func forgetOrphans(at now: Instant) -> [Action] {
    let late = orphans.filter { $0.value.until <= now }.keys
    for request in late { orphans[request] = nil }
    return late.isEmpty ? [] : [.log("an accepted activity is offered again: its app did not come back")]
  }

  // MARK: What is said of an offer

  /// What became of the last try to continue one state of an offer.
  struct Remark: Hashable, Sendable {
    var changedAt: WallTime
    var cause: Reason
  }

  mutating func remark(_ offer: OfferID, _ changedAt: WallTime, _ cause: Reason?) {
    guard snapshot(of: offer) != nil else { return }
    remarks[offer] = cause.map { Remark(changedAt: changedAt, cause: $0) }
  }

  func remark(on offer: OfferID, _ snapshot: ActivitySnapshot) -> Reason? {
    guard let remark = remarks[offer], snapshot.changedAt <= remark.changedAt else { return nil }
    return remark.cause
  }

  /// How a delivered activity ended.
  mutating func remark(
    _ offer: OfferID, _ changedAt: WallTime, _ outcome: ContinuationOutcome, _ message: String = "",
    in client: ClientNumber
  ) {
    let name = clients[client]?.name
    switch outcome {
    case .handled, .opened: remark(offer, changedAt, nil)
    case .declined: remark(offer, changedAt, .declined(app: name))
    case .failed: remark(offer, changedAt, .notShown(app: name, message: message.isEmpty ? nil : message))
    }
  }
}
