// SPDX-License-Identifier: MIT

import ActivityModel

/// The activities of this device's apps: what is offered from here, and what an app itself keeps from being
/// offered (semantics 9, 17, 41).
struct OwnActivities: Hashable, Sendable {
  /// What is offered from here, and whose it is; nil once the app went away.
  private struct Held: Hashable {
    var snapshot: ActivitySnapshot
    var client: ClientNumber?
    /// When its app went away; nil of what an earlier run of this device offered, and of a document that was
    /// continued here since.
    var leftAt: Instant?
    /// When it ends unless its app, which is back, says it again.
    var endsAt: Instant?
    /// What of it does not travel, a sentence each.
    var remarks: [Reason] = []
  }

  /// What an app itself keeps from being offered, and whose it is; nil once the app went away, of what it
  /// gave up for another device.
  private struct Withheld: Hashable {
    var activity: OwnActivity
    var client: ClientNumber?
  }

  private var held: [ActivityID: Held] = [:] {
    didSet {
      expiries = held.mapValues(\.snapshot.expiry)
      nextEnd = held.values.reduce(nil) { $1.client == nil ? $0.orEarlier($1.endsAt) : $0 }
    }
  }
  /// When each expires: asked at each event.
  private var expiries: [ActivityID: WallTime] = [:]
  private var withheld: [ActivityID: Withheld] = [:]
  /// What goes on with an activity that was left open, by that one's ID.
  private var successors: [ActivityID: Successor] = [:]

  /// An activity of the same app for the same document, begun a moment after the former was left open, with
  /// nothing continued in between: a server or a host that was started again knows no activity's ID.
  private struct Successor: Hashable {
    var activity: ActivityID
    /// What the document held when it was left open.
    var digest: ContentDigest
    /// When the former had last changed, and when this one began.
    var formerChange: WallTime
    var beginning: WallTime
  }

  /// The app that offers an activity; nil when it is not offered, or left open.
  func holder(of activity: ActivityID) -> ClientNumber? { held[activity]?.client }

  /// What an app is told of a claim by the device of that name, on its activity or on the one that this goes
  /// on with in the same version; nil where no app has either.
  func receipt(
    of claim: Claim, by device: String
  ) -> (client: ClientNumber, activity: ActivityID, receipt: ContinuationReceipt)? {
    var receipt = claim.receipt(by: device)
    if let client = holder(of: claim.activity) { return (client, claim.activity, receipt) }
    guard let next = successors[claim.activity], let client = holder(of: next.activity),
      held[next.activity]?.snapshot.document?.version.digest == next.digest
    else { return nil }
    if receipt.covers(next.formerChange) == true { receipt.changedAt = next.beginning }
    return (client, next.activity, receipt)
  }

  /// The app that keeps an activity from being offered.
  func withholder(of activity: ActivityID) -> ClientNumber? { withheld[activity]?.client }

  /// The documents of these activities and what is open beside them, offered or not, as they were last
  /// published.
  var documents: [DocumentReference] {
    held.values.flatMap { [$0.snapshot.document].compactMap { $0 } + $0.snapshot.openDocuments }
  }

  /// The documents of which an app here has text that it did not save.
  var unsavedDocuments: [DocumentReference] {
    held.values.filter { $0.snapshot.flags.contains(.unsavedChanges) }.compactMap(\.snapshot.document)
  }

  /// The documents of what that app offers.
  func documents(of client: ClientNumber) -> [ActivityID: DocumentReference] {
    held.filter { $0.value.client == client }.compactMapValues(\.snapshot.document)
  }

  /// The state in which an activity is offered, or would be.
  func snapshot(of activity: ActivityID) -> ActivitySnapshot? { held[activity]?.snapshot }

  var ids: Set<ActivityID> { Set(held.keys) }

  // MARK: What apps say

  /// What the last run of this device offered stands, left open.
  mutating func restore(_ activities: [ActivitySnapshot]) {
    for activity in activities where !activity.isOutOfReachAlone {
      var snapshot = activity.withWebAddressesOnly
      snapshot.flags.insert([.leftOpen, .handoff])
      held[snapshot.id] = Held(snapshot: snapshot, client: nil)
    }
  }

  /// An app's next hello ends what its last run left open. What it still has, it says again, and until then
  /// that stands: a record without it would end the waits of other devices.
  mutating func connect(_ appID: String, endsAt: Instant) {
    for (id, activity) in held where activity.client == nil && activity.snapshot.appID == appID {
      held[id]?.endsAt = activity.endsAt ?? endsAt
    }
    withheld = withheld.filter { $0.value.client != nil || $0.value.activity.appID != appID }
  }

  /// What that app offers is left open: whether it offered anything.
  mutating func disconnect(_ client: ClientNumber, at now: Instant) -> Bool {
    let own = held.filter { $0.value.client == client }.keys
    for id in own where held[id]?.snapshot.isOutOfReachAlone == true { held[id] = nil }
    for id in own where held[id] != nil {
      held[id]?.client = nil
      held[id]?.leftAt = now
      held[id]?.snapshot.flags.insert(.leftOpen)
    }
    for (id, activity) in withheld where activity.client == client {
      // A person may ask who has it now.
      withheld[id] = activity.activity.isGivenUp ? Withheld(activity: activity.activity, client: nil) : nil
      limitWithheld(of: nil)
    }
    return !own.isEmpty
  }

  /// What was left open holds this, with all that was saved: whether that is news. The rest of its state is
  /// the last that its app told.
  mutating func replaceLeftOpen(_ activity: ActivityID, by document: DocumentReference) -> Bool {
    guard var left = held[activity], left.client == nil, let former = left.snapshot.document,
      former.version.digest != document.version.digest
    else { return false }
    left.snapshot.document = document
    left.snapshot.translatedDocuments = left.snapshot.translatedDocuments.map { $0 == former ? document : $0 }
    // What was handed over before is older than that, and may hold what it does not.
    if left.snapshot.draft == nil { left.snapshot.flags.remove(.unsavedChanges) }
    left.snapshot.draft = nil
    held[activity] = left
    return true
  }

  mutating func update(_ snapshot: ActivitySnapshot, by client: ClientNumber, remarks: [Reason]) {
    withheld[snapshot.id] = nil
    held[snapshot.id] = Held(snapshot: snapshot, client: client, remarks: remarks)
    // A record holds few activities: an app that makes them without end does not fill the memory.
    let own = held.filter { $0.value.client == client }
    guard own.count > Self.limitOfOneApp else { return }
    let oldest = own.min { ($0.value.snapshot.changedAt, $0.key) < ($1.value.snapshot.changedAt, $1.key) }
    if let oldest { held[oldest.key] = nil }
  }

  /// An app is about to begin this activity; `patience` is how long it may have been away to go on with what
  /// it left open.
  mutating func succeed(to snapshot: ActivitySnapshot, at now: Instant, patience: Duration) {
    guard held[snapshot.id] == nil, let document = snapshot.document else { return }
    successors = successors.filter { held[$0.value.activity] != nil }
    for (id, left) in held where left.client == nil && left.snapshot.appID == snapshot.appID {
      guard let leftAt = left.leftAt, leftAt + patience >= now, let former = left.snapshot.document,
        former.isSamePlace(as: document)
      else { continue }
      successors[id] = Successor(
        activity: snapshot.id, digest: former.version.digest, formerChange: left.snapshot.changedAt,
        beginning: snapshot.changedAt)
    }
  }

  /// The document was continued here: nothing goes on with what was left open of it before.
  mutating func endSuccession(at document: DocumentReference) {
    for (id, activity) in held where activity.snapshot.document?.isSamePlace(as: document) == true {
      held[id]?.leftAt = nil
      successors[id] = nil
    }
  }

  mutating func withhold(_ activity: OwnActivity, by client: ClientNumber) {
    withheld[activity.id] = Withheld(activity: activity, client: client)
    limitWithheld(of: client)
  }

  /// The oldest of one app's is forgotten, or of those whose app went away.
  private mutating func limitWithheld(of client: ClientNumber?) {
    let own = withheld.filter { $0.value.client == client }
    guard own.count > Self.limitOfOneApp else { return }
    let oldest = own.min { ($0.value.activity.changedAt, $0.key) < ($1.value.activity.changedAt, $1.key) }
    if let oldest { withheld[oldest.key] = nil }
  }

  /// The app ended the activity: whether it offered it.
  mutating func withdraw(_ activity: ActivityID, by client: ClientNumber) -> Bool {
    if withheld[activity]?.client == client { withheld[activity] = nil }
    guard holder(of: activity) == client else { return false }
    held[activity] = nil
    return true
  }

  private static let limitOfOneApp = 4 * DeviceState.activityLimit

  // MARK: Time

  /// When the next activity ends that its app, which is back, did not say again.
  private(set) var nextEnd: Instant?

  /// Ends what was left open, and its app is back and did not say again: whether there was any.
  mutating func endLeftOpen(at now: Instant) -> Bool {
    let ended = held.filter { $0.value.client == nil && $0.value.endsAt.map { $0 <= now } == true }.keys
    for id in ended { held[id] = nil }
    return !ended.isEmpty
  }

  /// What expires is not offered any more (semantics 9), also while its app stays connected and nobody
  /// touches it; what was left open is forgotten then. Returns whether any of `stated` expired.
  mutating func endExpired(stated: Set<ActivityID>, wall: WallTime) -> Bool {
    var isStated = false
    for (id, expiry) in expiries where expiry <= wall {
      if stated.contains(id) { isStated = true }
      if holder(of: id) == nil { held[id] = nil }
    }
    return isStated
  }

  /// When the first of these activities expires.
  func expiry(of activities: Set<ActivityID>) -> WallTime? {
    activities.lazy.compactMap { expiries[$0] }.min()
  }

  // MARK: What is told of them

  /// What the next record will say is offered.
  func recorded(wall: WallTime) -> [ActivitySnapshot] {
    let offered = held.values.map(\.snapshot).filter { Self.reasonNotOffered($0, wall: wall) == nil }
    return Array(
      offered.sorted { ($1.changedAt, $1.id) < ($0.changedAt, $0.id) }.prefix(DeviceState.activityLimit))
  }

  /// Every activity that this device's apps have current, gave up or left open, newest first. `refusal` tells
  /// why the folder around a local path is not used, `remarks` what other devices say of an activity that
  /// last changed at that time.
  func list(
    wall: WallTime, limit: Int, refusal: ([UInt8]) -> Reason?, remarks: (ActivityID, WallTime) -> [Reason]
  ) -> [OwnActivity] {
    let offered = Set(recorded(wall: wall).map(\.id))
    var own = held.values.map { held in
      OwnActivity(
        held.snapshot,
        because: Self.reasonNotOffered(held.snapshot, wall: wall, refusal: refusal)
          ?? (offered.contains(held.snapshot.id) ? nil : .tooMany(UInt64(DeviceState.activityLimit))),
        notes: held.remarks + remarks(held.snapshot.id, held.snapshot.changedAt))
    }
    own += withheld.values.map(\.activity).filter { held[$0.id] == nil }.map { activity in
      var activity = activity
      // Its app does not know the time as a person here reads it.
      let receipt = remarks(activity.id, activity.changedAt).last
      if activity.isGivenUp, let receipt, case .continued = receipt { activity.cause = receipt }
      return activity
    }
    return Array(own.sorted { ($1.changedAt, $1.id) < ($0.changedAt, $0.id) }.prefix(limit))
  }

  /// Semantics 17, as far as the agent sees it: that the activity is current and valid, its app said by
  /// sending it.
  private static func reasonNotOffered(
    _ snapshot: ActivitySnapshot, wall: WallTime, refusal: ([UInt8]) -> Reason? = { _ in nil }
  ) -> Reason? {
    if let reason = snapshot.reasonWithheld { return reason }
    if snapshot.expiry <= wall {
      return snapshot.expiresAt == nil ? .unchanged : .expired
    }
    if let path = snapshot.documentPath {
      if let refusal = refusal(path) { return refusal }
      // A document outside every synced folder could not be resolved anywhere else.
      return .outsideFolders(path: DisplayText.shown(path))
    }
    return nil
  }
}

extension ActivitySnapshot {
  /// Whether nobody can go on with it without its app: no file has its text, which was not handed over.
  fileprivate var isOutOfReachAlone: Bool { needsDraft && draft == nil }
}

extension OwnActivity {
  /// Whether its app left it to another device.
  fileprivate var isGivenUp: Bool { if case .continued? = cause { true } else { false } }
}
