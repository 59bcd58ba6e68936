// SPDX-License-Identifier: MIT

import ActivityModel

/// What this device continued, and in which state of the activity: such an offer is not shown again.
struct ContinuedOffers: Hashable, Sendable {
  /// When the continued state of each offer was changed.
  private(set) var changes: [OfferID: WallTime]

  /// More than 32 devices' records can hold.
  static let limit = 1024

  init(_ changes: [OfferID: WallTime]) { self.changes = changes }

  /// Whether nothing was continued.
  var isEmpty: Bool { changes.isEmpty }

  /// Whether this state of the offer, or a later one, was continued.
  func contains(_ offer: OfferID, changedAt: WallTime) -> Bool {
    changes[offer].map { changedAt <= $0 } ?? false
  }

  mutating func record(_ offer: OfferID, changedAt: WallTime) {
    changes[offer] = changedAt
    guard changes.count > Self.limit else { return }
    let oldest = changes.min { ($0.value, $0.key) < ($1.value, $1.key) }
    if let oldest { changes[oldest.key] = nil }
  }
}
