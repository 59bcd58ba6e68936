// SPDX-License-Identifier: MIT

public import ActivityModel

extension ExchangeMachine {
  /// Every offer of every other device, newest first: what `continuo offers` prints.
  ///
  /// `folderName` names a folder as this device calls it.
  public func offers(wall: WallTime, folderName: (FolderID) -> String?) -> [Offer] {
    allOffers(wall: wall).map { offer in
      var named = offer
      if let folder = snapshot(of: offer.id)?.document?.folder { named.folderName = folderName(folder) ?? "" }
      return named
    }
  }

  /// The state in which an offer stands, for its delivery.
  public func snapshot(of offer: OfferID) -> ActivitySnapshot? {
    remote[offer.device]?.state.activities.first { $0.id == offer.activity }
  }

  /// Whether the app may continue the offer: it declares the type, and the type belongs to everybody or was
  /// made by the app's team. Where neither app names a team it must be the same app (semantics 35).
  public static func matches(_ offer: Offer, _ manifest: AppManifest) -> Bool {
    guard manifest.continues(offer.type) else { return false }
    if offer.type.hasPrefix("public.") { return true }
    if offer.team == nil, manifest.team == nil { return offer.appID == manifest.appID }
    return offer.team == manifest.team
  }

  func allOffers(wall: WallTime) -> [Offer] {
    var offers: [Offer] = []
    for (device, held) in remote {
      for place in offered(by: held, wall: wall) {
        let id = OfferID(device: device, activity: held.state.activities[place].id)
        if let known = continued[id], held.state.activities[place].changedAt <= known { continue }
        offers.append(offer(id, held.state.activities[place], of: held))
      }
    }
    if offers.count > 1 { offers.sort { ($1.changedAt, $1.id) < ($0.changedAt, $0.id) } }
    return offers
  }

  private func offer(_ id: OfferID, _ snapshot: ActivitySnapshot, of held: RemoteDevice) -> Offer {
    var offer = Offer(
      id: id, deviceName: held.name, snapshot: snapshot, folderName: "",
      status: arrivals[id] ?? lookingStatus(of: id))
    offer.notes = [remark(on: id, snapshot), held.leftOut[snapshot.id]].compactMap { $0 }
    return offer
  }

  /// What is said of an offer while its document is being looked at: not that it is missing, unless it was.
  /// What lies here is an older version in nearly every case, and whether it is the one meant nobody knows
  /// yet.
  func lookingStatus(of offer: OfferID) -> ArrivalStatus {
    let looking = ArrivalStatus(.behind, because: .looking)
    guard let former = formerArrivals[offer] else { return looking }
    return switch former.arrival {
    case .missing, .unreadable, .folderUnknown, .diverged: former
    case .current, .ahead, .behind: looking
    }
  }

  /// Which activities of one device are neither expired nor incomplete, by their places in its record; of two
  /// under one ID the last.
  func offered(by held: RemoteDevice, wall: WallTime) -> [Int] {
    guard wall <= end(of: held) else { return [] }
    let activities = held.state.activities
    var places: [Int] = []
    for place in activities.indices
    where activities[place].holdsRequiredKeys && wall < end(of: activities[place]) {
      if let twin = places.firstIndex(where: { activities[$0].id == activities[place].id }) {
        places[twin] = place
      } else {
        places.append(place)
      }
    }
    return places
  }

  /// The last moment at which a record is believed.
  private func end(of held: RemoteDevice) -> WallTime {
    held.state.issuedAt.adding(seconds: held.state.lifetime + timing.clockSkew)
  }

  /// Whether a record claims to be written later than any clock that is a little wrong could say.
  public func isFromTheFuture(_ state: DeviceState, wall: WallTime) -> Bool {
    wall.adding(seconds: timing.clockSkew) < state.issuedAt
  }

  /// The first moment at which an activity is not offered any more.
  private func end(of snapshot: ActivitySnapshot) -> WallTime {
    snapshot.expiry.adding(seconds: timing.clockSkew)
  }

  // MARK: Telling apps

  /// What apps were told, for as long as nothing but the clock goes on.
  struct Showing: Hashable, Sendable {
    /// What is offered stays the same from the one time to just before the other. A clock that is set back
    /// may bring back what had expired.
    var holds: Range<WallTime>
    /// When the first activity that some app is shown expires.
    var expiry: WallTime?
  }

  /// Tells each app its offers, when they changed.
  mutating func showOffers(wall: WallTime, _ actions: inout [Action]) {
    if let showing, showing.holds.contains(wall) { return }
    let all = allOffers(wall: wall)
    for (client, manifest) in clients.sorted(by: { $0.key < $1.key }) {
      let isForAll = all.allSatisfy { Self.matches($0, manifest) }
      let offers = isForAll ? all : all.filter { Self.matches($0, manifest) }
      guard shown[client] != offers else { continue }
      shown[client] = offers
      actions.append(.report(client, .offers(offers)))
    }
    showing = Showing(holds: wall..<firstEnd(after: wall), expiry: shownExpiry)
  }

  /// When the clock alone will end an offer that stands at `wall`.
  private func firstEnd(after wall: WallTime) -> WallTime {
    var first = WallTime(milliseconds: .max)
    for held in remote.values {
      let last = end(of: held)
      guard wall <= last else { continue }
      if last < first { first = WallTime(milliseconds: last.milliseconds + 1) }
      for snapshot in held.state.activities {
        let end = end(of: snapshot)
        if wall < end { first = min(first, end) }
      }
    }
    return first
  }

  private var shownExpiry: WallTime? {
    var first: WallTime?
    for offer in shown.values.joined() {
      guard let snapshot = snapshot(of: offer.id) else { continue }
      first = min(first ?? end(of: snapshot), end(of: snapshot))
    }
    return first
  }
}
