// SPDX-License-Identifier: MIT

import ActivityModel

/// Saved activities of this device that a person wants to go on with: accepted like offers, and held only
/// until that has ended (semantics 11f).
struct RestoredActivities: Sendable {
  /// One of them.
  struct Activity: Sendable {
    fileprivate let offer: RemoteOffer

    /// The activity as it was saved, on this device, which is called so.
    init(_ id: OfferID, deviceName: String, _ snapshot: ActivitySnapshot) {
      let shown = Offer(
        id: id, deviceName: deviceName, snapshot: snapshot, folderName: "", status: ArrivalStatus(.current))
      offer = RemoteOffer(id: id, snapshot: snapshot, shown: shown)
    }
  }

  /// More than a person can have asked for before any of them began.
  private static let limit = 8

  /// In the order in which they were asked for, and whether their continuation has begun.
  private var activities: [(offer: RemoteOffer, hasBegun: Bool)] = []

  var isEmpty: Bool { activities.isEmpty }

  subscript(offer: OfferID) -> RemoteOffer? { activities.first { $0.offer.id == offer }?.offer }

  /// Keeps it, in place of an earlier state of the same. Returns those given up for it.
  mutating func hold(_ activity: Activity) -> [OfferID] {
    activities.removeAll { $0.offer.id == activity.offer.id }
    activities.append((activity.offer, false))
    let waiting = activities.indices.filter { !activities[$0].hasBegun }
    guard waiting.count > Self.limit else { return [] }
    return [activities.remove(at: waiting[0]).offer.id]
  }

  /// Takes out those that have begun and do not go on, in order.
  mutating func takeEnded(isGoingOn: (OfferID) -> Bool) -> [OfferID] {
    var ended: [OfferID] = []
    activities = activities.compactMap { entry in
      let goesOn = isGoingOn(entry.offer.id)
      guard goesOn || !entry.hasBegun else {
        ended.append(entry.offer.id)
        return nil
      }
      return (entry.offer, goesOn)
    }
    return ended
  }
}
