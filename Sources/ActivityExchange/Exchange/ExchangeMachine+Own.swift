// SPDX-License-Identifier: MIT

public import ActivityModel

// What this device offers, what it does not, and why (semantics 17, 41).
extension ExchangeMachine {
  /// Every activity that this device's apps have current or left open, newest first: what
  /// `continuo offers --own` prints. `refusal` tells why the folder around a local path is not
  /// used, if it is not.
  public func ownActivities(
    wall: WallTime, refusal: ([UInt8]) -> Reason? = { _ in nil }
  ) -> [OwnActivity] {
    let offered = Set(recordedActivities(wall: wall).map(\.id))
    var own = local.values.map { held in
      OwnActivity(
        held.snapshot,
        because: reasonNotOffered(held.snapshot, wall: wall, refusal: refusal)
          ?? (offered.contains(held.snapshot.id) ? nil : .tooMany(UInt64(DeviceState.activityLimit))),
        notes: held.remarks + remarks(onOwn: held.snapshot.id))
    }
    own += withheld.values.map(\.activity).filter { local[$0.id] == nil }
    return Array(own.sorted { ($1.changedAt, $1.id) < ($0.changedAt, $0.id) }.prefix(Self.listLimit))
  }

  /// The documents of these activities, offered or not, as they were last published.
  public var ownDocuments: [DocumentReference] { local.values.compactMap(\.snapshot.document) }

  /// The list must fit one message.
  private static let listLimit = 24

  /// Tries of other devices that came to nothing, as their claims tell.
  private func remarks(onOwn activity: ActivityID) -> [Reason] {
    let remarks = remote.sorted { $0.key < $1.key }.flatMap { _, device in
      device.state.claims.filter { $0.activity == activity }.compactMap { claim -> Reason? in
        switch claim.outcome {
        case .handled, .opened: nil
        case .declined: .notTaken(device: device.name)
        case .failed:
          .notShownThere(device: device.name, message: claim.message.isEmpty ? nil : claim.message)
        }
      }
    }
    return remarks.suffix(4)
  }

  /// What an app itself keeps from being offered.
  struct Withheld: Hashable, Sendable {
    var activity: OwnActivity
    var client: ClientNumber
  }

  mutating func withhold(_ client: ClientNumber, _ activity: OwnActivity) -> [Action] {
    guard let manifest = clients[client] else { return [] }
    if let held = withheld[activity.id]?.client, clients[held]?.appID != manifest.appID { return [] }
    var activity = activity
    activity.appID = manifest.appID
    withheld[activity.id] = Withheld(activity: activity, client: client)
    let own = withheld.filter { $0.value.client == client }
    guard own.count > 4 * DeviceState.activityLimit else { return [] }
    let oldest = own.min { ($0.value.activity.changedAt, $0.key) < ($1.value.activity.changedAt, $1.key) }
    if let oldest { withheld[oldest.key] = nil }
    return []
  }

  /// What the next record will say is offered.
  func recordedActivities(wall: WallTime) -> [ActivitySnapshot] {
    let offered = local.values.map(\.snapshot).filter { reasonNotOffered($0, wall: wall) == nil }
    return Array(
      offered.sorted { ($1.changedAt, $1.id) < ($0.changedAt, $0.id) }.prefix(DeviceState.activityLimit))
  }

  /// Semantics 17, as far as the agent sees it: that the activity is current and valid, its app said by
  /// sending it.
  private func reasonNotOffered(
    _ snapshot: ActivitySnapshot, wall: WallTime, refusal: ([UInt8]) -> Reason? = { _ in nil }
  ) -> Reason? {
    if let reason = snapshot.reasonWithheld { return reason }
    if snapshot.expiry <= wall { return snapshot.expiresAt == nil ? .unchanged : .expired }
    if let path = snapshot.documentPath {
      if let refusal = refusal(path) { return refusal }
      // A document outside every synced folder could not be resolved anywhere else.
      return .outsideFolders(path: DisplayText.shown(path))
    }
    return nil
  }
}

extension ActivitySnapshot {
  /// Eligible, typed, not expired when taken, and with its required keys: what 17 asks of the state itself.
  public var isOfferable: Bool { reasonWithheld == nil }

  /// Why the state itself keeps the activity from being offered; nil when it does not.
  public var reasonWithheld: Reason? {
    if type.isEmpty { return .untyped }
    if !flags.contains(.handoff) { return .notEligible }
    if let missing = requiredUserInfoKeys?.sorted().first(where: { userInfo[.text($0)] == nil }) {
      return .requiredKeyMissing(missing)
    }
    if let expiresAt, expiresAt <= changedAt { return .expired }
    return nil
  }
}
