// SPDX-License-Identifier: MIT

import ActivityModel

/// Which offers apps were told of, and for how long that holds as nothing but the clock goes on.
struct ShownOffers: Hashable, Sendable {
  private var shown: [ClientNumber: [Offer]] = [:]
  /// What is offered stays the same from the one time to just before the other. A clock that is set back may
  /// bring back what had expired. Nil once something changed of which offers are made.
  private var holds: Range<WallTime>?
  /// When the first activity that some app is shown expires; nil when what is shown may have changed.
  private(set) var expiry: WallTime?

  /// Whether nothing changed of what is offered, by the clock or otherwise.
  func hold(at wall: WallTime) -> Bool { holds?.contains(wall) ?? false }

  /// Something changed of which offers are made, or to whom.
  mutating func outdate() { (holds, expiry) = (nil, nil) }

  /// What the app is shown from now on: whether that is news.
  mutating func show(_ offers: [Offer], to client: ClientNumber) -> Bool {
    guard shown[client] != offers else { return false }
    shown[client] = offers
    return true
  }

  /// Every app is shown what stands from `wall` until `end`.
  mutating func hold(from wall: WallTime, until end: WallTime, expiry: (OfferID) -> WallTime?) {
    holds = wall..<end
    self.expiry = nil
    for offer in shown.values.joined() {
      guard let end = expiry(offer.id) else { continue }
      self.expiry = min(self.expiry ?? end, end)
    }
  }

  mutating func forget(_ client: ClientNumber) { shown[client] = nil }
}
