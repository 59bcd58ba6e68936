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
    guard manifest.continuableTypes.contains(offer.type) else { return false }
    if offer.type.hasPrefix("public.") { return true }
    if offer.team == nil, manifest.team == nil { return offer.appID == manifest.appID }
    return offer.team == manifest.team
  }

  func allOffers(wall: WallTime) -> [Offer] {
    remote.flatMap { device, held in
      offered(by: device, held, wall: wall).compactMap { id, snapshot in
        guard continued[id].map({ snapshot.changedAt <= $0 }) != true else { return nil }
        var offer = Offer(
          id: id, deviceName: held.name, snapshot: snapshot, folderName: "",
          status: arrivals[id]
            ?? ArrivalStatus(.missing, reason: "The document has not been looked at yet."))
        offer.remark = remark(on: id, snapshot)
        return offer
      }
    }
    .sorted { ($1.changedAt, $1.id) < ($0.changedAt, $0.id) }
  }

  /// The offers of one device that are neither expired nor incomplete.
  func offered(by device: DeviceID, _ held: RemoteDevice, wall: WallTime) -> [OfferID: ActivitySnapshot] {
    let end = held.state.issuedAt.adding(seconds: held.state.lifetime + timing.clockSkew)
    guard wall <= end else { return [:] }
    var offers: [OfferID: ActivitySnapshot] = [:]
    for snapshot in held.state.activities where snapshot.holdsRequiredKeys {
      if snapshot.expiry.adding(seconds: timing.clockSkew) <= wall { continue }
      offers[OfferID(device: device, activity: snapshot.id)] = snapshot
    }
    return offers
  }

  /// Tells each app its offers, when they changed.
  mutating func showOffers(wall: WallTime) -> [Action] {
    let all = allOffers(wall: wall)
    return clients.sorted { $0.key < $1.key }.compactMap { client, manifest in
      let offers = all.filter { Self.matches($0, manifest) }
      guard shown[client] != offers else { return nil }
      shown[client] = offers
      return .report(client, .offers(offers))
    }
  }
}
